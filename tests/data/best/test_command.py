"""`evenkeel best`: what it prints, its exit codes, JSON Lines, and certificates that are
checked.
"""

import io
import json
from dataclasses import replace
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest

from evenkeel.assignors.best.request import Infeasible
from evenkeel.assignors.best.search import best
from evenkeel.data.best import answer as answers
from evenkeel.data.commands.main import main
from evenkeel.data.lake.place import place_of
from tests.data.diagnosis.listed import LISTINGS
from tests.data.scenarios.scenarios import scenario
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import plan_with_trouble

GROUP = {
    "format": "evenkeel.group/1",
    "group_id": "payments",
    "topics": [
        {"name": "orders", "partitions": [{"lag": 100}, {"lag": 30}, {"lag": 20}, {"lag": 45}]},
        {"name": "pay", "partitions": [{"lag": 10}, {"lag": 7}, {"lag": 50}]},
    ],
    "members": [
        {
            "member_id": "pay-a",
            "subscribed": ["orders", "pay"],
            "owned": {"orders": [0, 1], "pay": [2]},
        },
        {
            "member_id": "pay-b",
            "subscribed": ["orders", "pay"],
            "owned": {"orders": [2, 3], "pay": [0]},
        },
        {"member_id": "pay-c", "subscribed": ["pay"], "owned": {"pay": [1]}},
    ],
}


