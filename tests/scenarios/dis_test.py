#!/usr/bin/env python3
"""The output of `salu dis` for objects: parts of them, source lines, relocations, JSON Lines, and with LLVM's library
the instructions that salu does not run. Expected texts are LLVM's."""

import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

SALU = os.environ["SALU_EXECUTABLE"]
ROOT = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
failures = []

SOURCE = """int table[4] = {1, 2, 3, 4};
__attribute__((noinline)) int pick(int i) {
  return table[i & 3];
}
kernel void k(global int *out, int n) {
  for (int i = 0; i < n; ++i)
    out[i] = pick(i);
}
"""

ASSEMBLY = """
.text
.type f,@function
f:
  s_cmp_eq_u32 s0, 0
  s_cbranch_scc1 .Lskip
  v_mad_f32 v0, v1, v2, v3
  s_nop 0
.Lskip:
  s_getpc_b64 s[0:1]
  s_add_u32 s0, s0, table@rel32@lo+4
  s_addc_u32 s1, s1, table@rel32@hi+12
  s_add_u32 s2, s2, elsewhere@abs32@lo
  s_endpgm
.size f, .-f
.type g,@function
g:
  image_load v0, v[0:1], s[0:7] dmask:0x1 unorm
  s_branch f
.size g, .-g
.section .rodata,"a",@progbits
table: .long 1, 2
"""


