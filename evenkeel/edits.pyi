from typing import Any, Self

class GroupEdits:
    def add_members(self, count: int, like: str | None = None, subscribed: list[str] | None = None, subscribed_regex: str | None = None, client_id: str | None = None, rack: str | None = None, instance_ids: list[str] | None = None, seed: int = 0) -> Self:
        """Members join.

        New members have the client id, subscription and rack of the member `like`.

        If other arguments are given, they replace the values of `like`."""
        ...

    def add_topic(self, name: str, partitions: int, racks: list[list[str | None]] | None = None, topic_id: str | None = None, seed: int = 0) -> Self:
        """A topic appears.

        The topic's partitions are empty. A member subscribes to the topic if its subscription
        contains the topic's name, or an expression that matches the name.

        `racks`: for each partition, the racks of its replicas; if missing, replicas have no rack.
        `topic_id`: if missing, it is made from the seed and marked as assumed."""
        ...

    def advance(self, seconds: float, in_rate: dict[str, float | list[float | None]] | None = None, capacity: dict[str, float] | None = None, window_seconds: float | None = None, measured: dict[str, Any] | None = None) -> Self:
        """Time passes; producers write records, and members read.

        Rates are constant, in records/s.

        `in_rate`: by topic, records that producers write to each partition: one number for all
        partitions, or a list with a number for each partition, null if unknown. `capacity`: by member
        id, records that the member can read. The key `*` is for all other topics or members.

        A missing rate is measured over the last `window_seconds` of the group's history, and `measured`
        is then the time span. `in_rate` and `capacity` are both needed. If a topic gets partitions
        after the measurement, each new partition gets an equal share of the topic's rate."""
        ...

    def remove_members(self, *member_ids: str) -> Self:
        """Members leave or die.

        Partitions of removed members have no owner until the rebalance ends."""
        ...

    def remove_topic(self, name: str) -> Self:
        """A topic is deleted.

        Members still subscribe to the deleted topic and still own its partitions, as in Kafka."""
        ...

    def restart_members(self, *member_ids: str, together: bool = False, seed: int = 0) -> Self:
        """Members stop and join again.

        A dynamic member leaves and joins again with a new id.

        This causes two rebalances. With `together`, the member leaves and joins within one join phase,
        which causes one rebalance. A static member (KIP-345) that returns within `session.timeout.ms`
        causes no rebalance: it gets its former assignment under a new member id."""
        ...

    def scale_lag(self, topic: str, factor: float) -> Self:
        """The lag of all partitions of a topic grows or falls by a factor.

        Multiply the lag of each partition by `factor`, rounded to whole records.

        An unknown lag remains unknown."""
        ...

    def set_instance_id(self, member_id: str, instance_id: str | None = None) -> Self:
        """A dynamic member becomes static (KIP-345), or a static member dynamic.

        If `instance_id` is null, the member becomes dynamic."""
        ...

    def set_lag(self, topic: str, partition: int, lag: int) -> Self:
        """The lag of one partition changes.

        The end offset changes; the commit stays. If offsets are unknown, only the lag changes."""
        ...

    def set_owners(self, owners: dict[str, dict[str, list[int]]]) -> Self:
        """Partitions get the owners of a plan, for example of a plan of the page Best.

        `owners`: planned partitions, by member id and topic.

        Partitions outside the plan keep their owners. No rebalance happens."""
        ...

    def set_partition_count(self, topic: str, count: int, racks: list[list[str | None]] | None = None) -> Self:
        """A topic grows.

        New partitions are empty.

        `racks`: for each new partition, the racks of its replicas. If missing, new partitions repeat
        the racks of the topic's present partitions; these racks are marked as assumed, because the
        brokers choose them."""
        ...

    def set_rack(self, *member_ids: str, rack: str | None = None) -> Self:
        """Members report another rack when they join the next time.

        `rack`: null means that `client.rack` is not set. An empty text also means no rack, as
        librdkafka reports it."""
        ...

    def set_subscription(self, *member_ids: str, topics: list[str] | None = None, regex: str | None = None) -> Self:
        """Members subscribe to other topics.

        Members subscribe to `topics` by name, to all topics that match `regex` (RE2), or to both.

        Owners do not change until the rebalance."""
        ...


class ApplicationEdits:
    def remove_processes(self, *process_ids: str) -> Self:
        """KafkaStreams instances stop or die; their state remains on their disks.

        Tasks of removed processes do not run until the next rebalance.

        At least one process must remain, because a group needs a leader."""
        ...

    def return_processes(self, *process_ids: str, disk: bool = True, seed: int = 0) -> Self:
        """Departed KafkaStreams instances join again, with or without their disks.

        With its disk, a process returns with its former id and state, and with new member ids.

        Without its disk, the process has a new id and no state."""
        ...

    def add_processes(self, like: str, count: int = 1, seed: int = 0) -> Self:
        """New KafkaStreams instances join; they have no state.

        Each new process has the threads, rack, tags and restore rate of the process `like`.

        The ids of new processes are made from the seed."""
        ...

    def set_settings(self, settings: dict[str, Any]) -> Self:
        """The leader (classic group) or the brokers (streams group) use other settings.

        Settings have Kafka's dotted names; the value null means Kafka's default."""
        ...

    def advance(self, seconds: float, restore_rates: dict[str, float] | None = None, end_offset_rates: dict[str, float] | None = None) -> Self:
        """Time passes after a rebalance: processes restore copies, and changelogs grow.

        Constant rates, in records/s: `restore_rates` by process, `end_offset_rates` by task.

        Missing rates are taken from the document. If the restore rate of a process, or the growth of
        one of its copies that is behind, is still unknown, all tasks of the process count as caught up."""
        ...
