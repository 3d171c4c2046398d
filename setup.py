"""The folders of the three floors as one package: `evenkeel.assignors` is `assignors/`, `evenkeel.data` is `data/`, and so on."""

from setuptools import find_packages, setup

FLOORS = ("assignors", "data", "dashboard")

setup(
    package_dir={"evenkeel": "evenkeel"} | {f"evenkeel.{floor}": floor for floor in FLOORS},
    packages=["evenkeel", *(f"evenkeel.{name}" for floor in FLOORS for name in (floor, *(f"{floor}.{room}" for room in find_packages(floor))))],
)
