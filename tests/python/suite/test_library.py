"""How the library is found, and the message if it is not."""

import os
import pathlib
import shutil
import subprocess
import sys

PACKAGE = pathlib.Path(__file__).resolve().parents[3] / "bindings" / "python" / "salu"


def run(folder, **variables):
    environment = {name: value for name, value in os.environ.items() if name not in ("SALU_LIBRARY", "PYTHONPATH")}
    environment.update(PYTHONPATH=str(folder), PYTHONDONTWRITEBYTECODE="1", **variables)
    return subprocess.run([sys.executable, "-c", "import salu; print(salu.library_path)"], check=False, capture_output=True,
                          text=True, env=environment)


def copied(tmp_path):
    """The package alone, outside of a checkout."""
    shutil.copytree(PACKAGE, tmp_path / "a" / "b" / "c" / "salu", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "a" / "b" / "c"


def test_all_places_are_named(tmp_path):
    result = run(copied(tmp_path))
    assert result.returncode == 1
    message = result.stderr
    assert "ImportError: salu needs libsalu.so.0, which was not found in these places" in message
    for place in ("SALU_LIBRARY: is not set", "next to the package: ", "the system's loader: libsalu.so.0"):
        assert place in message


def test_the_one_that_is_named_counts(tmp_path):
    folder = copied(tmp_path)
    library = os.environ["SALU_LIBRARY"]
    assert run(folder, SALU_LIBRARY=library).stdout == library + "\n"
    result = run(folder, SALU_LIBRARY=str(tmp_path / "none.so"))
    assert result.returncode == 1 and "the one in SALU_LIBRARY cannot be loaded" in result.stderr
    assert str(tmp_path / "none.so") in result.stderr
    # A library other than salu.
    result = run(folder, SALU_LIBRARY="libc.so.6")
    assert result.returncode == 1 and "has no salu_version" in result.stderr


def test_beside_the_package_and_in_a_checkout(tmp_path):
    folder = copied(tmp_path)
    beside = folder / "salu" / "libsalu.so.0"
    beside.symlink_to(os.environ["SALU_LIBRARY"])
    assert run(folder).stdout == f"{beside}\n"
    beside.unlink()
    built = tmp_path / "a" / "build" / "release" / "lib" / "libsalu.so.0"
    built.parent.mkdir(parents=True)
    built.symlink_to(os.environ["SALU_LIBRARY"])
    assert run(folder).stdout == f"{built}\n"
