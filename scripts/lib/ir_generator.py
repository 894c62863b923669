#!/usr/bin/env python3
"""Random LLVM IR whose behaviour is defined for every input, from a seed.

A module contains functions `define amdgpu_ps void @fN(...)` of integers of any width from 1 to 64 and pointers to
constant memory. A function ends with a call of `@hand_over`, which passes four dwords. A helper that is not inlined
returns a dword with `@give`, and its caller reads it with `@take`. The compilation defines these functions: see
CALLS_GPU and PRELUDE_NATIVE in generated_code.py.

Each function uses a small set of widths and operations, so that operations that LLVM cannot compile to scalar
instructions are in some functions, not in all.
"""

import collections

from ir_body import Body
from ir_operations import OPERATIONS
from ir_random import Draw

Helper = collections.namedtuple("Helper", "name inlined arguments result text")
Function = collections.namedtuple("Function", "name text")
# The percentage of functions with each feature.
FEATURES = {"33 to 63 bits": 30, "branches": 35, "loops": 30, "switches": 20, "memory": 35, "calls": 25}


def draw_width(draw, shape):
    return draw.width(shape["33 to 63 bits"])


def draw_palette(draw, shape):
    home = draw_width(draw, shape)
    return [home] * 3 + [draw_width(draw, shape) for _ in range(draw.below(3))]


def draw_operations(draw):
    chosen = [row for row in OPERATIONS if draw.chance(6 * row[2])]
    return chosen or [draw.pick(OPERATIONS)]


def make_body(draw, name, shape, helpers, arguments):
    body = Body(draw, name, shape, draw_palette(draw, shape), draw_operations(draw), helpers)
    for kind, argument in arguments:
        if kind.startswith("ptr"):
            body.pointers[argument] = f"%{argument}"
        else:
            body.add(f"%{argument}", int(kind[1:]))
    return body


def signature(arguments, inreg=" inreg"):
    return ", ".join(f"{kind}{inreg} %{name}" for kind, name in arguments)


def integer_arguments(draw, shape, count):
    return [(f"i{draw_width(draw, shape)}", f"a{index}") for index in range(count)]


def pointer_arguments(draw, shape):
    chosen = draw.pick([["table"], ["table"], ["rows"], ["table", "rows"]]) if shape["memory"] else []
    return [("ptr addrspace(4)", name) for name in chosen]


def finish(body, header):
    """The text of a function: constants and body."""
    return "\n".join([*body.data, f"{header} {{", "entry:", *body.lines, "}"]) + "\n"


def generate_helper(draw, name, shape, helpers):
    """A helper without calls of functions that are not inlined: the return address would be kept in a vector register."""
    inlined = draw.chance(50)
    arguments = integer_arguments(draw, shape, draw.between(1, 3))
    if not inlined:
        arguments += pointer_arguments(draw, shape)
    body = make_body(draw, name, dict(shape, loops=False), [helper for helper in helpers if helper.inlined], arguments)
    body.statements(draw.between(1, 5))
    if inlined:
        result = draw_width(draw, shape)
        body.line(f"ret i{result} {body.value(result, 0)}")
        header = f"define internal i{result} @{name}({signature(arguments, '')}) alwaysinline"
        return Helper(name, True, arguments, result, finish(body, header))
    body.line(f"call void @give(i32 {body.fold(32)})")
    body.line("ret void")
    header = f"define internal amdgpu_gfx void @{name}({signature(arguments)}) noinline"
    return Helper(name, False, arguments, 32, finish(body, header))


def generate_function(seed, index):
    """Function `f<index>` of the module of a seed, with its helpers and constants."""
    draw = Draw(seed, index)
    name = f"f{index}"
    shape = {feature: draw.chance(percent) for feature, percent in FEATURES.items()}
    helpers = []
    for number in range(draw.between(1, 2) if shape["calls"] else 0):
        helpers.append(generate_helper(draw, f"{name}.helper{number}", shape, helpers))
    arguments = integer_arguments(draw, shape, draw.between(1, 4)) + pointer_arguments(draw, shape)
    body = make_body(draw, name, shape, [helper for helper in helpers if pointers_of(helper.arguments) <= pointers_of(arguments)],
                     arguments)
    body.statements(draw.pick([1, 2, 3, 4, 6, 8, 12, 16, 24]))
    dwords = [body.fold(32) if number == 0 else body.value(32, 0) for number in range(draw.between(1, 4))]
    dwords += ["0"] * (4 - len(dwords))
    body.line(f"call void @hand_over({', '.join(f'i32 {dword}' for dword in dwords)})")
    body.line("ret void")
    text = finish(body, f"define amdgpu_ps void @{name}({signature(arguments)})")
    for helper in reversed(helpers):  # later helpers call earlier ones; llc 19 crashes on helpers without calls
        if f"@{helper.name}(" in text:
            text = helper.text + "\n" + text
    return Function(name, text)


def pointers_of(arguments):
    return {name for kind, name in arguments if kind.startswith("ptr")}


DECLARATIONS = """declare void @hand_over(i32, i32, i32, i32)
declare void @give(i32)
declare i32 @take()
"""


def module_text(functions):
    return DECLARATIONS + "\n" + "\n".join(function.text for function in functions)


def generate_module(seed, count=10):
    return [generate_function(seed, index) for index in range(count)]

