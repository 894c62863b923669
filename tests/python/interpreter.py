"""The Python interpreter for the tests of the package: the first one with their dependencies, which scripts/test
installs."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
PACKAGE = ROOT / "bindings" / "python"
LIBRARY = pathlib.Path(os.environ["SALU_EXECUTABLE"]).parent.parent / "lib" / "libsalu.so.0"


def python_with(*modules):
    """Ends the test, as a failure, if it does not find such an interpreter."""
    statement = "; ".join(f"import {module}" for module in modules)
    for candidate in (sys.executable, "/usr/bin/python3", "python3"):
        try:
            if subprocess.run([candidate, "-c", statement], check=False, capture_output=True).returncode == 0:
                return candidate
        except OSError:
            continue
    sys.exit(f"no python3 here has {', '.join(modules)} (scripts/test installs them)")


def environment(**more):
    """An environment in which this build's library is found, and nothing is written into the source folder."""
    return {**os.environ, "SALU_LIBRARY": str(LIBRARY), "PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": "1", **more}
