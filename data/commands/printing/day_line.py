"""What was done with the snapshots of a day, as a line."""

from typing import TYPE_CHECKING

from evenkeel.data.words.formats import counted

if TYPE_CHECKING:
    from evenkeel.data.lake.slots.tidy import Tidied


def day_line(one: "Tidied") -> str:
    """Return the line."""
    from evenkeel.data.lake.slots.retention import Form

    head = f"cluster {one.cluster}, {one.day}: {counted(one.slot_count, 'slot')}"
    done = {
        Form.HOUR: "stored by the hour",
        Form.DAY: "stored by the day",
        Form.THINNED: f"thinned to {one.left_count:,}",
        Form.NONE: "deleted",
    }
    return f"{head} left as they are: {one.problem}" if one.problem else f"{head} {done[one.form]}"
