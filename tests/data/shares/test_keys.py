"""Keys for programs in SQLite and in PostgreSQL, and what a database of an earlier release
becomes.
"""

import hashlib
from datetime import timedelta

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import select, text

from evenkeel.data.configuration.settings import ShareSettings
from evenkeel.data.errors import NoShareError, SnapshotError
from evenkeel.data.shares.database import _MIGRATIONS, KEYS, upgrade, writing
from evenkeel.data.shares.keys import Keys, is_key
from evenkeel.data.shares.shares import Shares
from tests.data.shares.clock import Clock
from tests.data.shares.frozen import frozen


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def kept(engines, clock):
    """The keys of an empty database."""
    engine = engines()
    upgrade(engine)
    return Keys(engine, clock)


def test_a_key_is_found_by_itself_alone_and_only_its_hash_is_kept(kept):
    made, other = kept.create("ci", ["payments*"], ["production"]), kept.create("other", ["*"])

    found = kept.find(made.key)

    assert (found.name, found.groups, found.clusters) == ("ci", ("payments*",), ("production",))
    assert found.grants.may("see", "production", "payments-eu")
    assert not any(
        found.grants.may(verb, "production", "payments-eu")
        for verb in ("names", "upload", "share", "admin")
    )
    assert is_key(made.key)
    assert made.key != other.key
    assert len(made.key) == 52
    assert [
        kept.find(key) for key in (made.key[:-1], made.key + "A", made.key.upper(), "", "evenkeel_")
    ] == [None] * 5
    with kept._engine.connect() as connection:
        rows = connection.execute(select(KEYS)).all()
    assert made.key not in str(rows)
    assert hashlib.sha256(made.key.encode()).hexdigest() in str(rows)


def test_a_key_is_valid_until_it_expires_or_is_revoked(kept, clock):
    short, long = kept.create("a", ["*"], keep=timedelta(days=1)), kept.create("b", ["*"])

    clock.goes_on(days=1)
    assert (kept.find(short.key), kept.find(long.key).name) == (None, "b")
    assert [one.key_id for one in kept.revoke("b")] == [long.key_id]
    assert kept.find(long.key) is None
    assert {one.name: one.state(clock()) for one in kept.listed()} == {
        "a": "expired",
        "b": "revoked",
    }
    with pytest.raises(SnapshotError, match="no valid key has the name or id 'b'"):
        kept.revoke("b")


def test_a_name_that_a_valid_key_has_is_refused_until_that_key_has_ended(kept, clock):
    kept.create("ci", ["*"], keep=timedelta(days=1))

    with pytest.raises(
        SnapshotError,
        match=(
            "a valid key has the name 'ci', expected another name, or first:"
            " evenkeel keys revoke 'ci'"
        ),
    ):
        kept.create("ci", ["payments*"])
    clock.goes_on(days=1)
    kept.create("ci", ["payments*"])
    kept.revoke("ci")
    kept.create("ci", ["payments*"])
    assert sorted(one.state(clock()) for one in kept.listed()) == ["expired", "revoked", "valid"]


@pytest.mark.parametrize("name", ["", "a" * 101, "a\nb", "a\x00"])
def test_a_name_that_a_list_cannot_show_is_refused(kept, name):
    with pytest.raises(SnapshotError, match="without control characters"):
        kept.create(name, ["*"])


def test_a_share_of_an_earlier_release_is_open_to_whoever_has_the_link(engines, clock):
    engine = engines()
    config = Config(attributes={})
    config.set_main_option("script_location", str(_MIGRATIONS))
    with writing(engine, alone=True) as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    upgrade(engine)
    with engine.begin() as connection:
        columns = "id, created_at, secret_hash, title, note, author, engine, redacted, byte_count"
        connection.execute(
            text(
                f"INSERT INTO shares ({columns}) VALUES ('{'A' * 22}', :at, '', 'old', '', '', '1',"
                " '[]', 1)"
            ),
            {"at": clock()},
        )

    assert Shares(engine, clock=clock).about("A" * 22).audience is None


def test_the_group_of_a_share_is_kept_only_where_it_decides_who_opens_it(engines, clock):
    engine = engines()
    upgrade(engine)
    kept = Shares(engine, ShareSettings(), clock)
    of = {"cluster": "production", "group_id": "payments"}

    abouts = [
        kept.about(kept.make(frozen(audience=audience, **of), "ada").share_id, secret)
        for audience, secret in (("link", None), ("see", "ada"))
    ]

    assert [(one.audience, one.cluster, one.group_id, one.is_own) for one in abouts] == [
        ("link", None, None, False),
        ("see", "production", "payments", True),
    ]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"audience": "link"}, "the share is open to link, expected one of: login, see"),
        (
            {"audience": "see", "redact": ("groups",)},
            "a share with stand-ins has no group name",
        ),
    ],
)
def test_an_author_chooses_no_wider_circle_than_the_administrator_sets(
    engines, clock, changes, said
):
    engine = engines()
    upgrade(engine)

    with pytest.raises(SnapshotError, match=said):
        Shares(engine, ShareSettings(widest="login"), clock).make(frozen(**changes), None)
    with pytest.raises(NoShareError):
        Shares(engine, clock=clock).open("A" * 22)
