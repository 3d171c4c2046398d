"""What a broker's refusal means, in one line."""

from kafka import errors

NO_TOPIC = "UNKNOWN_TOPIC_OR_PARTITION: this topic or partition no longer exists"
NO_GROUP = "GROUP_ID_NOT_FOUND: this group no longer exists"
_MEANINGS = {
    "UNKNOWN_TOPIC_OR_PARTITION": NO_TOPIC,
    "GROUP_ID_NOT_FOUND": NO_GROUP,
    "TOPIC_AUTHORIZATION_FAILED": "TOPIC_AUTHORIZATION_FAILED: the right DESCRIBE on a topic is missing",
    "GROUP_AUTHORIZATION_FAILED": "GROUP_AUTHORIZATION_FAILED: the right DESCRIBE on the group is missing",
    "UNSTABLE_OFFSET_COMMIT": "UNSTABLE_OFFSET_COMMIT: an open transaction is about to replace the commit",
    "CLUSTER_AUTHORIZATION_FAILED": "CLUSTER_AUTHORIZATION_FAILED: the right DESCRIBE on the cluster is missing",
}
NO_COMMIT_VISIBLE = "no commit is visible: nothing is committed, or the right DESCRIBE on its topics is missing"
"""Kafka silently leaves topics that a user may not see out of a group's commits."""

NO_START_VISIBLE = "no start offset is visible: none is set, or the right DESCRIBE on its topics is missing"
"""The same for a share group, which commits none."""

NO_START_SAID = "the broker does not report start offsets of share groups, because it is older than Kafka 4.1"


def error_word(code: int) -> str:
    """Return Kafka's name of an error code, and its meaning where the name does not tell it."""
    name = getattr(errors.for_code(code), "message", None) or f"error {code}"
    return _MEANINGS.get(name, name)
