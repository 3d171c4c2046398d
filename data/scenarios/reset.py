"""`auto.offset.reset` of a group whose input does not have it."""

from dataclasses import replace

from evenkeel.data.columns.observed import ObservedGroup

AUTO_OFFSET_RESET = "auto_offset_reset"
"""Its path in the group document."""


def with_reset(observed: ObservedGroup, policy: str | None) -> ObservedGroup:
    """Return the group with an assumed policy; unchanged without one to assume, or if the input has its own."""
    if policy is None or observed.snapshot.auto_offset_reset is not None:
        return observed
    return replace(
        observed,
        snapshot=replace(observed.snapshot, auto_offset_reset=policy),
        assumed=tuple(sorted({*observed.assumed, AUTO_OFFSET_RESET})),
    )
