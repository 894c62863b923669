#!/usr/bin/env python3
"""Small wrong changes to C++ functions: a lexer that knows just enough, and the mutation operators of scripts/mutate."""

import re
from dataclasses import dataclass, field

TOKEN = re.compile(
    r"""(?P<space>\s+)|(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<directive>\#[^\n]*)|(?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
      |(?P<number>0[xX][0-9a-fA-F']+[uUlL]*|0[bB][01']+|[0-9][0-9']*[uUlL]*)|(?P<name>[A-Za-z_]\w*)
      |(?P<operator><<=|>>=|<=>|->|::|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|[-+*/%&|^]=|[-+*/%&|^~!<>=?:;,.(){}\[\]])""",
    re.VERBOSE | re.DOTALL)

OPENERS = {"(": ")", "{": "}", "[": "]"}
CLOSERS = set(OPENERS.values())

# Wrapper types that stand for one integer each, by that integer: only these can be mistaken for each other.
VALUE_CLASS = {"Exec": "u64", "Vcc": "u64", "Pc": "u64", "Next": "u64", "BranchTarget": "u64", "M0": "u32", "Status": "u32",
               "Csp": "u32", "Uimm16": "u32", "LiteralDword": "u32", "RegisterNumber": "u32", "RawSsrc1": "u32",
               "HwregValue": "u32", "i32": "u32", "i64": "u64"}

# What a result says besides its value, by type: the member that can be inverted, dropped, or always set.
FLAGS = {"WithScc": ["scc"], "SccOnly": ["scc"], "ExecUpdate": ["scc"], "Branch": ["taken"], "Maybe": ["write"],
         "Fork": ["push"], "Join": ["pop"], "Trap": ["taken"], "Kill": ["kill"]}

REPLACED = {"<": ["<=", ">"], ">": [">=", "<"], "<=": ["<", ">="], ">=": [">", "<="], "==": ["!="], "!=": ["=="],
            "&": ["|"], "|": ["&"], "^": ["|", "&"], "+": ["-"], "-": ["+"], "*": ["+"], "<<": [">>"], ">>": ["<<"],
            "&&": ["||"], "||": ["&&"]}
KIND_OF = {**{op: "comparison" for op in ("<", ">", "<=", ">=", "==", "!=")}, **{op: "operator" for op in REPLACED
           if op not in ("<", ">", "<=", ">=", "==", "!=")}}

SIGN_LOST = {"i8": "u8", "i16": "u16", "i32": "u32", "i64": "u64", "Simm16": "Uimm16"}
SIGN_GAINED = {after: before for before, after in SIGN_LOST.items()}
NAMES = {"true": ["false"], "false": ["true"], "countr_zero": ["countl_zero"], "countl_zero": ["countr_zero"]}


@dataclass
class Token:
    kind: str
    text: str
    start: int

    @property
    def end(self):
        return self.start + len(self.text)


@dataclass
class Function:
    """A function, or a constant at namespace level, as ranges of token indices."""
    name: str
    head: range          # from the return type to the parameters' closing parenthesis
    body: range          # between the braces; of a constant its initialiser
    result: str = ""     # text of the return type
    variables: dict = field(default_factory=dict)  # name -> type


@dataclass(frozen=True)
class Mutant:
    file: str       # relative to the tree
    function: str
    kind: str
    start: int
    end: int
    text: str       # replaces source[start:end]
    before: str     # the lines concerned, as they are
    after: str      # and as they become

    def apply(self, source):
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


def closing(tokens, index):
    """Index of what closes the bracket at `index`."""
    depth = 0
    for i in range(index, len(tokens)):
        if tokens[i].text in OPENERS:
            depth += 1
        elif tokens[i].text in CLOSERS:
            depth -= 1
            if depth == 0:
                return i
    raise ValueError("a bracket is not closed")


def declared(tokens, span):
    """Variables that a parameter list or a body declares: `const u32 mask`, `T value`, `Exec exec`."""
    found = {}
    for i in span:
        if i == 0 or tokens[i].kind != "name" or i + 1 >= len(tokens) or tokens[i + 1].text not in (",", ")", "="):
            continue
        before = tokens[i - 1]
        if before.kind == "name" and before.text not in ("return", "const", "constexpr"):
            found[tokens[i].text] = before.text
        elif before.text in (">", "&", "*"):
            found[tokens[i].text] = tokens[i - 2].text
    return found


