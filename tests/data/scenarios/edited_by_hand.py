"""Edits done by hand on a group document, as the specification words them: what the edits of the
arrays must give.
"""

import copy


def edited(document: dict, edit: dict) -> dict:
    """Return the document after one edit that makes no random ids."""
    after = copy.deepcopy(document)
    _BY_HAND[edit["op"]](after, edit)
    return after


def _remove_members(document: dict, edit: dict):
    document["members"] = [
        each for each in document["members"] if each["member_id"] not in edit["member_ids"]
    ]


def _set_subscription(document: dict, edit: dict):
    for member in _members(document, edit):
        member["subscribed"] = edit["topics"]
        member.pop("subscribed_regex", None)


def _set_rack(document: dict, edit: dict):
    for member in _members(document, edit):
        member["rack"] = edit["rack"]


def _set_instance_id(document: dict, edit: dict):
    for member in document["members"]:
        if member["member_id"] == edit["member_id"]:
            member["instance_id"] = edit["instance_id"]


def _set_partition_count(document: dict, edit: dict):
    topic = _topic(document, edit["topic"])
    has_offsets = any(each.get("end_offset") is not None for each in _partitions(document))
    known = has_offsets and document.get("auto_offset_reset") is not None
    empty = {"begin_offset": 0, "end_offset": 0} if known else {"lag": 0}
    topic["partitions"] = [*_listed(topic), *({**empty, "racks": racks} for racks in edit["racks"])]


def _add_topic(document: dict, edit: dict):
    document["topics"].append(
        {"name": edit["name"], "partitions": [], "topic_id": edit["topic_id"]}
    )
    _set_partition_count(document, {"topic": edit["name"], "racks": edit["racks"]})


def _remove_topic(document: dict, edit: dict):
    document["topics"].remove(_topic(document, edit["name"]))


def _set_lag(document: dict, edit: dict):
    topic = _topic(document, edit["topic"])
    topic["partitions"] = _listed(topic)
    partition = topic["partitions"][edit["partition"]]
    policy = (document.get("auto_offset_reset") or "latest").lower()
    from_begin = document.get("auto_offset_reset") is not None and policy != "latest"
    start = _start(partition, from_begin)
    if "lag" in partition or partition.get("end_offset") is None or start is None:
        topic["partitions"][edit["partition"]] = {"lag": edit["lag"]} | (
            {"racks": partition["racks"]} if "racks" in partition else {}
        )
    else:
        partition["end_offset"] = start + edit["lag"]


def _start(partition: dict, from_begin: bool) -> int | None:
    committed, begin = partition.get("committed_offset"), partition.get("begin_offset")
    if committed is not None:
        return max(committed, begin or 0)
    return begin if from_begin else None


def _members(document: dict, edit: dict) -> list[dict]:
    return [each for each in document["members"] if each["member_id"] in edit["member_ids"]]


def _topic(document: dict, name: str) -> dict:
    return next(topic for topic in document["topics"] if topic["name"] == name)


def _partitions(document: dict) -> list[dict]:
    return [
        each
        for topic in document["topics"]
        if isinstance(topic["partitions"], list)
        for each in topic["partitions"]
    ]


def _listed(topic: dict) -> list[dict]:
    partitions = topic["partitions"]
    return [{} for _ in range(partitions)] if isinstance(partitions, int) else list(partitions)


_BY_HAND = {
    "remove_members": _remove_members,
    "set_subscription": _set_subscription,
    "set_rack": _set_rack,
    "set_instance_id": _set_instance_id,
    "set_partition_count": _set_partition_count,
    "add_topic": _add_topic,
    "remove_topic": _remove_topic,
    "set_lag": _set_lag,
}
