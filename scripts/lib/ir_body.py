#!/usr/bin/env python3
"""The body of a function of ir_generator.py: values, control flow, loads, calls."""

from ir_random import predicate, signed

# Loads from `table` reach this far in both directions, and around powers of two up to 1 MiB (memory_image.hpp).
TABLE_BYTES = 4096
FAR_BYTES = 120
ROW_COUNT, ROW_DWORDS = 16, 16


class Body:
    """The instructions of a function: values in scope by width, and the current block."""

    def __init__(self, draw, name, shape, palette, operations, helpers):
        self.draw, self.name, self.shape, self.palette, self.operations, self.helpers = (
            draw, name, shape, palette, operations, helpers)
        self.lines, self.block, self.count = [], "entry", 0
        self.values, self.unused, self.pointers, self.data = [], [], {}, []

    # Values are (name, width).
    def fresh(self, prefix="v"):
        self.count += 1
        return f"{prefix}{self.count}"

    def line(self, text):
        self.lines.append("  " + text)

    def raw(self, text):
        """Adds an instruction without adding its result to the values in scope."""
        name = "%" + self.fresh()
        self.line(f"{name} = {text}")
        return name

    def define(self, width, text):
        name = self.raw(text)
        self.add(name, width)
        return name

    def add(self, name, width):
        self.values.append((name, width))
        self.unused.append((name, width))

    def use(self, value):
        if value in self.unused:
            self.unused.remove(value)
        return value[0]

    def pick_width(self):
        return self.draw.pick(self.palette)

    def value(self, width, constants=12):
        """Returns an operand: a value of this width, a constant, or a converted value."""
        draw = self.draw
        if not self.values or draw.chance(constants):
            return str(draw.constant(width))
        same = [value for value in self.values if value[1] == width]
        if same and draw.chance(85):
            waiting = [value for value in same if value in self.unused]
            return self.use(draw.pick(waiting if waiting and draw.chance(60) else same[-8:]))
        pool = self.unused if self.unused and draw.chance(70) else self.values
        name, other = draw.pick(pool)
        self.use((name, other))
        return self.convert(name, other, width)

    def pair(self, width):
        """Returns two operands, which are rarely the same."""
        left, right = self.value(width), self.value(width, 30)
        return left, str(self.draw.constant(width)) if left == right and self.draw.chance(90) else right

    def convert(self, name, width, to):
        if width == to:
            return name
        operation = "trunc" if width > to else self.draw.pick(["zext", "sext"])
        converted = self.raw(f"{operation} i{width} {name} to i{to}")
        self.values.append((converted, to))
        return converted

    def condition(self):
        width = self.pick_width()
        left, right = self.pair(width)
        return self.raw(f"icmp {predicate(self.draw, width)} i{width} {left}, {right}")

    def masked(self, width, mask):
        return self.raw(f"and i{width} {self.value(width, 0)}, {signed(mask, width)}")

    def shift_amount(self, width):
        """Returns a value below the width for all inputs."""
        if self.draw.chance(50):
            return str(signed(self.draw.below(width), width))
        return self.masked(width, (1 << (width.bit_length() - 1)) - 1) if width > 1 else "0"

    # Control flow. Values of a branch are out of scope after it, except through phis.
    def start(self, label):
        self.lines.append(f"{label}:")
        self.block = label

    def branch_values(self, widths):
        return [(self.value(width), width) for width in widths]

    def scope(self):
        return list(self.values), list(self.unused)

    def leave(self, scope):
        self.values, self.unused = list(scope[0]), [value for value in scope[1] if value in self.unused]

    def join(self, label, widths, incoming):
        """Adds phis. incoming: (block, values) for each predecessor."""
        self.start(label)
        for index, width in enumerate(widths):
            ways = ", ".join(f"[ {values[index][0]}, %{block} ]" for block, values in incoming)
            self.define(width, f"phi i{width} {ways}")

    def some_widths(self):
        return [self.pick_width() for _ in range(self.draw.between(1, 2))]

    def branches(self, labels, widths, done, size, depth):
        incoming = []
        scope = self.scope()
        for label in labels:
            self.leave(scope)
            self.start(label)
            self.statements(size // len(labels), depth + 1)
            values = self.branch_values(widths)
            incoming.append((self.block, values))
            self.line(f"br label %{done}")
        self.leave(scope)
        self.join(done, widths, incoming)

    def if_else(self, size, depth):
        condition = self.condition()
        name = self.fresh("if")
        labels = [f"{name}.then", f"{name}.else"]
        self.line(f"br i1 {condition}, label %{labels[0]}, label %{labels[1]}")
        self.branches(labels, self.some_widths(), f"{name}.done", size, depth)

    def if_then(self, size, depth):
        condition = self.condition()
        name = self.fresh("if")
        widths = self.some_widths()
        before = (self.block, self.branch_values(widths))
        self.line(f"br i1 {condition}, label %{name}.then, label %{name}.done")
        scope = self.scope()
        self.start(f"{name}.then")
        self.statements(size, depth + 1)
        values = self.branch_values(widths)
        inside = self.block
        self.line(f"br label %{name}.done")
        self.leave(scope)
        self.join(f"{name}.done", widths, [before, (inside, values)])

    def switch(self, size, depth):
        width = self.pick_width()
        bits = min(width, 3)
        chosen = self.masked(width, (1 << bits) - 1) if self.draw.chance(75) else self.value(width, 0)
        name = self.fresh("switch")
        cases = sorted({signed(self.draw.below(1 << bits), width) for _ in range(self.draw.between(2, 6))})
        labels = [f"{name}.case{index}" for index in range(len(cases))] + [f"{name}.default"]
        if self.draw.chance(30):  # two values with the same predecessors
            labels.pop(0)
        rows = " ".join(f"i{width} {case}, label %{label}" for case, label in zip(cases, labels))
        self.line(f"switch i{width} {chosen}, label %{labels[-1]} [ {rows} ]")
        self.branches(labels, self.some_widths(), f"{name}.done", size, depth)

    def loop(self, size, depth):
        """A loop with a constant number of iterations, a few bits of a value, or an earlier exit by a condition."""
        draw = self.draw
        width = draw.pick([32, 32, 64] + [palette for palette in self.palette if palette >= 4])
        count = str(draw.between(1, 6)) if draw.chance(40) else self.masked(width, 7 if depth == 0 and width > 3 else 3)
        name = self.fresh("loop")
        carried = self.some_widths()
        before, initial = self.block, self.branch_values(carried)
        self.line(f"br label %{name}")
        scope = self.scope()
        self.start(name)
        index, phis = "%" + self.fresh("turn"), ["%" + self.fresh() for _ in carried]
        place = len(self.lines)
        self.values.append((index, width))
        for phi, phi_width in zip(phis, carried):
            self.add(phi, phi_width)
        checked_first = draw.chance(40)
        if checked_first:
            more = self.raw(f"icmp ult i{width} {index}, {count}")
            self.line(f"br i1 {more}, label %{name}.body, label %{name}.done")
            self.start(f"{name}.body")
        self.statements(size, depth + 1)
        values = self.branch_values(carried)
        following = self.raw(f"add i{width} {index}, 1")
        end = self.block
        if checked_first:
            self.line(f"br label %{name}")
            results = phis
        else:
            more = self.raw(f"icmp ult i{width} {following}, {count}")
            if draw.chance(30):
                more = self.raw(f"and i1 {more}, {self.condition()}")
            self.line(f"br i1 {more}, label %{name}, label %{name}.done")
            results = [value for value, _ in values]
        header = [f"  {index} = phi i{width} [ 0, %{before} ], [ {following}, %{end} ]"]
        for phi, phi_width, start, value in zip(phis, carried, initial, values):
            header.append(f"  {phi} = phi i{phi_width} [ {start[0]}, %{before} ], [ {value[0]}, %{end} ]")
        self.lines[place:place] = header
        self.leave(scope)
        self.start(f"{name}.done")
        for result, result_width in zip(results, carried):
            if result.startswith("%"):
                self.add(result, result_width)

    # Memory
    def load(self):
        draw = self.draw
        width = draw.weighted([(32, 50), (64, 30), (16, 6), (8, 6), (24, 4), (48, 4 if self.shape["33 to 63 bits"] else 0)])
        source = draw.pick(sorted(self.pointers) + ["data"])
        pointer = self.data_pointer(width) if source == "data" else getattr(self, f"{source}_pointer")(width)
        result = self.define(width, f"load i{width}, ptr addrspace(4) {pointer}, align {8 if width == 64 else 4}")
        if draw.chance(30):
            self.define(width, f"freeze i{width} {result}")

    def element(self, pointer, kind, *indices):
        return self.raw(f"getelementptr {kind}, ptr addrspace(4) {pointer}, " + ", ".join(indices))

    def wide_index(self, mask):
        width = self.draw.pick([32, 32, 64])
        index = self.masked(width, mask)
        return index if width == 64 else self.raw(f"{self.draw.pick(['zext', 'sext'])} i32 {index} to i64")

    def table_pointer(self, width):
        draw, table, step = self.draw, self.pointers["table"], 8 if width == 64 else 4
        kind = draw.below(5)
        if kind == 0:
            offset = draw.below(TABLE_BYTES // step) * step * draw.pick([1, 1, -1])
            return self.element(table, "i8", f"i64 {offset}")
        if kind == 1:
            far = draw.pick([1, -1]) << draw.between(13, 20)
            return self.element(table, "i8", f"i64 {far + draw.between(-FAR_BYTES // 8, FAR_BYTES // 8 - 1) * 8}")
        if kind == 2:
            return self.element(table, f"i{step * 8}", f"i64 {self.wide_index(TABLE_BYTES // step - 1)}")
        if kind == 3:  # an array of structs: a field at a constant offset from a variable index
            field = draw.pick([0, 4]) if step == 8 else draw.pick([1, 2])
            return self.element(table, "{ i64, i32, i32, i64, i64 }", f"i64 {self.wide_index(63)}", f"i32 {field}")
        base = self.element(table, "i8", f"i64 {-TABLE_BYTES + draw.below(8) * 64}")
        return self.element(base, f"[4 x i{step * 8}]", f"i64 {self.wide_index(63)}", f"i64 {draw.below(4)}")

    def rows_pointer(self, width):
        place = self.element(self.pointers["rows"], "ptr addrspace(4)", f"i64 {self.wide_index(ROW_COUNT - 1)}")
        row = self.raw(f"load ptr addrspace(4), ptr addrspace(4) {place}")
        step = 8 if width == 64 else 4
        return self.element(row, f"i{step * 8}", f"i64 {self.wide_index(ROW_DWORDS * 4 // step - 1)}")

    def data_pointer(self, width):
        """A load from a constant of the module."""
        step = 8 if width == 64 else 4
        name = f"@{self.name}.data{len(self.data)}"
        count = self.draw.pick([4, 8, 16])
        items = [f"i{step * 8} {self.draw.constant(step * 8)}" for _ in range(count)]
        # A load that is longer than an element ends in the next element.
        if width > step * 8:
            items.append(f"i{step * 8} 0")
        kind = f"[{len(items)} x i{step * 8}]"
        self.data.append(f"{name} = internal addrspace(4) constant {kind} [{', '.join(items)}]")
        return self.element(name, kind, "i64 0", f"i64 {self.wide_index(count - 1)}")

    def call(self):
        helper = self.draw.pick(self.helpers)
        passed = ", ".join(
            f"{kind} inreg {self.pointers[name]}" if kind.startswith("ptr")
            else f"{kind}{'' if helper.inlined else ' inreg'} {self.value(int(kind[1:]))}" for kind, name in helper.arguments)
        if helper.inlined:
            self.define(helper.result, f"call i{helper.result} @{helper.name}({passed})")
        else:
            self.line(f"call amdgpu_gfx void @{helper.name}({passed})")
            self.define(32, "call i32 @take()")

    def statements(self, size, depth=0):
        while size > 0:
            kind = self.draw.below(100)
            inner = self.draw.between(0, min(size, 6))
            if kind < 8 and depth < 3 and self.shape["branches"]:
                self.draw.pick([self.if_else, self.if_then])(inner, depth)
                size -= inner
            elif kind < 12 and depth < 2 and self.shape["loops"]:
                self.loop(inner, depth)
                size -= inner
            elif kind < 16 and depth < 2 and self.shape["switches"]:
                self.switch(inner * 2, depth)
                size -= inner
            elif kind < 26 and self.shape["memory"]:
                self.load()
            elif kind < 32 and self.helpers:
                self.call()
            else:
                width = self.pick_width()
                rows = [(row[1], max(row[2], 3)) for row in self.operations if row[3](width)]
                if rows:
                    self.draw.weighted(rows)(self, width)
            size -= 1

    def fold(self, width):
        """Combines all unused values into one."""
        result = self.value(width, 0)
        for value in list(self.unused):
            if value in self.unused and value[1] != 1 or self.draw.chance(50):
                operation = self.draw.pick(["xor", "add", "sub"])
                result = self.raw(f"{operation} i{width} {result}, {self.convert(self.use(value), value[1], width)}")
        return result
