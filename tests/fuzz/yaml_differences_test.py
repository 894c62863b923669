#!/usr/bin/env python3
"""Every YAML file of the project, damaged in many ways, read by salu and by libyaml. docs/reference/yaml.md gives the reasons for
all differences, and nothing else that libyaml rejects is accepted: a typo never disables a test.

SALU_YAML_MUTATIONS: number of damaged files, SALU_YAML_SEED: seed."""

import json
import os
import pathlib
import random
import re
import subprocess
import sys

try:
    import yaml
except ImportError as missing:
    print(f"skipped: {missing}; install python3-yaml")
    sys.exit(77)
if not yaml.__with_libyaml__:
    print("skipped: python3-yaml is built without libyaml")
    sys.exit(77)

ROOT = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
TREES = os.environ["SALU_YAML_TREES"]
MUTATIONS = int(os.environ.get("SALU_YAML_MUTATIONS", "5000"))
SEED = int(os.environ.get("SALU_YAML_SEED", "1"))

# Text that salu rejects and libyaml accepts: by the words of salu's messages.
REFUSED_ON_PURPOSE = [
    "a key must be a plain name",
    "appears twice",
    "unsupported tag",
    "can merge only maps",
    "an alias inside its own anchor's value",
    "not indented enough",
    "must be indented more than the key",
    "is a line break in YAML 1.1",
    "carriage return without a line feed",
    "the document ends before this",
    "is a directive",
    "a byte order mark that is not at the beginning of the file",
]

# Text that yaml-cpp rejects and libyaml accepts. It causes an error, and is rarely intended.
REFUSED_BY_PARSER = [
    "end of map flow not found", "end of sequence flow not found", "end of map not found", "end of sequence not found",  # `{a?: b}`
    "unknown token", "illegal map value", "the referenced anchor is not defined", "block sequence entries are not allowed",
    "tag handle with no suffix", "illegal character found while scanning tag handle", "cannot assign multiple tags",
    "cannot assign multiple anchors", "illegal block entry", "illegal map key", "illegal flow end", "unknown escape",
    "unknown directive", "expected a version", "must be a plain name", "missing value before this comma", "YAML directives must have",
    "zero indentation", "bad YAML version", "missing `:` after this key", "illegal tab when looking for indentation", "unexpected character in block scalar",
    "unexpected scalar", "plain value cannot start with flow indicator",  # yaml-cpp 0.9: a comma that begins a line
]

# Text that libyaml rejects and salu accepts, as in YAML 1.2: by the words of libyaml's message and the line of the
# error, which may be after the line before it.
TAKEN_ON_PURPOSE = [
    ("found character that cannot start any token", rb"[ \t]*\t[ \t]*(#.*)?\r?"),  # a tab before a comment, or nothing
    ("found character that cannot start any token", rb".*[-?:] *\t.*"),  # a tab after an indicator
    ("found character that cannot start any token", rb"\t.*"),  # a tab before top-level brackets
    ("found a tab character that violates indentation", rb" *\t.*"),  # in brackets, after plain text
    ("found a tab character where an indentation space is expected", rb".*"),  # a literal text that begins with a tab
    ("did not find expected node content", rb"\.\.\..*"),  # an end without a document
    ("did not find expected node content", rb".*[{,[ ]:\S.*"),  # plain text that begins with a colon
    ("found unexpected ':'", rb".*:[],}[{?].*"),  # a colon before a bracket or a comma
    ("found character that cannot start any token", rb".*&.*"),
    ("mapping keys are not allowed in this context", rb".*&.*"),
    ("mapping values are not allowed in this context", rb".*&.*(\n.*)?"),
    ("while scanning an anchor", rb".*&.*"),  # characters other than letters and digits in names of anchors
    ("while scanning an alias", rb".*[*].*"),
    ("found incompatible YAML document", rb"%YAML.*"),  # a later version
    ("while scanning a tag", rb".*!.*"),  # `!` directly before a bracket
]

# Values that differ: blanks at the end of a folded text, anchors whose names contain a colon, a document that is only a
# tag.
READ_DIFFERENTLY = re.compile(rb">[-+0-9]*[ \t]*\r?\n(?:.*\n)*[ \t]+\Z|&\S*:|(?:\A|\n|---[ \t]+)!\S*[ \t]*(?:#.*)?(?:\n(?:[ \t]*#.*)?)*(?:\Z|---|\.\.\.)")

