from typing import Any, Self

class GroupEdits:
    def add_members(self, count: int, like: str | None = None, subscribed: list[str] | None = None, subscribed_regex: str | None = None, client_id: str | None = None, rack: str | None = None, instance_ids: list[str] | None = None, seed: int = 0) -> Self:
        """Members join.

        `like` names a member whose client id, subscription and rack the new members have; other
        arguments override them."""
        ...

    def add_topic(self, name: str, partitions: int, racks: list[list[str | None]] | None = None, topic_id: str | None = None, seed: int = 0) -> Self:
        """A topic appears.

        Its partitions are empty. Members that name it, or whose expression matches it, subscribe to
        it.

        `racks` of each partition; without them its replicas have no rack. `topic_id`: else made from
        the seed, marked as assumed."""
        ...

    def advance(self, seconds: float, in_rate: dict[str, float | list[float | None]] | None = None, capacity: dict[str, float] | None = None, window_seconds: float | None = None, measured: dict[str, Any] | None = None) -> Self:
        """Time passes; records come in, and members read.

        Rates are constant. `in_rate`: records/s into each partition, by topic: one number, or one
        for each partition, null if unknown.

        `capacity`: records/s that each member can read, by member id. `*` is for all others. What is
        missing is taken from a history of the group, over its last `window_seconds`, and written here
        with `measured`; nothing computes without both. Measured rates hold for the partitions that a
        topic had then: later partitions get equal parts of the topic's rate."""
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

        A dynamic member leaves and joins again with a new id: two rebalances, or one if both fall
        into one join phase (`together`).

        A static member (KIP-345) that is back inside `session.timeout.ms` gets its assignment again
        under a new member id, without a rebalance."""
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
        """One partition lags otherwise.

        The end offset changes, the commit stays; if only the lag is known, it changes."""
        ...

    def set_owners(self, owners: dict[str, dict[str, list[int]]]) -> Self:
        """Partitions have the owners of a plan, such as one of Best.

        Members own these partitions: `owners` by member id and topic. All others stay with whom they
        are, and nothing rebalances."""
        ...

    def set_partition_count(self, topic: str, count: int, racks: list[list[str | None]] | None = None) -> Self:
        """A topic grows.

        New partitions are empty.

        `racks` of each new partition; without them the racks of the topic's partitions in turn, marked
        as assumed: the brokers decide it."""
        ...

    def set_rack(self, *member_ids: str, rack: str | None = None) -> Self:
        """Members say another rack when they next join.

        `rack` null: no `client.rack`; empty: librdkafka's way to say so."""
        ...

    def set_subscription(self, *member_ids: str, topics: list[str] | None = None, regex: str | None = None) -> Self:
        """Members subscribe to other topics.

        `topics` by name, or all that match `regex` (RE2), or both. What members own stays theirs
        until the rebalance."""
        ...


class ApplicationEdits:
    def remove_processes(self, *process_ids: str) -> Self:
        """KafkaStreams instances stop or die; their disks keep the state of their tasks.

        Their tasks run nowhere until the rebalance. An application without processes has no leader,
        so one has to stay."""
        ...

    def return_processes(self, *process_ids: str, disk: bool = True, seed: int = 0) -> Self:
        """KafkaStreams instances that have left come back, with or without their disks.

        With its disk a process has its id and its state again, under new member ids; without it, it
        has a new id and no state."""
        ...

    def add_processes(self, like: str, count: int = 1, seed: int = 0) -> Self:
        """New KafkaStreams instances join, without state.

        Each has as many threads, the rack, the tags and the restore rate of the process that it is
        like; ids come from the seed."""
        ...

    def set_settings(self, settings: dict[str, Any]) -> Self:
        """The leader, or the broker's group, runs with other settings.

        Kafka's dotted names; null is Kafka's default."""
        ...

    def advance(self, seconds: float, restore_rates: dict[str, float] | None = None, end_offset_rates: dict[str, float] | None = None) -> Self:
        """Time passes after a rebalance; processes restore their copies, and changelogs grow.

        Rates are constant, in records/s: `restore_rates` by process, `end_offset_rates` by task;
        by default the document's.

        If a rate is unknown, its tasks or partitions are caught up in the end."""
        ...
