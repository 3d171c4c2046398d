"""What Spark, Java and the system say, as one line."""

import pytest
from py4j.protocol import Py4JNetworkError
from pyspark.errors import PythonException

from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake.place import place_of
from evenkeel.data.pipeline.faults import named_errors

WORKER = (
    "\n  An exception was thrown from the Python worker. Please see the stack trace below.\n"
    'Traceback (most recent call last):\n  File "x.py", line 1, in run\n'
)


def said(error: Exception, names: tuple[str, ...] = ("a.txt",)) -> str:
    with pytest.raises(SnapshotError) as failure, named_errors(names, place_of("/lake")):
        raise error
    return str(failure.value)


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (
            OSError(28, "No space left on device", "/lake/manifests/.b.tmp"),
            "/lake/manifests/.b.tmp: No space left on device",
        ),
        (
            OSError(28, "Error writing bytes to file. Detail: [errno 28] No space left on device"),
            "lake /lake: No space left on device",
        ),
        (PermissionError(13, "Permission denied", "/lake/LAG"), "/lake/LAG: Permission denied"),
        (
            PythonException(
                WORKER
                + "OSError: [Errno 28] Error writing bytes to file. Detail: [errno 28] No space"
                " left on device\n"
            ),
            "lake /lake: No space left on device",
        ),
        (
            PythonException(
                WORKER + "FileNotFoundError: [Errno 2] No such file or directory: '/in/a.txt'\n"
            ),
            "/in/a.txt: No such file or directory",
        ),
        (PythonException(WORKER + "ValueError: row 7\n"), "a.txt: ValueError: row 7"),
        (
            PythonException(
                WORKER + "data.errors.SnapshotError: s3://b/lake/LAG/1.parquet: no answer from"
                " http://127.0.0.1:1\n"
            ),
            "s3://b/lake/LAG/1.parquet: no answer from http://127.0.0.1:1",
        ),
        (
            PythonException(
                "Job aborted.\nCaused by: java.io.IOException: No space left on device\n\tat"
                " java.base/write(X.java:1)\n\t... 9 more\n"
            ),
            "lake /lake: No space left on device",
        ),
        (
            PythonException(
                "Job aborted.\nCaused by: java.lang.OutOfMemoryError: Java heap space\n\tat"
                " java.base/x(X.java:1)\n"
            ),
            "a.txt: java.lang.OutOfMemoryError: Java heap space",
        ),
        (
            ConnectionRefusedError(111, "Connection refused"),
            "a.txt: the Java process of Spark has ended; nothing is stored, try again",
        ),
        (
            Py4JNetworkError("Answer from Java side is empty"),
            "a.txt: the Java process of Spark has ended; nothing is stored, try again",
        ),
    ],
)
def test_a_fault_is_the_file_that_it_is_about_and_the_reason(error, line):
    assert said(error) == line


def test_what_nobody_expects_stays_as_it_is_while_java_lives():
    with pytest.raises(ZeroDivisionError), named_errors(["a.txt"], place_of("/lake")):
        raise ZeroDivisionError


def test_a_refusal_of_ours_stays_as_it_is():
    assert said(SnapshotError("cat.png: a PNG picture")) == "cat.png: a PNG picture"


def test_of_many_files_three_are_named():
    assert (
        said(PythonException("ValueError: row 7"), tuple("abcde"))
        == "a, b, c and 2 more: ValueError: row 7"
    )
