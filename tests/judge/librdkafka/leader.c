/* The leader of a group: librdkafka's own reading of what members sent, its own assignors and its own adjustment of cooperative answers.
 *
 * One JSON request a line on standard input, one answer a line on standard output; whoever asks waits for the answer before the next request.
 * The assignors run in a child process, so that the death of a leader is an answer, {"signal": 6}, and the next request gets another child.
 * Built against the address sanitizer, a read of freed memory is {"exit": 77}.
 * "milliseconds" is how long the assignor alone took.
 */
#define _GNU_SOURCE
/* As a part of this program, because what reads the members and what adjusts the answer is static. */
#include "rdkafka_cgrp.c"

#include "cJSON.h"

#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TIME_LIMIT_SECONDS = 300, ANSWERS_OF_A_PROCESS = 200, NO_MORE_REQUESTS = 9 };

static const char *text(const cJSON *object, const char *key) {
        return cJSON_GetStringValue(cJSON_GetObjectItem(object, key));
}

static rd_kafkap_bytes_t *octets(const char *hex) {
        size_t size              = strlen(hex) / 2;
        unsigned char *read      = malloc(size + 1);
        rd_kafkap_bytes_t *bytes = NULL;
        for (size_t i = 0; i < size; i++)
                sscanf(hex + 2 * i, "%2hhx", &read[i]);
        bytes = rd_kafkap_bytes_new(read, (int32_t)size);
        free(read);
        return bytes;
}

static void fill_racks(rd_kafka_metadata_partition_internal_t *partition, const cJSON *racks) {
        const cJSON *rack;
        partition->racks = calloc((size_t)cJSON_GetArraySize(racks) + 1, sizeof(char *));
        cJSON_ArrayForEach(rack, racks) partition->racks[partition->racks_cnt++] = rack->valuestring;
}

static void fill_topic(rd_kafka_metadata_topic_t *topic, rd_kafka_metadata_topic_internal_t *internal, const cJSON *given) {
        const cJSON *partitions = cJSON_GetObjectItem(given, "partitions"), *racks;
        int number              = 0;
        topic->topic            = (char *)text(given, "name");
        topic->partition_cnt    = cJSON_GetArraySize(partitions);
        topic->partitions       = calloc((size_t)topic->partition_cnt + 1, sizeof(*topic->partitions));
        internal->partitions    = calloc((size_t)topic->partition_cnt + 1, sizeof(*internal->partitions));
        cJSON_ArrayForEach(racks, partitions) {
                topic->partitions[number].id    = number;
                internal->partitions[number].id = number;
                fill_racks(&internal->partitions[number++], racks);
        }
}

static rd_kafka_metadata_internal_t *metadata_of(const cJSON *topics) {
        rd_kafka_metadata_internal_t *metadata = calloc(1, sizeof(*metadata));
        size_t count                           = (size_t)cJSON_GetArraySize(topics);
        const cJSON *given;
        metadata->topics          = calloc(count + 1, sizeof(*metadata->topics));
        metadata->metadata.topics = calloc(count + 1, sizeof(*metadata->metadata.topics));
        cJSON_ArrayForEach(given, topics) {
                int at = metadata->metadata.topic_cnt++;
                fill_topic(&metadata->metadata.topics[at], &metadata->topics[at], given);
        }
        return metadata;
}

/* Returns the number of members that can be read; the others are left out, as in the client's handler of JoinGroup responses. */
static int read_members(rd_kafka_group_member_t *members, const cJSON *given) {
        const cJSON *each;
        int count = 0;
        cJSON_ArrayForEach(each, given) {
                rd_kafka_group_member_t *member = &members[count];
                const char *instance            = text(each, "instance_id");
                memset(member, 0, sizeof(*member));
                member->rkgm_member_id         = rd_kafkap_str_new(text(each, "member_id"), -1);
                member->rkgm_group_instance_id = rd_kafkap_str_new(instance, instance ? -1 : 0);
                member->rkgm_generation        = -1;
                rd_list_init(&member->rkgm_eligible, 0, NULL);
                if (rd_kafka_group_MemberMetadata_consumer_read(NULL, member, octets(text(each, "metadata"))))
                        continue;
                member->rkgm_assignment = rd_kafka_topic_partition_list_new(member->rkgm_subscription->cnt);
                count++;
        }
        return count;
}

