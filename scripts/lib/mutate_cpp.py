#!/usr/bin/env python3
"""Mutations of C++ functions: a minimal lexer and the mutation operators of scripts/mutate."""

import re
from dataclasses import dataclass, field

TOKEN = re.compile(
    r"""(?P<space>\s+)|(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<directive>\#[^\n]*)|(?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
      |(?P<number>0[xX][0-9a-fA-F']+[uUlL]*|0[bB][01']+|[0-9][0-9']*[uUlL]*)|(?P<name>[A-Za-z_]\w*)
      |(?P<operator><<=|>>=|<=>|->|::|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|[-+*/%&|^]=|[-+*/%&|^~!<>=?:;,.(){}\[\]])""",
    re.VERBOSE | re.DOTALL)

OPENERS = {"(": ")", "{": "}", "[": "]"}
CLOSERS = set(OPENERS.values())

# Types that wrap an integer, and this integer: only variables of the same kind are exchanged.
WRAPPED = {"Exec": "u64", "Vcc": "u64", "Pc": "u64", "Next": "u64", "BranchTarget": "u64", "M0": "u32", "Status": "u32",
           "Csp": "u32", "Simm16": "u32", "Uimm16": "u32", "LiteralDword": "u32", "RegisterNumber": "u32", "RawSsrc1": "u32",
           "HwregValue": "u32", "Scc": "bool", "MaskBit": "bool", "Clamp": "bool", "Lane": "u32", "Destination": "u32",
           "Index": "u32"}
UNSIGNED = {"i32": "u32", "i64": "u64", "b1": "bool"}

# The flag of a result type besides its value: the member that is inverted, dropped, or always set.
FLAGS = {"WithScc": ["scc"], "SccOnly": ["scc"], "ExecUpdate": ["scc"], "Branch": ["taken"], "Maybe": ["write"],
         "Fork": ["push"], "Join": ["pop"], "Trap": ["taken"], "Kill": ["kill"], "WithCarry": ["carry"]}

REPLACED = {"<": ["<=", ">"], ">": [">=", "<"], "<=": ["<", ">="], ">=": [">", "<="], "==": ["!="], "!=": ["=="],
            "&": ["|"], "|": ["&"], "^": ["|", "&"], "+": ["-"], "-": ["+"], "*": ["+"], "/": ["%"], "%": ["/"], "<<": [">>"], ">>": ["<<"],
            "&&": ["||"], "||": ["&&"]}
KIND_OF = {**{op: "comparison" for op in ("<", ">", "<=", ">=", "==", "!=")}, **{op: "operator" for op in REPLACED
           if op not in ("<", ">", "<=", ">=", "==", "!=")}}

SIGN_LOST = {"i8": "u8", "i16": "u16", "i32": "u32", "i64": "u64", "Simm16": "Uimm16"}
SIGN_GAINED = {after: before for before, after in SIGN_LOST.items()}
NAMES = {"true": ["false"], "false": ["true"], "countr_zero": ["countl_zero"], "countl_zero": ["countr_zero"], "min": ["max"],
         "max": ["min"]}


@dataclass
class Token:
    kind: str
    text: str
    start: int

    @property
    def end(self):
        return self.start + len(self.text)


@dataclass
class Variable:
    type: str
    wrapped: bool        # the integer is its member `value`
    visible: int         # first token of its scope

    @property
    def kind(self):
        plain = WRAPPED.get(self.type, self.type)
        return UNSIGNED.get(plain, plain)


@dataclass
class Function:
    """A function, or a constant at namespace level, as ranges of token indices."""
    name: str
    head: range          # from the return type to the parameters' closing parenthesis
    body: range          # between the braces; the initialiser of a constant
    result: str = ""     # text of the return type; empty for a constant
    variables: dict = field(default_factory=dict)  # name -> Variable


