"""Observed groups compared as a whole."""

from dataclasses import fields

import numpy as np

from evenkeel.data.group.columns.observed import ObservedGroup


def plain(value):
    """Return a dataclass of arrays as plain values that can be compared."""
    if hasattr(value, "__dataclass_fields__"):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, np.ndarray):
        return value.dtype.name, value.shape, value.tolist()
    if isinstance(value, tuple) and any(isinstance(item, np.ndarray) for item in value):
        return [plain(item) for item in value]
    return value


def owned(observed: ObservedGroup) -> dict[str, list[tuple[str, int]]]:
    """Return what each member claims, in the order of the claims."""
    group = observed.snapshot
    claims = zip(
        group.claim_member.tolist(),
        group.claim_topic.tolist(),
        group.claim_partition.tolist(),
        strict=True,
    )
    found = {member: [] for member in group.member_id}
    for member, topic, partition in claims:
        found[group.member_id[member]].append((group.topic_name[topic], partition))
    return found
