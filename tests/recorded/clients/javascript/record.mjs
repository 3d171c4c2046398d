// Answers of kafkajs and @platformatic/kafka: a request a line in, a line with the answer out. The first member leads.
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)
const roundRobin = require('kafkajs/src/consumer/assigners/roundRobinAssigner')
const { MemberAssignment } = require('kafkajs/src/consumer/assignerProtocol')
// The assigners are no part of the package's exports, and the whole package needs a newer Node.
const kafkajs = dirname(require.resolve('kafkajs/package.json'))
const file = '@platformatic/kafka/dist/clients/consumer/partitions-assigners.js'
const platformatic = await import(pathToFileURL(join(dirname(kafkajs), file)))

const sizes = group => new Map(group.topics.filter(topic => topic.partitions.length).map(topic => [topic.name, topic.partitions.length]))

async function ofKafkajs({ group }) {
  const known = sizes(group)
  const cluster = {
    findTopicPartitionMetadata: topic => Array.from({ length: known.get(topic) ?? 0 }, (_, partitionId) => ({ partitionId })),
  }
  const members = group.members.map(member => ({ memberId: member.member_id }))
  const given = await roundRobin({ cluster }).assign({ members, topics: group.members[0].subscribed })
  return Object.fromEntries(given.map(one => [one.memberId, MemberAssignment.decode(one.memberAssignment).assignment]))
}

function ofPlatformatic({ assignor, group }) {
  const known = sizes(group)
  const members = new Map(group.members.map(member => [member.member_id, {
    memberId: member.member_id,
    topics: member.subscribed,
    ownedPartitions: Object.entries(member.owned ?? {}).map(([topic, partitions]) => ({ topic, partitions })),
    generationId: member.generation ?? -1,
  }]))
  const metadata = { topics: new Map([...known].map(([topic, partitionsCount]) => [topic, { partitionsCount }])) }
  const topics = new Set(group.members[0].subscribed.filter(topic => known.has(topic)))
  const assigner = assignor === 'roundrobin' ? platformatic.roundRobinAssigner : platformatic.cooperativeStickyAssigner
  return Object.fromEntries(assigner(group.members[0].member_id, members, topics, metadata).map(one => [
    one.memberId,
    Object.fromEntries([...one.assignments.values()].map(({ topic, partitions }) => [topic, partitions])),
  ]))
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line)
  console.log(JSON.stringify([await (request.client === 'kafkajs' ? ofKafkajs(request) : ofPlatformatic(request))]))
}
