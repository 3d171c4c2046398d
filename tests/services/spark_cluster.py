"""A standalone Spark for tests: a master and workers from the jars of the pyspark package, on
loopback.
"""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pyspark

from evenkeel.data.configuration.java import java_home
from tests.ending import WITH_US
from tests.services.ports import free_port

HOME = Path(pyspark.__file__).parent
_CLASS_PATH = os.pathsep.join([*map(str, HOME.glob("jars/slf4j-api-*.jar")), f"{HOME}/jars/*"])
"""As Spark's own launcher writes it: an archive of classes fits no other order."""

_CODE = shlex.quote(str(Path(__file__).parents[2]))
_ALONE = f"""
mount --bind {_CODE} /mnt && mount -t tmpfs tmpfs /tmp &&
mkdir -p {_CODE} && mount --bind /mnt {_CODE} &&
mkdir -p "$SPARK_WORKER_DIR" && exec "$@"
"""
MACHINE = ("unshare", "--mount", "sh", "-c", _ALONE, "machine")
"""Runs a command as if on a machine of its own: nothing under the folder for temporary files is
shared, but the code if it lies there.
"""


class Cluster(NamedTuple):
    """A running cluster: where its master is, and the processes of its workers."""

    master: str
    workers: list[subprocess.Popen]


def has_machines() -> bool:
    """Tell whether this user may run workers whose temporary files are theirs alone."""
    unshare = shutil.which("unshare")
    return (
        bool(unshare)
        and not subprocess.run(
            [*MACHINE, "true"], env=os.environ | {"SPARK_WORKER_DIR": "/tmp/w"}, check=False
        ).returncode
    )


def _archived() -> list[str]:
    """Return the option to load the classes that an embedded Spark has archived: a start takes two
    thirds of the processor time.
    """
    archives = sorted(Path(sys.prefix).glob("spark-classes-*.jsa"))
    return [f"-XX:SharedArchiveFile={archive}" for archive in archives[:1]]


@contextmanager
def standalone(
    folder: Path, worker_count: int = 1, prefix: tuple[str, ...] = ()
) -> Iterator[Cluster]:
    """Run a cluster while this is open; `folder` has the log and, if there is one,
    `spark-defaults.conf`; `prefix`: what runs each worker.
    """
    settings = folder / "spark-defaults.conf"
    more = ["--properties-file", str(settings)] if settings.exists() else []
    environment = os.environ | {
        "SPARK_HOME": str(HOME),
        "SPARK_SCALA_VERSION": "2.13",
        "SPARK_WORKER_DIR": str(folder / "work"),
        "PYSPARK_PYTHON": sys.executable,
        # Executors have it from their worker.
        "JDK_JAVA_OPTIONS": shlex.join(_archived()),
    }
    java = [
        str(java_home() / "bin" / "java"),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Dspark.ui.enabled=false",
        "-cp",
        _CLASS_PATH,
    ]
    url = f"spark://127.0.0.1:{(port := free_port())}"
    master = [
        *java,
        "org.apache.spark.deploy.master.Master",
        "--host",
        "127.0.0.1",
        "--webui-port",
        "0",
        "--port",
        str(port),
        *more,
    ]
    worker = [
        *java,
        "org.apache.spark.deploy.worker.Worker",
        "--webui-port",
        "0",
        "--cores",
        "1",
        "--memory",
        "1g",
        *more,
    ]
    # Addresses of their own: on one host an executor reads what another has shuffled from the disk
    # that they would share.
    workers = [
        [*prefix, *worker, "--host", f"127.0.0.{number}", url]
        for number in range(1, worker_count + 1)
    ]
    with open(folder / "log", "wb") as log:
        processes = [
            subprocess.Popen([*WITH_US, *command], env=environment, stdout=log, stderr=log)
            for command in (master, *workers)
        ]
        try:
            yield Cluster(url, processes[1:])
        finally:
            for process in processes:
                process.kill()
                process.wait()
