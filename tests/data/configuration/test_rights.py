"""Rights as the administrator writes them, beside a second reading that takes each sentence
literally.
"""

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.rights import (
    EVERYTHING,
    Right,
    Verb,
    from_headers,
    granted,
    matches,
)
from evenkeel.data.errors import SnapshotError
from tests.data.configuration.rights_model import fits, may

TEAMS = """
[[rights]]
claim = "groups"
values = ["payments-team"]
can = ["see", "share"]
clusters = ["production*"]
groups = ["payments*", "refunds"]

[[rights]]
claim = "realm_access.roles"
values = ["kafka-admin"]
can = ["admin"]
"""


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Return a function that writes a configuration and reads it."""
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))

    def read(text):
        (tmp_path / "evenkeel.toml").write_text(text)
        return configuration()

    return read


@pytest.mark.parametrize(
    ("verb", "cluster", "group", "expected"),
    [
        ("see", "production", "payments-eu", True),
        ("share", "production-eu", "refunds", True),
        ("see", "production", "refunds-eu", False),
        ("see", "staging", "payments", False),
        ("see", "production", "Payments", False),
        ("names", "production", "payments", False),
        ("upload", "production", "payments", False),
        ("see", None, "payments", False),
    ],
)
def test_a_right_allows_its_verbs_on_its_globs_alone(written, verb, cluster, group, expected):
    rights = written(TEAMS).rights

    assert (
        granted(rights, {"groups": ["payments-team", "all-hands"]}).may(verb, cluster, group)
        is expected
    )


def test_admin_includes_every_verb(written):
    grants = granted(written(TEAMS).rights, {"realm_access": {"roles": ["kafka-admin"]}})

    assert all(
        grants.may(verb, cluster, "any") for verb in get_args(Verb) for cluster in ("staging", None)
    )


@pytest.mark.parametrize(
    ("clusters", "groups", "is_everything"),
    [
        (["*"], ["*"], True),
        ([""], ["*"], False),
        (["*"], [""], False),
        (["*"], ["pay*"], False),
        (["pro*", "*"], ["a", "*"], True),
    ],
)
def test_admin_is_of_everything_with_a_star_in_both_lists_alone(clusters, groups, is_everything):
    grants = granted(
        (Right("sub", ("ada",), ("admin",), tuple(clusters), tuple(groups)),), {"sub": "ada"}
    )

    assert grants.covers_everything("admin") is is_everything


def test_two_rights_to_admin_do_not_add_up_to_everything():
    parts = tuple(
        Right("sub", ("ada",), ("admin",), clusters, groups)
        for clusters, groups in ((("*",), ("a",)), (("b",), ("*",)))
    )

    assert not granted(
        (*parts, Right("sub", ("ada",), ("see",))), {"sub": "ada"}
    ).covers_everything("admin")


def test_without_rights_whoever_is_known_may_do_everything_and_with_one_nothing_else():
    assert granted((), {}) == EVERYTHING
    assert granted((Right("groups", ("a",), ("see",)),), {"groups": "b"}).rows == ()


def test_a_server_without_login_and_rights_is_open(written):
    assert not written("[server]\nhosts = []\n").is_closed
    assert written(TEAMS).is_closed
    assert written("[login]\n").is_closed


@pytest.mark.parametrize(
    "claims",
    [
        {"email": "ada@example.com", "email_verified": False},
        {"email": None},
        {},
        {"email": {"a": 1}},
    ],
)
def test_an_address_of_mail_that_is_not_verified_gives_no_right(claims):
    assert granted((Right("email", ("*@example.com",), ("see",)),), claims).rows == ()


def test_a_header_of_groups_is_a_list_and_a_name_with_a_comma_is_none():
    claims = from_headers(
        {"groups": "payments-team, all", "name": "Ada, payments-team", "email": None}
    )

    assert claims == {"groups": ["payments-team", "all"], "name": "Ada, payments-team"}


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (
            'can = ["look"]',
            9,
            (
                "rights[1].can[0] is a string, expected see or names or upload or share or mark or"
                " admin"
            ),
        ),
        ("can = []", 9, "rights[1].can is empty, expected at least one entry"),
        ('can = ["see"]\ngroups = "payments"', 10, "rights[1].groups is a string, expected a list"),
        (
            'can = ["see"]\ngruops = ["payments"]',
            10,
            "unknown key rights[1].gruops, expected one of: can, claim, clusters, groups, values",
        ),
        ("", 5, "no key rights[1].can, expected a list"),
    ],
)
def test_a_wrong_right_is_told_with_its_line(written, tmp_path, text, line, said):
    first = '[[rights]]\nclaim = "a"\nvalues = ["b"]\ncan = ["see"]\n'
    with pytest.raises(SnapshotError) as error:
        written(f'{first}[[rights]]\nclaim = "a"\nvalues = ["b"]\n\n{text}\n')

    assert str(error.value) == f"{tmp_path}/evenkeel.toml, line {line}: {said}"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("proxy", "login.providers.proxy: Evenkeel uses the name proxy, expected another"),
        ("Key", "login.providers.Key: Evenkeel uses the name key, expected another"),
        (
            "Corporate",
            (
                "login.providers.Corporate: the name differs from corporate only in case, expected"
                " another"
            ),
        ),
    ],
)
def test_a_provider_whose_people_could_be_taken_for_others_is_refused_with_its_line(
    written, tmp_path, name, said
):
    about = (
        'client_id = "a"\nclient_secret = {env = "A"}\nserver_metadata_url ='
        ' "https://id.example.com"\n'
    )
    login = '[login]\naddress = "https://evenkeel.example.com"\ncookie_secret = {env = "A"}\n'
    with pytest.raises(SnapshotError) as error:
        written(f"{login}[login.providers.corporate]\n{about}[login.providers.{name}]\n{about}")

    assert str(error.value) == f"{tmp_path}/evenkeel.toml, line 8: {said}"


# Beside a second reading.


letters = some.text("ab-.\n", max_size=5)
globs = some.text("ab-.*?", max_size=5)


@given(globs, letters)
def test_a_glob_matches_as_it_is_read_letter_by_letter(glob, name):
    assert matches([glob], name) is fits(glob, name)


lists = some.lists(globs, min_size=1, max_size=2).map(tuple)
rights = some.builds(
    Right,
    some.sampled_from(["groups", "sub"]),
    lists,
    some.lists(some.sampled_from(get_args(Verb)), min_size=1).map(tuple),
    lists,
    lists,
)


@settings(max_examples=500)
@given(
    some.lists(rights, max_size=3),
    some.dictionaries(
        some.sampled_from(["groups", "sub"]), letters | some.lists(letters, max_size=2)
    ),
    some.sampled_from(get_args(Verb)),
    letters,
    letters,
)
def test_every_policy_is_read_as_it_is_written(policy, claims, verb, cluster, group):
    grants = granted(tuple(policy), claims)

    assert grants.may(verb, cluster, group) is may(policy, claims, verb, cluster, group)
    assert grants.may_in(verb, cluster) or not grants.may(verb, cluster, group)
    assert grants.may_anywhere(verb) or not grants.may_in(verb, cluster)
    assert not grants.covers(verb, cluster) or grants.may(verb, cluster, group)
