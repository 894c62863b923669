#!/usr/bin/env python3
"""The output of `salu info` about objects and texts agrees with LLVM, and the scenarios that it writes can be run."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SALU = os.environ["SALU_EXECUTABLE"]
ROOT = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
failures = []

MODULE = """
target triple = "amdgcn-amd-amdhsa"
@shared = internal addrspace(3) global [100 x i32] undef
declare i32 @llvm.amdgcn.workgroup.id.y()
declare i32 @elsewhere(i32)
define amdgpu_kernel void @first(ptr addrspace(1) %out, i32 %n, [3 x i64] %bytes, ptr addrspace(3) %more) #0 {
  %y = call i32 @llvm.amdgcn.workgroup.id.y()
  %s = add i32 %y, %n
  %p = getelementptr [100 x i32], ptr addrspace(3) @shared, i32 0, i32 %s
  store i32 %s, ptr addrspace(3) %p
  store i32 %s, ptr addrspace(1) %out
  ret void
}
define amdgpu_kernel void @second() #1 {
  ret void
}
define i32 @helper(i32 inreg %x) {
  %r = add i32 %x, 1
  ret i32 %r
}
define i32 @caller(i32 %x) {
  %r = call i32 @elsewhere(i32 %x)
  ret i32 %r
}
attributes #0 = { "amdgpu-flat-work-group-size"="1,256" }
attributes #1 = { "amdgpu-no-dispatch-ptr" }
"""


def salu(*arguments):
    result = subprocess.run([SALU, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=60)
    return result.returncode, result.stdout, result.stderr


def expect(what, condition, shown=""):
    if not condition:
        failures.append(f"{what}: {shown}")


def run(*arguments):
    return subprocess.run([str(each) for each in arguments], capture_output=True, text=True, check=True, timeout=60).stdout


def metadata_of(path):
    """Returns some fields of the metadata of kernels, which llvm-readelf prints as YAML."""
    kernels = {}
    for text in re.split(r"\n  - (?=\.agpr_count|\.args)", run("llvm-readelf-19", "--notes", path))[1:]:
        name = re.search(r"\n    \.name: +(\S+)", text)[1]
        arguments = []
        for each in re.split(r"\n      - ", text.split("\n    .group_segment")[0])[1:]:
            fields = dict(re.findall(r"\.(\w+): +(\S+)", each))
            arguments.append((int(fields["offset"]), int(fields["size"]), fields["value_kind"]))
        number = lambda key, text=text: int(re.search(rf"\n    \.{key}: +(\d+)", text)[1])
        kernels[name] = {"arguments": arguments, "lds": number("group_segment_fixed_size"), "scratch": number("private_segment_fixed_size"),
                         "kernarg_size": number("kernarg_segment_size"), "sgprs": number("sgpr_count"), "vgprs": number("vgpr_count"),
                         "max_workgroup_size": number("max_flat_workgroup_size")}
    return kernels


def symbols_of(path):
    """Functions: address and size."""
    return {line.split()[7]: (int(line.split()[1], 16), int(line.split()[2]))
            for line in run("llvm-readelf-19", "--symbols", "--wide", path).splitlines() if " FUNC " in line}


def objects(folder):
    (folder / "m.ll").write_text(MODULE)
    for cpu, version, options in (("gfx803", 4, []), ("gfx900", 5, ["-mattr=-xnack"]), ("gfx90a", 6, []), ("gfx942", 5, ["-O0"])):
        for kind, name in (("obj", "m.o"), ("asm", "m.s")):
            run("llc-19", f"-mcpu={cpu}", f"--amdhsa-code-object-version={version}", *options, f"-filetype={kind}", "-o", folder / name,
                folder / "m.ll")
        run("ld.lld-19", "-shared", "--unresolved-symbols=ignore-all", "-o", folder / "m.so", folder / "m.o")
        wanted = metadata_of(folder / "m.o")
        expect(f"{cpu}: readelf's output is understood", sorted(wanted) == ["first", "second"], wanted)
        for name in ("m.o", "m.so", "m.s"):
            more = ["--mcpu", cpu] if name == "m.s" else []
            code, text, errors = salu("info", "--format", "json", *more, folder / name)
            expect(f"{cpu}, {name}", code == 0, errors)
            if code != 0:
                continue
            info = json.loads(text)
            expect(f"{cpu}, {name}: target", (info["target"], info["os"], info["code_object_version"]) == (cpu, "amdhsa", version), info)
            expect(f"{cpu}, {name}: xnack", info.get("xnack", "") == {"gfx803": "", "gfx900": "off"}.get(cpu, "any"), info)
            for kernel in info["kernels"]:
                found = {key: kernel[key] for key in wanted[kernel["name"]] if key != "arguments"}
                found["arguments"] = [(each["offset"], each["size"], each["kind"]) for each in kernel["arguments"]]
                expect(f"{cpu}, {name}, {kernel['name']}", found == wanted[kernel["name"]], (found, wanted[kernel["name"]]))
            if name != "m.s":
                addresses = symbols_of(folder / name)
                for function in info["functions"] + info["kernels"]:
                    expect(f"{cpu}, {name}: place of {function['name']}",
                           (int(function["address"], 16), function["size"]) == addresses[function["name"]], (function, addresses))
                expect(f"{cpu}, {name}: functions", [each["name"] for each in info["functions"]] == ["helper", "caller"], info)
                undefined = {(each["symbol"], each["at"].split("+")[0]) for each in info["undefined"]}
                # In the linked object, an undefined entry of the global offset table is left.
                wanting = {"elsewhere"} if name == "m.so" else {("elsewhere", "caller")}
                found = {symbol for symbol, _ in undefined} if name == "m.so" else undefined
                expect(f"{cpu}, {name}: undefined symbols", found == wanting, info["undefined"])
            starts = [(each["what"], each["first"]) for each in info["kernels"][0].get("starts_with", [])]
            expect(f"{cpu}, {name}: registers at the start", ("kernarg_segment_ptr") in [what for what, _ in starts], starts)
            text = salu("info", *more, folder / name)[1]
            expect(f"{cpu}, {name}: text", all(word in text for word in (f"for {cpu} (", "kernel first at", "global_buffer", "LDS 400 bytes")), text)
        for name in ("first", "second", "helper"):
            scenario = folder / "sub" / "s.yaml"
            scenario.parent.mkdir(exist_ok=True)
            made = salu("info", "--scenario", name, "-o", scenario, folder / "m.o")
            expect(f"{cpu}: a scenario for {name}", made == (0, "", ""), made)
            ran = salu("run", "--format", "json", scenario)
            expect(f"{cpu}: it runs as it is, {name}", ran[0] == 0, ran)
        written = salu("info", "--scenario", "first", folder / "m.o")[1]
        expect(f"{cpu}: every argument is there", all(f"\n    {each}: " in written for each in ("out", "n", "bytes", "more")), written)


def descriptor_in_code(folder):
    """A text may place the descriptor with its code; without metadata the code is a function like others."""
    text = """.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.type k,@function
