"""The only module that creates a SparkSession: in this process, on a Spark cluster, or through
Spark Connect. Also Spark's private folder and the archive of Java classes.
"""

import fcntl
import hashlib
import logging
import os
import re
import secrets
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from atexit import register
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from os import W_OK, access
from pathlib import Path
from types import MappingProxyType
from typing import Any, TextIO
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

LOCAL = "local[*]"

_FLOORS = Path(__file__).resolve().parents[2]
# The JVM only distributes tasks and small sums for a few seconds. Optimising its code costs more
# than it saves (a third of the processor time).
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
QUICK = {
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}
"""Settings for small tables. A small table fits into one task, and Java would need longer to
compile the code of a join than to run the join without.
"""


def session(
    master: str = LOCAL, settings: Mapping[str, str] = MappingProxyType({})
) -> SparkSession:
    """Start Spark on `master` (`local[*]`, `local-cluster[2,1,1024]`, `spark://host:port`,
    `sc://host:port`) and return its session.

    With `local`, Spark listens only on loopback and requires a secret. For a Spark cluster, put
    such settings in the configuration of Spark.

    Raises
    ------
    SnapshotError
        If no suitable Java is installed, or Spark does not start on `master`.
    """
    start = _remote if master.startswith("sc://") else _classic
    try:
        return start(master, {**_SETTINGS, **settings})
    except ImportError as error:
        more = f"pip install 'pyspark[connect]=={pyspark.__version__}'"
        raise SnapshotError(
            f"Spark did not start on {master}: packages of Spark Connect are missing here; {more}"
        ) from error
    except (PySparkException, Py4JError, OSError, ValueError) as error:
        raise SnapshotError(f"Spark did not start on {master}: {_cause(error)}") from error


@contextmanager
def stopped_after(spark: SparkSession) -> Iterator[SparkSession]:
    """Yield a session and stop it at the end. Its Java process may have ended before."""
    try:
        yield spark
    finally:
        if java_has_ended():
            forget()
        else:
            spark.stop()


def java_has_ended(within_seconds: float = 0) -> bool:
    """Return whether the Java process of Spark on this machine has ended. Wait for this up to
    `within_seconds`.
    """
    process = getattr(SparkContext._gateway, "proc", None)
    with suppress(subprocess.TimeoutExpired):
        return process is not None and process.wait(within_seconds) is not None
    return False


def has_ended(spark: SparkSession) -> bool:
    """Return whether the Java process of this session has ended: it was killed, or had too little
    memory.
    """
    return java_has_ended() and SparkContext._active_spark_context is spark.sparkContext


def forget() -> None:
    """Delete what pyspark stores about a Java process that has ended. Then a new session starts a
    new Java process.
    """
    with suppress(Py4JError, OSError), warnings.catch_warnings(action="ignore"):
        SparkContext._active_spark_context.stop()
    SparkContext._gateway = SparkContext._jvm = SparkContext._active_spark_context = None
    SparkSession._instantiatedSession = SparkSession._activeSession = None


def _cause(error: Exception) -> str:
    """Return the message of the first Java exception in the error or in Spark's log. If there is
    none: the first line of the error.
    """
    log = spark_folder() / "log"
    text = str(error) + ("\n" + log.read_text(errors="replace") if log.is_file() else "")
    thrown = re.search(r"^.*?[\w.]+(?:Exception|Error): (.+)$", text, re.MULTILINE)
    return thrown[1] if thrown else str(error).strip().splitlines()[0]


def _remote(url: str, settings: dict[str, str]) -> SparkSession:
    server = urlsplit(url)
    # Spark's own client tries to reach a missing server for ten minutes.
    try:
        socket.create_connection(
            (server.hostname or _LOOPBACK, server.port or _CONNECT_PORT), _CONNECT_SECONDS
        ).close()
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
        # Spark's launcher, the JVM and Python's workers write to this file, so that a terminal
        # shows only our own lines.
        with (spark_folder() / "log").open("wb") as log:
            launch = _Launch(master, stdout=log, stderr=log)
            SparkContext._ensure_initialized(gateway=_guarded(launch_gateway(conf, launch)))
    if master.startswith("local-cluster"):
        # Set after the start, because the launcher's arguments are visible in the process list. An
        # embedded Spark creates its own secret.
        conf.set("spark.authenticate.secret", secrets.token_hex(32))
    context = SparkContext.getOrCreate(conf)
    if not master.startswith("local["):
        context.addPyFile(_packages())
    return SparkSession(context)


class _Launch(dict):
    """Arguments with which pyspark starts the Java process. pyspark sets `env` to the whole
    environment; this class removes the secrets.
    """

    def __init__(self, master: str, **arguments: Any):
        super().__init__(arguments)
        self._master = master

    def __setitem__(self, name: str, value: Any) -> None:
        if name == "env":
            value = (
                for_workers(value, spark_folder())
                if self._master.startswith("local")
                else without_secrets(value)
            )
        super().__setitem__(name, value)


def _conf(master: str, settings: dict[str, str]) -> SparkConf:
    conf = SparkConf().setAll(list(settings.items())).setMaster(master)
    # Java makes folders that every user can read, so they are made in a folder that only this user
    # can enter.
    java = f"{_JVM} {shlex.quote(f'-Djava.io.tmpdir={spark_folder()}')}"
    if master.startswith("local"):
        conf.setAll(list(_ON_THIS_MACHINE.items())).set("spark.local.dir", str(spark_folder()))
    # A local cluster has its own Spark home with links, so its class path differs from the
    # archive's.
    if not master.startswith("local-cluster"):
        java += f" {archive_options(java_home(), _JVM)}"
    return conf.set("spark.driver.extraJavaOptions", java)


