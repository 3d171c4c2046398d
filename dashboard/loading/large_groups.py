"""Answers for large groups, one group at a time in a process of its own. A computation that no session waits for is stopped."""

import threading

from dashboard.loading.cache.page_thread import acquired, look_up
from data.configuration.handover import secrets_of, without_secrets
from data.scenarios.answers import Answers
from data.scenarios.own_process import AnswerProcess
from data.scenarios.scenario.scenario import Settings
from data.scenarios.stored_group import StoredGroup

_ONE_AT_A_TIME = threading.Lock()


def answers(one: StoredGroup, settings: Settings) -> Answers:
    """Return the answers for a group, computed in a process of its own.

    Raises
    ------
    SnapshotError
        When the batch is gone.
    """
    with acquired(_ONE_AT_A_TIME):
        running = AnswerProcess(one, settings, without_secrets(), secrets_of())
        try:
            while not running.has_ended(0.1):
                look_up()
            return running.answer()
        finally:
            running.stop()
