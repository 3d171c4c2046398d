"""The chart of roles over the rounds; a click on a bar shows its round."""


from evenkeel.dashboard.charts.role_bars import RoleCounts, role_bars, role_counts
from evenkeel.dashboard.view import ApplicationView, TaskRounds
from evenkeel.dashboard.widgets.parts import plot
from evenkeel.data.words.formats import count, exact


def show(view: ApplicationView, found: TaskRounds, number: int) -> None:
    """Draw the chart."""
    counts = role_counts([each.answer for each in found.rounds], view.snapshot.is_stateful)
    plot.show(role_bars(counts, number), "role-bars", _finding(counts))


def _finding(counts: RoleCounts) -> str:
    rounds = len(counts.in_place) - 1
    now = f"{exact(int(counts.in_place[0]))} of {count(counts.task_count, 'stateful task')} in place now"
    most = count(int(counts.warmup.max()), "warm-up")
    return f"{now}, {exact(int(counts.in_place[-1]))} after {count(rounds, 'round')}; at most {most} at once"
