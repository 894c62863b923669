#!/usr/bin/env python3
"""The package is installed by pip, without a network and a compiler, into a separate environment; there it finds the
library, and pytest finds its plugin."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from interpreter import PACKAGE, ROOT, environment, python_with

python = python_with("setuptools", "wheel", "venv", "pytest", "pip")
with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    # pip builds in the source folder.
    shutil.copytree(PACKAGE, work / "package", ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
    variables = environment(PIP_NO_INDEX="1", PIP_DISABLE_PIP_VERSION_CHECK="1")
    del variables["PYTHONPATH"]

    def run(*command, **options):
        result = subprocess.run(command, check=False, capture_output=True, text=True, env=variables, cwd=work, **options)
        if result.returncode != 0:
            sys.exit(f"{command}: {result.returncode}\n{result.stdout}\n{result.stderr}")
        return result.stdout

    run(python, "-m", "venv", "--system-site-packages", "--without-pip", "venv")
    run("venv/bin/python", "-m", "pip", "install", "--no-build-isolation", "--quiet", "./package")
    readme = (PACKAGE / "README.md").read_text()
    example = re.search(r"^```python\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL).group(1)
    if run("venv/bin/python", "-c", example) != "42\n":
        sys.exit("README.md of the package does not print 42")
    where = run("venv/bin/python", "-c", "import salu; print(salu.__file__)")
    if not where.startswith(str(work / "venv")) or not (pathlib.Path(where.strip()).parent / "py.typed").exists():
        sys.exit(f"{where}: not installed, or not with py.typed")
    tested = run("venv/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", ROOT / "programs" / "gcd.yaml",
                 ROOT / "programs" / "fork_join.yaml")
    if "2 passed" not in tested:
        sys.exit(f"the plugin has not found two scenarios:\n{tested}")
    versions = {name: re.search(pattern, (ROOT / path).read_text()).group(1) for name, path, pattern in (
        ("CMake", "CMakeLists.txt", r"project\(salu VERSION ([\d.]+)"),
        ("pyproject.toml", "bindings/python/pyproject.toml", r'(?m)^version = "([\d.]+)"'),
        ("_library.py", "bindings/python/salu/_library.py", r'(?m)^VERSION = "([\d.]+)"'))}
    if len(set(versions.values())) != 1:
        sys.exit(f"versions differ: {versions}")
