"""evenkeel.toml and the two environment variables."""

from datetime import timedelta
from pathlib import Path

import pytest

from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.budget import Budget
from evenkeel.data.lake.slots.retention import Retention


@pytest.fixture
def read(tmp_path, monkeypatch):
    """Return a function that writes evenkeel.toml into the working folder and reads the
    configuration.
    """
    monkeypatch.chdir(tmp_path)

    def written(text, **environment):
        Path("evenkeel.toml").write_text(text)
        return configuration(environment)

    return written


def test_without_a_file_everything_has_its_default(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    chosen = configuration({})

    assert chosen.lake.folder == Path.home() / ".local/share/evenkeel"
    assert chosen.keep_uploads == timedelta(hours=24)
    assert chosen.retention == Retention(timedelta(days=1), timedelta(days=7), timedelta(days=90))


def test_the_file_names_the_lake_and_how_long_uploads_stay(read):
    chosen = read('[lake]\npath = "~/lake"\nkeep_uploads = "90m"\n')

    assert (chosen.lake.folder, chosen.keep_uploads) == (
        Path.home() / "lake",
        timedelta(minutes=90),
    )


def test_the_file_says_how_long_snapshots_of_a_collector_stay(read):
    chosen = read('[lake]\ncompact_after = "2d"\nkeep_slots = "36h"\nkeep_thinned = "30d"\n')

    assert chosen.retention == Retention(timedelta(days=2), timedelta(hours=36), timedelta(days=30))


def test_the_file_names_the_memory_of_a_group_and_of_all_that_is_kept(read):
    chosen = read('[limits]\ngroup = "2 GB"\ncache = "700MB"\n')

    assert (chosen.budget.group_bytes, chosen.cache_bytes) == (2 * 10**9, 700 * 10**6)


def test_the_file_has_the_limits_of_a_question_on_pages_in_a_process_and_in_a_command(
    read,
):
    chosen = read(
        '[limits]\nwork = 5_000\nmemory = "1 GB"\ntime = "90s"\n[limits.command_line]\ngroup = "16'
        ' GB"\nwork = 7\n'
    )

    assert chosen.budget == Budget(512 * 10**6, 5_000, "[limits]")
    assert chosen.command_line == Budget(16 * 10**9, 7, "[limits.command_line]")
    assert (chosen.memory_bytes, chosen.time_limit) == (10**9, timedelta(seconds=90))


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("[limits]\nwork = 0", "limits.work is a whole number, expected a whole number, 1 or more"),
        (
            "[limits]\ntime = 20",
            'limits.time is a whole number, expected a number and s, m, h or d, such as "24h"',
        ),
        (
            "[limits.command_line]\ntime = '1s'",
            "unknown key limits.command_line.time, expected one of: group, work",
        ),
    ],
)
def test_a_wrong_limit_is_refused_by_name(read, text, refusal):
    with pytest.raises(SnapshotError) as refused:
        read(f"{text}\n")

    assert str(refused.value) == f"evenkeel.toml: {refusal}"


def test_the_file_names_the_hosts_of_the_server_and_the_bytes_that_come_at_once(read):
    chosen = read(
        '[server]\nhosts = ["keel.lan", "10.4.1.17:8501", "[fd00::7]:80"]\n[limits]\nbodies = "1'
        ' GB"\nuploads = "500 MB"\n'
    )

    assert chosen.hosts == ("keel.lan", "10.4.1.17:8501", "[fd00::7]:80")
    assert (chosen.body_bytes, chosen.upload_bytes) == (10**9, 500 * 10**6)
    assert (read("").hosts, read("").body_bytes, read("").upload_bytes) == (
        (),
        64 * 10**6,
        420 * 10**6,
    )


@pytest.mark.parametrize(
    "host",
    [
        "https://keel.lan",
        "keel.lan/",
        "*.lan",
        "*",
        "",
        "keel.lan:",
        "keel lan",
        "fd00::7",
        "keel.lan\\n",
    ],
)
def test_what_is_no_host_is_refused_by_its_place(read, host):
    with pytest.raises(
        SnapshotError,
        match=r"server\.hosts\[1\].* expected a name or an address, with or without a port",
    ):
        read(f'[server]\nhosts = ["localhost", "{host}"]\n')