def salu(*arguments, library=None, text=None):
    environment = dict(os.environ)
    if library is not None:
        environment["SALU_LIBLLVM"] = library
    result = subprocess.run([SALU, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=60,
                            env=environment, input=text)
    return result.returncode, result.stdout, result.stderr


def expect(what, condition, shown=""):
    if not condition:
        failures.append(f"{what}: {shown}")


def run(*arguments, cwd):
    subprocess.run([str(each) for each in arguments], check=True, timeout=60, cwd=cwd)


def check_without_llvm(folder):
    words = folder / "v.hex"
    words.write_text("80000201 f0001100 00000000 bf810000\n")
    for library in ("none", "/nonexistent/libLLVM.so"):
        code, out, err = salu("dis", "--mcpu", "gfx900", words, library=library)
        expect("without LLVM the rest is listed", code == 0 and out.splitlines()[1].endswith("   <vector MIMG>"), out)
        expect("without LLVM the missing part is named", "(Debian's package libllvm19 contains it; SALU_LIBLLVM names" in err, err)
        expect("the remark is printed once", err.count("note: ") == 1, err)
    code, out, err = salu("dis", "--mcpu", "gfx900", "--each-line", library="none", text="f0001100 00000000\n")
    expect("a line at a time", (code, out) == (0, "<vector MIMG>\n") and "libllvm19" in err, out + err)
    # Words that salu can decode do not need a library.
    words.write_text("80000201 bf810000\n")
    expect("nothing is missed", salu("dis", "--mcpu", "gfx900", words, library="none")[2] == "")
    code, out, err = salu("dis", "--mcpu", "tahiti", "-", text="f0001100 00000000\n" * 2)
    expect("words that LLVM cannot disassemble", code == 0 and err.count("LLVM does not have a disassembler for gfx600") == 1, err)


def check_stops(folder):
    """`salu run` and `salu test` name the unsupported instruction that ended the run."""
    (folder / "stop.yaml").write_text("target: gfx90a\ncode: {words: [0xd3b04002, 0x04120304, 0xbf810000]}\nexpect: {}\n")
    has_llvm = "v_pk_fma_f32" in salu("dis", "--mcpu", "gfx90a", "-", text="d3b04002 04120304\n")[1]
    for library, name in ((None, "v_pk_fma_f32 v[2:3], " if has_llvm else "<vector VOP3>"), ("none", "<vector VOP3>")):
        for command in ("run", "test"):
            code, out, err = salu(command, folder / "stop.yaml", library=library)
            expect("the name at a stop", code == (6 if command == "run" else 1) and name in out, (code, out, err))
            expect("the detail", "unsupported VOP3 instruction; describe its effect with `assume:`" in out, out)
    code, out, err = salu("run", "--on-vector", "stop", folder / "stop.yaml")
    expect("on_vector: stop", "a VOP3 instruction, where `on_vector: stop` ends the run" in out, out + err)


def check_words_that_end_llvm():
    """SDWA with a selector that does not exist crashes LLVM 19 in most cases."""
    for words in ("020000f9 06060701", "020000f9 06070601", "020000f9 07060601", "0c0000f9 06060701", "7e0002f9 00070601",
                  "7c0000f9 07060601", "0d9798f9 c08c0799"):
        for processor in ("gfx803", "gfx900", "gfx942"):
            code, out, err = salu("dis", "--mcpu", processor, "--each-line", text=words + "\n")
            expect("a reserved selector", code == 0 and out.startswith("<"), (words, processor, code, out, err))
    # Random words, half of them with SDWA or DPP, which have the most fields that can be invalid.
    rng = random.Random(1)
    pairs = [(rng.getrandbits(32), rng.getrandbits(32)) for _ in range(20000)]
    pairs += [(first & 0x7ffffe00 | rng.choice((0xf9, 0xfa)), second) for first, second in pairs]
    text = "".join(f"{first:08x} {second:08x}\n" for first, second in pairs)
    for processor in ("gfx803", "gfx900", "gfx908", "gfx90a", "gfx942"):
        code, out, err = salu("dis", "--mcpu", processor, "-", text=text)
        expect("any words", code == 0 and out.count("\n") >= len(pairs), (processor, code, out.count("\n"), err[-300:]))


def check_usage(folder):
    words = folder / "w.hex"
    words.write_text("80000201 bf810000\n")
    for options, problem in ((["--base", "x"], "--base x: expected the address of the first byte"),
                             (["--symbol", "f", "--each-line"], "--each-line cannot be combined with"),
                             (["--format", "xml"], "xml")):
        code, _, err = salu("dis", "--mcpu", "gfx900", *options, words)
        expect("bad usage", code == 2 and problem in err, err)
    for base, problem in (("2", "is not a multiple of 4"), ("0x1000000000000", "outside of the address space")):
        code, _, err = salu("dis", "--mcpu", "gfx900", "--base", base, words)
        expect("bad base", code == 3 and problem in err, err)
    code, out, _ = salu("dis", "--mcpu", "gfx900", "--base", "0x2000", words)
    expect("words are placed", "0x002000: 80000201" in out and code == 0, out)
    code, _, err = salu("dis", "--mcpu", "gfx900", "--symbol", "f", words)
    expect("no symbol at all", code == 3 and "`f` is not a symbol of the file; the file does not contain symbols" in err, err)


def check_documented_example():
    """The lines in the documentation are printed by the command above them."""
    page = (ROOT / "docs/reference/output-formats.md").read_text()
    found = re.search(r"```\nsalu (dis --format json [^\n]*)\n```\n[^`]*```json\n(.*?)```", page, re.DOTALL)
    result = subprocess.run([SALU, *found[1].split()], capture_output=True, text=True, check=False, timeout=60, cwd=ROOT)
    printed = [json.loads(line) for line in result.stdout.splitlines()]
    for line in found[2].splitlines():
        expect("documented line", json.loads(line) in printed, line)
    keys = set(re.findall(r"^\| `([a-z_`, ]+)` \|", page[page.index("## Listings"):page.index("\n## ", page.index("## Listings") + 1)],
                          re.MULTILINE))
    named = {key.strip(" `") for each in keys for key in each.split(",")}
    expect("documented keys", {key for line in printed for key in line} <= named, named)


def check_objects(folder, llvm_mc, objdump):
    (folder / "f.s").write_text(ASSEMBLY)
    run(llvm_mc, "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx900", "-filetype=obj", "f.s", "-o", "f.o", cwd=folder)
    _, out, _ = salu("dis", folder / "f.o")
    expect("addresses of the file", out.startswith("f:\n  0x000000: bf068000"), out)
    expect("a branch", "s_cbranch_scc1 L1 // <f+0x14>\n" in out, out)
    expect("labels of functions alone", "s_branch f\n" in out, out)
    expect("words of the file", "8000ff00 00000000   s_add_u32 s0, s0, 0 // table@rel32@lo+4\n" in out, out)
    expect("undefined symbols", "// elsewhere@abs32@lo (not defined here)" in out, out)
    _, out, _ = salu("dis", "--base", "0x4000", folder / "f.o")
    expect("as loaded", "0x004018: 8000ff00 00000028   s_add_u32 s0, s0, 40 // table@rel32@lo+4\n" in out, out)
    _, out, _ = salu("dis", "--reloc", folder / "f.o")
    listed = re.findall(r"^      (0x\w+): (R_\w+) (.*)$", out, re.MULTILINE)
    theirs = subprocess.run([objdump, "-r", "f.o"], capture_output=True, text=True, check=True, cwd=folder).stdout
    expected = re.findall(r"^([0-9a-f]{16}) (R_\w+) +(.*)$", theirs, re.MULTILINE)
    expect("relocations", [(int(at, 16), kind, name) for at, kind, name in listed] ==
           [(int(at, 16), kind, name) for at, kind, name in expected] and len(listed) == 3, f"{listed} {expected}")
    code, out, _ = salu("dis", "--symbol", "g", folder / "f.o")
    expect("one function", code == 0 and out.startswith("g:\n") and len(out.splitlines()) == 3, out)
    expect("the rest keeps its name", "s_branch f" in out, out)
    for name, problem in (("table", "`table` is not in the code"), ("gg", "did you mean `g`")):
        code, _, err = salu("dis", "--symbol", name, folder / "f.o")
        expect("no such function", code == 3 and problem in err, err)
    lines = [json.loads(line) for line in salu("dis", "--format", "json", folder / "f.o")[1].splitlines()]
    by_llvm = [line["text"] for line in lines if line.get("by") == "llvm"]
    _, _, err = salu("dis", folder / "f.o")
    if "libllvm19" not in err:
        expect("LLVM's text", by_llvm == ["image_load v0, v0, s[0:7] dmask:0x1 unorm"],
               by_llvm)
    relocated = [line for line in lines if "relocations" in line]
    expect("JSON of relocations", relocated[0]["relocations"] == [
        {"at": "0x1c", "type": "R_AMDGPU_REL32_LO", "symbol": ".rodata", "addend": 4}], relocated)
    expect("JSON of undefined symbols", [line["refers_to"] for line in lines if line.get("undefined")] ==
           ["elsewhere@abs32@lo"], lines)
    branch = next(line for line in lines if line["text"].startswith("s_cbranch"))
    expect("JSON of a branch", branch["target"] == {"address": "0x14", "label": "L1", "place": "f+0x14"}, branch)


def check_source(folder, clang):
    (folder / "k.cl").write_text(SOURCE)
    run(clang, "-x", "cl", "-cl-std=CL2.0", "--target=amdgcn-amd-amdhsa", "-mcpu=gfx900", "-nogpulib", "-O1", "-g", "-c",
        "k.cl", "-o", "k.o", cwd=folder)
    _, plain, _ = salu("dis", folder / "k.o")
    expect("places", re.search(r"^  // .*k\.cl:3$", plain, re.MULTILINE), plain)
    _, out, err = salu("dis", "--source", folder / "k.o")
    expect("lines of the source", re.search(r"^  // .*k\.cl:3:   return table\[i & 3\];$", out, re.MULTILINE), out + err)
    (folder / "k.cl").unlink()
    code, out, _ = salu("dis", "--source", folder / "k.o")
    expect("without its source", (code, out) == (0, plain), out)
    lines = [json.loads(line) for line in salu("dis", "--format", "json", folder / "k.o")[1].splitlines()]
    expect("JSON of lines", any(line.get("line") == 3 and line["file"].endswith("k.cl") for line in lines), lines[:3])
    objcopy = shutil.which("llvm-objcopy-19")
    if objcopy:
        (folder / "no_table").write_bytes(b"\x13" * 64)
        run(objcopy, "--update-section", ".debug_line=no_table", "k.o", cwd=folder)
        code, out, err = salu("dis", "--source", folder / "k.o")
        expect("lines that cannot be read", code == 0 and "k.cl" not in out and
               "k.o: warning: the debugging information cannot be read and is ignored" in err, err)


def check_other_relocations(folder, llvm_mc, lld):
    """Instructions in sections of other kinds must not be missing."""
    text = '.text\nf: s_endpgm\n.type f,@function\n.size f, .-f\n.data\n.p2align 3\n.globl p\np: .quad q\nq: .quad 1\n'
    (folder / "p.s").write_text(text)
    assemble = [llvm_mc, "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx900", "-filetype=obj", "p.s", "-o", "p.o"]
    run(*assemble, cwd=folder)
    packings = {"android": "SHT_ANDROID_RELA", "relr": "SHT_RELR", "relr --use-android-relr-tags": "SHT_ANDROID_RELR"}
    for options, name in {**packings, "none": None, "--crel": "SHT_CREL"}.items():
        if options == "--crel":
            run(*assemble, "--crel", cwd=folder)
        elif lld:
            run(lld, "-shared", *f"--pack-dyn-relocs={options}".split(), "p.o", "-o", "p.so", cwd=folder)
        else:
            continue
        code, _, err = salu("run", "-q", "--symbol", "f", folder / ("p.o" if options == "--crel" else "p.so"))
        expected = f"has packed relocations ({name}), which are not supported; " if name else ""
        expect(f"relocations packed by {options}", (code == 3) == (name is not None) and expected in err, (code, err))


def check_lines_of_many_sections(folder, llvm_mc):
    """Section numbers from 0xff00 on do not fit into a symbol."""
    text = '.amdgcn_target "amdgcn-amd-amdhsa--gfx900"\n.file 1 "x.c"\n'
    for i in range(66000):
        text += f'.section .text.f{i},"ax",@progbits\n'
        text += f".type f{i},@function\nf{i}:\n.loc 1 {i} 0\ns_nop {i % 8}\n" if i in (3, 65500) else "s_nop 0\n"
    (folder / "many.s").write_text(text)
    run(llvm_mc, "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx900", "-filetype=obj", "many.s", "-o", "many.o", cwd=folder)
    for number in (3, 65500):
        _, out, err = salu("dis", "--symbol", f"f{number}", folder / "many.o")
        expect(f"the line of f{number}", re.search(rf"^  // .*x\.c:{number}\n.*s_nop {number % 8}$", out, re.MULTILINE), out[:300] + err)


def main():
    tools = {name: shutil.which(name) for name in ("llvm-mc-19", "llvm-objdump-19", "clang-19")}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_without_llvm(folder)
        check_stops(folder)
        check_words_that_end_llvm()
        check_usage(folder)
        check_documented_example()
        if tools["llvm-mc-19"] and tools["llvm-objdump-19"]:
            check_objects(folder, tools["llvm-mc-19"], tools["llvm-objdump-19"])
            check_lines_of_many_sections(folder, tools["llvm-mc-19"])
            check_other_relocations(folder, tools["llvm-mc-19"], shutil.which("ld.lld-19"))
        if tools["clang-19"]:
            check_source(folder, tools["clang-19"])
    print("\n".join(failures) or "the output of salu dis is as documented")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