@dataclass(frozen=True)
class Mutant:
    file: str       # relative to the tree
    function: str
    kind: str
    start: int
    end: int
    text: str       # replaces source[start:end]
    before: str     # the affected lines before the change
    after: str      # and after it
    body: tuple     # start and end of the function's body in the source; None if no other body has the same effect
    shadows: str = ""   # for a changed parameter: the start of a body with the same effect, `const u32 src0 = ...`

    def apply(self, source):
        """Returns the source, after `expanded`, with the mutation."""
        return source[:self.start] + self.text + source[self.end:]

    @property
    def key(self):
        return (self.file, self.function, self.before, self.after)


def tokenize(source):
    tokens, position = [], 0
    while position < len(source):
        match = TOKEN.match(source, position)
        if match is None:
            raise ValueError(f"cannot read {source[position:position + 20]!r}")
        if match.lastgroup not in ("space", "comment", "directive"):
            tokens.append(Token(match.lastgroup, match.group(), position))
        position = match.end()
    return tokens


def expanded(source):
    """Expands macros of several lines that declare functions."""
    macro = re.search(r"^#define (\w+)\(([^)]*)\)((?:[^\n]*\\\n)+[^\n]*)\n", source, re.MULTILINE)
    if macro is None:
        return source
    name, parameters, body = macro[1], [word.strip() for word in macro[2].split(",")], macro[3]
    # The backslashes are in one column.
    lines = [line.rstrip(" \\").strip() for line in body.splitlines()]

    def spelt_out(use):
        values = dict(zip(parameters, (word.strip() for word in use[1].split(","))))
        text = "\n".join(line for line in lines if line)
        text = re.sub(r"\w+", lambda word: values.get(word[0], word[0]), text)
        return re.sub(r"\s*##\s*", "", text) + "\n"

    source = source[:macro.start()] + source[macro.end():]
    source = re.sub(rf"^#undef {name}\n", "", source, flags=re.MULTILINE)
    return expanded(re.sub(rf"^{name}\(([^)]*)\)\n", spelt_out, source, flags=re.MULTILINE))


def closing(tokens, index):
    """Returns the index of the bracket that closes the one at `index`."""
    depth = 0
    for i in range(index, len(tokens)):
        if tokens[i].text in OPENERS:
            depth += 1
        elif tokens[i].text in CLOSERS:
            depth -= 1
            if depth == 0:
                return i
    raise ValueError("a bracket is not closed")


def is_balanced(source):
    """True if all brackets are closed; an open bracket would affect the code around it."""
    opened = []
    for token in tokenize(source):
        if token.text in OPENERS:
            opened.append(OPENERS[token.text])
        elif token.text in CLOSERS and (not opened or opened.pop() != token.text):
            return False
    return not opened


def declared(tokens, span):
    """Returns the variables that a parameter list or a body declares: `const u32 mask`, `T value`, `Exec exec`, `Old<u32> old`."""
    found = {}
    for i in span:
        if i == 0 or tokens[i].kind != "name" or tokens[i + 1].text not in (",", ")", "="):
            continue
        before = tokens[i - 1]
        visible = i if tokens[i + 1].text != "=" else next(j for j in range(i, len(tokens)) if tokens[j].text == ";")
        if before.kind == "name" and before.text not in ("return", "const", "constexpr"):
            found[tokens[i].text] = Variable(before.text, before.text in WRAPPED, visible)
        elif before.text == ">" and tokens[i - 2].end == before.start:
            found[tokens[i].text] = Variable(tokens[i - 2].text, tokens[i - 4].text == "Old", visible)
    return found


