"""Shares in SQLite and in PostgreSQL: who can open, list and delete them, and until when."""

import random
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from sqlalchemy import text

from evenkeel.data.clock import Watch
from evenkeel.data.configuration.settings import ShareSettings
from evenkeel.data.errors import ExpiredShareError, NoShareError, SnapshotError
from evenkeel.data.shares.store import shares, sweep_expired
from tests.data.shares.frozen import RESULT, SCENARIO, frozen


def said(call, *arguments) -> str:
    with pytest.raises(NoShareError) as refusal:
        call(*arguments)
    return f"{type(refusal.value).__name__}: {refusal.value}"


def test_a_share_opens_as_it_was_made(store):
    shares = store()

    made = shares.make(
        frozen(
            title="lag or sticky?", note="pay-a\nholds half", author="Ada", forked_from="A" * 22
        ),
        "browser",
    )

    opened = shares.open(made.share_id)
    assert (opened.scenario, opened.result) == (SCENARIO, RESULT)
    assert opened.document() == {
        "format": "evenkeel.share/1",
        "id": made.share_id,
        "title": "lag or sticky?",
        "note": "pay-a\nholds half",
        "author": "Ada",
        "created_at": datetime(2026, 11, 20, 8, tzinfo=UTC),
        "expires_at": datetime(2026, 12, 20, 8, tzinfo=UTC),
        "engine": "0.1.0",
        "redacted": [],
        "forked_from": "A" * 22,
        "scenario": SCENARIO,
        "result": RESULT,
    }


def test_what_a_member_owned_before_is_left_out_because_the_line_before_says_it(store):
    shares = store()

    made = shares.make(
        frozen(result=[RESULT[0], RESULT[1] | {"owned_before": {"pay-a-0f3c": {}}}]), None
    )

    assert shares.open(made.share_id).result == RESULT[:2]


def test_two_shares_have_different_ids_and_secrets_of_128_bits(store):
    shares = store()

    texts = [each for _ in range(20) for each in shares.make(frozen(), "browser")]

    assert len(set(texts)) == 40
    assert {len(each) for each in texts} == {22}
    # Only two bits of the last character are of the 128.
    assert {each[-1] for each in texts} <= set("AQgw")


@pytest.mark.parametrize(
    "share_id",
    [
        "A" * 22,
        "",
        "x",
        "../../etc/passwd",
        "A" * 23,
        "é" * 22,
        "A" * 21 + "B",
        "' OR 1=1 --",
        "A" * 21 + "\x00",
    ],
)
def test_an_id_that_is_unknown_or_malformed_gets_the_answer_of_one_that_was_deleted_or_has_expired(
    store, clock, share_id
):
    shares = store()
    deleted, expired = shares.make(frozen(), "browser"), shares.make(frozen(), "browser")
    shares.delete(deleted.share_id, deleted.delete_secret)
    clock.goes_on(days=30)
    before_sweep = said(shares.open, expired.share_id)
    shares.sweep()

    answers = {
        before_sweep,
        *(said(shares.open, each) for each in (deleted.share_id, expired.share_id, share_id)),
    }

    assert answers == {"NoShareError: No share has this address."}


def test_a_share_opens_until_it_expires(store, clock):
    shares = store()
    made = shares.make(frozen(keep=timedelta(days=1)), "browser")

    clock.goes_on(hours=23, minutes=59)
    assert shares.open(made.share_id).scenario == SCENARIO

    clock.goes_on(minutes=1)
    assert said(shares.open, made.share_id)


@pytest.mark.parametrize("swept", [False, True])
def test_whoever_has_the_delete_secret_or_made_the_share_is_told_that_it_has_expired(
    store, clock, swept
):
    shares = store()
    made = shares.make(frozen(), "browser")
    clock.goes_on(days=30)
    if swept:
        shares.sweep()

    told = [said(shares.open, made.share_id, secret) for secret in (made.delete_secret, "browser")]

    assert told == 2 * [
        "ExpiredShareError: This share expired at 2026-12-20 08:00 UTC. Its content is deleted."
    ]
    assert [said(shares.open, made.share_id, secret) for secret in (None, "", "other")] == 3 * [
        "NoShareError: No share has this address."
    ]
    assert issubclass(ExpiredShareError, SnapshotError)


