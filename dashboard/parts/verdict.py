"""What a switch to one candidate does, in sentences: to the worst member, what moves and what
pauses.
"""

from typing import NamedTuple

from evenkeel.assignors import JAVA
from evenkeel.assignors.clients.client import PACKAGE
from evenkeel.assignors.compare.balance import Balance
from evenkeel.assignors.compare.comparison import Effect, Row, effect
from evenkeel.assignors.compare.moves import Moves
from evenkeel.assignors.rounds.switch import Kind, Switch
from evenkeel.dashboard.parts.drain_words import NEVER, drain_words
from evenkeel.dashboard.shell.answer_words import is_deadly
from evenkeel.data.compare.quirk_words import why_endless
from evenkeel.data.scenarios.drains import GroupDrain, is_later
from evenkeel.data.text.formats import UNKNOWN, change, compact, count, exact

_WORST = "the worst member's lag"


class Situation(NamedTuple):
    """What the verdict depends on.

    `client`: the one that leads. `needs_package`: its members have the candidate with Evenkeel's
    package in place of a jar. `drains_now`, `drains`: of the current owners and the candidate,
    where they are known.
    """

    current: Row
    candidate: Row
    switch: Switch | None
    tp_count: int
    is_in_use: bool = False
    needs_jar: bool = False
    needs_package: bool = False
    client: str = JAVA
    drains_now: GroupDrain | None = None
    drains: GroupDrain | None = None


class Verdict(NamedTuple):
    """The answer and the rest of the sentence, both plain text; `tone`: `worse` where the leader
    dies, else empty.
    """

    answer: str
    rest: str = "."
    tone: str = ""


def verdict(seen: Situation) -> Verdict:
    """Return the sentence."""
    if seen.candidate.balance is None:
        if is_deadly(seen.candidate.error):
            return Verdict(f"{seen.candidate.name} kills the leader of this group", tone="worse")
        lacks = "no answer for this group" if seen.candidate.error else "not answered yet"
        return Verdict(f"{seen.candidate.name} has {lacks}")
    if not seen.candidate.balance.lag.size:
        return Verdict("The group has no members", ": there is nothing to assign.")
    if seen.is_in_use:
        return Verdict(
            uses(seen.candidate.name, seen.candidate.moves), _ended(_next_rebalance(seen))
        )
    if seen.needs_jar and not seen.needs_package and seen.client != JAVA:
        only = f"{seen.client} has no {seen.candidate.name} assignor, and loads no jar: only Java members can use it"
        return Verdict(only, _ended(_with_java(seen)))
    needs = [
        f"it needs {f'the package {PACKAGE} in each member' if seen.needs_package else 'a jar of your own'}"
    ] * seen.needs_jar
    return Verdict(
        _answer(seen), _ended([*_figures(seen), *_times(seen), *_idle(seen), *_way(seen), *needs])
    )


def _with_java(seen: Situation) -> list[str]:
    """Say what it would do to the worst member in a group of Java members."""
    now, after = seen.current.balance, seen.candidate.balance
    if effect(now, after) != Effect.BETTER:
        return []
    return [
        f"in a group of Java members the worst member's lag would fall from {_lag(now)} to {compact(after.max_lag)}"
    ]


def _ended(clauses: list[str]) -> str:
    return "".join(f"; {clause}" for clause in clauses) + "."


def _answer(seen: Situation) -> str:
    name, now, after = seen.candidate.name, seen.current.balance, seen.candidate.balance
    if now is None:
        return f"Whether {name} helps is unknown, because the current owners are"
    if now.max_lag is None or after.max_lag is None:
        return f"Whether switching to {name} helps is unknown, because every lag is"
    if now.lag.size == 1:
        return f"The only member gets every partition under {name}"
    if not now.max_lag and not after.max_lag and effect(now, after) == Effect.SAME:
        return f"No partition with an owner lags, now or under {name}"
    found = Effect.SAME if seen.candidate.keeps_all else effect(now, after)
    if found == Effect.SAME:
        return f"Switching to {name} does not change the worst member's lag of {_lag(now)}"
    if found == Effect.BETTER:
        step = change(now.max_lag, after.max_lag, now.lag_is_partial, after.lag_is_partial)
        falls = f"from {_lag(now)} to {compact(after.max_lag)} ({step})"
        late = is_later(seen.drains, seen.drains_now)
        return (
            f"Switching to {name} {_but_late(seen, falls) if late else f'lowers {_WORST} {falls}'}"
        )
    if found == Effect.WORSE:
        step = f"{compact(now.max_lag)} to {_lag(after)} ({change(now.max_lag, after.max_lag, False, after.lag_is_partial)})"
        if _is_sooner(seen):
            return f"Switching to {name} drains the group sooner, though the worst member's lag grows from {step}"
        return f"Switching to {name} makes it worse: the worst member's lag grows from {step}"
    both = f"the worst member has {_lag(now)} now and {_lag(after)} under it"
    return f"Whether switching to {name} helps is unknown, because some lags are: {both}"


