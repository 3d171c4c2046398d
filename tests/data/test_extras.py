"""Extras: a missing package is one line with the command that installs it."""

import importlib.metadata
import pickle

import pytest

from evenkeel.data.extras import MissingExtraError, refusal_of, required


@pytest.mark.parametrize(
    ("module", "said"),
    [
        ("pyspark.sql", "needs pyspark, expected: pip install 'evenkeel[spark]'"),
        ("py4j.protocol", "needs pyspark, expected: pip install 'evenkeel[spark]'"),
        ("kafka.errors", "needs kafka-python, expected: pip install 'evenkeel[live]'"),
        ("confluent_kafka", "needs confluent-kafka, expected: pip install 'evenkeel[live]'"),
        ("obstore.store", "needs obstore, expected: pip install 'evenkeel[lake]'"),
        ("pandas", "needs pandas, expected: pip install 'evenkeel[notebook]'"),
        ("plotly.graph_objects", "needs plotly, expected: pip install 'evenkeel[notebook]'"),
        ("streamlit", "needs streamlit, expected: pip install 'evenkeel[dashboard]'"),
        (
            "prometheus_client",
            "needs prometheus-client, expected: pip install 'evenkeel[dashboard]'",
        ),
    ],
)
def test_a_module_is_refused_by_its_package_and_the_first_extra_that_brings_it(module, said):
    with pytest.raises(MissingExtraError) as refused, required():
        raise ModuleNotFoundError(f"No module named {module!r}", name=module)

    assert str(refused.value) == said
    assert str(pickle.loads(pickle.dumps(refused.value))) == said


@pytest.mark.parametrize(
    "error",
    [
        ModuleNotFoundError("", name="evenkeel.data.nothing"),
        ModuleNotFoundError("nameless"),
        ImportError("", name="pyspark"),
        ValueError("pyspark"),
    ],
)
def test_another_error_stays_what_it_is(error):
    with pytest.raises(type(error)) as raised, required():
        raise error

    assert raised.value is error
    assert refusal_of(error) is None


def test_what_is_installed_is_not_refused_and_a_missing_package_is_refused_before_anything_begins(
    monkeypatch,
):
    begun, distribution = [], importlib.metadata.distribution

    def without_obstore(name):
        if name == "obstore":
            raise importlib.metadata.PackageNotFoundError(name)
        return distribution(name)

    with required("live", "lake", "spark", "dashboard", "notebook"):
        begun.append("all are installed")
    monkeypatch.setattr(importlib.metadata, "distribution", without_obstore)
    with required("live"):
        begun.append("obstore is of another extra")
    with pytest.raises(MissingExtraError) as refused, required("live", "lake"):
        begun.append("obstore is missing")

    assert begun == ["all are installed", "obstore is of another extra"]
    assert str(refused.value) == "needs obstore, expected: pip install 'evenkeel[lake]'"