def functions(source, tokens):
    """Functions, member functions of any class too, and the constants at namespace level."""
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
    """Index behind an expression that ends at a comma, semicolon, or closing bracket."""
    i = index
    while i < stop and tokens[i].text not in (",", ";") and tokens[i].text not in CLOSERS:
        i = closing(tokens, i) + 1 if tokens[i].text in OPENERS else i + 1
    return i


class Mutator:
    """All mutants of one file."""

    def __init__(self, file, source):
        self.file, self.source, self.tokens = file, source, tokenize(source)
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
        """Source of the tokens first .. last - 1."""
        return self.source[self.tokens[first].start:self.tokens[last - 1].end]

    def add(self, kind, start, end, text):
        mutated = self.source[:start] + text + self.source[end:]
        if mutated == self.source or mutated in self.seen:
            return
        self.seen.add(mutated)
        line_start = self.source.rfind("\n", 0, start) + 1
        line_end = self.source.find("\n", end)
        before = " ".join(self.source[line_start:line_end].split())
        after = " ".join((self.source[line_start:start] + text + self.source[end:line_end]).split())
        self.found.append(Mutant(self.file, self.function.name, kind, start, end, text, before, after))

    def replace(self, kind, index, text):
        self.add(kind, self.tokens[index].start, self.tokens[index].end, text)

    def parameters(self):
        """The sign of all parameters of a kind is lost, or gained where a comparison or a shift to the right sees it."""
        words = {self.tokens[i].text for i in self.function.body}
        seen = words & {"<", ">", "<=", ">=", ">>"}
        opened = next((i for i in self.function.head if self.tokens[i].text == "("), None)
        if opened is None:
            return
        first, last = self.tokens[opened].start, self.tokens[self.function.head.stop - 1].end
        text = self.source[first:last]
        for old, new in [*SIGN_LOST.items(), *(SIGN_GAINED.items() if seen else ())]:
            self.add("sign", first, last, re.sub(rf"\b{old}\b", new, text))

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
        """A template's bracket stands next to its name; an operator, by the formatting, does not."""
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

    def variable(self, i):
        name, variables = self.tokens[i].text, self.function.variables
        if name not in variables or self.tokens[i - 1].text in (".", "->", "::") or self.tokens[i + 1].text == "=":
            return
        kind = VALUE_CLASS.get(variables[name], variables[name])
        if self.tokens[i - 1].text == variables[name]:
            return  # its declaration
        for other, type_name in variables.items():
            if other != name and VALUE_CLASS.get(type_name, type_name) == kind:
                self.replace("operand", i, other)
                member = self.tokens[i + 1].text == "."
                if member and type_name in ("u32", "u64", "i32", "i64", "T"):
                    self.add("operand", self.tokens[i].start, self.tokens[i + 2].end, other)

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
        """The first two elements of a call or of a braced list change places."""
        for i in self.function.body:
            if self.tokens[i].text not in ("(", "{"):
                continue
            first = operand_end(self.tokens, i + 1, self.function.body.stop)
            if self.tokens[first].text != ",":
                continue
            second = operand_end(self.tokens, first + 1, self.function.body.stop)
            one, two = self.text(i + 1, first), self.text(first + 1, second)
            self.add("operand", self.tokens[i + 1].start, self.tokens[second - 1].end, f"{two}, {one}")

    def statements(self):
        """Assignments and guarded returns are left out; guards always hold."""
        body, i = self.function.body, self.function.body.start
        while i < body.stop:
            if self.tokens[i].text == "if":
                condition = i + 2 if self.tokens[i + 1].text == "constexpr" else i + 1
                close = closing(self.tokens, condition)
                self.add("statement", self.tokens[condition].start, self.tokens[close].end, "(true)")
                self.add("statement", self.tokens[condition].start, self.tokens[close].end, "(false)")
                i = close
            elif self.tokens[i - 1].text in (";", "{", "}", ")") and self.tokens[i].text not in ("return", "const", "}"):
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

    def flags(self):
        """SCC, or whatever else a result says besides its value: inverted, never set, always set."""
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
                # A flag that is a constant here only needs inverting.
                constant = expression.startswith(("{true", "{false")) or expression.endswith((", true}", ", false}"))
                for value in (f"!r.{member}",) if constant else (f"!r.{member}", "false", "true"):
                    changed = f"[]({result} r) {{ r.{member} = {value}; return r; }}({whole})"
                    self.add("flag", self.tokens[i + 1].start, self.tokens[end - 1].end, changed)
