"""Places in the queue of `POST /api/scenarios`."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from starlette.requests import Request

from evenkeel.dashboard.server import api
from evenkeel.dashboard.shell.apart import Turn
from evenkeel.data.own_process import OwnProcess
from tests.data.scenarios.scenarios import PAYMENTS

SCENARIO = json.dumps({"format": "evenkeel.scenario/1", "group": PAYMENTS}).encode()


@pytest.fixture
def ask(monkeypatch, tmp_path, wait_for_rest):
    """Return a function that asks while so many others are there before."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(api, "_MOST_WAIT_SECONDS", 0.0)

    async def stays():
        await asyncio.Event().wait()

    def asked(others: int):
        with ExitStack() as turns:
            for _ in range(others):
                turns.enter_context(Turn())
            # A thread of its own: a browser of another test may have left a loop in this one.
            with ThreadPoolExecutor(1) as thread:
                answer = thread.submit(
                    asyncio.run,
                    api._answered(api._SCENARIO, Request({"type": "http"}, stays), SCENARIO),
                ).result()
        return answer.status_code, json.loads(answer.body)["error"]["message"]

    return asked


@pytest.mark.parametrize(("others", "place"), [(2, "1st"), (4, "3rd"), (10, "9th")])
def test_a_scenario_that_waits_too_long_or_behind_too_many_is_told_its_place(ask, others, place):
    said = (
        f"two scenarios are running, and this scenario is the {place} in the queue; try again later"
    )

    assert ask(others) == (503, said)
    assert Turn._all == []


def test_a_computing_process_that_is_killed_from_outside_answers_503(
    monkeypatch, tmp_path, wait_for_rest
):
    monkeypatch.chdir(tmp_path)
    begun = []

    def killed(*asked):
        begun.append(OwnProcess(*asked))
        begun[0]._process.kill()
        return begun[0]

    async def stays():
        await asyncio.Event().wait()

    monkeypatch.setattr(api, "OwnProcess", killed)
    with ThreadPoolExecutor(1) as thread:
        answer = thread.submit(
            asyncio.run, api._answered(api._SCENARIO, Request({"type": "http"}, stays), SCENARIO)
        ).result()

    assert (answer.status_code, json.loads(answer.body)["error"]["message"]) == (
        503,
        (
            "the process that computes the answer was ended by SIGKILL, expected an answer; memory"
            " may be short"
        ),
    )