# Texts with features that are rare in the files.
TEXTS = [
    """# of all kinds
target: gfx900
name: 'a long
  name over lines,

  with an ''apostrophe'''
code:
  asm: |
    s_mov_b32 s0, 5   // it's "so"
    s_endpgm
registers:
  s1: 5
  "s[2:3]": 7   # seven
  s4: {f32: 1.5}
  s5:
    value: 1
memory:
  - at: 0x10000
    words: [1, 2,
            3]
  - {at: 0x20000, text: "a\\n\\u20ac\\x41 \\
     b", size: 8}
  -
    at: 0x30000
    size: 4
expect:
  registers: {s0: 5, "s[2:3]": 7, 's4': 1}
  warnings: []
""",
    """%YAML 1.2
---
base: &base
  name: >-
    folded
    text

      more
    end
  text: "two
    lines"
  kept: |+
    kept

list:
- <<: *base
  a: 1
- &x [a, b, {c: d}, "e": f]
- *x
- !!str 5
- ~
- plain text
  over lines
...
# a comment
---
{"json": [1, 2.5, -3, true, null, "a\\tb"], "map": {"a": {}, "b": []},
 "c": "d"}
""",
]

CHARACTERS = "'\"'\"\t :-,[]{}#&*!|>%@`?~\r\n\\0ax."
SNIPPETS = ["'", '"', "\t", "\n", "\r\n", " ", "  #", "#", "''", '""', "---\n", "...\n", "\u2028", "\x85", "\ufeff", "%", "\x01",
            "\n\n", ": ", "- ", "&a ", "*a", "!!str ", "|\n", "\\", "\\'", "~", "? ", "é", "<<: "]


