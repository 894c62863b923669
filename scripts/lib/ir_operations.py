#!/usr/bin/env python3
"""The operations of ir_generator.py. Each defines one or more values of a given width in a Body.

None is ever undefined or poison: shift amounts are masked, divisors are not zero, flags hold.
"""

from ir_random import predicate, signed


def binary(operation):
    def emit(body, width):
        left, right = body.pair(width)
        body.define(width, f"{operation} i{width} {left}, {right}")
    return emit


def shift(operation):
    def emit(body, width):
        body.define(width, f"{operation} i{width} {body.value(width)}, {body.shift_amount(width)}")
    return emit


def divide(operation):
    def emit(body, width):
        draw, positive = body.draw, (1 << (width - 1)) - 1
        divisor = 1 << draw.below(width - 1) if draw.chance(40) else draw.constant(width) or 3
        if operation[0] == "s" and divisor == -1:  # the smallest value cannot be negated
            divisor = 3
        dividend = body.value(width, 5)
        if operation[0] == "u" and width >= 32:  # llc 19 takes leading ones for zeros (docs/development/findings.md)
            divisor = divisor & positive or 3
            dividend = body.raw(f"and i{width} {dividend}, {positive}")
        if draw.chance(4):  # a variable divisor that is positive
            divisor = body.raw(f"or i{width} {body.masked(width, positive)}, 1")
        body.define(width, f"{operation} i{width} {dividend}, {divisor}")
    return emit


def compare(body, width):
    left, right = body.pair(width)
    body.define(1, f"icmp {predicate(body.draw, width)} i{width} {left}, {right}")


def select(body, width):
    condition = body.value(1, 0) if body.draw.chance(40) else body.condition()
    left, right = body.pair(width)
    body.define(width, f"select i1 {condition}, i{width} {left}, i{width} {right}")


def cast(body, width):
    name, other = body.draw.pick(body.values)
    if other != width:
        body.use((name, other))
        converted = body.convert(name, other, width)
        body.unused.append((converted, width))


def unary(name, flag=None):
    def emit(body, width):
        tail = f", i1 {flag}" if flag else ""
        body.define(width, f"call i{width} @llvm.{name}.i{width}(i{width} {body.value(width, 0)}{tail})")
    return emit


def count_of_nonzero(name):
    """With `is_zero_poison`, the operand cannot be zero."""
    def emit(body, width):
        value = body.raw(f"or i{width} {body.value(width, 0)}, {signed(1 << body.draw.below(width), width)}")
        body.define(width, f"call i{width} @llvm.{name}.i{width}(i{width} {value}, i1 true)")
    return emit


def intrinsic(name):
    def emit(body, width):
        left, right = body.pair(width)
        body.define(width, f"call i{width} @llvm.{name}.i{width}(i{width} {left}, i{width} {right})")
    return emit


def saturating_shift(name):
    def emit(body, width):
        left, amount = body.value(width), body.shift_amount(width)
        body.define(width, f"call i{width} @llvm.{name}.i{width}(i{width} {left}, i{width} {amount})")
    return emit


def overflow(name):
    def emit(body, width):
        left, right = body.pair(width)
        pair = body.raw(f"call {{ i{width}, i1 }} @llvm.{name}.with.overflow.i{width}(i{width} {left}, i{width} {right})")
        body.define(width, f"extractvalue {{ i{width}, i1 }} {pair}, 0")
        body.define(1, f"extractvalue {{ i{width}, i1 }} {pair}, 1")
    return emit


def funnel(name):
    def emit(body, width):
        high, low = body.pair(width)
        if body.draw.chance(40):
            low = high  # a rotation
        amount = body.draw.below(width) if body.draw.chance(60) else body.value(width, 0)
        amount = amount if isinstance(amount, str) else signed(amount, width)
        body.define(width, f"call i{width} @llvm.{name}.i{width}(i{width} {high}, i{width} {low}, i{width} {amount})")
    return emit


def three_way(name):
    def emit(body, width):
        result = body.draw.pick([8, 32])
        left, right = body.pair(width)
        body.define(result, f"call i{result} @llvm.{name}.i{result}.i{width}(i{width} {left}, i{width} {right})")
    return emit