static cJSON *lists(const rd_kafka_group_member_t *members, int count) {
        cJSON *all = cJSON_CreateObject();
        for (int i = 0; i < count; i++) {
                const rd_kafka_topic_partition_list_t *list = members[i].rkgm_assignment;
                cJSON *mine                                 = cJSON_CreateArray();
                for (int j = 0; j < list->cnt; j++) {
                        cJSON *pair = cJSON_CreateArray();
                        cJSON_AddItemToArray(pair, cJSON_CreateString(list->elems[j].topic));
                        cJSON_AddItemToArray(pair, cJSON_CreateNumber(list->elems[j].partition));
                        cJSON_AddItemToArray(mine, pair);
                }
                cJSON_AddItemToObject(all, members[i].rkgm_member_id->str, mine);
        }
        return all;
}

static void run(rd_kafka_t *rk, rd_kafka_assignor_t *assignor, const cJSON *request, cJSON *answer) {
        char why[512] = "";
        struct timespec start, stop;
        const cJSON *given                     = cJSON_GetObjectItem(request, "members");
        rd_kafka_group_member_t *members       = calloc((size_t)cJSON_GetArraySize(given) + 1, sizeof(*members));
        rd_kafka_metadata_internal_t *metadata = metadata_of(cJSON_GetObjectItem(request, "topics"));
        int count                              = read_members(members, given);

        clock_gettime(CLOCK_MONOTONIC, &start);
        if (rd_kafka_assignor_run(rk->rk_cgrp, assignor, &metadata->metadata, members, count, why, sizeof(why)))
                cJSON_AddStringToObject(answer, "refused", why);
        clock_gettime(CLOCK_MONOTONIC, &stop);

        cJSON_AddItemToObject(answer, "given", lists(members, count));
        if (assignor->rkas_protocol == RD_KAFKA_REBALANCE_PROTOCOL_COOPERATIVE)
                rd_kafka_cooperative_protocol_adjust_assignment(rk->rk_cgrp, members, count);
        cJSON_AddItemToObject(answer, "sent", lists(members, count));
        cJSON_AddNumberToObject(answer, "milliseconds",
                                (double)(stop.tv_sec - start.tv_sec) * 1e3 + (double)(stop.tv_nsec - start.tv_nsec) / 1e6);
}

static void answer_one(rd_kafka_t *rk, const char *line) {
        cJSON *request = cJSON_Parse(line), *answer = cJSON_CreateObject();
        alarm(TIME_LIMIT_SECONDS);
        run(rk, rd_kafka_assignor_find(rk, text(request, "assignor")), request, answer);
        printf("%s\n", cJSON_PrintUnformatted(answer));
        fflush(stdout);
}

/* Nothing is freed, so the process ends after some answers; exit code 0 where there may be more requests. */
static void answer_some(rd_kafka_t *rk) {
        char *line  = NULL;
        size_t size = 0;
        for (int left = ANSWERS_OF_A_PROCESS; left > 0; left--) {
                if (getline(&line, &size, stdin) <= 0)
                        _exit(NO_MORE_REQUESTS);
                answer_one(rk, line);
        }
        _exit(0);
}

/* Returns whether there may be more requests. */
static int answer_in_a_process_of_its_own(rd_kafka_t *rk) {
        int status  = 0;
        pid_t child = fork();
        if (!child)
                answer_some(rk);
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status))
                printf("{\"signal\": %d}\n", WTERMSIG(status));
        else if (WEXITSTATUS(status) == NO_MORE_REQUESTS)
                return 0;
        else if (WEXITSTATUS(status))
                printf("{\"exit\": %d}\n", WEXITSTATUS(status));
        fflush(stdout);
        return 1;
}

int main(void) {
        char why[512];
        rd_kafka_conf_t *conf = rd_kafka_conf_new();
        rd_kafka_t *rk;
        rd_kafka_conf_set(conf, "group.id", "judge", why, sizeof(why));
        rd_kafka_conf_set(conf, "partition.assignment.strategy", "range,roundrobin", why, sizeof(why));
        rd_kafka_conf_set(conf, "log_level", "0", why, sizeof(why));
        if (!(rk = rd_kafka_new(RD_KAFKA_CONSUMER, conf, why, sizeof(why)))) {
                fprintf(stderr, "rd_kafka_new: %s\n", why);
                return 1;
        }
        while (answer_in_a_process_of_its_own(rk))
                ;
        _exit(0);
}
