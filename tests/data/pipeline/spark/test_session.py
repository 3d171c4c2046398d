"""The embedded session: no other machine reaches it, and no other program of this machine
uses it.
"""

import os
import socket
import struct
import sys

import pyspark
import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.pipeline.session import session, spark_folder
from tests.listening import listeners
from tests.services.ports import free_port

_RPC_REQUEST = 3


def answer_to_a_stranger(address, port):
    """Send Spark's transport one request for its RPC, with bytes that are no login, and return the
    answer.
    """
    body = b"\xac\xed\x00\x05not a login"
    message = struct.pack(">bqi", _RPC_REQUEST, 1, len(body)) + body
    with socket.create_connection((address, port), timeout=240) as stranger:
        stranger.sendall(struct.pack(">q", 8 + len(message)) + message)
        return stranger.recv(65536)


def test_all_sockets_of_the_embedded_spark_are_on_loopback(spark):
    spark.range(1).mapInArrow(lambda batches: batches, "id long").collect()

    found = listeners(os.getpid())

    assert "java" in {one.command for one in found}
    assert [one for one in found if not one.is_on_loopback] == []


def test_the_driver_reads_nothing_of_a_stranger_but_a_login(spark):
    port = int(spark.sparkContext.getConf().get("spark.driver.port"))
    host = spark.sparkContext.getConf().get("spark.driver.host")

    assert b"Expected SaslMessage" in answer_to_a_stranger(host, port)


def test_all_that_spark_writes_is_in_a_folder_that_other_users_cannot_enter(spark):
    java = spark.sparkContext._gateway.jvm.java.lang.System
    places = {
        spark.sparkContext.getConf().get("spark.local.dir"),
        java.getProperty("java.io.tmpdir"),
        str(spark_folder()),
    }

    spark.range(10).repartition(2).count()

    assert places == {str(spark_folder())}
    assert any(spark_folder().glob("blockmgr-*"))
    assert oct(spark_folder().stat().st_mode & 0o777) == "0o700"


def test_a_server_of_spark_connect_that_is_not_there_is_one_line_at_once():
    url = f"sc://127.0.0.1:{free_port()}"

    with pytest.raises(SnapshotError, match=rf"^Spark did not start on {url}: Connection refused$"):
        session(url)


def test_packages_of_spark_connect_that_are_missing_are_named_with_what_installs_them(monkeypatch):
    monkeypatch.setitem(sys.modules, "grpc", None)
    # Without a file of its main module, as in a process of pytest-xdist, pyspark takes this for a
    # run of its own tests.
    monkeypatch.setattr(sys.modules["__main__"], "__file__", __file__, raising=False)
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"sc://127.0.0.1:{server.getsockname()[1]}"

        with pytest.raises(
            SnapshotError,
            match=(
                rf"^Spark did not start on {url}: .*; pip install"
                rf" 'pyspark\[connect\]=={pyspark.__version__}'$"
            ),
        ):
            session(url)
