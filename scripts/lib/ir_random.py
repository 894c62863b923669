#!/usr/bin/env python3
"""Random numbers from a seed, and interesting integers of a width."""

MASK64 = (1 << 64) - 1


class Draw:
    """SplitMix64: the same numbers on every machine and in every version of Python."""

    def __init__(self, *seeds):
        self.state = 0
        for seed in seeds:
            self.state = (self.state ^ seed) & MASK64
            self.state = self.next()

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK64
        mixed = self.state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & MASK64
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & MASK64
        return mixed ^ mixed >> 31

    def below(self, limit):
        return self.next() % limit

    def between(self, low, high):
        return low + self.below(high - low + 1)

    def chance(self, percent):
        return self.below(100) < percent

    def pick(self, items):
        return items[self.below(len(items))]

    def weighted(self, rows):
        """Picks the first element of a row; the second elements of the rows are weights."""
        at = self.below(sum(row[1] for row in rows))
        for row in rows:
            at -= row[1]
            if at < 0:
                return row[0]
        raise AssertionError("weights changed while drawing")

    def width(self, above_32):
        """Returns a width of integers; 33 to 63 only on request."""
        odd, wide = self.between(2, 31), self.between(33, 63)
        return self.weighted([(32, 45), (64, 14), (16, 5), (8, 3), (1, 3), (odd, 18), (wide, 20 if above_32 else 0)])

    def constant(self, width):
        """Returns a value near a limit, or any value; signed, as LLVM prints it."""
        kind = self.below(6)
        if kind < 2:
            value = self.between(-4, 9)
        elif kind < 4:
            value = (1 << self.below(width)) + self.between(-1, 1)
        elif kind == 4:
            value = self.next() >> self.below(64)
        else:
            value = self.pick([0x5555555555555555, 0x00FF00FF00FF00FF, 0xFFFF0000FFFF0000, 31, 32, 63, 64, 100])
        return signed(value, width)


def signed(value, width):
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value


def predicate(draw, width):
    # The only 64-bit scalar comparisons are those for equality.
    if width > 32 and draw.chance(80):
        return draw.pick(["eq", "ne"])
    return draw.pick(["eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"])
