from typing import Any, Self

class GroupEdits:
    def add_members(self, count: int, like: str | None = None, subscribed: list[str] | None = None, subscribed_regex: str | None = None, client_id: str | None = None, rack: str | None = None, instance_ids: list[str] | None = None, seed: int = 0) -> Self:
        """Members join.

        `like` names a member whose client id, subscription and rack the new members have; other
        arguments override them."""
        ...

    def add_topic(self, name: str, partitions: int, racks: list[list[str | None]] | None = None, topic_id: str | None = None, seed: int = 0) -> Self:
        """A topic appears.

        Its partitions are empty. Members subscribe if they name it or their expression matches.

        `racks` of each partition; without them its replicas have no rack. `topic_id`: if missing, from
        the seed, marked as assumed."""
        ...

    def advance(self, seconds: float, in_rate: dict[str, float | list[float | None]] | None = None, capacity: dict[str, float] | None = None, window_seconds: float | None = None, measured: dict[str, Any] | None = None) -> Self:
        """Time passes; records come in, and members read.

        Rates are constant. `in_rate`: records/s into each partition, by topic: one number, or one
        for each partition, null if unknown.

        `capacity`: records/s that each member can read, by member id. `*` is for all others. Missing
        rates come from the last `window_seconds` of the group's history and are written here with
        `measured`; both are needed for an answer. Measured rates are for the topic's partitions at that
        time: later partitions get equal parts of the topic's rate."""
        ...

    def remove_members(self, *member_ids: str) -> Self:
        """Members leave or die.

        Their partitions have no owner until the rebalance has ended."""
        ...

    def remove_topic(self, name: str) -> Self:
        """A topic is deleted.

        Members still subscribe to it and own its partitions, as in Kafka."""
        ...

    def restart_members(self, *member_ids: str, together: bool = False, seed: int = 0) -> Self:
        """Members stop and come back.

        A dynamic member leaves and joins again with a new id: two rebalances, or one if both are in
        one join phase (`together`).

        A static member (KIP-345) that returns within `session.timeout.ms` gets its old assignment under
        a new member id, without a rebalance."""
        ...

    def scale_lag(self, topic: str, factor: float) -> Self:
        """The lag of all partitions of a topic grows or falls by a factor.

        Each partition's lag times `factor`, rounded to whole records; an unknown lag stays
        unknown."""
        ...

    def set_instance_id(self, member_id: str, instance_id: str | None = None) -> Self:
        """A member becomes static (KIP-345), or dynamic again.

        `instance_id` null: a dynamic member."""
        ...

    def set_lag(self, topic: str, partition: int, lag: int) -> Self:
        """One partition has another lag.

        The end offset changes, the commit does not; if only the lag is known, it changes."""
        ...

    def set_owners(self, owners: dict[str, dict[str, list[int]]]) -> Self:
        """A plan gives partitions their owners, such as a plan of Best.

        Members own these partitions: `owners` by member id and topic. Other partitions keep their
        owners; there is no rebalance."""
        ...

    def set_partition_count(self, topic: str, count: int, racks: list[list[str | None]] | None = None) -> Self:
        """A topic grows.

        New partitions are empty.

        `racks` of each new partition; if missing, the racks of the topic's partitions in turn, marked
        as assumed: the brokers decide."""
        ...

    def set_rack(self, *member_ids: str, rack: str | None = None) -> Self:
        """Members report another rack when they next join.

        `rack` null: no `client.rack`; empty: librdkafka's form of no rack."""
        ...

    def set_subscription(self, *member_ids: str, topics: list[str] | None = None, regex: str | None = None) -> Self:
        """Members subscribe to other topics.

        `topics` by name, or all that match `regex` (RE2), or both. Owned partitions do not change
        until the rebalance."""
        ...


class ApplicationEdits:
    def remove_processes(self, *process_ids: str) -> Self:
        """KafkaStreams instances stop or die; their disks keep the state of their tasks.

        No process runs their tasks until the rebalance. One process must stay: without processes
        there is no leader."""
        ...

    def return_processes(self, *process_ids: str, disk: bool = True, seed: int = 0) -> Self:
        """Departed KafkaStreams instances come back, with or without their disks.

        With its disk a process has its id and its state again, under new member ids; without it, it
        has a new id and no state."""
        ...

    def add_processes(self, like: str, count: int = 1, seed: int = 0) -> Self:
        """New KafkaStreams instances join, without state.

        Each new process has the threads, rack, tags and restore rate of its model; ids come from the
        seed."""
        ...

    def set_settings(self, settings: dict[str, Any]) -> Self:
        """The leader, or the broker's group, runs with other settings.

        Kafka's dotted names; null is Kafka's default."""
        ...

    def advance(self, seconds: float, restore_rates: dict[str, float] | None = None, end_offset_rates: dict[str, float] | None = None) -> Self:
        """Time passes after a rebalance; processes restore their copies, and changelogs grow.

        Rates are constant, in records/s: `restore_rates` by process, `end_offset_rates` by task;
        by default the document's.

        Tasks or partitions of unknown rate are caught up in the end."""
        ...
