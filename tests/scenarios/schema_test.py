"""The JSON Schemas against all documents that they describe: shipped scenarios, scenarios that salu accepts or rejects,
and salu's own output."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
    import yaml
except ImportError as missing:
    print(f"skipped: {missing}; install python3-jsonschema and python3-yaml")
    sys.exit(77)

root = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
salu = os.environ["SALU_EXECUTABLE"]
failures = []


def load_schema(name):
    schema = json.loads((root / "schema" / name).read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


class Loader(yaml.SafeLoader):
    """Rejects duplicate keys, as salu does."""

    def construct_mapping(self, node, deep=False):
        keys = [key.value for key, _ in node.value]
        if len(keys) != len(set(keys)):
            raise yaml.YAMLError(f"duplicate key in {keys}")
        return super().construct_mapping(node, deep)


def documents(text):
    return [document for document in yaml.load_all(text, Loader) if document is not None]


def expect(condition, message):
    if not condition:
        failures.append(message)


def first_error(validator, document):
    error = jsonschema.exceptions.best_match(validator.iter_errors(document))
    return None if error is None else f"{list(error.absolute_path)}: {error.message}"


scenario_schema = load_schema("salu-scenario.schema.json")
state_schema = load_schema("salu-state.schema.json")
equiv_schema = load_schema("salu-equiv.schema.json")
trace_schema = load_schema("salu-trace.schema.json")

shipped = sorted((root / "programs").rglob("*.yaml"))
expect(len(shipped) >= 15, f"only {len(shipped)} scenarios in programs/")
for path in shipped:
    for number, document in enumerate(documents(path.read_text()), 1):
        error = first_error(scenario_schema, document)
        expect(error is None, f"{path} document {number}: {error}")

# The schema accepts what salu accepts, and rejects what salu rejects for its structure.
accepted = documents((root / "tests/scenarios/schema_accepts.yaml").read_text())
refused = documents((root / "tests/scenarios/schema_refuses.yaml").read_text())
expect(len(accepted) >= 5 and len(refused) >= 15, "too few examples")
for document in accepted:
    error = first_error(scenario_schema, document)
    expect(error is None, f"the schema refuses {document}: {error}")
for document in refused:
    expect(first_error(scenario_schema, document) is not None, f"the schema accepts {document}")


def run(*arguments, text=None):
    return subprocess.run([salu, "run", *arguments], input=text, capture_output=True, text=True, cwd=root, check=False)


for document in accepted:
    result = run("--quiet", "-", text=yaml.safe_dump(document))
    expect(result.returncode != 3, f"salu refuses {document}: {result.stderr}")
for document in refused:
    result = run("--quiet", "-", text=yaml.safe_dump(document))
    expect(result.returncode == 3, f"salu accepts {document}")

# Warnings of hazards.
hazards = yaml.safe_dump_all([{key: document[key] for key in document if key != "expect"}
                              for document in accepted if "hazards" in document.get("checks", [])])
for format, read in (("json", lambda text: [json.loads(line) for line in text.splitlines()]), ("yaml", documents)):
    found = read(run("--format", format, "-", text=hazards).stdout)
    kinds = {warning["kind"] for each in found for warning in each.get("warnings", [])}
    expect("hazard" in kinds, f"{format}: the warnings are {kinds}")
    for each in found:
        error = first_error(state_schema, each)
        expect(error is None, f"{format} output with hazards: {error}")

# A program of the vector unit, its state and its trace. A state can be continued by salu.
with_vectors = json.dumps(next(document for document in accepted if "v0" in document.get("registers", {})))
state = json.loads(run("--format", "json", "-", text=with_vectors).stdout)
error = first_error(state_schema, state)
expect(error is None, f"JSON output of vectors: {error}")
expect(sorted(state["vector"]) == ["a0", "v0", "v1", "v2", "v3", "v4", "v6", "v7", "v8"], f"the state has {list(state['vector'])}")
expect(state["vector"]["v2"][:3] == ["0x00000007", "0x00000008", "0x00000005"], f"v2 is {state['vector']['v2']}")
for wrong in ({"v0": []}, {"v0": [1] * 63}, {"v0": 1}, {"v0": ["x y"] * 64}):
    expect(first_error(state_schema, state | {"vector": wrong}) is not None, f"the schema accepts {wrong}")
dump = run("--format", "yaml", "-", text=with_vectors).stdout
error = first_error(state_schema, documents(dump)[0])
expect(error is None, f"YAML output of vectors: {error}")
for wrong in ({"v0": {"lane_ids": False}}, {"v0": [[1]]}, {"v0": [0] * 65}):
    changed = documents(dump)[0]
    changed["registers"] |= wrong
    expect(first_error(state_schema, changed) is not None, f"the schema of states accepts {wrong}")
vector_steps = [json.loads(line) for line in run("--quiet", "--trace-format", "jsonl", "-", text=with_vectors).stdout.splitlines()]
for record in vector_steps:
    error = first_error(trace_schema, record)
    expect(error is None, f"JSON trace of vectors: {error}: {record}")
vector_step = next(record for record in vector_steps if record.get("step") == 1)
expect(vector_step["vectors_written"]["v2"][:3] == ["0x00000007", "0x00000008", "0x00000005"], f"the trace has {vector_step}")
for wrong in ({"v2": []}, {"v2": ["0x0"] * 64}, {"v2": [1] * 64}, {"v2": "0x00000001"}):
    expect(first_error(trace_schema, vector_step | {"vectors_written": wrong}) is not None, f"the schema accepts {wrong}")

names = [str(path) for path in shipped]
lines = run("--check", "--format", "json", *names, "no-such-file.yaml").stdout.splitlines()
expect(len(lines) > len(shipped), "one JSON line a scenario")
for line in lines:
    error = first_error(state_schema, json.loads(line))
    expect(error is None, f"JSON output: {error}: {line[:200]}")
expect("error" in json.loads(lines[-1]), "a file that is not there gives an error line")

states = documents(run("--check", "--format", "yaml", *names).stdout)
expect(len(states) >= len(shipped), "one YAML document a scenario")
for state in states:
    error = first_error(state_schema, state)
    expect(error is None, f"YAML output of {state.get('name')}: {error}")

# Traces of all of them, and one that reached its limit.
kinds = {"schema": 0, "step": 0, "stop": 0, "loads": 0, "stores": 0, "note": 0, "cut": 0}
for options in (["--trace-steps", "..300"], ["--trace-limit", "3"]):
    for line in run("--quiet", "--trace-format", "jsonl", *options, *names).stdout.splitlines():
        record = json.loads(line)
        error = first_error(trace_schema, record)
        expect(error is None, f"JSON trace: {error}: {line[:200]}")
        for kind in kinds:
            kinds[kind] += kind in record
expect(all(kinds.values()) and kinds["schema"] == kinds["stop"], f"the traces have {kinds}")
step = {"step": 1, "pc": "0x0000000000001000", "words": ["0x80000201"], "instruction": "s_add_u32 s0, s1, s2",
        "reads": {"s1": "0x00000007"}, "writes": {"s[0:1]": "0x0000000a0000000b", "scc": 0}, "next_pc": "0x0000000000001004"}
expect(first_error(trace_schema, step) is None, "the schema refuses a step")
for wrong in ({"step": 0}, {"pc": "0x1000"}, {"words": []}, {"words": [1]}, {"reads": {"s1": 7}}, {"writes": {"scc": "0x00000001"}},
              {"writes": {"s1": "0x1"}}, {"loads": []}, {"note": ""}, {"stop": {}}, {"more": 1}):
    expect(first_error(trace_schema, step | wrong) is not None, f"the schema accepts {wrong}")

# Equal, different, every combination, a difference in a row of a table.
rows = str(root / "programs" / "tables" / "gcd.yaml")
average = [str(root / "programs" / "average" / name) for name in ("careful.s", "carry.s", "hasty.s")]
for programs, code in (([average[0], average[1]], 0), ([average[0], average[2]], 1),
                       ([average[0], average[2], "--exhaustive", "s0=0..3", "--inputs", "s1=0..3"], 0),
                       ([rows, average[0]], 1)):
    command = [salu, "equiv", "--format", "json", "--mcpu", "gfx803", "--outputs", "s0", "-o", os.devnull] + programs
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    expect(result.returncode == code, f"{command}: {result.returncode}: {result.stderr}")
    error = first_error(equiv_schema, json.loads(result.stdout))
    expect(error is None, f"JSON output of salu equiv: {error}: {result.stdout[:200]}")

# Several waves.
adding = """target: gfx900
code: {{asm: "v_mov_b32 v0, 0\\nv_mov_b32 v1, s0\\nglobal_atomic_{} v0, v1, s[4:5]\\ns_endpgm"}}
registers: {{"s[4:5]": 0x10000, exec: 1}}
memory: [{{at: 0x10000, size: 64}}]
work_groups: [[{{s0: 1}}, {{s0: 3}}], [{{}}]]
"""
with tempfile.TemporaryDirectory() as folder:
    files = []
    for name in ("add", "or"):
        files.append(os.path.join(folder, name + ".yaml"))
        pathlib.Path(files[-1]).write_text(adding.format(name))
        error = first_error(scenario_schema, yaml.safe_load(adding.format(name)))
        expect(error is None, f"a scenario with work_groups: {error}")
    result = subprocess.run([salu, "equiv", "--format", "json", *files], capture_output=True, text=True, check=False)
    record = json.loads(result.stdout)
    expect(record["a"]["waves"] == 3 and record["difference"]["parting"][0]["lines"][0]["wave"] == "wave 1 of work-group 0",
           f"JSON output of salu equiv: {result.stdout[:400]}")
    error = first_error(equiv_schema, record)
    expect(error is None, f"JSON output of salu equiv: {error}: {result.stdout[:200]}")

# Proved, different, up to a number of iterations, given up, with a table of cases.
equiv_text = json.loads((root / "schema" / "salu-equiv.schema.json").read_text())
prove_text = json.loads((root / "schema" / "salu-prove.schema.json").read_text())
jsonschema.Draft7Validator.check_schema(prove_text)
prove_schema = jsonschema.Draft7Validator(prove_text, resolver=jsonschema.RefResolver.from_schema(
    prove_text, store={"salu-equiv.schema.json": equiv_text}))
with tempfile.NamedTemporaryFile("w", suffix=".yaml", delete=False) as later_gcd:
    later_gcd.write((root / "programs" / "gcd.yaml").read_text().replace("asm: |\n", "asm: |\n    s_nop 0\n", 1))
verdicts = set()
for programs, code in (([average[0], average[1]], 0), ([average[0], average[2]], 1),
                       ([average[0], average[0], "--cover", "/dev/stderr"], 0),
                       (["programs/gcd.yaml", later_gcd.name, "--inputs", "s0,s1", "--rounds", "3", "--seconds", "10"], 3)):
    command = [salu, "prove", "--format", "json", "--mcpu", "gfx803", "--outputs", "s0", "-o", os.devnull] + programs
    result = subprocess.run(command, capture_output=True, text=True, cwd=root, check=False)
    expect(result.returncode == code, f"{command}: {result.returncode}: {result.stderr}")
    record = json.loads(result.stdout)
    verdicts.add(record["verdict"])
    error = first_error(prove_schema, record)
    expect(error is None, f"JSON output of salu prove: {error}: {result.stdout[:200]}")
os.unlink(later_gcd.name)
expect({"proved", "different", "proved_in_rounds"} <= verdicts, f"the verdicts are {verdicts}")
for wrong in ({"verdict": "equal"}, {"obstacles": [{}]}, {"compared": {}}, {"more": 1}):
    expect(first_error(prove_schema, record | wrong) is not None, f"the schema of proofs accepts {wrong}")

sweep_schema = load_schema("salu-sweep.schema.json")
for option in ("--minmax", "--histogram", "--checksum", "--summary"):
    result = subprocess.run([salu, "sweep", "programs/gcd.yaml", "--vary", "s0=1..40", option, "--format", "json"],
                            capture_output=True, text=True, cwd=root, check=False)
    record = json.loads(result.stdout)
    error = first_error(sweep_schema, record)
    expect(error is None and len(record["outputs"]) == 3, f"JSON output of salu sweep {option}: {error}: {result.stdout[:200]}")
for wrong in ({"states": -1}, {"outputs": [{}]}, {"more": 1}):
    expect(first_error(sweep_schema, record | wrong) is not None, f"the schema of sweeps accepts {wrong}")

# Explanations of values: a pair, a lane, memory, an overwritten stack entry, limits.
why_schema = load_schema("salu-why.schema.json")
kinds = {"schema": 0, "step": 0, "source": 0, "label": 0, "overwrote": 0, "decided_by": 0, "went_to": 0, "links": 0}
for name, place, *options in (("programs/gcd.yaml", "s0", "--links", "3"), ("programs/fork_join.yaml", "s[44:45]"),
                              ("programs/store_and_reload.yaml", "[0x10000]"),
                              ("examples/missing-lane/levels.yaml", "s44[3]"), ("programs/gcd.yaml", "s9", "--addresses"),
                              ("programs/gcd.yaml", "s0", "--control")):
    result = subprocess.run([salu, "why", "--format", "json", *options, name, place], capture_output=True, text=True, cwd=root, check=False)
    expect(result.returncode == 0, f"why {name} {place}: {result.stderr}")
    for line in result.stdout.splitlines():
        record = json.loads(line)
        error = first_error(why_schema, record)
        expect(error is None, f"salu why: {error}: {line[:200]}")
        for kind in kinds:
            kinds[kind] += kind in record
expect(all(kinds.values()) and kinds["schema"] == kinds["links"] == 6, f"the answers have {kinds}")
for wrong in ({"link": 0}, {"links": 1}, {"schema": "salu-why-v1", "place": "s0", "position": 0, "asked": [{"name": "s0"}]}):
    expect(first_error(why_schema, wrong) is not None, f"the schema accepts {wrong}")

for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
