"""The folders of the three floors as one package: `evenkeel.assignors` is `assignors/`,
`evenkeel.data` is `data/`, and so on.
"""

from setuptools import find_packages, setup

FLOORS = ("assignors", "data", "dashboard")
KINDS = ("css", "html", "java", "jinja", "js", "json", "md", "svg", "toml", "txt")
"""Files beside Python's that the floors read: samples, messages of Kafka, scripts, styles,
templates, Streamlit's settings.
"""

setup(
    package_dir={"evenkeel": "evenkeel"} | {f"evenkeel.{floor}": floor for floor in FLOORS},
    packages=[
        "evenkeel",
        *(
            f"evenkeel.{name}"
            for floor in FLOORS
            for name in (floor, *(f"{floor}.{room}" for room in find_packages(floor)))
        ),
    ],
    package_data={"evenkeel": ["py.typed", "*.pyi"]}
    | {
        f"evenkeel.{floor}": [f"**/*.{kind}" for kind in KINDS] + [".streamlit/*"]
        for floor in FLOORS
    },
    include_package_data=False,
)