k: s_endpgm
.size k, .-k
.p2align 6
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 1
  .amdhsa_next_free_sgpr 1
  .amdhsa_system_sgpr_workgroup_id_y 1
.end_amdhsa_kernel
"""
    metadata = """.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - {.name: k, .symbol: k.kd, .kernarg_segment_size: 0, .kernarg_segment_align: 8, .group_segment_fixed_size: 0,
     .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 4, .vgpr_count: 1, .max_flat_workgroup_size: 256}
.end_amdgpu_metadata
"""
    for name, content, kernels, functions in (("plain", text, [], ["k"]), ("known", text + metadata, ["k"], [])):
        (folder / f"{name}.s").write_text(content)
        run("llvm-mc-19", "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx900", "-filetype=obj", "-o", folder / f"{name}.o", folder / f"{name}.s")
        for file in (folder / f"{name}.s", folder / f"{name}.o"):
            info = json.loads(salu("info", "--format", "json", file)[1])
            found = [[each["name"] for each in info[kind]] for kind in ("kernels", "functions")]
            expect(f"{file.name}: kernels and functions", found == [kernels, functions], info)
            for kernel in info["kernels"]:
                starts = [each["what"] for each in kernel.get("starts_with", [])]
                expect(f"{file.name}: a descriptor in .text", starts == ["workgroup_id_x", "workgroup_id_y"], info)


def strange_names(folder):
    """Names of arguments and functions may contain control characters, line breaks, or text that is invalid in YAML:
    LLVM accepts them."""
    names = {"k'\x1b[31m": "a\nb", "e\u009b\u202e\ufffe": "\u2028 'x'\uffff", "null": "NULL", "long": "x" * 2000}
    shown = {"k'\\x1b[31m": "a\\x0ab", "e\\u{9b}\\u{202e}\\u{fffe}": "\\u{2028} 'x'\\u{ffff}", "null": "NULL",
             "long": "x" * 2000}
    quoted = {name: "".join(f"\\{byte:02X}" for byte in name.encode()) for pair in names.items() for name in pair}
    (folder / "strange.ll").write_text('target triple = "amdgcn-amd-amdhsa"\n' + "".join(
        f'define amdgpu_kernel void @"{quoted[kernel]}"(ptr addrspace(1) %p, i32 %"{quoted[argument]}") {{\n'
        f"  store i32 1, ptr addrspace(1) %p\n  ret void\n}}\n" for kernel, argument in names.items()))
    run("llc-19", "-mcpu=gfx900", "-filetype=obj", "-non-global-value-max-name-size=4000", folder / "strange.ll", "-o", folder / "strange.o")
    text = salu("info", "--format", "json", folder / "strange.o")[1]
    expect("no control characters in JSON", not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e]", text), text)
    found = {kernel["name"]: kernel["arguments"][1]["name"] for kernel in json.loads(text)["kernels"]}
    expect("names in JSON", found == shown, found)
    for line in salu("dis", "--format", "json", folder / "strange.o")[1].splitlines():
        json.loads(line)
    for kernel in [*names, *shown]:
        for written in (["-o", folder / "strange.yaml"], []):
            code, text, _ = salu("info", "--scenario", kernel, *written, folder / "strange.o")
            if not written:
                (folder / "strange.yaml").write_text(text)
            ran = salu("run", "-q", folder / "strange.yaml")
            expect(f"a scenario for {kernel!r} runs as it is", (code, ran[0]) == (0, 0), ran)
        ran = salu("run", "-q", "--max-steps", "1", "--symbol", kernel, folder / "strange.o")
        expect(f"{kernel!r} is a symbol", ran[0] == 4, ran)
        (folder / "called.yaml").write_text(f"code: {{file: strange.o, symbol: {json.dumps(kernel)}}}\n")
        ran = salu("run", "-q", "--max-steps", "1", folder / "called.yaml")
        expect(f"{kernel!r} is a `symbol:`", ran[0] == 4, ran)
        (folder / "started.yaml").write_text(f"code: {{file: strange.o}}\nkernel: {{name: {json.dumps(kernel)}}}\n")
        ran = salu("run", "-q", folder / "started.yaml")
        expect(f"{kernel!r} is the `name:` of a kernel", "no kernel" not in ran[2], ran)
        code, text, _ = salu("dis", "--symbol", kernel, folder / "strange.o")
        expect(f"dis finds {kernel!r}", code == 0 and "s_endpgm" in text)
    place = folder / "a\x1b\u202e'b"
    place.mkdir()
    (place / "o.o").write_bytes((folder / "strange.o").read_bytes())
    made = salu("info", "--scenario", "k'\x1b[31m", "-o", folder / "far.yaml", place / "o.o")[0], salu("run", "-q", folder / "far.yaml")
    expect("the path of the object is quoted", made == (0, (0, "", "")), made)
    for kernel in names:
        ran = salu("equiv", "--states", "10", "--symbol", kernel, folder / "strange.o", folder / "strange.o")
        expect(f"equiv starts {kernel!r}", ran[0] == 0, ran)


def errors(folder):
    for arguments, code, says in (
            (["--scenario", "frist", folder / "m.o"], 3, "no kernel or function named `frist`; did you mean `first`?"),
            (["--scenario", "x", folder / "empty.s", "--mcpu", "gfx900"], 3, "no kernel or function named `x`; the file does not contain any"),
            ([folder / "nowhere.o"], 3, "nowhere.o"), ([folder / "w.hex", "--mcpu", "gfx900"], 3, "words do not contain symbols or kernels"),
            ([folder / "empty.s"], 3, "missing target"), (["--mcpu", "gfx8", folder / "empty.s"], 2, "--mcpu"),
            (["-o", folder / "m.o", folder / "m.o"], 2, "m.o"), ([], 2, "FILE"),
            (["--format", "xml", folder / "m.o"], 2, "xml"), (["--mcpu", "tahiti", folder / "m.o"], 3, "tahiti")):
        (folder / "empty.s").write_text("s_nop 0\n")
        (folder / "w.hex").write_text("bf800000\n")
        result = salu("info", *arguments)
        expect(f"info {arguments}", result[0] == code and says in result[2], result)


def documented():
    page = (ROOT / "docs/reference/output-formats.md").read_text()
    example = re.search(r"\n## Objects\n.*?```json\n(.*?)```", page, re.DOTALL)[1]
    found = json.loads(subprocess.run([SALU, "info", "--format", "json", "programs/compiled/dot_product.o"], cwd=ROOT, capture_output=True,
                                      text=True, check=True).stdout)
    expect("the example of the documentation", json.loads(example) == found, found)
    page = (ROOT / "docs/how-to/assembling.md").read_text()
    text = subprocess.run([SALU, "info", "programs/compiled/dot_product.o"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    expect("the listing of the page on assembling", text in page, text)


with tempfile.TemporaryDirectory(prefix="salu-info-") as name_of_folder:
    place = pathlib.Path(name_of_folder)
    objects(place)
    descriptor_in_code(place)
    strange_names(place)
    errors(place)
documented()
for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
