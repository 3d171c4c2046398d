"""The only place that builds a SparkSession: embedded on one machine, on a cluster by its master's URL, or through Spark Connect."""

import os
import sys
import tempfile
from pathlib import Path
from zipfile import ZipFile

from pyspark import SparkConf, SparkContext
from pyspark.errors import PySparkException
from pyspark.find_spark_home import _find_spark_home
from pyspark.java_gateway import launch_gateway
from pyspark.sql import SparkSession

from data.errors import SnapshotError
from data.java import java_home

LOCAL = "local[*]"

_ROOT = Path(__file__).resolve().parents[1]
_SETTINGS = {
    "spark.app.name": "evenkeel",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.extraJavaOptions": "-XX:+UseSerialGC",
    "spark.executor.extraJavaOptions": "-XX:+UseSerialGC",
    "spark.executor.memory": "512m",
    "spark.python.sql.dataFrameDebugging.enabled": "false",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.parquet.compression.codec": "zstd",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": str(os.cpu_count() or 2),
}


def session(master: str = LOCAL, **settings: str) -> SparkSession:
    """Start Spark on `master` (`local[*]`, `local-cluster[2,1,1024]`, `spark://host:port`, `sc://host`) and return its session; `settings` with `_` for `.`.

    Raises
    ------
    SnapshotError
        Where there is no suitable Java, or Spark does not start on that master.
    """
    chosen = _SETTINGS | {key.replace("_", "."): value for key, value in settings.items()}
    try:
        spark = _remote(master, chosen) if master.startswith("sc://") else _classic(master, chosen)
    except (PySparkException, ImportError) as error:
        raise SnapshotError(f"Spark did not start on {master}: {str(error).strip().splitlines()[0]}") from error
    return spark


def _remote(url: str, settings: dict[str, str]) -> SparkSession:
    builder = SparkSession.builder.remote(url)
    for key, value in settings.items():
        if key.startswith("spark.sql."):
            builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.addArtifact(_packages(), pyfile=True)
    return spark


def _classic(master: str, settings: dict[str, str]) -> SparkSession:
    _prepare_environment(master)
    conf = SparkConf().setAll(list(settings.items())).setMaster(master)
    if SparkContext._active_spark_context is None:
        with open(_log_file(), "wb") as log:
            SparkContext._ensure_initialized(gateway=launch_gateway(conf, {"stdout": log, "stderr": log}))
    context = SparkContext.getOrCreate(conf)
    if not master.startswith("local["):
        context.addPyFile(_packages())
    return SparkSession(context)


def _prepare_environment(master: str) -> None:
    """Set what Spark's launcher and workers read; a `local-cluster` or a worker needs more than an embedded Spark."""
    os.environ["JAVA_HOME"] = str(java_home())
    os.environ["SPARK_HOME"] = _find_spark_home()
    os.environ["SPARK_SCALA_VERSION"] = "2.13"
    os.environ.setdefault("SPARK_WORKER_DIR", tempfile.mkdtemp(prefix="evenkeel-work-"))
    if master.startswith("local"):
        os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable


def _packages() -> str:
    """Zip the packages that tasks import, for workers on other machines."""
    path = Path(tempfile.mkdtemp(prefix="evenkeel-packages-")) / "evenkeel.zip"
    with ZipFile(path, "w") as archive:
        for package in ("assignors", "data"):
            for source in (_ROOT / package).rglob("*.py"):
                archive.write(source, source.relative_to(_ROOT))
    return str(path)


def _log_file() -> str:
    return os.path.join(tempfile.gettempdir(), f"evenkeel-spark-{os.getpid()}.log")