def _but_late(seen: Situation, falls: str) -> str:
    """Say why less lag of the worst member is no help: the group never drains, or later
    than now.
    """
    if seen.drains.is_never and seen.drains_now is not None and seen.drains_now.is_never:
        return f"is not enough: {_WORST} falls {falls}, and the group still never drains"
    return f"does not help: {_WORST} falls {falls}, but {_both_times(seen)}"


def _both_times(seen: Situation) -> str:
    """`under it the group never drains (now in ≈ 14 m)`."""
    then, now = drain_words(seen.drains).text, drain_words(seen.drains_now).text
    under = f"under it the group {'never drains' if then == NEVER else f'drains in {then}'}"
    if then == UNKNOWN:
        under = "under it the group may never drain"
    return under + (
        "" if now == UNKNOWN else " (now never)" if now == NEVER else f" (now in {now})"
    )


def _is_sooner(seen: Situation) -> bool:
    return (
        seen.drains is not None
        and seen.drains_now is not None
        and is_later(seen.drains_now, seen.drains)
        and not seen.drains.is_never
    )


def _times(seen: Situation) -> list[str]:
    """Say when it drains, where that is clearly sooner or later than now and the answer does not
    say it.
    """
    is_late = is_later(seen.drains, seen.drains_now) and not (
        seen.drains_now is not None and seen.drains_now.is_never
    )
    is_said = (
        not seen.candidate.keeps_all
        and effect(seen.current.balance, seen.candidate.balance) == Effect.BETTER
        and is_late
    )
    return [_both_times(seen)] if (is_late and not is_said) or _is_sooner(seen) else []


def _lag(balance: Balance) -> str:
    return (
        f"at least {compact(balance.max_lag, is_least=True)}"
        if balance.lag_is_partial
        else compact(balance.max_lag)
    )


def _figures(seen: Situation) -> list[str]:
    """Say how much lag the worst member would have if the current one is unknown."""
    after = seen.candidate.balance
    if seen.current.balance is None and after.max_lag is not None:
        return [f"under it the worst member has a lag of {_lag(after)}"]
    return []


def _idle(seen: Situation) -> list[str]:
    now, after = (
        seen.current.balance and seen.current.balance.idle_members,
        seen.candidate.balance.idle_members,
    )
    if now is None or now == after:
        return (
            [f"{count(after, 'member')} {'is' if after == 1 else 'are'} idle under it"]
            if after
            else []
        )
    return [f"idle members {'fall' if after < now else 'grow'} from {exact(now)} to {exact(after)}"]


def _way(seen: Situation) -> list[str]:
    moves = seen.candidate.moves
    if moves is None:
        return ["what it moves and pauses is unknown"]
    moved = (
        f"it moves {exact(moves.moved_count)} of {count(seen.tp_count, 'partition')}"
        if moves.moved_count
        else "it moves nothing"
    )
    if moves.added_count:
        moved += f", assigns {exact(moves.added_count)} that had no owner"
    return [f"{moved} and {_pause(seen.switch, seen.tp_count)}"]


def _pause(switch: Switch | None, tp_count: int) -> str:
    if switch is None:
        return "what pauses is unknown"
    if switch.is_endless:
        return "never comes to rest"
    if switch.kind == Kind.SHARED or not switch.paused_count:
        return "pauses none"
    return f"pauses {'all ' * (switch.paused_count == tp_count)}{exact(switch.paused_count)} in {in_rounds(switch)}"


def _next_rebalance(seen: Situation) -> list[str]:
    moves = seen.candidate.moves
    return [f"its next rebalance would {next_moves(moves)}"] if moves else []


# Sentences about a switch: what pauses, for how long, in how many rounds.