def _is_not_of_py4j(record: logging.LogRecord) -> bool:
    """Return False for py4j's log lines about the end of the Java process."""
    return "py4j" not in record.pathname


def _guarded(gateway: JavaGateway) -> JavaGateway:
    """Accept calls from Java only with Java's token. py4j itself accepts them without a token."""
    if not isinstance(gateway, ClientServer):
        gateway.callback_server_parameters.auth_token = gateway.gateway_parameters.auth_token
    return gateway


def _prepare_environment(master: str) -> None:
    os.environ["JAVA_HOME"] = str(java_home())
    os.environ["SPARK_HOME"] = (
        _linked_home() if master.startswith("local-cluster") else _find_spark_home()
    )
    os.environ["SPARK_SCALA_VERSION"] = "2.13"
    os.environ.setdefault("SPARK_WORKER_DIR", str(spark_folder() / "work"))
    if master.startswith("local"):
        os.environ["PYSPARK_PYTHON"] = sys.executable
        os.environ["SPARK_LOCAL_IP"] = os.environ["SPARK_LOCAL_HOSTNAME"] = _LOOPBACK
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable


def _linked_home() -> str:
    """Return a folder with links to the files of Spark's home. Workers of `local-cluster` always
    write into `work` in Spark's home, even if SPARK_WORKER_DIR names another folder.
    """
    home = spark_folder() / "home"
    home.mkdir(exist_ok=True)
    for entry in Path(_find_spark_home()).iterdir():
        if not (home / entry.name).exists():
            (home / entry.name).symlink_to(entry)
    return str(home)


def _packages() -> str:
    """Zip the packages that tasks import on other machines."""
    path = spark_folder() / "evenkeel.zip"
    with ZipFile(path, "w") as archive:
        archive.writestr("evenkeel/__init__.py", "")
        for floor in ("assignors", "data"):
            for source in (_FLOORS / floor).rglob("*.py"):
                archive.write(source, "evenkeel" / source.relative_to(_FLOORS))
    return str(path)


# An archive of the classes that Spark's Java loads, written by the first start for all later starts
# (application class-data sharing, JEP 350). It more than halves the processor time of a start.
# Since JDK 19 Java maintains such an archive itself (JDK-8272331).


STALE_SECONDS = 3600.0
"""If there is no archive after this time, the Java process that had to write it was killed. Then
another Java process may write it.
"""

_FIRST_AUTOMATIC = 19


def archive_options(java_home: Path, others: str, folder: Path = Path(sys.prefix)) -> str:
    """Return Java's options that read the archive of classes, or write the archive when Java ends.
    Empty if another Java process is writing the archive now, or if `folder` cannot be written.

    Java ignores an incomplete archive, and an archive from other jars. The archive (160 MB) is in
    the environment of the Python packages and is deleted with this environment. Only one archive is
    stored. With another `java_home`, other options (`others`) or another Spark, a new archive
    replaces it.
    """
    release = _release(java_home)
    key = hashlib.sha256(
        "\0".join((pyspark.__version__, str(java_home), release, others)).encode()
    ).hexdigest()[:12]
    archive = folder / f"spark-classes-{key}.jsa"
    is_automatic = _version(release) >= _FIRST_AUTOMATIC
    if not archive.exists():
        if not (access(folder, W_OK) if is_automatic else _is_first(archive.with_suffix(".begun"))):
            return ""
        for earlier in folder.glob("spark-classes-*.jsa"):
            earlier.unlink(missing_ok=True)
    return shlex.join(_automatic(archive) if is_automatic else _by_hand(archive))


def _automatic(archive: Path) -> list[str]:
    """Return options with which Java writes the archive itself, if it is missing or out of date."""
    # The first option lets a later Java start even if it has dropped the other options.
    return [
        "-XX:+IgnoreUnrecognizedVMOptions",
        "-XX:+AutoCreateSharedArchive",
        f"-XX:SharedArchiveFile={archive}",
    ]


def _by_hand(archive: Path) -> list[str]:
    return [f"-XX:{'SharedArchiveFile' if archive.exists() else 'ArchiveClassesAtExit'}={archive}"]


def _release(java_home: Path) -> str:
    try:
        return (java_home / "release").read_text()
    except OSError:
        return ""


def _version(release: str) -> int:
    match = re.search(r'^JAVA_VERSION="(\d+)', release, re.MULTILINE)
    return int(match[1]) if match else 0


def _is_first(begun: Path) -> bool:
    try:
        begun.touch(exist_ok=False)
    except FileExistsError:
        is_stale = begun.stat().st_mtime + STALE_SECONDS < time.time()
        if is_stale:
            begun.touch()
        return is_stale
    except OSError:
        return False
    return True


# A private folder for everything that Spark writes while it runs. It is deleted when the process
# ends, or after a kill by the next process.


_PREFIX = "evenkeel-spark-"
_LOCK = "lock"


@cache
def spark_folder() -> Path:
    """Return Spark's private folder of this process. The first call creates the folder. It also
    deletes the folders of killed processes.
    """
    for left in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        # A folder without its lock is just being created.
        with suppress(OSError):
            _delete_left(left)
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
    lock = _locked(folder / ".lock", "x")
    (folder / ".lock").rename(folder / _LOCK)
    register(_delete, folder, lock)
    return folder


def _delete_left(folder: Path) -> None:
    # Another user's "lock" could be any kind of file. Opening a pipe would block forever.
    if folder.lstat().st_uid == os.getuid():
        with _locked(folder / _LOCK, "r"):
            shutil.rmtree(folder, ignore_errors=True)


def _locked(path: Path, mode: str) -> TextIO:
    """Open a file and lock it until it is closed. Raise BlockingIOError if another process has
    locked it.
    """
    file = path.open(mode)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise
    return file


def _delete(folder: Path, lock: TextIO) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    lock.close()