@pytest.fixture
def file(tmp_path, monkeypatch):
    """The group as a file, in a folder that has no configuration."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path / "lake"))
    path = tmp_path / "payments.json"
    path.write_text(json.dumps(GROUP))
    return path


def printed(capsys, *words: object) -> tuple[int, str, str]:
    code = main(["best", *map(str, words)])
    return code, *capsys.readouterr()


def lines_of(capsys, monkeypatch, *lines: bytes) -> tuple[int, list[dict]]:
    monkeypatch.setattr(
        "sys.stdin", io.TextIOWrapper(io.BytesIO(b"".join(line + b"\n" for line in lines)))
    )
    code, out, _ = printed(capsys, "--jsonl")
    return code, [json.loads(line) for line in out.splitlines()]


def test_one_answer_names_value_bound_members_and_moves(file, capsys):
    code, out, _ = printed(capsys, file, "--moves", 1)

    assert code == 0
    assert out.startswith(
        "payments is fine: 262 records on 7 partitions, at most 180 on one member.\n\n"
    )
    assert (
        out.splitlines()[3]
        == "Best lag of the worst member: 130 records, now 180 records; proved best; 1"
        " move."
    )
    assert "pay 2      pay-a  pay-c   50" in out


def test_the_first_sentence_is_that_of_the_diagnosis_and_says_why_no_assignment_helps(file, capsys):
    dead = str(LISTINGS / "dead.txt")

    out = printed(capsys, dead)[1]

    assert main(["diagnose", dead]) == 0
    assert out.splitlines()[0] == capsys.readouterr().out.splitlines()[0]
    assert out.splitlines()[1] == (
        "Another assignor does not help: it would not read its 5 partitions either."
    )


def test_a_partition_that_is_too_large_alone_is_named(file, capsys):
    assert (
        "orders 0 alone has 100 records: no assignment gives its owner less. 3 moves reach that"
        " floor. More members do not lower the floor; split its keys or add partitions."
        in printed(capsys, file)[1]
    )


def test_json_is_the_answer_of_the_contract(file, capsys):
    answer = json.loads(printed(capsys, file, "--moves", 1, "--json")[1])

    assert [*answer] == [
        "assignment",
        "value",
        "never",
        "bound",
        "proved",
        "gap",
        "moves",
        "moves_bound",
        "unknown",
        "unassigned",
        "assumed",
        "stopped",
        "current_value",
        "frontier",
        "right_size",
        "certificate",
        "error",
    ]
    assert {
        key: answer[key]
        for key in ("value", "bound", "proved", "gap", "moves", "current_value", "error")
    } == {
        "value": 130,
        "bound": 130,
        "proved": True,
        "gap": 0.0,
        "moves": 1,
        "current_value": 180,
        "error": None,
    }
    assert answer["assignment"] == {
        "pay-a": {"orders": [0, 1]},
        "pay-b": {"orders": [2, 3], "pay": [0]},
        "pay-c": {"pay": [1, 2]},
    }


def test_why_tells_the_steps_of_the_search_that_gave_a_partition_to_its_member(file, capsys):
    lines = printed(capsys, file, "--moves", 1, "--why", "pay:2")[1].splitlines()
    answer = json.loads(printed(capsys, file, "--moves", 1, "--why", "pay:2", "--json")[1])

    place = lines.index("Why pay-2 goes to its member")
    assert (
        [line.strip() for line in lines[place + 1 : place + 4]]
        == answer["why"]
        == [
            "pay-a gave it away: pay-a has 180 records, and the search tried a limit of"
            " 130 records for each member.",
            "pay-c got it: of the members that may own it, pay-c had the least load, 7 records.",
            "Moving it saves 50 records: if it stayed with pay-a, the worst member"
            " would have 180 records.",
        ]
    )


def test_why_of_a_partition_that_stays_and_of_one_that_no_member_may_own(file, capsys):
    file.write_text(
        json.dumps(GROUP | {"topics": [*GROUP["topics"], {"name": "lost", "partitions": 1}]})
    )

    stays, lost = (
        printed(capsys, file, "--moves", 1, "--why", partition)[1]
        for partition in ("orders:0", "lost:0")
    )

    assert (
        "  It stays with its current owner:"
        " in the plan, pay-a is the worst member with 130 records.\n" in stays
    )
    assert "Why lost-0 goes to its member\n  No member may own lost-0.\n" in lost


def test_a_search_that_was_ended_early_tells_no_steps_where_the_next_run_goes_another_way(
    file, capsys, monkeypatch
):
    owners = iter([[0, 0, 1, 1, 1, 2, 0], None])

    def ended(*asked):
        found, owner = best(*asked), next(owners)
        return replace(
            found, stopped="time", owner=found.owner if owner is None else np.array(owner)
        )

    monkeypatch.setattr(answers, "counterpart", lambda *_: None)
    monkeypatch.setattr(answers, "best", ended)

    code, out, err = printed(capsys, file, "--why", "pay:2")

    assert code == 3
    assert "Best lag of the worst member" in out
    assert "Why pay-2" not in out
    assert err.startswith("evenkeel best: why pay-2: the search was ended early")


def test_limits_that_nothing_keeps_end_with_1_and_say_what_helps(file, capsys):
    code, out, err = printed(capsys, file, "--partitions-per-member", 2, "--json")

    assert (code, err) == (
        1,
        "evenkeel best: partitions_per_member: 3 is needed, at most 2 is allowed\n",
    )
    assert json.loads(out)["error"] == {
        "type": "Infeasible",
        "message": "partitions_per_member: 3 is needed, at most 2 is allowed",
        "line": None,
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--pin", "orders"], "--pin orders: expected TOPIC:NUMBER, such as orders:7"),
        (
            ["--pin", "orders:9"],
            "pinned: found orders 9, expected a number below the topic's 4 partitions",
        ),
        (["--why", "orders"], "--why orders: expected TOPIC:NUMBER, such as orders:7"),
        (["--why", "order:1"], 'no topic "order" in this group, expected one of orders, pay'),
        (["--why", "pay:3"], "no partition pay-3 in this group, expected a number from 0 to 2"),
        (
            ["--why", "pay:2", "--check", "payments.json"],
            "--why with --jsonl or --check: --why needs exactly one search",
        ),
        (
            ["--untouched", "pay-x"],
            'untouched: found "pay-x", expected the id of a member of the group',
        ),
        (["--rates", "none.json"], "--rates none.json: No such file or directory"),
        (["--step", "1"], "--step 1 without a scenario: only scenarios have steps"),
        (["--jsonl"], "--jsonl with files or --cluster: --jsonl reads only standard input"),
        (["--check", "payments.json"], "--check payments.json: found no certificate"),
    ],
)
def test_a_wrong_call_ends_with_2_and_one_line(file, capsys, words, said):
    code, out, err = printed(capsys, file, *words)

    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"evenkeel best: {said}")


def test_rate_and_drain_need_rates_of_a_file_or_of_the_lake(file, capsys, tmp_path):
    code, _, err = printed(capsys, file, "--objective", "drain")
    assert (code, err.count('has no snapshots of group "payments", expected --rates FILE')) == (
        2,
        1,
    )

    rates = tmp_path / "rates.json"
    rates.write_text(json.dumps({"in": {"orders": [1, 2, 3, 4], "pay": [0, 0, 0]}, "capacity": 20}))
    code, out, _ = printed(capsys, file, "--objective", "drain", "--rates", rates, "--json")
    assert (code, json.loads(out)["certificate"]["rates"]["capacity"]) == (
        0,
        {"pay-a": 20000, "pay-b": 20000, "pay-c": 20000},
    )


def test_frontier_and_right_size_are_tables_with_their_answers(file, capsys):
    out = printed(capsys, file, "--frontier", "--right-size", "--within", 120)[1]

    assert "2      105 records    105 records  proved best" in out
    assert "90 % of the possible gain needs 2 moves." in out
    assert "More than 3 members do not lower the worst member's value.\n" in out
    assert "\n3 members reach 120 records.\n" in out


def test_a_step_of_a_scenario_is_the_group_that_rebalances_then(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    asked = scenario([{"op": "remove_members", "member_ids": ["pay-b"]}])
    path = tmp_path / "scenario.json"
    path.write_bytes(msgspec.json.encode(asked))

    listed, stopped = (
        json.loads(printed(capsys, path, "--step", step, "--json")[1])["assignment"]
        for step in (0, 1)
    )

    assert set(listed) - set(stopped) == {"pay-b"}


# -- JSON Lines --


def test_every_line_is_answered_in_order_and_an_error_does_not_stop_the_next(
    file, capsys, monkeypatch
):
    good = json.dumps({"group": GROUP, "moves": 1}).encode()

    code, answers = lines_of(
        capsys,
        monkeypatch,
        good,
        b"",
        b"{",
        json.dumps({"group": GROUP, "partitions_per_member": 1}).encode(),
        good,
    )

    assert code == 0
    assert [answer["value"] for answer in answers] == [130, None, None, 130]
    assert [
        answer["error"] and (answer["error"]["type"], answer["error"]["line"]) for answer in answers
    ] == [
        None,
        ("RequestError", 3),
        ("Infeasible", 4),
        None,
    ]


def test_null_is_a_missing_key(capsys, monkeypatch, file):
    keys = (
        "objective",
        "moves",
        "partitions_per_member",
        "tolerance",
        "untouched",
        "pinned",
        "racks",
        "frontier",
        "right_size",
        "within",
        "rates",
    )
    lines = [json.dumps({"group": GROUP, **given}).encode() for given in ({}, dict.fromkeys(keys))]

    _, answers = lines_of(capsys, monkeypatch, *lines)

    assert answers[0] == answers[1]


def test_it_ends_with_1_where_every_request_failed(capsys, monkeypatch, file):
    assert lines_of(capsys, monkeypatch, b"{}")[0] == 1
    assert lines_of(capsys, monkeypatch)[0] == 0


# -- the check --


def test_a_certificate_holds_for_its_group_and_for_no_other(file, capsys, tmp_path):
    answer = tmp_path / "answer.json"
    answer.write_text(printed(capsys, file, "--moves", 1, "--json")[1])

    code, out, _ = printed(capsys, file, "--check", answer)
    assert (code, out[:39]) == (0, "The certificate holds for this group: 6")

    file.write_text(json.dumps(GROUP).replace('"lag": 100', '"lag": 90'))
    code, out, err = printed(capsys, file, "--check", answer)
    assert (code, out) == (1, "")
    assert "evenkeel best: largest: 100 is claimed, 90 is proved\n" in err
    assert "evenkeel best: value: 130 is claimed, the assignment has 120\n" in err


# -- rates of the lake --


@pytest.mark.parametrize("objective", ["rate", "drain"])
def test_rates_come_from_the_last_snapshots_of_the_group(objective, capsys, tmp_path, monkeypatch):
    place = place_of(tmp_path / "lake")
    write_lake(place, plan_with_trouble(groups=2, partitions=8, members=4, days=0.1))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EVENKEEL_LAKE", place.url)
    assert main(["history", "--json", "--group", "group-0001"]) == 0
    history = json.loads(capsys.readouterr().out)
    (tmp_path / "group.json").write_text(json.dumps(as_document(history)))

    code, out, _ = printed(capsys, "group.json", "--objective", objective, "--json")

    answer = json.loads(out)
    rates = answer["certificate"]["rates"]
    assert (code, [*rates["capacity"]]) == (0, [one["member_id"] for one in history["members"]])
    for one in history["partitions"]:
        assert rates["in"][one["topic"]][one["partition"]] == pytest.approx(
            1000 * one["in_rate"], rel=1e-3
        )
    assert answer["value"] is None or answer["bound"] <= answer["value"] <= (
        answer["current_value"] or answer["value"]
    )


def as_document(history: dict) -> dict:
    """The group at the end of a history, as a document."""
    topics: dict = {}
    for one in history["partitions"]:
        topics.setdefault(one["topic"], []).append({"lag": one["lag"]})
    members = []
    for name in (one["member_id"] for one in history["members"]):
        owned: dict = {}
        for one in history["partitions"]:
            if one["owner"] == name:
                owned.setdefault(one["topic"], []).append(one["partition"])
        members.append({"member_id": name, "subscribed": [*topics], "owned": owned})
    listed = [{"name": name, "partitions": partitions} for name, partitions in topics.items()]
    return {
        "format": "evenkeel.group/1",
        "group_id": history["group_id"],
        "topics": listed,
        "members": members,
    }


RATES = {"in": {"orders": [1, 200, 150, 5], "pay": [10, 20, 300]}, "capacity": 700}


def test_where_rates_and_lag_disagree_both_plans_stand_side_by_side(file, capsys, tmp_path):
    (tmp_path / "rates.json").write_text(json.dumps(RATES))

    code, out, _ = printed(capsys, file, "--objective", "rate", "--rates", "rates.json")

    # pay 2 alone takes in 300 of 700. orders 0 alone has 100 records. The plan for lag leaves pay 2
    # with 55 records a second more.
    assert code == 0
    lines = [line.split() for line in out.split("Rates and lag disagree")[1].splitlines()[1:3]]
    assert lines[0][:6] == ["the", "plan", "for", "rate", "42.9", "%"]
    assert lines[0][-4:-2] == [
        "130",
        "records",
    ]
    assert lines[1][:4] == ["the", "plan", "for", "lag"]
    assert lines[1][-4:-2] == ["100", "records"]
    assert "\\u202f" not in out


def test_beside_is_in_json_where_the_plans_differ_and_not_where_one_is_best_for_both(
    file, capsys, tmp_path, monkeypatch
):
    (tmp_path / "rates.json").write_text(json.dumps(RATES))
    even = {"orders": [10, 3, 2, 4.5], "pay": [1, 0.7, 5]}

    _, out, _ = printed(capsys, file, "--objective", "rate", "--rates", "rates.json", "--json")
    asked = {
        "group": GROUP,
        "objective": "lag",
        "beside": True,
        "rates": {"in": even, "capacity": 900},
    }
    unasked = {"group": GROUP, "objective": "rate", "rates": RATES}
    _, answers = lines_of(
        capsys, monkeypatch, *(json.dumps(one).encode() for one in (asked, unasked))
    )

    found = json.loads(out)
    assert (
        found["beside"]["objective"],
        found["beside"]["value"],
        found["beside"]["value_of_answer"],
    ) == ("lag", 100, 130)
    assert found["beside"]["answer_value"] > found["value"] == pytest.approx(300 / 700)
    # Rates in proportion to the lags want the same plan; who does not ask waits for one search
    # alone.
    assert [one["error"] for one in answers] == [None, None]
    assert not any("beside" in one for one in answers)


@pytest.mark.parametrize(("spent", "limits"), [(12.0, [30.0, 18.0]), (30.0, [30.0])])
def test_both_aims_share_one_time_limit(file, capsys, tmp_path, monkeypatch, spent, limits):
    (tmp_path / "rates.json").write_text(json.dumps(RATES))
    clock = iter([100.0, 100.0 + spent])
    asked = []
    monkeypatch.setattr(answers, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    monkeypatch.setattr(
        answers,
        "best",
        lambda group, request, *rest: (
            asked.append(request.time_limit_s) or best(group, request, *rest)
        ),
    )

    code, out, _ = printed(
        capsys, file, "--objective", "rate", "--rates", "rates.json", "--time-limit", 30
    )

    assert (code, asked, "Rates and lag disagree" in out) == (0, limits, len(limits) == 2)


def test_the_answer_stays_where_the_search_for_the_other_aim_fails(
    file, capsys, tmp_path, monkeypatch
):
    (tmp_path / "rates.json").write_text(json.dumps(RATES))

    def failing(group, request, *rest):
        if request.objective == "lag":
            raise Infeasible("no assignment keeps the limits")
        return best(group, request, *rest)

    monkeypatch.setattr(answers, "best", failing)

    code, out, err = printed(capsys, file, "--objective", "rate", "--rates", "rates.json", "--json")

    assert (code, err) == (0, "")
    assert json.loads(out)["value"] == pytest.approx(300 / 700)
    assert "beside" not in json.loads(out)


def test_the_answer_is_printed_also_where_its_plan_cannot_be_written(file, capsys, tmp_path):
    code, out, err = printed(capsys, file, "--plan-out", tmp_path / "missing" / "weights.json")

    assert code == 2
    assert out.splitlines()[3].startswith("Best lag of the worst member")
    assert len(err.splitlines()) == 1


def test_what_nobody_reads_is_told_with_its_lag(tmp_path, capsys):
    path = tmp_path / "unread.txt"
    path.write_text(
        "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
        "g a 0 100 110 10 m-1 /10.0.0.1 m\n"
        "g b 0 100 90100 90000 - - -\n"
    )

    assert main(["best", str(path)]) == 0
    text = capsys.readouterr().out
    assert main(["best", str(path), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)

    assert (
        "Nobody reads 90.0 k records of 1 partition now, and no plan gives it an owner: "
        "no member is known to subscribe to its topic.\n"
    ) in text
    assert "unassigned, no member is known to subscribe to them: 1, with 90,000 records\n" in text
    assert (answer["unread_lag"], answer["unassigned_lag"]) == (90_000, 90_000)


def test_a_group_without_members_has_no_plan(tmp_path, capsys):
    path = tmp_path / "empty.txt"
    path.write_text(
        "Consumer group 'pay' has no active members.\n\n"
        "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
        "pay orders 0 10 500 490 - - -\n"
        "pay orders 1 10 800 790 - - -\n"
    )

    code, out, err = printed(capsys, path, "--right-size")

    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "pay has no member: 1,280 records wait on its 2 partitions."
    assert (
        out.splitlines()[-1] == "The group has no members, so no plan gives a partition an owner."
    )
    assert "proved" not in out


def test_a_plan_that_gives_unread_partitions_an_owner_says_so(tmp_path, capsys):
    path = tmp_path / "unread.txt"
    path.write_text(
        "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
        "g a 0 100 110 10 m-1 /10.0.0.1 m\n"
        "g a 1 100 90100 90000 - - -\n"
    )

    assert main(["best", str(path)]) == 0

    assert (
        "Nobody reads 90.0 k records of 1 partition now. This plan gives the partition an owner.\n"
        in capsys.readouterr().out
    )
