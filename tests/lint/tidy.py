#!/usr/bin/env python3
"""Runs clang-tidy on many source files at once. It spends most of its time on the headers of the libraries, which every
file includes: files that are joined to one share them. Findings are reported with their place in the original file.

usage: tidy.py --tidy <clang-tidy> --build <folder with compile_commands.json> --root <folder> --batch <i>/<n>
               [--record] <folder>...

The compiled files below the folders (relative to the root) are distributed to n batches; this runs batch i. Two files
are never in one batch if both declare the same name in a namespace, or if one declares a name that a header of only the
other declares. If the joined files still do not compile, the test fails and prints the names to change: checking the
files one by one takes ten times as long.

Files that have not changed since all files were last free of findings (tests/data/tidy_clean.txt) are not checked again.
A changed header is checked with one of the files that include it. --record checks all files and, if there are no findings,
records them; its batch is 1/1.
"""

import argparse
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

# clang-format puts the declarations of a namespace at the left edge.
NAMESPACE = re.compile(r"(?:inline )?namespace(?: ([\w:]+))? \{")
ALIAS = re.compile(r"(?:using|namespace) (\w+) =")
USING = re.compile(r"using (?:typename )?(?!namespace)[\w:]*?(\w+);")
TYPE = re.compile(r"(?:struct|class|union|enum(?: class| struct)?)(?: \[\[\w+\]\])? (\w+)")
# The name of a function or variable is before the first bracket or operator.
NAME = re.compile(r"(?:[\w:<>,*&\[\] ]|\[\[.*?\]\])*?[ *&](\w+)(?:\[[^\]]*\])? ?(?:[({=;]|$)")
NOT_DECLARED = re.compile(r"[\s}#/]|$|(?:template|static_assert|extern|public|private|protected|friend|using namespace)\b")


def declared_names(text):
    """Returns the names that a file declares in namespaces, each with its namespace."""
    names = set()
    around = []
    for line in text.splitlines():
        opened = NAMESPACE.match(line)
        if opened:
            around.append(opened[1] or "")
            continue
        if line.startswith("}  // namespace"):
            around.pop()
            continue
        if line.startswith("#define "):
            names.add(("#", re.match(r"#define (\w+)", line)[1]))
        if NOT_DECLARED.match(line):
            continue
        for kind in (ALIAS, USING, TYPE, NAME):
            found = kind.match(line)
            if found:
                names.add(("::".join(part for part in around if part), found[1]))
                break
    return names


# Headers of this project are included with these delimiters, by their paths relative to a folder in the flags.
INCLUDE = re.compile(r'#include ["<]([\w./]+\.(?:hpp|inc))[">]', re.MULTILINE)


class Headers:
    """Returns the names that the headers of the project declare in namespaces, by path."""

    def __init__(self, root):
        self.root = os.path.join(root, "")
        self.known = {}

    def found(self, name, folders):
        for folder in folders:
            path = os.path.normpath(os.path.join(folder, name))
            if path.startswith(self.root) and os.path.exists(path):
                return path
        return None

    def included(self, path, text, folders):
        """Returns the headers that a file includes directly."""
        folders = [os.path.dirname(path), *folders]
        return {self.found(name, folders) for name in INCLUDE.findall(text)} - {None}

    def reached(self, path, text, folders):
        """Returns the headers that a file includes, directly or indirectly."""
        reached = set()
        wanted = self.included(path, text, folders)
        while wanted:
            header = wanted.pop()
            reached.add(header)
            if header not in self.known:
                with open(header, encoding="utf-8") as file:
                    text = file.read()
                self.known[header] = declared_names(text), self.included(header, text, folders)
            wanted |= self.known[header][1] - reached
        return reached

    def names(self, headers):
        return set().union(*(self.known[header][0] for header in headers))


class Source:
    def __init__(self, path, command, headers):
        self.path = path
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.lines = self.text.splitlines(keepends=True)
        self.names = declared_names(self.text)
        self.flags = flags_of(command, path)
        self.headers = headers.reached(path, self.text, [flag[2:] for flag in self.flags if flag.startswith("-I")])
        self.header_names = headers.names(self.headers)
        self.defines = dict(flag[2:].partition("=")[::2] for flag in self.flags if flag.startswith("-D"))


def flags_of(command, path):
    """Returns the options of a compiler command that affect the meaning of the file."""
    words = shlex.split(command)[1:]
    flags = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word == "-o":
            skip = True
        elif word not in ("-c", path):
            flags.append(word)
    return flags


def is_taken(source, other):
    """True if a name of one file is also declared in a header that only the other file includes."""
    return not (source.names - source.header_names).isdisjoint(other.header_names)


def goes_with(source, batch):
    return all(source.names.isdisjoint(other.names) and not is_taken(source, other) and not is_taken(other, source) and
               all(other.defines.get(name, value) == value for name, value in source.defines.items())
               for other in batch)


def deal_out(sources, count):
    """Returns at least `count` lists of sources. Neighbours share headers, so each list is a run of files; a file that
    conflicts with its list is added to the next list, or to a new one."""
    batches = [[] for _ in range(count)]
    total = sum(len(source.lines) for source in sources)
    before = 0
    for source in sources:
        first = before * count // total
        before += len(source.lines)
        for batch in batches[first:] + batches[:first]:
            if goes_with(source, batch):
                batch.append(source)
                break
        else:
            batches.append([source])
    return batches