def test_a_share_that_never_expires_is_never_swept(store, clock):
    shares = store(ShareSettings(never=True))
    made = shares.make(frozen(keep=None), "browser")

    clock.goes_on(days=36_500)

    assert shares.sweep() == 0
    assert shares.open(made.share_id).about.expires_at is None


def test_a_sweep_deletes_what_has_expired_with_its_payload_and_nothing_else(store, clock, engines):
    shares = store()
    gone, kept = (
        shares.make(frozen(keep=timedelta(days=1)), "browser"),
        shares.make(frozen(keep=timedelta(days=7)), "browser"),
    )
    clock.goes_on(days=1)

    assert (shares.sweep(), shares.sweep()) == (1, 0)

    with engines().connect() as connection:
        assert connection.execute(text("SELECT share_id FROM payloads")).scalars().all() == [
            kept.share_id
        ]
        assert connection.execute(text("SELECT id FROM shares")).scalars().all() == [kept.share_id]
        assert connection.execute(text("SELECT id FROM expired_shares")).scalars().all() == [
            gone.share_id
        ]


def test_what_is_left_of_an_expired_share_goes_after_90_days(store, clock):
    shares = store()
    made = shares.make(frozen(), "browser")
    clock.goes_on(days=30)
    shares.sweep()

    clock.goes_on(days=90)
    shares.sweep()

    assert (
        said(shares.open, made.share_id, made.delete_secret)
        == "NoShareError: No share has this address."
    )


@pytest.mark.parametrize("by", ["secret", "owner"])
def test_the_delete_secret_and_the_owner_delete_a_share_and_its_payload(store, engines, by):
    shares = store()
    made = shares.make(frozen(), "browser")

    shares.delete(made.share_id, made.delete_secret if by == "secret" else "browser")

    assert said(shares.open, made.share_id)
    assert said(shares.delete, made.share_id, made.delete_secret)
    with engines().connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM payloads")).scalar_one() == 0


@pytest.mark.parametrize("secret", ["", "other", "\ud800"])
def test_another_secret_deletes_nothing_and_is_told_nothing(store, secret):
    shares = store()
    made, of_nobody = shares.make(frozen(), "browser"), shares.make(frozen(), None)

    answers = {
        said(shares.delete, share_id, secret)
        for share_id in (made.share_id, of_nobody.share_id, "A" * 22)
    }

    assert answers == {"NoShareError: No share has this address."}
    assert shares.open(made.share_id)
    assert shares.open(of_nobody.share_id)


def test_a_browser_lists_its_own_shares_that_open_the_youngest_first(store, clock):
    shares = store()
    old = shares.make(frozen(keep=timedelta(days=1)), "browser")
    clock.goes_on(hours=12)
    made = [
        shares.make(frozen(title=title), "browser").share_id
        for title in ("a", "b")
        if clock.goes_on(minutes=1) is None
    ]
    shares.make(frozen(), "another")
    shares.make(frozen(), None)
    assert [each.share_id for each in shares.listed("browser")] == [*reversed(made), old.share_id]

    clock.goes_on(hours=12)

    assert [(each.share_id, each.title) for each in shares.listed("browser")] == [
        (made[1], "b"),
        (made[0], "a"),
    ]
    assert (shares.listed(None), shares.listed("")) == ([], [])


def test_no_secret_and_no_cookie_is_in_the_database(store, engines):
    shares = store()
    made = shares.make(frozen(), "cookie-of-a-browser")

    with engines().connect() as connection:
        rows = [
            row
            for table in ("shares", "payloads", "expired_shares")
            for row in connection.execute(text(f"SELECT * FROM {table}"))
        ]

    assert made.share_id in repr(rows)
    assert made.delete_secret not in repr(rows)
    assert "cookie-of-a-browser" not in repr(rows)


def test_a_browser_makes_so_many_shares_in_24_hours(store, clock):
    shares = store(ShareSettings(per_day=2))
    for _ in range(2):
        shares.make(frozen(), "browser")

    with pytest.raises(
        SnapshotError, match=r"^this browser has made 2 shares in 24 hours, expected at most 2$"
    ):
        shares.make(frozen(), "browser")

    assert shares.make(frozen(), "another")
    clock.goes_on(hours=24)
    assert shares.make(frozen(), "browser")


