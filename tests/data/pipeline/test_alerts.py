"""Back-test of rules on Spark."""

from evenkeel.data.alerts.backtest import by_rules
from evenkeel.data.configuration.alert_rules import AlertRule
from evenkeel.data.configuration.findings import FindingSettings
from evenkeel.data.episodes.stored import StoredSnapshots
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.place import place_of
from evenkeel.data.pipeline.alerts import back_tests_on_spark
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, plan_with_trouble


def test_spark_tells_what_one_process_tells(spark, tmp_path):
    place = place_of(tmp_path / "lake")
    write_lake(place, plan_with_trouble(groups=25, partitions=4, members=2, days=0.1))
    stored = StoredSnapshots(place, CLUSTER, instants(place, CLUSTER))
    rules = [AlertRule("all", findings=("critical", "warning", "info"))]
    settings = FindingSettings()

    answers = back_tests_on_spark(spark, stored, stored.groups, rules, settings, 1000)

    here = [
        answer
        for group, evidence in stored.evidence_of(())
        for answer in by_rules(rules, group, evidence, settings, CLUSTER, 1000)
    ]
    assert len(answers) == 25
    assert sum(len(each.tellings) for each in answers) > 0
    assert sorted(answers, key=repr) == sorted(here, key=repr)
