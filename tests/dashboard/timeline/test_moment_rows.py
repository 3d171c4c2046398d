"""Rows of two moments."""

import pytest

from evenkeel.dashboard.timeline.tables import MomentRow, lag_row, member_row, owner_row


@pytest.mark.parametrize(
    ("lag", "unknown", "change", "tone"),
    [
        ((94_400, 416_000), (0, 0), "▲ +341\u202f%", "worse"),
        ((18_900, 218_000), (0, 0), "▲ 11.5×", "worse"),
        ((1_000, 205_000), (0, 0), "▲ 205×", "worse"),
        ((416_000, 208_000), (0, 0), "▼ −50\u202f%", "better"),
        ((5, 5), (0, 0), "=", ""),
        ((1_950, 1_955), (0, 0), "less than 1\u202f%", ""),
        ((0, 5), (0, 0), "▲ from 0", "worse"),
        ((None, 5), (0, 0), "–", ""),
        ((5, 5), (1, 0), "–", ""),
        ((10, 500), (0, 1), "▲ ≥ +4900\u202f%", "worse"),
    ],
)
def test_a_lag_has_its_change_and_unknown_stays_unknown(lag, unknown, change, tone):
    row = lag_row("Lag", lag, unknown)

    assert (row.change.replace(",", ""), row.tone) == (change, tone)


def test_a_sum_with_unknown_lags_is_a_lower_bound():
    assert lag_row("Lag", (10, 500), (0, 1))[1:3] == ("10", "≥ 500")


@pytest.mark.parametrize(
    ("members", "idle", "change", "tone"),
    [
        ((12, 12), (0, 1), "▲ +1", "worse"),
        ((12, 12), (2, 0), "▼ −2", "better"),
        ((12, 13), (0, 0), "▲ +1", ""),
        ((3, 3), (1, 1), "=", ""),
    ],
)
def test_an_idle_member_more_is_worse(members, idle, change, tone):
    assert member_row(members, idle)[3:] == (change, tone)


def test_owners_that_changed_are_counted_with_their_share():
    assert owner_row(19, 100) == MomentRow("Owners changed", "", "19 of 100", "19\u202f%")
    assert owner_row(0, 0).change == ""
