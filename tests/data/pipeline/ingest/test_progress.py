"""Progress of the tasks of an ingest."""

import time

from evenkeel.data.pipeline.ingest.ingest import watched


def test_progress_is_the_share_of_the_tasks_that_are_done(spark):
    shares = []

    def slowly(batches):
        for batch in batches:
            time.sleep(1.5 * batch["id"][0].as_py())
            yield batch

    with watched(spark, 3, shares.append):
        spark.range(0, 3, 1, 3).mapInArrow(slowly, "id long").collect()

    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0, 1)
    assert {0 < share < 1 for share in shares} == {True, False}


def test_progress_of_a_connect_session_comes_from_its_messages():
    class Stage:
        num_completed_tasks = 1

    class Session:
        def registerProgressHandler(self, handler):
            self.handler = handler

        def removeProgressHandler(self, handler):
            self.handler = None

    spark, shares = Session(), []

    with watched(spark, 4, shares.append):
        spark.handler([Stage()], 3, "operation", False)
        spark.handler(None, 0, "operation", True)

    assert (shares, spark.handler) == ([0, 0.25, 1], None)
