"""What a chain is called: a storm, a livelock, or neither; and what is advised then."""

import json

import evenkeel
from evenkeel.data.commands.main import main
from evenkeel.data.rebalances.by_cause import by_cause
from evenkeel.data.rebalances.chains import link, verdicts
from evenkeel.data.rebalances.event import Member, Rebalance, Trigger
from evenkeel.data.rebalances.history import HistoryRequest, read_history
from evenkeel.data.rebalances.words import CAUSES, advice_words


def rebalance(generation, at, cause, member_id, client="worker"):
    member = Member(member_id, client)
    trigger = Trigger(cause, at, f"log:{generation}", member)
    return Rebalance(
        "pay",
        "classic",
        generation,
        generation - 1,
        start=at,
        joined=at + 1,
        assigned=at + 2,
        completed=True,
        cause=cause,
        triggers=[trigger],
    )


def linked(*events):
    link(events)
    return list(events)


def test_six_rebalances_in_27_ms_are_a_storm():
    events = linked(*(rebalance(n, 5 * n, "subscription_changed", "w-1") for n in range(1, 7)))

    assert verdicts(events) == {"pay@1": "storm"}
    (row,) = by_cause(events)
    assert row.verdict == "storm"
    assert advice_words(row.kind, row.verdict) != CAUSES[row.kind].advice


def test_one_client_that_joins_under_three_ids_and_loses_each_is_a_livelock():
    steps = [("member_joined", "w-1"), ("member_left", "w-1")]
    steps += [("member_joined", "w-2"), ("member_left", "w-2"), ("member_joined", "w-3")]
    events = linked(*(rebalance(n, 9_000 * n, *step) for n, step in enumerate(steps, 1)))

    assert verdicts(events) == {"pay@1": "livelock"}


def test_instances_of_one_client_id_that_start_or_restart_are_no_livelock():
    steps = [("member_left", f"old-{n}") for n in range(3)]
    steps += [("member_joined", f"new-{n}") for n in range(3)]
    events = linked(*(rebalance(n, 9_000 * n, *step) for n, step in enumerate(steps, 1)))

    assert verdicts(events) == {}
    assert {row.verdict for row in by_cause(events)} == {None}


def test_a_static_member_that_a_broker_refuses_is_an_event():
    line = (
        "[2026-11-27 10:00:00,000] ERROR [GroupCoordinator 1]: given member.id w-1-old is"
        " identified as a known static member w-1,but not matching the expected member.id w-1-new"
        " (kafka.coordinator.group.GroupCoordinator)\n"
    )

    (event,) = read_history(HistoryRequest(), [("server.log", line.encode())]).client_events

    assert (event.event, event.instance_id, event.member_id) == ("fenced", "w-1", "w-1-old")


def generations(*seconds):
    return "".join(
        f"[2026-11-27 10:00:{second:06.3f}] INFO [GroupCoordinator 1]: Stabilized group pay"
        f" generation {number} with 2 members.\n".replace(".", ",", 1)
        for number, second in enumerate(seconds, 1)
    )


def test_json_and_rows_have_the_verdict_of_the_chain_on_each_of_its_rebalances(tmp_path, capsys):
    # Five within 4 s are a storm; the sixth, 46 s later, is of no chain.
    log = tmp_path / "server.log"
    log.write_text(generations(1, 2, 3, 4, 5, 51))

    assert main(["rebalances", str(log), "--json"]) == 0

    *lines, _ = map(json.loads, capsys.readouterr().out.splitlines())
    assert [line["verdict"] for line in lines] == [*["storm"] * 5, None]
    found = evenkeel.rebalances(log)
    assert [row["verdict"] for row in found.rows.to_dicts()] == [*["storm"] * 5, None]
    assert (found[0]["verdict"], found[5]["verdict"]) == ("storm", None)
    assert [one["verdict"] for one in found.to_dicts()] == [*["storm"] * 5, None]