def mutate(rng, text, texts):
    """A text with one to three mistakes."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        lines = text.split("\n")
        line = rng.randrange(len(lines))
        place = rng.randrange(len(text) + 1)
        marks = [i for i, c in enumerate(text) if c in "'\":,[]{}#-|> \n"]
        mark = rng.choice(marks) if marks else 0
        kind = rng.randrange(14)
        if kind == 0:
            text = text[:place] + text[place + 1:]
        elif kind == 1:
            text = text[:place] + rng.choice(CHARACTERS) + text[place:]
        elif kind == 2:
            text = text[:place] + text[place:place + 1] + text[place:]
        elif kind == 3:
            text = text[:mark] + text[mark + 1:]
        elif kind == 4:
            text = text[:mark] + rng.choice(SNIPPETS) + text[mark:]
        elif kind == 5:
            text = text[:mark] + rng.choice(SNIPPETS) + text[mark + 1:]
        elif kind == 6:
            text = text[:place]
        elif kind == 7:
            text = text + rng.choice(("", "\n", "---\n", "...\n")) + rng.choice(texts)
        else:
            if kind == 8:
                lines[line] = rng.choice((" ", "  ", "\t", "    ")) + lines[line]
            elif kind == 9:
                lines[line] = lines[line].removeprefix(rng.choice((" ", "  ", "    ")))
            elif kind == 10:
                del lines[line]
            elif kind == 11:
                lines.insert(line, rng.choice(lines))
            elif kind == 12:
                lines[line] += rng.choice((" ", "\t", " #x", "#x", ",", ":", ' "', "'", "\r", " x"))
            else:
                other = rng.randrange(len(lines))
                lines[line], lines[other] = lines[other], lines[line]
            text = "\n".join(lines)
    return text


class Composer:
    """The trees of a text's documents by libyaml, in the format of salu's trees."""

    def __init__(self, text):
        self.events = yaml.parse(text, Loader=yaml.CLoader)
        self.anchors = {}

    def documents(self):
        documents = []
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                self.anchors = {}
                root = self.node(next(self.events))
                if root is not None:
                    documents.append(root)
        return documents

    def node(self, event):
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in self.anchors:
                raise yaml.YAMLError(f"unknown alias {event.anchor}")
            return self.anchors[event.anchor]
        if isinstance(event, yaml.ScalarEvent):
            plain = not event.style and event.tag is None
            node = {"scalar": event.value, "plain": plain}
            if plain and event.value in ("", "~", "null", "Null", "NULL"):
                node = None
        else:
            children = []
            is_map = isinstance(event, yaml.MappingStartEvent)
            end = yaml.MappingEndEvent if is_map else yaml.SequenceEndEvent
            for child in iter(lambda: next(self.events), None):
                if isinstance(child, end):
                    break
                children.append(self.node(child))
            node = {"map" if is_map else "list": merged(children) if is_map else children}
        if event.anchor:
            self.anchors[event.anchor] = node
        return node


def merged(children):
    """Keys and values, followed by those of `<<`."""
    pairs = list(zip(children[::2], children[1::2]))
    merge_key = {"scalar": "<<", "plain": True}
    own = [pair for pair in pairs if pair[0] != merge_key]
    for key, value in pairs:
        if key != merge_key:
            continue
        for source in value["list"] if value and "list" in value else [value]:
            if not source or "map" not in source:
                raise yaml.YAMLError("the value of `<<` is not a map")
            keys = [other[0] for other in own]
            own += [pair for pair in zip(source["map"][::2], source["map"][1::2]) if pair[0] not in keys]
    return [node for pair in own for node in pair]


def compose(text):
    try:
        return Composer(text).documents(), None
    except (yaml.YAMLError, RecursionError) as error:
        return None, " ".join(str(error).split())


def salu_trees(texts):
    parts = []
    for text in texts:
        parts += [b"%d\n" % len(text), text]
    run = subprocess.run([TREES], input=b"".join(parts), stdout=subprocess.PIPE, check=False)
    answers = run.stdout.decode().split("\n")[:-1]
    if run.returncode != 0 or len(answers) != len(texts):
        last = texts[len(answers)] if len(answers) < len(texts) else b""
        sys.exit(f"yaml_trees ended with {run.returncode} at {last!r}")
    return [json.loads(answer) for answer in answers]


def with_beginnings(text):
    """The text with a `---` after each `...`, which libyaml requires and YAML 1.2 does not."""
    return re.sub(rb"^(\.\.\.(?:[ \t]+#.*|[ \t]*)\r?\n(?:[ \t]*(?:#.*)?\r?\n)*)(?!---|\.\.\.|%|[ \t]*(?:#.*)?\r?\Z)", rb"\1---\n", text, flags=re.MULTILINE)


def is_taken_on_purpose(text, refusal):
    place = re.findall(r"line (\d+), column", refusal)
    lines = with_beginnings(text).split(b"\n")
    number = int(place[-1]) if place else 0
    parts = [b"\n".join(lines[first:number]) for first in (number - 1, number - 2) if 0 <= first < len(lines)] or [b""]
    return any(words in refusal and re.fullmatch(pattern, part) for words, pattern in TAKEN_ON_PURPOSE for part in parts)


def difference(text, answer):
    """The error; nothing if the result is as expected."""
    if answer["stream"] is not None:
        return f"as a stream: {answer['stream']}, as a whole: {answer['whole']}"
    errors = [document for document in answer["whole"] if document and "error" in document]
    trees, refusal = compose(with_beginnings(text))
    if trees is None:
        return None if errors or is_taken_on_purpose(text, refusal) else f"libyaml refuses this: {refusal}"
    if errors:
        reasons = REFUSED_ON_PURPOSE + REFUSED_BY_PARSER
        unexpected = [e for e in errors if not any(reason in e["error"] for reason in reasons)]
        return f"libyaml takes this: {unexpected}" if len(unexpected) == len(errors) else None
    if trees != answer["whole"] and not READ_DIFFERENTLY.search(text):
        return f"libyaml reads {json.dumps(trees)}, salu {json.dumps(answer['whole'])}"
    return None


def main():
    files = sorted(path for folder in ("programs", "tests", "examples", "docs") for ending in ("yaml", "yml")
                   for path in (ROOT / folder).rglob(f"*.{ending}"))
    texts = [path.read_bytes().decode() for path in files] + TEXTS * 6
    texts = [text for text in texts if len(text) < 4000]
    rng = random.Random(SEED)
    damaged = [text.encode() for text in texts]
    while len(damaged) < MUTATIONS:
        damaged.append(mutate(rng, rng.choice(texts), texts).encode())
    found = 0
    batch = 1000
    for start in range(0, len(damaged), batch):
        part = damaged[start:start + batch]
        for text, answer in zip(part, salu_trees(part)):
            wrong = difference(text, answer)
            if wrong:
                found += 1
                if found <= int(os.environ.get("SHOW", "20")):
                    print(f"{wrong}\n{text.decode()}\n{'=' * 80}")
    print(f"{len(damaged)} texts of {len(texts)}, {found} differ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
