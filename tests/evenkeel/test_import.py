"""`import evenkeel` is quick and loads nothing; every name is there when it is asked for."""

import subprocess
import sys
from pathlib import Path

import pytest

import evenkeel

ROOT = Path(__file__).parents[2]


def loaded(code):
    run = subprocess.run(
        [sys.executable, "-c", f"import sys; {code}; print(*sys.modules)"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(run.stdout.split())


def test_an_import_loads_numpy_and_the_standard_library_at_most():
    found = {name.partition(".")[0] for name in loaded("import evenkeel") - loaded("pass")}

    assert found - sys.stdlib_module_names <= {"evenkeel", "numpy"}


def test_a_comparison_loads_no_package_of_the_pages_the_pipeline_or_the_cluster():
    code = 'import evenkeel; evenkeel.group({"t": 2}, ["a"], lag={"t": [1, 2]}).compare()._repr_html_()'

    assert loaded(code).isdisjoint({"streamlit", "plotly", "pyspark", "py4j", "kafka", "confluent_kafka", "sqlalchemy", "obstore"})


@pytest.mark.parametrize("name", evenkeel.__all__)
def test_every_name_is_there_and_listed(name):
    assert getattr(evenkeel, name) is not None
    assert name in dir(evenkeel)


def test_another_name_is_refused_as_python_does():
    with pytest.raises(AttributeError, match="no attribute 'raed'"):
        evenkeel.raed


def test_the_stub_of_the_edits_says_what_the_methods_take():
    from evenkeel.edits import stub

    assert (ROOT / "evenkeel/edits.pyi").read_text() == stub()
