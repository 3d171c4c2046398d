"""Policies as files, and readers by cookie, header and key, beside a reading of docs/security.md
that shares no code with the program.
"""

import json
import random
from datetime import timedelta
from itertools import product
from typing import get_args

import pytest

from evenkeel.dashboard.shell.login_cookie import login_in, login_of, signed
from evenkeel.dashboard.shell.reader import Reader
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.rights import Verb, from_headers, granted
from evenkeel.data.shares.store import keys
from tests.dashboard.logins import SECRET
from tests.data.configuration.rights_model import (
    fits,
    may,
    may_see_in,
    may_upload,
    opens_uploads_of_others,
)

LOGIN = """
[login]
address = "http://localhost:8501"
cookie_secret = {env = "COOKIE_OF_TESTS"}

[login.providers.corporate]
client_id = "evenkeel"
client_secret = {env = "COOKIE_OF_TESTS"}
server_metadata_url = "http://127.0.0.1:9/.well-known/openid-configuration"
"""
CLAIMS = ["groups", "sub", "email", "realm_access.roles", "https://example.com/team", "roles"]
VALUES = [
    "payments-team",
    "payments-*",
    "?ayments-team",
    "ada",
    "*@example.com",
    "ada@*",
    "admin",
    "*",
    "Payments-team",
    "a.b",
]
CLUSTER_GLOBS = [
    "*",
    "production",
    "prod*",
    "?*",
    "",
    "**",
    "Production",
    "staging",
    "p?oduction",
    "*\n*",
]
GROUP_GLOBS = [
    "*",
    "payments*",
    "refunds",
    "*-eu",
    "",
    "p*-*u",
    "?efunds",
    "[pr]*",
    "payments.eu",
    "*a*a*",
]
CLUSTERS = ["production", "production-eu", "staging", "", "a\nb"]
GROUPS = ["payments", "payments-eu", "refunds", "Refunds", "", "paymentsxeu", "[pr]x", "banana"]


def policy_of(chance):
    """Return rights as tables of TOML; some leave out `clusters` and `groups`."""
    rights = []
    for _ in range(chance.choice([0, 1, 1, 2, 2, 3])):
        right = {
            "claim": chance.choice(CLAIMS),
            "values": chance.sample(VALUES, chance.randint(1, 2)),
            "can": chance.sample(get_args(Verb), chance.choice([1, 1, 2, 3])),
        }
        right |= (
            {"clusters": chance.sample(CLUSTER_GLOBS, chance.randint(1, 2))}
            if chance.random() < 0.7
            else {}
        )
        right |= (
            {"groups": chance.sample(GROUP_GLOBS, chance.randint(1, 2))}
            if chance.random() < 0.7
            else {}
        )
        rights.append(right)
    return rights


def token_of(chance):
    """Return the claims of an ID token."""
    token = {"sub": chance.choice(["ada", "bob"])}
    teams = chance.sample(
        ["payments-team", "Payments-team", "admin", "a.b", "axb"], chance.randint(0, 3)
    )
    token |= chance.choice(
        [{}, {"groups": teams}, {"groups": chance.choice(["payments-team", "admin"])}]
    )
    token |= chance.choice([{}, {"email": "ada@example.com"}])
    token |= chance.choice([{}, {"email_verified": True}, {"email_verified": False}])
    token |= chance.choice(
        [
            {},
            {"realm_access": {"roles": teams}},
            {"realm_access": "admin"},
            {"realm_access.roles": teams},
        ]
    )
    return token | chance.choice(
        [{}, {"https://example.com/team": "payments-team"}, {"roles": teams}]
    )


def answers(who):
    """Return what a reader may do, by question."""
    questions = {
        (verb, cluster, group): who.may(verb, cluster, group)
        for verb, cluster, group in product(get_args(Verb), CLUSTERS, GROUPS)
    }
    questions |= {("listed", cluster): who.sees_some(cluster) for cluster in CLUSTERS}
    return questions | {
        "upload": who.grants.may_anywhere("upload"),
        "others": who.may_open("corporate:eve"),
    }


def expected(rights, claims):
    questions = {
        (verb, cluster, group): may(rights, claims, verb, cluster, group)
        for verb, cluster, group in product(get_args(Verb), CLUSTERS, GROUPS)
    }
    questions |= {("listed", cluster): may_see_in(rights, claims, cluster) for cluster in CLUSTERS}
    return questions | {
        "upload": may_upload(rights, claims),
        "others": opens_uploads_of_others(rights, claims),
    }


@pytest.fixture
def chosen(tmp_path, monkeypatch):
    """Return a function that writes a policy and reads it as a server does."""
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path))
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    monkeypatch.setenv("COOKIE_OF_TESTS", SECRET)

    def read(rights):
        tables = [
            "\n".join(f"{key} = {json.dumps(value)}" for key, value in right.items())
            for right in rights
        ]
        (tmp_path / "evenkeel.toml").write_text(
            LOGIN + "".join(f"\n[[rights]]\n{table}\n" for table in tables)
        )
        return configuration()

    return read


def by_cookie(configured, token):
    login = login_of(
        token | {"provider": "corporate", "aud": "evenkeel", "exp": 4e9, "iat": 0}, configured
    )
    return granted(configured.rights, login_in(signed(login, SECRET), SECRET).claims)


def test_500_policies_give_each_reader_what_the_documentation_says(chosen):
    chance, wrong, allowed = random.Random(42), [], 0
    for number in range(500):
        rights, token = policy_of(chance), token_of(chance)
        configured = chosen(rights)
        # As a proxy sends it: texts alone, lists with commas.
        headers = {
            "user": token["sub"],
            "groups": ", ".join(
                chance.sample(["payments-team", "admin", "a.b"], chance.randint(0, 2))
            ),
        }
        named = {
            name: value.split(", ") if name == "groups" else value
            for name, value in headers.items()
            if value
        }
        readers = [
            (Reader("login", "corporate:x", grants=by_cookie(configured, token)), token),
            (
                Reader(
                    "proxy", "proxy:x", grants=granted(configured.rights, from_headers(headers))
                ),
                named,
            ),
        ]
        for who, claims in readers:
            actual, right = answers(who), expected(rights, claims)
            allowed += sum(right.values())
            wrong += [
                (number, who.kind, question, actual[question])
                for question in right
                if actual[question] != right[question]
            ]
    assert wrong == []
    assert 20_000 < allowed < 180_000


def test_50_keys_see_what_their_globs_name_and_change_nothing(chosen):
    chance, wrong = random.Random(43), []
    chosen([])
    for number in range(50):
        globs, clusters = chance.sample(GROUP_GLOBS[:4], 2), chance.sample(CLUSTER_GLOBS[:4], 2)
        key = keys().create(f"key {number}", globs, clusters, timedelta(hours=1)).key
        who = Reader("key", "key:x", grants=keys().find(key).grants)
        for verb, cluster, group in product(get_args(Verb), CLUSTERS, GROUPS):
            is_seen = any(fits(glob, cluster) for glob in clusters) and any(
                fits(glob, group) for glob in globs
            )
            wrong += [(number, verb, cluster, group)] * (
                who.may(verb, cluster, group) != (verb == "see" and is_seen)
            )
        wrong += [number] * (who.may_open("corporate:eve") or who.grants.may_anywhere("upload"))
    assert wrong == []
