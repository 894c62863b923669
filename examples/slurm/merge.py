#!/usr/bin/env python3
"""merge.py OUT PART...: one report out of those of several shards, JUnit (OUT ends in .xml) or LCOV (.info).

The rows of a table are shared by the shards: its test is in every part, and fails when it fails in one of them.
Exit codes: 0 merged, 2 wrong usage or no test in any of the parts, 3 a part is missing or damaged.
"""

import collections
import os
import sys
import xml.etree.ElementTree as ElementTree

USAGE, BAD_INPUT = 2, 3


def merge_tests(cases):
    """One test case out of those that several shards have of the same test."""
    merged = ElementTree.Element("testcase", cases[0].attrib)
    merged.set("time", f"{sum(float(case.get('time', 0)) for case in cases):.6f}")
    for kind in ("error", "failure"):
        found = [case.find(kind) for case in cases if case.find(kind) is not None]
        if found:
            problem = ElementTree.SubElement(merged, kind, message="; ".join(one.get("message", "") for one in found))
            problem.text = "".join(one.text or "" for one in found)
    return merged


def merge_junit(paths):
    suites = [ElementTree.parse(path).getroot().find("testsuite") for path in paths]
    if None in suites:
        raise ValueError(f"{paths[suites.index(None)]} has no <testsuite>")
    files = collections.defaultdict(list)  # file -> of each shard, its test cases of that file
    for suite in suites:
        of_file = collections.defaultdict(list)
        for case in suite.iter("testcase"):
            of_file[case.get("file")].append(case)
        for file, cases in of_file.items():
            files[file].append(cases)

    tests = []
    for file in sorted(files):
        # The shard that owns the file contains all of its tests; the other shards contain its tables.
        shards = sorted(files[file], key=len, reverse=True)
        same = collections.defaultdict(list)
        for cases in shards:
            times_seen = collections.Counter()
            for case in cases:
                name = (case.get("classname"), case.get("name"))
                same[name, times_seen[name]].append(case)
                times_seen[name] += 1
        tests += [merge_tests(cases) for cases in same.values()]

    totals = {
        "tests": str(len(tests)),
        "failures": str(sum(test.find("failure") is not None for test in tests)),
        "errors": str(sum(test.find("error") is not None for test in tests)),
        "time": f"{sum(float(suite.get('time', 0)) for suite in suites):.6f}",
    }
    root = ElementTree.Element("testsuites", totals)
    ElementTree.SubElement(root, "testsuite", {"name": suites[0].get("name", "salu"), **totals}).extend(tests)
    ElementTree.indent(root)
    print(", ".join(f"{count} {what}" for what, count in totals.items() if what != "time"))
    text = '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"
    return text, len(tests)


def merge_lcov(paths):
    files = collections.defaultdict(collections.Counter)  # source file -> line -> runs that came by
    for path in paths:
        lines, whole = None, True
        with open(path, encoding="utf-8") as part:
            for record in part:
                kind, _, rest = record.rstrip("\n").partition(":")
                if record.strip():
                    whole = kind == "end_of_record"
                if kind == "SF":
                    lines = files[rest]
                elif kind == "DA":
                    line, count = rest.split(",")[:2]
                    lines[int(line)] += int(count)
        if not whole:
            raise ValueError(f"{path} ends within a record")
    text = ""
    for file, lines in sorted(files.items()):
        counts = "".join(f"DA:{line},{count}\n" for line, count in sorted(lines.items()))
        hit = sum(count != 0 for count in lines.values())
        text += f"TN:\nSF:{file}\n{counts}LF:{len(lines)}\nLH:{hit}\nend_of_record\n"
    found = sum(len(lines) for lines in files.values())
    hit = sum(count != 0 for lines in files.values() for count in lines.values())
    print(f"{hit} of {found} lines covered")
    return text


def fail(code, message):
    print(message, file=sys.stderr)
    sys.exit(code)


def main():
    if len(sys.argv) < 3 or not sys.argv[1].endswith((".xml", ".info")):
        fail(USAGE, __doc__)
    out, *parts = sys.argv[1:]
    tests = None
    try:
        if out.endswith(".xml"):
            text, tests = merge_junit(parts)
        else:
            text = merge_lcov(parts)
    except (OSError, TypeError, ValueError, ElementTree.ParseError) as problem:
        fail(BAD_INPUT, f"merge.py: a part is missing or damaged, is its log complete? {problem}")
    try:
        # Replaces the file atomically.
        with open(out + ".new", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(out + ".new", out)
    except OSError as problem:
        fail(BAD_INPUT, f"merge.py: cannot write {out}: {problem}")
    # `salu test` also reports this as wrong usage; a single shard cannot, because other shards may contain tests.
    if tests == 0:
        fail(USAGE, "merge.py: no test in any of the parts: does a filter (-k) match none?")


main()
