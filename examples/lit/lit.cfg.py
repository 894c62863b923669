# lit's configuration: defines which files are tests, and %salu, %llc and %filecheck for their RUN lines.
import os

import lit.formats
import lit.util

config.name = "salu"
config.test_format = lit.formats.ShTest()
config.suffixes = [".ll", ".s", ".yaml"]
config.test_source_root = os.path.dirname(__file__)
# The directory of %t; lit creates directories called Output in it.
config.test_exec_root = lit_config.params.get("exec_root", config.test_source_root)


def find_tool(name, *candidates):
    """`lit -D name=PATH`, the environment variable NAME, or the first candidate that is in PATH."""
    given = lit_config.params.get(name) or os.environ.get(name.upper())
    for candidate in [given] if given else candidates:
        path = lit.util.which(candidate, config.environment["PATH"])
        if path:
            config.substitutions.append((f"%{name}", path))
            return
    lit_config.fatal(f"cannot find {given or candidates[0]}: say lit -D {name}=PATH")


find_tool("salu", "salu")
find_tool("llc", "llc-19", "llc")
find_tool("filecheck", "FileCheck-19", "FileCheck")