def functions(source, tokens):
    """Returns functions, including member functions, and constants at namespace level."""
    found, i, start = [], 0, 0
    while i < len(tokens):
        text = tokens[i].text
        if text == ";":
            start = i + 1
        elif text == "=" and tokens[start].text in ("constexpr", "inline"):
            end = next(j for j in range(i, len(tokens)) if tokens[j].text == ";")
            found.append(Function(tokens[i - 1].text, range(start, i), range(i + 1, end)))
            i, start = end, end + 1
        elif text == "(" and tokens[i - 1].kind == "name":
            close = closing(tokens, i)
            brace = close + 1
            while tokens[brace].text in ("const", "noexcept", "override"):
                brace += 1
            if tokens[brace].text == "{":
                end = closing(tokens, brace)
                name = i - 1
                while tokens[name - 1].text == "::":
                    name -= 2
                first = start
                while tokens[first].text in ("template", "constexpr", "inline", "static"):
                    if tokens[first].text == "template":
                        depth = 0
                        while True:
                            first += 1
                            depth += {"<": 1, ">": -1}.get(tokens[first].text, 0)
                            if depth == 0:
                                break
                    first += 1
                function = Function(tokens[i - 1].text, range(first, close + 1), range(brace + 1, end))
                function.result = source[tokens[first].start:tokens[name].start].strip()
                function.variables = declared(tokens, range(i, close + 1)) | declared(tokens, function.body)
                found.append(function)
                i, start = end, end + 1
            else:
                i = close
        elif text in ("{", "}"):
            start = i + 1
        i += 1
    return found


def operand_end(tokens, index, stop):
    """Returns the index after an expression that ends at a comma, semicolon, or closing bracket."""
    i = index
    while i < stop and tokens[i].text not in (",", ";") and tokens[i].text not in CLOSERS:
        i = closing(tokens, i) + 1 if tokens[i].text in OPENERS else i + 1
    return i


