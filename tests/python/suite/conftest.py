"""Fixtures of the tests; with SALU_TEST_WITHOUT_NUMPY, NumPy appears not to be installed."""

import os
import pathlib
import sys

import pytest

if os.environ.get("SALU_TEST_WITHOUT_NUMPY"):
    sys.modules["numpy"] = None

pytest_plugins = ["pytester"]
ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture
def programs() -> pathlib.Path:
    return ROOT / "programs"