def test_of_many_that_share_at_once_no_more_than_allowed_come_through(store):
    shares = store(ShareSettings(per_day=3))

    def tried(_: int) -> bool:
        try:
            return bool(shares.make(frozen(), "browser"))
        except SnapshotError:
            return False

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(tried, range(16))) == 3


def test_a_share_over_the_limit_is_refused_with_its_compressed_size(store):
    noise = random.Random(1).randbytes(60_000).hex()

    with pytest.raises(
        SnapshotError, match=r"^the share has 0\.1 MB compressed, expected at most 0\.0 MB$"
    ):
        store(ShareSettings(size=20_000)).make(frozen(scenario=SCENARIO | {"name": noise}), None)

    assert store(ShareSettings(size=100_000)).make(
        frozen(scenario=SCENARIO | {"name": noise[:1000] * 100}), None
    )


@pytest.mark.parametrize(
    ("keep", "found"),
    [
        (None, "never"),
        (timedelta(days=45), "after 45 days"),
        (timedelta(hours=2), "after 2 hours"),
        (timedelta(0), "after 0 hours"),
    ],
)
def test_an_expiry_that_is_not_offered_is_refused(store, keep, found):
    with pytest.raises(SnapshotError) as refusal:
        store().make(frozen(keep=keep), None)

    assert (
        str(refusal.value)
        == f"the share expires {found}, expected one of: after 1 day, after 7 days, after 30 days"
    )


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"title": "x" * 201}, "title has 201 characters, expected at most 200"),
        ({"note": "x" * 4001}, "note has 4,001 characters, expected at most 4,000"),
        ({"author": "a\x00b"}, "author contains U+0000, expected no control characters"),
        (
            {"forked_from": "https://other"},
            "forked_from is not the id of a share, expected 22 characters of base64url",
        ),
        (
            {"scenario": {"format": "evenkeel.scenario/2"}},
            (
                'scenario.format: found "evenkeel.scenario/2", which a newer Evenkeel wrote; this'
                ' Evenkeel reads "evenkeel.scenario/1"'
            ),
        ),
        (
            {"result": [{"format": "evenkeel.replay/3"}]},
            (
                'result[0].format: found "evenkeel.replay/3", which a newer Evenkeel wrote; this'
                ' Evenkeel reads "evenkeel.replay/1"'
            ),
        ),
        ({"result": []}, "result: found no lines, expected the lines of evenkeel replay"),
        ({"scenario": {}}, "scenario.format: found None, expected 'evenkeel.scenario/1'"),
    ],
)
def test_what_cannot_be_shared_is_refused_in_one_sentence(store, changes, sentence):
    with pytest.raises(SnapshotError) as refusal:
        store().make(frozen(**changes), None)

    assert str(refusal.value) == sentence


def test_a_share_that_a_newer_evenkeel_has_stored_is_refused_by_name(store, engines):
    import pyarrow as pa

    shares = store()
    made = shares.make(frozen(), None)
    newer = pa.Codec("zstd").compress(
        msgspec.json.encode({"format": "evenkeel.share/2", "everything": "else"}), asbytes=True
    )
    with engines().begin() as connection:
        connection.execute(text("UPDATE payloads SET payload = :newer"), {"newer": newer})

    with pytest.raises(SnapshotError) as refusal:
        shares.open(made.share_id)

    assert (
        str(refusal.value)
        == 'format: found "evenkeel.share/2", which a newer Evenkeel wrote; this Evenkeel reads'
        ' "evenkeel.share/1"'
    )


def test_a_sweep_with_a_wrong_clock_deletes_nothing_and_with_the_right_clock_expired_shares(
    lake_alone, set_clock
):
    set_clock(1800 - 86_400)
    made = shares().make(frozen(keep=timedelta(days=1)), None)
    set_clock(0)
    watch = Watch()

    set_clock(3600)
    assert sweep_expired(watch) == 0
    set_clock(0)

    assert sweep_expired(watch) == 0
    assert shares().open(made.share_id).scenario == SCENARIO
    set_clock(1900)
    assert sweep_expired(Watch()) == 1


@pytest.fixture
def lake_alone(tmp_path, monkeypatch):
    """The lake of the configuration: its shares are in SQLite."""
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path))
