"""The only place that builds a SparkSession: embedded on one machine, on a cluster by its master's URL, or through Spark Connect."""

import logging
import os
import re
import secrets
import shlex
import socket
import subprocess
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit
from zipfile import ZipFile

import pyspark
from py4j.clientserver import ClientServer
from py4j.java_gateway import JavaGateway
from py4j.protocol import Py4JError
from pyspark import SparkConf, SparkContext
from pyspark.errors import PySparkException
from pyspark.find_spark_home import _find_spark_home
from pyspark.java_gateway import launch_gateway
from pyspark.sql import SparkSession

from evenkeel.data.configuration.handover import for_workers, without_secrets
from evenkeel.data.configuration.java import java_home
from evenkeel.data.errors import SnapshotError
from evenkeel.data.pipeline.spark import class_archive
from evenkeel.data.pipeline.spark.folder import spark_folder

LOCAL = "local[*]"

_FLOORS = Path(__file__).resolve().parents[3]
# The JVM hands out tasks and moves small sums, for a few seconds: optimising costs more than it saves (a third of the processor time).
_JVM = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
_SETTINGS = {
    "spark.app.name": "evenkeel",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.extraJavaOptions": _JVM,
    "spark.executor.extraJavaOptions": _JVM,
    "spark.executor.memory": "512m",
    "spark.python.sql.dataFrameDebugging.enabled": "false",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.parquet.compression.codec": "zstd",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": str(os.cpu_count() or 2),
}
_LOOPBACK = "127.0.0.1"
_CONNECT_PORT, _CONNECT_SECONDS = 15002, 10
_ON_THIS_MACHINE = {
    "spark.authenticate": "true",
    "spark.driver.bindAddress": _LOOPBACK,
    "spark.driver.host": _LOOPBACK,
    "spark.python.daemon.module": "evenkeel.data.pipeline.python_workers",
}
QUICK = {"spark.sql.shuffle.partitions": "1", "spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
"""For tables that one task can hold, and that are joined before Java could compile code for them."""


def session(master: str = LOCAL, settings: Mapping[str, str] = MappingProxyType({})) -> SparkSession:
    """Start Spark on `master` (`local[*]`, `local-cluster[2,1,1024]`, `spark://host:port`, `sc://host:port`) and return its session.

    Embedded, it listens on loopback alone and asks for a secret that it makes for itself; what a cluster asks for stands in Spark's own
    configuration.

    Raises
    ------
    SnapshotError
        Where there is no suitable Java, or Spark does not start on that master.
    """
    start = _remote if master.startswith("sc://") else _classic
    try:
        return start(master, _SETTINGS | settings)
    except ImportError as error:
        more = f"pip install 'pyspark[connect]=={pyspark.__version__}'"
        raise SnapshotError(f"Spark did not start on {master}: packages of Spark Connect are missing here; {more}") from error
    except (PySparkException, Py4JError, OSError, ValueError) as error:
        raise SnapshotError(f"Spark did not start on {master}: {_cause(error)}") from error


@contextmanager
def stopped_after(spark: SparkSession) -> Iterator[SparkSession]:
    """Yield a session and stop it at the end, without another error where its Java process has ended by itself."""
    try:
        yield spark
    finally:
        if java_has_ended():
            forget()
        else:
            spark.stop()


def java_has_ended(within_seconds: float = 0) -> bool:
    """Tell whether the Java process of an embedded Spark is gone; wait so long for the end of one whose connections are closed."""
    process = getattr(SparkContext._gateway, "proc", None)
    with suppress(subprocess.TimeoutExpired):
        return process is not None and process.wait(within_seconds) is not None
    return False


def has_ended(spark: SparkSession) -> bool:
    """Tell whether the Java process of an embedded session is gone: killed, or out of memory."""
    return java_has_ended() and SparkContext._active_spark_context is spark.sparkContext


def forget() -> None:
    """Clear what pyspark keeps of a Java process that has ended, so that a new session gets a new one."""
    with suppress(Py4JError, OSError), warnings.catch_warnings(action="ignore"):
        SparkContext._active_spark_context.stop()
    SparkContext._gateway = SparkContext._jvm = SparkContext._active_spark_context = None
    SparkSession._instantiatedSession = SparkSession._activeSession = None


def _cause(error: Exception) -> str:
    """Return the line that tells the cause: Java's exception, which is in the log where the JVM did not start."""
    log = spark_folder() / "log"
    text = str(error) + ("\n" + log.read_text(errors="replace") if log.is_file() else "")
    thrown = re.search(r"^.*?[\w.]+(?:Exception|Error): (.+)$", text, re.MULTILINE)
    return thrown[1] if thrown else str(error).strip().splitlines()[0]


def _remote(url: str, settings: dict[str, str]) -> SparkSession:
    server = urlsplit(url)
    # Spark's own client asks a server that is not there for ten minutes.
    try:
        socket.create_connection((server.hostname or _LOOPBACK, server.port or _CONNECT_PORT), _CONNECT_SECONDS).close()
    except OSError as error:
        raise SnapshotError(f"Spark did not start on {url}: {error.strerror or error}") from error
    builder = SparkSession.builder.remote(url)
    for key, value in settings.items():
        if key.startswith("spark.sql."):
            builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.addArtifact(_packages(), pyfile=True)
    return spark


def _classic(master: str, settings: dict[str, str]) -> SparkSession:
    _prepare_environment(master)
    conf = _conf(master, settings)
    if SparkContext._active_spark_context is None:
        logging.getLogger().addFilter(_is_not_of_py4j)
        # Spark's launcher, the JVM and Python's workers write here: a terminal shows our own lines only.
        with (spark_folder() / "log").open("wb") as log:
            launch = _Launch(master, stdout=log, stderr=log)
            SparkContext._ensure_initialized(gateway=_guarded(launch_gateway(conf, launch)))
    if master.startswith("local-cluster"):
        # Only now: what the launcher is given stands in the list of processes. Embedded, Spark makes a secret itself.
        conf.set("spark.authenticate.secret", secrets.token_hex(32))
    context = SparkContext.getOrCreate(conf)
    if not master.startswith("local["):
        context.addPyFile(_packages())
    return SparkSession(context)


class _Launch(dict):
    """What pyspark starts the JVM with. It adds the whole environment: the JVM gets it without secrets."""

    def __init__(self, master: str, **arguments: Any):
        super().__init__(arguments)
        self._master = master

    def __setitem__(self, name: str, value: Any) -> None:
        if name == "env":
            value = for_workers(value, spark_folder()) if self._master.startswith("local") else without_secrets(value)
        super().__setitem__(name, value)


def _conf(master: str, settings: dict[str, str]) -> SparkConf:
    conf = SparkConf().setAll(list(settings.items())).setMaster(master)
    # Java makes folders that every user of the machine can read: they are made in a folder that other users cannot enter.
    java = f"{_JVM} {shlex.quote(f'-Djava.io.tmpdir={spark_folder()}')}"
    if master.startswith("local"):
        conf.setAll(list(_ON_THIS_MACHINE.items())).set("spark.local.dir", str(spark_folder()))
    if master.startswith("local["):
        java += f" {class_archive.options(java_home(), _JVM)}"
    return conf.set("spark.driver.extraJavaOptions", java)


def _is_not_of_py4j(record: logging.LogRecord) -> bool:
    """Leave out the traces that py4j logs when Java's process ends: whoever waits for Java raises an error of its own."""
    return "py4j" not in record.pathname


def _guarded(gateway: JavaGateway) -> JavaGateway:
    """Ask for Java's token when it calls back; py4j asks for none by itself."""
    if not isinstance(gateway, ClientServer):
        gateway.callback_server_parameters.auth_token = gateway.gateway_parameters.auth_token
    return gateway


def _prepare_environment(master: str) -> None:
    """Set what Spark's launcher and workers read; a `local-cluster` or a worker needs more than an embedded Spark."""
    os.environ["JAVA_HOME"] = str(java_home())
    os.environ["SPARK_HOME"] = _linked_home() if master.startswith("local-cluster") else _find_spark_home()
    os.environ["SPARK_SCALA_VERSION"] = "2.13"
    os.environ.setdefault("SPARK_WORKER_DIR", str(spark_folder() / "work"))
    if master.startswith("local"):
        os.environ["PYSPARK_PYTHON"] = sys.executable
        os.environ["SPARK_LOCAL_IP"] = os.environ["SPARK_LOCAL_HOSTNAME"] = _LOOPBACK
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable


def _linked_home() -> str:
    """Return a Spark home of links: the workers of `local-cluster` write into its folder `work`, whatever SPARK_WORKER_DIR says."""
    home = spark_folder() / "home"
    home.mkdir(exist_ok=True)
    for entry in Path(_find_spark_home()).iterdir():
        if not (home / entry.name).exists():
            (home / entry.name).symlink_to(entry)
    return str(home)


def _packages() -> str:
    """Zip the packages that tasks import, for workers on other machines."""
    path = spark_folder() / "evenkeel.zip"
    with ZipFile(path, "w") as archive:
        archive.writestr("evenkeel/__init__.py", "")
        for floor in ("assignors", "data"):
            for source in (_FLOORS / floor).rglob("*.py"):
                archive.write(source, "evenkeel" / source.relative_to(_FLOORS))
    return str(path)