class Finding:
    def __init__(self):
        self.lines = []
        self.places = []

    def is_of(self, check):
        return "[" + check in self.lines[0]

    def add_place(self, source, line):
        self.places.append((source, line))

    def is_of_one_file(self):
        """True if the finding would also exist without the files that its file was joined to."""
        if self.is_of("readability-duplicate-include") and self.places:
            source, line = self.places[0]
            directive = source.lines[line - 1].split()
            return any(other.split() == directive for other in source.lines[:line - 1])
        return len({source.path for source, _ in self.places}) <= 1


def run_tidy(options, path, flags, *arguments):
    return subprocess.run(
        [options.tidy, "--quiet", *arguments, path, "--", *flags],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace")


def look_at_joined(options, batch):
    flags = list(dict.fromkeys(flag for source in batch for flag in source.flags))
    starts = []
    with tempfile.TemporaryDirectory(prefix="salu-tidy-") as folder:
        # The settings of a header are those of its folder, so clang-tidy does not check the names in headers of
        # libraries.
        shutil.copy(os.path.join(options.root, ".clang-tidy"), folder)
        joined = os.path.join(folder, "joined.cpp")
        with open(joined, "w", encoding="utf-8") as file:
            line = 1
            for source in batch:
                starts.append(line)
                file.writelines(source.lines)
                line += len(source.lines)
        # clang finds unused code only if it has not reported an error; -Wno-error leaves its warnings to the check.
        done = run_tidy(options, joined, [*flags, "-Wno-error"], "--checks=clang-diagnostic-*")

    def place(line):
        i = max(i for i, start in enumerate(starts) if start <= line)
        return batch[i], line - starts[i] + 1

    # A finding is a line with a place, followed by lines of source and notes.
    head = re.compile(r"(\S+?):(\d+):(\d+): (error|warning|note)(: .*)")
    shown = re.compile(r"( *\d+) \|(.*)")
    findings = []
    is_in_joined = False
    for text in done.stdout.splitlines():
        found = head.match(text)
        if found:
            is_in_joined = found[1] == joined
            if found[4] != "note":
                findings.append(Finding())
        if found and is_in_joined:
            source, line = place(int(found[2]))
            text = f"{source.path}:{line}:{found[3]}: {found[4]}{found[5]}"
            findings[-1].add_place(source, line)
        elif is_in_joined and shown.match(text):
            number = shown.match(text)
            text = f"{place(int(number[1]))[1]:>{len(number[1])}} |{number[2]}"
        if findings:
            findings[-1].lines.append(text)

    broken = [finding for finding in findings if finding.is_of("clang-diagnostic-error")]
    if broken:
        print("These files do not compile when they are joined. If each one compiles alone, two names clash: rename one.")
        for finding in broken:
            print("\n".join(finding.lines))
        return False
    if done.returncode != 0 and not findings:
        print(done.stdout)
        return False
    findings = [finding for finding in findings if finding.is_of_one_file()]
    for finding in findings:
        print("\n".join(finding.lines))
    return not findings


class Record:
    """The state of each file when it had no findings: everything that affects clang-tidy, except changes of headers as
    seen from unchanged files."""

    def __init__(self, options):
        self.root = options.root
        self.path = os.path.join(options.root, "tests", "data", "tidy_clean.txt")
        version = subprocess.run([options.tidy, "--version"], stdout=subprocess.PIPE, check=True).stdout
        with open(os.path.join(options.root, ".clang-tidy"), "rb") as file:
            self.settings = version + file.read()
        self.clean = set()
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as file:
                self.clean = set(file.read().splitlines())

    def line(self, path):
        with open(path, "rb") as file:
            digest = hashlib.sha256(self.settings + b"\0" + file.read()).hexdigest()
        return f"{digest[:32]} {os.path.relpath(path, self.root)}"

    def left(self, sources):
        """Returns the sources to check, such that every file not known to be clean is part of one of them."""
        left = [source for source in sources if self.line(source.path) not in self.clean]
        headers = {header for source in sources for header in source.headers if self.line(header) not in self.clean}
        for source in left:
            headers -= source.headers
        for source in sorted(sources, key=lambda source: len(source.lines)):
            if headers & source.headers:
                left.append(source)
                headers -= source.headers
        return sorted(left, key=lambda source: source.path)

    def write(self, sources):
        paths = {path for source in sources for path in (source.path, *source.headers)}
        with open(self.path, "w", encoding="utf-8") as file:
            file.writelines(self.line(path) + "\n" for path in sorted(paths))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tidy", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--root", required=True)
    parser.add_argument("--batch", required=True)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("folders", nargs="+")
    options = parser.parse_args()
    number, count = map(int, options.batch.split("/"))
    if options.record and count != 1:
        parser.error("--record looks at all files: it goes with --batch 1/1")

    with open(os.path.join(options.build, "compile_commands.json"), encoding="utf-8") as file:
        commands = {entry["file"]: entry["command"] for entry in json.load(file)}
    folders = tuple(os.path.join(options.root, folder, "") for folder in options.folders)
    headers = Headers(options.root)
    sources = [Source(path, commands[path], headers) for path in sorted(commands) if path.startswith(folders)]
    if not sources:
        sys.exit("nothing is compiled of " + " ".join(options.folders))
    record = Record(options)
    left = sources if options.record else record.left(sources)
    print(f"{len(sources) - len(left)} of {len(sources)} files are as they were when they were found clean")
    batches = deal_out(left, count)
    is_clean = all([look_at_joined(options, batch) for batch in batches[number - 1::count] if batch])
    if is_clean and options.record:
        record.write(sources)
    return 0 if is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
