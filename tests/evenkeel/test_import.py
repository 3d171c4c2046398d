"""`import evenkeel` is quick and loads nothing; every name is there when it is asked for."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import evenkeel

ROOT = Path(__file__).parents[2]


def loaded(code):
    run = subprocess.run(
        [sys.executable, "-c", f"import sys; {code}; print(*sys.modules)"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(run.stdout.split())


def test_an_import_loads_numpy_and_the_standard_library_at_most():
    found = {name.partition(".")[0] for name in loaded("import evenkeel") - loaded("pass")}

    assert found - sys.stdlib_module_names <= {"evenkeel", "numpy"}


def test_a_comparison_loads_no_package_of_the_pages_the_pipeline_or_the_cluster():
    code = (
        'import evenkeel; evenkeel.group({"t": 2}, ["a"], lag={"t": [1,'
        " 2]}).compare()._repr_html_()"
    )

    assert loaded(code).isdisjoint(
        {
            "streamlit",
            "plotly",
            "pyspark",
            "py4j",
            "kafka",
            "confluent_kafka",
            "sqlalchemy",
            "obstore",
        }
    )


def test_a_server_that_nobody_has_visited_has_no_pandas_no_kafka_and_no_spark():
    assert loaded("import evenkeel.dashboard.server.application").isdisjoint(
        {"pandas", "kafka", "confluent_kafka", "pyspark", "authlib"}
    )


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


def test_a_chart_has_the_light_colours_and_leaves_plotlys_template_as_it_was():
    code = """
import evenkeel, plotly.io, sys
group = evenkeel.group({"t": 3}, ["a", "b"], owned={"a": {"t": [0, 1, 2]}}, lag={"t": [9, 8, 7]})
before = plotly.io.templates.default
for table in (group.compare(), group.add_members(1).compare()):
    figure = table.figure()
    colours = [trace.marker.color for trace in figure.data]
    print(figure.layout.paper_bgcolor, len(figure.data), *colours)
assert (plotly.io.templates.default, "streamlit" in sys.modules) == (before, False)
"""
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT.parent, capture_output=True, text=True
    )
    light = tomllib.loads((ROOT / "dashboard/.streamlit/config.toml").read_text())["theme"]["light"]

    assert run.stderr == ""
    for line in run.stdout.splitlines():
        assert line.startswith(f"{light['backgroundColor']} 4 ")
        assert all(colour in line for colour in light["chartCategoricalColors"][:2])


def test_what_is_not_installed_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)

    with pytest.raises(
        evenkeel.Error, match=r"needs pandas, expected: pip install 'evenkeel\[notebook\]'"
    ):
        evenkeel.group({"t": 1}, ["a"]).partitions().to_pandas()