ENDLESS = "∞"

_A_ROUND = {
    Kind.EAGER: "",
    Kind.COOPERATIVE: "Each round is a rebalance.",
    Kind.RECONCILED: "In each round every member sends a heartbeat.",
}


def pair(switch: Switch | None) -> str:
    """`9 / 2`: partitions paused, rounds; `∞` where the rounds never end."""
    return UNKNOWN if switch is None else f"{exact(switch.paused_count)} / {rounds(switch)}"


def rounds(switch: Switch) -> str:
    """`2`, `∞`, `> 16`."""
    counted = exact(switch.round_count)
    return counted if switch.is_settled else ENDLESS if switch.is_endless else f"> {counted}"


def in_rounds(switch: Switch) -> str:
    """`1 round`, `3 rounds`, `> 16 rounds`."""
    counted = rounds(switch)
    return f"{counted} {'round' if counted == '1' else 'rounds'}"


def in_use_sentence(row: Row, switch: Switch | None) -> str:
    """Say what the next rebalance does to a group that already uses the row's assignor; `switch` is
    None where that is unknown.
    """
    if not row.moves or switch is None:
        return "No change: the group uses it now. What its next rebalance moves is unknown."
    pauses = (
        f"pause {count(switch.paused_count, 'partition')}" if switch.paused_count else "pause none"
    )
    return f"{uses('it', row.moves)}. Its next rebalance would {next_moves(row.moves)} and {pauses}, in {in_rounds(switch)}."


def uses(name: str, moves: Moves | None) -> str:
    """`No change: the group uses range now`; `moves`: of its next rebalance, which is a change
    where there are any.
    """
    return (
        f"The group uses {name} now"
        if moves and _changes(moves)
        else f"No change: the group uses {name} now"
    )


def _changes(moves: Moves) -> int:
    """Count the partitions that get another owner, or none."""
    return moves.moved_count + moves.added_count + moves.revoked_count


def next_moves(moves: Moves) -> str:
    """`give 3 partitions another owner`, `keep every partition where it is`."""
    changed = _changes(moves)
    return (
        f"give {count(changed, 'partition')} another owner"
        if changed
        else "keep every partition where it is"
    )


def sentences(switch: Switch, row: Row) -> str:
    """Say what pauses on the way to a row's assignment, for how long, and in how many rounds."""
    if switch.kind == Kind.SHARED:
        return "No partition pauses: members share partitions."
    pauses = _eager(switch, row) if switch.kind == Kind.EAGER else _paused(switch)
    return f"{pauses} {_end(switch)}"


def _end(switch: Switch) -> str:
    if switch.is_settled:
        return f"Done after {count(switch.round_count, 'round')}. {_A_ROUND[switch.kind]}".rstrip()
    if switch.is_endless:
        return f"It never comes to rest: {why_endless(switch.is_refused)}."
    return f"Not done after {count(switch.round_count, 'round')}, and the page counts no further."


def _eager(switch: Switch, row: Row) -> str:
    stay = row.moves.retained_count if row.moves else 0
    if not switch.paused_count:
        return "No partition pauses: none has an owner."
    back = (
        f"{exact(stay)} {'comes' if stay == 1 else 'come'} back to the same member"
        if stay
        else "none comes back to the same member"
    )
    return f"Every partition pauses, {exact(switch.paused_count)} in all, because every member first gives up all its partitions; {back}."


def _paused(switch: Switch) -> str:
    return " ".join(
        filter(None, (_pausing(switch), _stale(sum(step.stale for step in switch.steps))))
    )


def _stale(claims: int) -> str:
    if not claims:
        return ""
    which = "1 stale claim is" if claims == 1 else f"{exact(claims)} stale claims are"
    pauses = "That pauses nothing: another member has the partition, or it does not exist."
    return f"{which} given up. {pauses} A member that gives up a claim rejoins."


def _pausing(switch: Switch) -> str:
    if not switch.paused_count:
        return "No partition pauses."
    least, most = int(switch.paused_rounds.min()), int(switch.paused_rounds.max())
    length = count(most, "round") if least == most else f"{exact(least)} to {count(most, 'round')}"
    pauses = "pauses" if switch.paused_count == 1 else "pause"
    return (
        f"{count(switch.paused_count, 'partition')} {pauses} for {length}, the others keep running."
    )