def test_the_file_says_from_which_gain_on_a_switch_is_worth_it(read):
    assert (read("").gain, read('[advice]\ngain = "12.5 %"\n').gain) == (0.1, 0.125)


def test_the_file_says_what_shares_may_be(read):
    chosen = read(
        '[shares]\nkeep = "7d"\nchoices = ["12h"]\nnever = true\nsize = "2 MB"\nper_day = 3\n'
    ).shares

    assert chosen.expiries == [timedelta(hours=12), timedelta(days=7), None]
    assert (chosen.size, chosen.per_day) == (2 * 10**6, 3)


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("per_day = -1", "shares.per_day is a whole number, expected a whole number, 0 or more"),
        (
            'choices = ["soon"]',
            'shares.choices[0] is a string, expected a number and s, m, h or d, such as "24h"',
        ),
        (
            'expires = "1d"',
            (
                "unknown key shares.expires, expected one of: choices, keep, never, per_day, size,"
                " widest"
            ),
        ),
    ],
)
def test_a_wrong_limit_of_shares_is_refused_by_name(read, text, refusal):
    with pytest.raises(SnapshotError) as refused:
        read(f"[shares]\n{text}\n")

    assert str(refused.value) == f"evenkeel.toml: {refusal}"


def test_evenkeel_lake_overrides_the_file(read):
    assert read('[lake]\npath = "/a"\n', EVENKEEL_LAKE="/b").lake.folder == Path("/b")


def test_evenkeel_config_names_another_file(read, tmp_path):
    other = tmp_path / "other.toml"
    other.write_text('[lake]\npath = "/c"\n')

    assert read('[lake]\npath = "/a"\n', EVENKEEL_CONFIG=str(other)).lake.folder == Path("/c")


def test_clusters_are_carried_as_they_are_written(read):
    chosen = read(
        '[clusters.production]\n"bootstrap.servers" = "broker-1:9093"\n"sasl.password" = {env ='
        ' "SECRET"}\n'
    )

    assert chosen.clusters == {
        "production": {"bootstrap.servers": "broker-1:9093", "sasl.password": {"env": "SECRET"}}
    }


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (
            "[lakes]\n",
            (
                "unknown key lakes, expected one of: advice, alerts, audit, clusters, findings,"
                " lake, limits, live, login, metrics, plugins"
            ),
        ),
        ('[live]\nfree_form = "yes"\n', "live.free_form is a string, expected true or false"),
        (
            '[lake]\nfolder = "/a"\n',
            (
                "unknown key lake.folder, expected one of: access_key, compact_after, endpoint,"
                " keep_slots, keep_thinned"
            ),
        ),
        ('lake = "/a"\n', "lake is a string, expected a table"),
        ("[lake]\npath = 7\n", "lake.path is a whole number, expected a string"),
        ("clusters = 7\n", "clusters is a whole number, expected a table"),
        (
            '[lake]\nkeep_uploads = "a day"\n',
            'lake.keep_uploads is a string, expected a number and s, m, h or d, such as "24h"',
        ),
        (
            '[lake]\nkeep_slots = "long"\n',
            "lake.keep_slots is a string, expected a number and s, m, h or d",
        ),
        ('[lake]\nkeep_uploads = "9999999999999d"\n', "lake.keep_uploads is a string"),
        ('[limits]\ngroup = "much"\n', "limits.group is a string, expected a number and MB or GB"),
        (
            '[advice]\ngain = "0 %"\n',
            'advice.gain is a string, expected a number from 1 to 100 and %, such as "10 %"',
        ),
        (
            "[advice]\ngain = 0.1\n",
            "advice.gain is a number, expected a number from 1 to 100 and %",
        ),
        ("[limits]\ncache = 7\n", "limits.cache is a whole number, expected a number and MB or GB"),
        ("[lake\n", "evenkeel.toml: not TOML"),
    ],
)
def test_what_is_wrong_is_named(read, text, named):
    with pytest.raises(SnapshotError) as refusal:
        read(text)

    assert named in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_named_file_that_is_not_there_is_refused(read):
    with pytest.raises(SnapshotError, match="EVENKEEL_CONFIG=/nowhere.toml: No such file"):
        read("", EVENKEEL_CONFIG="/nowhere.toml")