def field(body, width):
    """Extracts a bit field in a form that compilers recognise: S_BFE."""
    operation, value = body.draw.pick(["lshr", "ashr"]), body.value(width, 0)
    shifted = body.raw(f"{operation} i{width} {value}, {signed(body.draw.below(width), width)}")
    body.define(width, f"and i{width} {shifted}, {signed((1 << body.draw.between(1, width)) - 1, width)}")


def sign_extend_in_place(body, width):
    amount = signed(body.draw.below(width), width)
    shifted = body.raw(f"shl i{width} {body.value(width, 0)}, {amount}")
    body.define(width, f"ashr i{width} {shifted}, {amount}")


def without_wrap(body, width):
    """An addition with nsw or nuw: the operands are narrower by more than one bit, so it cannot overflow."""
    narrow, middle = width // 2, min(width - 1, 32)
    left = body.raw(f"zext i{narrow} {body.value(narrow)} to i{width}")
    low = body.raw(f"and i{middle} {body.value(middle)}, {(1 << min(narrow, 31)) - 1}")
    right = body.raw(f"zext nneg i{middle} {low} to i{width}")
    operation = body.draw.pick(["add nuw nsw", "add nsw", "sub nsw", "add nuw"])
    body.define(width, f"{operation} i{width} {left}, {right}")


def disjoint(body, width):
    amount = body.draw.between(1, width - 1)
    high = body.raw(f"shl i{width} {body.value(width, 0)}, {signed(amount, width)}")
    low = body.masked(width, (1 << amount) - 1)
    body.define(width, f"or disjoint i{width} {high}, {low}")


def freeze(body, width):
    body.define(width, f"freeze i{width} {body.value(width, 0)}")


def any_width(width):
    return True


def wide(width):
    return width >= 4


def narrow(width):
    return width <= 32


def doubles(width):
    return width > 32


# (name, function, weight, widths). The weight is the relative frequency. It is low for operations that LLVM mostly compiles to
# vector instructions.
OPERATIONS = (
    [(name, binary(name), weight, any_width) for name, weight in
     (("add", 10), ("sub", 8), ("mul", 5), ("and", 8), ("or", 8), ("xor", 8))]
    + [(name, shift(name), 6, any_width) for name in ("shl", "lshr", "ashr")]
    + [(name, divide(name), 1, wide) for name in ("udiv", "sdiv", "urem", "srem")]
    + [("icmp", compare, 5, any_width), ("select", select, 7, any_width), ("cast", cast, 6, any_width),
       ("field", field, 5, any_width), ("sign extend", sign_extend_in_place, 5, any_width), ("no wrap", without_wrap, 4, wide),
       ("disjoint", disjoint, 4, lambda width: width >= 2), ("freeze", freeze, 1, any_width),
       # For one bit, llc 19 generates wrong code for the host (docs/development/findings.md).
       ("ctpop", unary("ctpop"), 4, lambda width: width >= 2), ("ctlz", unary("ctlz", "false"), 4, any_width),
       ("cttz", unary("cttz", "false"), 4, any_width),
       # With GlobalISel, llc 19 does not terminate for narrower ones (docs/development/findings.md).
       ("ctlz nonzero", count_of_nonzero("ctlz"), 3, lambda width: width >= 32),
       ("cttz nonzero", count_of_nonzero("cttz"), 3, any_width), ("bitreverse", unary("bitreverse"), 4, any_width),
       ("bswap", unary("bswap"), 1, lambda width: width % 16 == 0), ("abs", unary("abs", "false"), 4, any_width)]
    + [(name, intrinsic(name), 4, narrow) for name in ("smin", "smax", "umin", "umax")]
    + [(f"{name} of 64", intrinsic(name), 1, doubles) for name in ("smin", "smax", "umin", "umax")]
    + [(name, intrinsic(name), 1, any_width) for name in ("sadd.sat", "uadd.sat", "ssub.sat", "usub.sat")]
    + [(name, saturating_shift(name), 1, any_width) for name in ("sshl.sat", "ushl.sat")]
    + [(name, overflow(name), 2, any_width) for name in ("sadd", "uadd", "ssub", "usub", "smul", "umul")]
    + [(name, funnel(name), 2, any_width) for name in ("fshl", "fshr")]
    + [(name, three_way(name), 1, any_width) for name in ("scmp", "ucmp")])
