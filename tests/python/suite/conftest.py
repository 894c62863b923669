"""What the tests share; with SALU_TEST_WITHOUT_NUMPY it is as if NumPy were not installed."""

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


@pytest.fixture(autouse=True)
def no_handles_are_left_over():
    """Whatever a test makes is freed with the last that refers to it."""
    import gc

    from salu._library import lib

    gc.collect()
    before = lib.live_handles()
    yield
    gc.collect()
    assert lib.live_handles() <= before
