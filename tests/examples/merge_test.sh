#!/usr/bin/env bash
# examples/slurm/merge.py merges the reports of shards to the report of one run of all tests.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
merge=$SALU_SOURCE_DIR/examples/slurm/merge.py
salu() { "$SALU_EXECUTABLE" "$@"; }

ln -s "$SALU_SOURCE_DIR/programs" programs
mkdir own
# Two plain tests around a table with failing rows, a test that fails, and one that cannot be loaded.
cat >own/mixed.yaml <<'YAML'
name: before <the> "table"
target: gfx900
code: {asm: "s_endpgm"}
expect: {stop: end_program}
---
name: table
target: gfx900
code: {asm: "s_add_u32 s0, s1, s1\n s_endpgm"}
cases: [{s1: 1, expect: {s0: 2}}, {s1: 2, expect: {s0: 5}}, {s1: 3, expect: {s0: 6}}, {s1: 4, expect: {s0: 9}},
        {s1: 5, expect: {s0: 10}}]
---
name: behind
target: gfx900
code: {asm: "s_endpgm"}
expect: {registers: {scc: 1}}
YAML
echo 'target: gfx900' >own/no_code.yaml

paths=(programs own)
salu test -q --junit whole.xml --coverage whole.info "${paths[@]}" >/dev/null && exit 1
for shards in 1 2 3 7; do
  parts=()
  for ((i = 1; i <= shards; i++)); do
    salu test -q --shard "$i/$shards" --junit "$i.xml" --coverage "$i.info" "${paths[@]}" >/dev/null || true
    parts+=("$i")
  done
  "$merge" merged.xml "${parts[@]/%/.xml}" >counts
  "$merge" merged.info "${parts[@]/%/.info}" >>counts
  diff whole.info merged.info
  python3 - <<'PYTHON'
import sys
import xml.etree.ElementTree as ElementTree


def tests(path):
    root = ElementTree.parse(path).getroot()
    suite = root.find("testsuite")
    totals = [{key: element.get(key) for key in ("tests", "failures", "errors")} for element in (root, suite)]
    assert totals[0] == totals[1], (path, totals)
    # The text of a report about a part of a table differs from that about the whole table.
    return totals[0], sorted(
        (case.get("file"), case.get("classname"), case.get("name"),
         [(problem.tag, sorted((problem.text or "").splitlines())) for problem in case])
        for case in suite.iter("testcase"))


whole, merged = tests("whole.xml"), tests("merged.xml")
assert whole[0]["failures"] == "2" and whole[0]["errors"] == "1", whole[0]
if whole != merged:
    sys.exit(f"one run over everything reports\n{whole}\nthe merged parts\n{merged}")
PYTHON
done
cat counts

failed=0
# refuses CODE TEXT ARGUMENT...
refuses() {
  local code=0
  "$merge" "${@:3}" >message 2>&1 || code=$?
  if ((code != $1)) || ! grep -q "$2" message; then
    echo "merge.py ${*:3}: exit code $code, expected $1 and '$2'"
    cat message
    failed=1
  fi
}
cp merged.xml before.xml
refuses 3 'a part is missing or damaged.*gone.xml' merged.xml 1.xml gone.xml
head -c 200 1.xml >cut.xml
refuses 3 'a part is missing or damaged' merged.xml cut.xml
echo '<html/>' >other.xml
refuses 3 'a part is missing or damaged.*other.xml has no <testsuite>' merged.xml 1.xml other.xml
for lines in 3 1; do
  head -n "$lines" 1.info >cut.info
  refuses 3 'a part is missing or damaged.*cut.info ends within a record' merged.info cut.info 2.info
done
echo DA:1,1 >cut.info
refuses 3 'a part is missing or damaged' merged.info cut.info
refuses 3 'cannot write' no_such_folder/merged.xml 1.xml
refuses 2 'merge.py OUT PART' merged.xml
refuses 2 'merge.py OUT PART' merged.json 1.xml
cmp before.xml merged.xml

# A filter that matches no test in any shard.
for i in 1 2; do salu test -q -k tpyo --shard "$i/2" --junit "$i.xml" --coverage "$i.info" "${paths[@]}" >/dev/null || true; done
refuses 2 'no test in any of the parts' merged.xml 1.xml 2.xml
exit "$failed"
