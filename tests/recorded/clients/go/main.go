// Answers of franz-go, sarama and kafka-go: a request a line in, a line of all different answers of several runs out.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sort"

	"github.com/IBM/sarama"
	kafkago "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

type held map[string][]int32
type plan map[string]held

type member struct {
	ID         string   `json:"member_id"`
	Instance   *string  `json:"instance_id"`
	Topics     []string `json:"subscribed"`
	Owned      held     `json:"owned"`
	Generation *int32   `json:"generation"`
}

type topic struct {
	Name       string            `json:"name"`
	Partitions []json.RawMessage `json:"partitions"`
}

type request struct {
	Client   string `json:"client"`
	Assignor string `json:"assignor"`
	Runs     int    `json:"runs"`
	Group    struct {
		Topics  []topic  `json:"topics"`
		Members []member `json:"members"`
	} `json:"group"`
}

func (r request) sizes() map[string]int32 {
	sizes := map[string]int32{}
	for _, m := range r.Group.Members {
		for _, name := range m.Topics {
			for _, t := range r.Group.Topics {
				if t.Name == name && len(t.Partitions) > 0 {
					sizes[name] = int32(len(t.Partitions))
				}
			}
		}
	}
	return sizes
}

func numbers(size int32) []int32 {
	all := make([]int32, size)
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

func ofSarama(r request) plan {
	strategy := map[string]sarama.BalanceStrategy{
		"range": sarama.NewBalanceStrategyRange(), "roundrobin": sarama.NewBalanceStrategyRoundRobin(),
	}[r.Assignor]
	members, topics := map[string]sarama.ConsumerGroupMemberMetadata{}, map[string][]int32{}
	for _, m := range r.Group.Members {
		members[m.ID] = sarama.ConsumerGroupMemberMetadata{Topics: m.Topics}
	}
	for name, size := range r.sizes() {
		topics[name] = numbers(size)
	}
	if len(topics) == 0 {
		return plan{} // Its roundrobin refuses to plan nothing.
	}
	given, err := strategy.Plan(members, topics)
	check(err)
	result := plan{}
	for id, topics := range given {
		result[id] = topics
	}
	return result
}

func ofKafkaGo(r request) plan {
	var balancer kafkago.GroupBalancer = kafkago.RangeGroupBalancer{}
	if r.Assignor == "roundrobin" {
		balancer = kafkago.RoundRobinGroupBalancer{}
	}
	var members []kafkago.GroupMember
	for _, m := range r.Group.Members {
		members = append(members, kafkago.GroupMember{ID: m.ID, Topics: m.Topics})
	}
	var partitions []kafkago.Partition
	for name, size := range r.sizes() {
		for _, number := range numbers(size) {
			partitions = append(partitions, kafkago.Partition{Topic: name, ID: int(number)})
		}
	}
	result := plan{}
	for id, topics := range balancer.AssignGroups(members, partitions) {
		result[id] = held{}
		for name, all := range topics {
			for _, number := range all {
				result[id][name] = append(result[id][name], int32(number))
			}
		}
	}
	return result
}

func ofFranzGo(r request) plan {
	balancer := map[string]kgo.GroupBalancer{
		"range": kgo.RangeBalancer(), "roundrobin": kgo.RoundRobinBalancer(),
		"sticky": kgo.StickyBalancer(), "cooperative-sticky": kgo.CooperativeStickyBalancer(),
	}[r.Assignor]
	var members []kmsg.JoinGroupResponseMember
	for _, m := range r.Group.Members {
		one := kmsg.NewJoinGroupResponseMember()
		one.MemberID, one.InstanceID, one.ProtocolMetadata = m.ID, m.Instance, metadata(m, r.Assignor)
		members = append(members, one)
	}
	sort.Slice(members, func(i, j int) bool { return isBefore(members[i], members[j]) })
	balanced, topics, err := balancer.MemberBalancer(members)
	check(err)
	given, err := balanced.(kgo.GroupMemberBalancerOrError).BalanceOrError(inOrderOf(topics, r.sizes()))
	check(err)
	result := plan{}
	for id, topics := range given.(*kgo.BalancePlan).AsMemberIDMap() {
		result[id] = topics
	}
	return result
}

// kgo fills this map in the order of that one, and both decide in which order it walks topics.
func inOrderOf(topics map[string]struct{}, sizes map[string]int32) map[string]int32 {
	found := make(map[string]int32, len(topics))
	for name := range topics {
		if size, exists := sizes[name]; exists {
			found[name] = size
		}
	}
	return found
}

// As joinMemberLess, which is not exported: kgo sorts members before it asks a balancer.
func isBefore(l, r kmsg.JoinGroupResponseMember) bool {
	if (l.InstanceID == nil) != (r.InstanceID == nil) {
		return l.InstanceID != nil
	}
	if l.InstanceID != nil {
		return *l.InstanceID < *r.InstanceID
	}
	return l.MemberID < r.MemberID
}

func metadata(m member, assignor string) []byte {
	meta := kmsg.NewConsumerMemberMetadata()
	meta.Version, meta.Topics, meta.Generation = 3, m.Topics, -1
	if m.Generation != nil {
		meta.Generation = *m.Generation
	}
	user := kmsg.NewStickyMemberMetadata()
	user.Generation = meta.Generation
	for name, all := range m.Owned {
		if len(all) == 0 {
			continue
		}
		current := kmsg.NewStickyMemberMetadataCurrentAssignment()
		current.Topic, current.Partitions = name, all
		user.CurrentAssignment = append(user.CurrentAssignment, current)
		owned := kmsg.NewConsumerMemberMetadataOwnedPartition()
		owned.Topic, owned.Partitions = name, all
		if assignor == "cooperative-sticky" {
			meta.OwnedPartitions = append(meta.OwnedPartitions, owned)
		}
	}
	meta.UserData = user.AppendTo(nil)
	return meta.AppendTo(nil)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func text(p plan) string {
	for _, topics := range p {
		for _, all := range topics {
			sort.Slice(all, func(i, j int) bool { return all[i] < all[j] })
		}
	}
	written, err := json.Marshal(p)
	check(err)
	return string(written)
}

func main() {
	families := map[string]func(request) plan{"sarama": ofSarama, "kafka-go": ofKafkaGo, "franz-go": ofFranzGo}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var r request
		check(json.Unmarshal(lines.Bytes(), &r))
		answers := map[string]bool{}
		for i := 0; i < r.Runs; i++ {
			answers[text(families[r.Client](r))] = true
		}
		var different []json.RawMessage
		for answer := range answers {
			different = append(different, json.RawMessage(answer))
		}
		written, err := json.Marshal(different)
		check(err)
		fmt.Println(string(written))
	}
	check(lines.Err())
}