class Mutator:
    """All mutants of one file."""

    def __init__(self, file, source):
        self.file, self.source = file, expanded(source)
        self.tokens = tokenize(self.source)
        self.found, self.seen = [], set()

    def run(self):
        for function in functions(self.source, self.tokens):
            self.function = function
            self.parameters()
            for index in function.body:
                self.token(index)
            self.ternaries()
            self.brackets()
            self.statements()
            self.flags()
        return self.found

    def text(self, first, last):
        """Returns the source of the tokens first .. last - 1."""
        return self.source[self.tokens[first].start:self.tokens[last - 1].end]

    def add(self, kind, start, end, text, shadows=""):
        mutated = self.source[:start] + text + self.source[end:]
        if mutated == self.source or mutated in self.seen:
            return
        self.seen.add(mutated)
        line_start = self.source.rfind("\n", 0, start) + 1
        line_end = self.source.find("\n", end)
        before = " ".join(self.source[line_start:line_end].split())
        after = " ".join((self.source[line_start:start] + text + self.source[end:line_end]).split())
        self.found.append(Mutant(self.file, self.function.name, kind, start, end, text, before, after,
                                 self.whole_body() if shadows else self.body_around(start, end), shadows))

    def body_around(self, start, end):
        """Returns the range of the function's body in the source if the change is in the body."""
        body = self.function.body
        first, last = self.tokens[body.start - 1].end, self.tokens[body.stop].start
        return (first, last) if self.function.result and first <= start and end <= last else None

    def whole_body(self):
        body = self.function.body
        return self.tokens[body.start - 1].end, self.tokens[body.stop].start

    def replace(self, kind, index, text):
        self.add(kind, self.tokens[index].start, self.tokens[index].end, text)

    def parameters(self):
        """Changes the signedness of all parameters of a kind, if a comparison or a shift to the right depends on it."""
        words = {self.tokens[i].text for i in self.function.body}
        seen = words & {"<", ">", "<=", ">=", ">>"}
        opened = next((i for i in self.function.head if self.tokens[i].text == "("), None)
        if opened is None:
            return
        first, last = self.tokens[opened].start, self.tokens[self.function.head.stop - 1].end
        text = self.source[first:last]
        for old, new in [*SIGN_LOST.items(), *(SIGN_GAINED.items() if seen else ())]:
            names = re.findall(rf"\b{old} (\w+)", text)
            if not names and re.search(rf"\b{old} /\*", text):
                continue  # the signedness has no effect
            # Not arrays and similar types, whose elements would change; without const, which parameters do not have.
            shadows = "".join(f"auto whole_{name} = {name}; " for name in names)
            shadows += "{ " + "".join(f"auto {name} = static_cast<{new}>(whole_{name}); " for name in names) if names else ""
            self.add("sign", first, last, re.sub(rf"\b{old}\b", new, text), shadows)

    def token(self, i):
        token = self.tokens[i]
        if token.kind == "number":
            self.number(i)
        elif token.kind == "name":
            if token.text in SIGN_LOST:
                self.replace("sign", i, SIGN_LOST[token.text])
            if token.text == "u64":
                self.replace("width", i, "u32")
            for other in NAMES.get(token.text, []):
                self.replace("constant" if token.text in ("true", "false") else "operator", i, other)
            self.variable(i)
        elif token.text in ("~", "!"):
            self.replace("negation", i, "")
        elif token.text in REPLACED and self.is_binary(i):
            for other in REPLACED[token.text]:
                self.replace(KIND_OF[token.text], i, other)

    def is_binary(self, i):
        """True for the bracket of a template, which follows the name directly; operators are surrounded by blanks."""
        token, before = self.tokens[i], self.tokens[i - 1]
        spaced = before.end < token.start and self.source[token.end:token.end + 1].isspace()
        return spaced and (before.kind in ("name", "number") or before.text in CLOSERS)

    def number(self, i):
        text = self.tokens[i].text
        digits = text.rstrip("uUlL").replace("'", "")
        value = int(digits, 0)
        form = hex if digits.lower().startswith("0x") else str
        self.replace("constant", i, form(value + 1))
        if value > 0:
            self.replace("constant", i, form(value - 1))
        self.mask(i, value, form)

    def mask(self, i, value, form):
        """Removes or adds a bit of a mask, or removes the mask."""
        if self.tokens[i - 1].text != "&" or not self.is_binary(i - 1):
            return
        self.add("mask", self.tokens[i - 2].end, self.tokens[i].end, "")
        if value & (value + 1) == 0 and value not in (0xffffffff, 0xffffffffffffffff):
            self.replace("mask", i, form(value >> 1))
            self.replace("mask", i, form(value * 2 + 1))

    def variable(self, i):
        """Replaces a variable by another one of its kind."""
        name, variables = self.tokens[i].text, self.function.variables
        if name not in variables or self.tokens[i - 1].text in (".", "->", "::") or self.tokens[i + 1].text == "=":
            return
        variable = variables[name]
        value = variable.wrapped and self.tokens[i + 1].text == "."
        whole = variable.wrapped and not value
        end = self.tokens[i + 2 if value else i].end
        for other, another in variables.items():
            if other == name or another.visible > i:
                continue
            if whole and another.type == variable.type:
                self.replace("operand", i, other)
            elif not whole and another.kind == variable.kind:
                self.add("operand", self.tokens[i].start, end, other + (".value" if another.wrapped else ""))

    def ternaries(self):
        for i in self.function.body:
            if self.tokens[i].text != "?":
                continue
            colon, depth = i + 1, 0
            while self.tokens[colon].text != ":" or depth:
                depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(self.tokens[colon].text, 0)
                colon += 1
            end = operand_end(self.tokens, colon + 1, self.function.body.stop)
            yes, no = self.text(i + 1, colon), self.text(colon + 1, end)
            self.add("comparison", self.tokens[i + 1].start, self.tokens[end - 1].end, f"{no} : {yes}")

    def brackets(self):
        """Exchanges two neighbours in a call or in a braced list."""
        for i in self.function.body:
            if self.tokens[i].text not in ("(", "{"):
                continue
            start, end = i + 1, operand_end(self.tokens, i + 1, self.function.body.stop)
            while self.tokens[end].text == ",":
                after = operand_end(self.tokens, end + 1, self.function.body.stop)
                one, two = self.text(start, end), self.text(end + 1, after)
                if one.startswith("{") == two.startswith("{"):
                    self.add("operand", self.tokens[start].start, self.tokens[after - 1].end, f"{two}, {one}")
                start, end = end + 1, after

    def statements(self):
        """Removes assignments and guarded returns, and makes guards always true."""
        body, i = self.function.body, self.function.body.start
        while i < body.stop:
            if self.tokens[i].text == "if":
                condition = i + 2 if self.tokens[i + 1].text == "constexpr" else i + 1
                close = closing(self.tokens, condition)
                self.add("statement", self.tokens[condition].start, self.tokens[close].end, "(true)")
                self.add("statement", self.tokens[condition].start, self.tokens[close].end, "(false)")
                i = close
            elif self.starts_statement(i) and self.tokens[i].text not in ("return", "const", "constexpr"):
                end = i
                while end < body.stop and self.tokens[end].text != ";":
                    end = closing(self.tokens, end) + 1 if self.tokens[end].text in OPENERS else end + 1
                words = [token.text for token in self.tokens[i:end]]
                is_call = len(words) > 2 and words[-1] == ")" and self.tokens[i].kind == "name" and words[0] not in (
                    "for", "while", "switch", "case", "else")
                is_assignment = any(word in ("=", "|=", "&=", "+=", "-=", "^=") for word in words) and not (
                    self.tokens[i].kind == "name" and self.tokens[i + 1].kind == "name")
                if (is_call or is_assignment) and end < body.stop and "{" not in words[:1]:
                    self.add("statement", self.tokens[i].start, self.tokens[end].end, ";")
            i += 1

    def starts_statement(self, i):
        before = self.tokens[i - 1].text
        block = before == "{" and (i == self.function.body.start or self.tokens[i - 2].text in (")", "else"))
        return block or before in (";", "}", ")", "else")

    def flags(self):
        """Inverts, clears or sets the flag of a result, such as SCC."""
        result = self.function.result
        members = [] if not result else FLAGS.get(result.split("<")[0], [])
        if result.startswith("Checked<"):
            members = ["unspecified"] + ["result." + member for member in FLAGS.get(result[8:].split("<")[0], [])]
        for i in self.function.body:
            if self.tokens[i].text != "return":
                continue
            end = i + 1
            while self.tokens[end].text != ";":
                end = closing(self.tokens, end) + 1 if self.tokens[end].text in OPENERS else end + 1
            expression = self.text(i + 1, end)
            whole = f"{result}{expression}" if expression.startswith("{") else f"{result}({expression})"
            for member in members:
                # A constant flag is only inverted.
                constant = expression.startswith(("{true", "{false")) or expression.endswith((", true}", ", false}"))
                for value in (f"!r.{member}",) if constant else (f"!r.{member}", "false", "true"):
                    changed = f"[]({result} r) {{ r.{member} = {value}; return r; }}({whole})"
                    self.add("flag", self.tokens[i + 1].start, self.tokens[end - 1].end, changed)


