from typing import Any, Self

class GroupEdits:
    def add_members(self, count: int, like: str | None = None, subscribed: list[str] | None = None, subscribed_regex: str | None = None, client_id: str | None = None, rack: str | None = None, instance_ids: list[str] | None = None, seed: int = 0) -> Self:
        """Members join.

        New members have the client id, subscription and rack of the member `like`.

        Other arguments override the values of `like`."""
        ...

    def add_topic(self, name: str, partitions: int, racks: list[list[str | None]] | None = None, topic_id: str | None = None, seed: int = 0) -> Self:
        """A topic appears.

        The topic's partitions are empty. Members subscribe if their subscription has its name, or an
        expression that matches the name.

        `racks`: the replicas' racks of each partition; if missing, replicas have no rack. `topic_id`:
        if missing, it comes from the seed and is marked as assumed."""
        ...

    def advance(self, seconds: float, in_rate: dict[str, float | list[float | None]] | None = None, capacity: dict[str, float] | None = None, window_seconds: float | None = None, measured: dict[str, Any] | None = None) -> Self:
        """Time passes; records come in, and members read.

        Rates are constant, in records/s.

        `in_rate`: incoming records of each partition, by topic. A value is one number for all
        partitions, or a list with one number for each partition, null if unknown. `capacity`: records
        that each member can read, by member id. The key `*` is for all other topics or members.

        Missing rates come from the last `window_seconds` of the group's history; `measured` is then the
        span of the measurement. An answer needs both rates. A measured rate belongs to the topic's
        partitions at that time; if partitions are added, they get equal shares of the topic's rate."""
        ...

    def remove_members(self, *member_ids: str) -> Self:
        """Members leave or die.

        Partitions of these members have no owner until the rebalance has ended."""
        ...

    def remove_topic(self, name: str) -> Self:
        """A topic is deleted.

        Members still subscribe to the topic and own its partitions, as in Kafka."""
        ...

    def restart_members(self, *member_ids: str, together: bool = False, seed: int = 0) -> Self:
        """Members stop and come back.

        A dynamic member leaves and joins again with a new id.

        That causes two rebalances, or one if the member leaves and joins within one join phase
        (`together`). A static member (KIP-345) that returns within `session.timeout.ms` gets its former
        assignment under a new member id, without a rebalance."""
        ...

    def scale_lag(self, topic: str, factor: float) -> Self:
        """The lag of all partitions of a topic grows or falls by a factor.

        Multiply the lag of each partition by `factor`, rounded to whole records.

        An unknown lag remains unknown."""
        ...

    def set_instance_id(self, member_id: str, instance_id: str | None = None) -> Self:
        """A member becomes static (KIP-345), or dynamic again.

        If `instance_id` is null, the member becomes dynamic."""
        ...

    def set_lag(self, topic: str, partition: int, lag: int) -> Self:
        """One partition has another lag.

        Change the end offset and keep the commit; if offsets are unknown, change only the lag."""
        ...

    def set_owners(self, owners: dict[str, dict[str, list[int]]]) -> Self:
        """A plan assigns partitions to owners, for example a plan of Best.

        Assign these partitions: `owners` has partitions by member id and topic.

        Other partitions keep their owners, and there is no rebalance."""
        ...

    def set_partition_count(self, topic: str, count: int, racks: list[list[str | None]] | None = None) -> Self:
        """A topic grows.

        New partitions are empty.

        `racks`: the replicas' racks of each new partition. If missing, new partitions repeat the racks
        of the topic's present partitions. These racks are marked as assumed, because brokers decide
        them."""
        ...

    def set_rack(self, *member_ids: str, rack: str | None = None) -> Self:
        """Members report another rack when they next join.

        Members report the new `rack`; null means no `client.rack`, and an empty rack is how
        librdkafka reports no rack."""
        ...

    def set_subscription(self, *member_ids: str, topics: list[str] | None = None, regex: str | None = None) -> Self:
        """Members subscribe to other topics.

        Members subscribe to `topics` by name, or to all topics that match `regex` (RE2), or to both.

        Owners of partitions do not change until the rebalance."""
        ...


class ApplicationEdits:
    def remove_processes(self, *process_ids: str) -> Self:
        """KafkaStreams instances stop or die; task state remains on their disks.

        Tasks of these processes do not run until the rebalance. One process must remain, because a
        group needs a leader."""
        ...

    def return_processes(self, *process_ids: str, disk: bool = True, seed: int = 0) -> Self:
        """Departed KafkaStreams instances come back, with or without their disks.

        With its disk, a process has its former id and state, under new member ids. Without its disk,
        it has a new id and no state."""
        ...

    def add_processes(self, like: str, count: int = 1, seed: int = 0) -> Self:
        """New KafkaStreams instances join, without state.

        New processes have the threads, rack, tags and restore rate of `like`; ids come from the
        seed."""
        ...

    def set_settings(self, settings: dict[str, Any]) -> Self:
        """The leader of a classic group, or the brokers of a streams group, use other settings.

        Settings have Kafka's dotted names; null is Kafka's default."""
        ...

    def advance(self, seconds: float, restore_rates: dict[str, float] | None = None, end_offset_rates: dict[str, float] | None = None) -> Self:
        """Time passes after a rebalance: processes restore their copies, and changelogs grow.

        Rates are constant, in records/s: `restore_rates` by process, `end_offset_rates` by task.
        Missing rates are the document's.

        A task or partition of unknown rate is caught up at the end."""
        ...
