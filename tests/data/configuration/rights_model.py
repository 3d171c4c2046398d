"""A second reading of the rights: a sentence of docs/security.md each, without patterns, sets or
short ways.

Rights are dictionaries as TOML has them, or the structures that are read from them; nothing here
comes from the program.
"""


def fits(glob, name):
    """`*` is any text, `?` one character, every other character itself; in full and with case."""
    if glob == "":
        return name == ""
    if glob[0] == "*":
        return any(fits(glob[1:], name[start:]) for start in range(len(name) + 1))
    return name != "" and glob[0] in ("?", name[0]) and fits(glob[1:], name[1:])


def values_of(claims, path):
    """A path with dots leads into a claim; an `email` that is not verified gives no right."""
    if path in claims:
        if path == "email" and claims.get("email_verified") is False:
            return []
        value = claims[path]
        return value if isinstance(value, list) else [value]
    first, dot, rest = path.partition(".")
    return values_of(claims[first], rest) if dot and isinstance(claims.get(first), dict) else []


def list_of(right, key):
    """`clusters` and `groups` are `["*"]` unless written."""
    value = right.get(key) if isinstance(right, dict) else getattr(right, key)
    return ["*"] if value is None else value


def held(rights, claims):
    """Return the rights of a reader with these claims; several add up."""
    mine = []
    for right in rights:
        path = right["claim"] if isinstance(right, dict) else right.claim
        words = [value for value in values_of(claims, path) if isinstance(value, str)]
        if any(fits(value, word) for value in list_of(right, "values") for word in words):
            mine.append(right)
    return mine


def has(right, verb):
    """`admin` is all verbs."""
    return verb in list_of(right, "can") or "admin" in list_of(right, "can")


def may(rights, claims, verb, cluster, group):
    """Without any right a reader may do everything; else what no right allows is denied."""
    if len(rights) == 0:
        return True
    for right in held(rights, claims):
        is_cluster = any(fits(glob, cluster) for glob in list_of(right, "clusters"))
        is_group = any(fits(glob, group) for glob in list_of(right, "groups"))
        if has(right, verb) and is_cluster and is_group:
            return True
    return False


def may_see_in(rights, claims, cluster):
    """Whether a cluster is listed depends on the rights alone, not on its groups."""
    if len(rights) == 0:
        return True
    return any(
        has(right, "see") and any(fits(glob, cluster) for glob in list_of(right, "clusters"))
        for right in held(rights, claims)
    )


def may_upload(rights, claims):
    """An upload needs no group."""
    return len(rights) == 0 or any(has(right, "upload") for right in held(rights, claims))


def opens_uploads_of_others(rights, claims):
    """Only a right to `admin` with `*` in both lists."""
    if len(rights) == 0:
        return True
    return any(
        "admin" in list_of(right, "can")
        and "*" in list_of(right, "clusters")
        and "*" in list_of(right, "groups")
        for right in held(rights, claims)
    )