# Selects the mutant at run time.
CHOICE = """#pragma once

#include <cstdlib>
#include <type_traits>

namespace salu::mutation {
inline const int chosen = std::getenv("SALU_MUTANT") != nullptr ? std::atoi(std::getenv("SALU_MUTANT")) : -1;
}
"""


def mutated_body(source, mutant):
    """Returns the body of the function with the mutation; `source` is expanded."""
    first, last = mutant.body
    if mutant.shadows:
        return mutant.shadows + source[first:last] + " }"
    return mutant.apply(source)[first:last + len(mutant.text) - (mutant.end - mutant.start)]


def switched(source, numbered, header):
    """One source for all mutants of function bodies, (number, mutant) each; `header` is the name of CHOICE.

    A compiler's message about a mutant names a file `mutant<number>`.
    """
    source = expanded(source)
    bodies = {}
    for number, mutant in numbered:
        body = mutated_body(source, mutant)
        bodies.setdefault(mutant.body, []).append(f'#line 1 "mutant{number}"\ncase {number}: {{{body}}}\n')
    text = source
    for (first, last), cases in sorted(bodies.items(), reverse=True):
        choice = "\nif (!std::is_constant_evaluated()) switch (salu::mutation::chosen) {\n" + "".join(cases) + "}\n"
        text = text[:first] + choice + text[first:]
    return with_choice(text, header)


def with_choice(text, header):
    """Includes CHOICE first in a header. A file without #pragma once is included after the header that has it."""
    return text.replace("#pragma once\n", f'#pragma once\n#include "{header}"\n', 1)
