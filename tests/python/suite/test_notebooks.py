"""The HTML of notebooks: text from outside is never used as markup."""

from html.parser import HTMLParser

import salu

BAD = "<script>alert(1)</script>\"'&<img src=x onerror=alert(1)>"


class Tags(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.texts = set(), set(), []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_data(self, data):
        self.texts.append(data)


def expect_harmless(html, *shown):
    seen = Tags(html)
    assert seen.tags <= {"table", "caption", "tr", "th", "td", "div", "svg", "rect", "title", "pre"}
    assert not any(name.startswith("on") or name in ("src", "href") for name in seen.attributes)
    for text in shown:
        assert text in "".join(seen.texts)


def program():
    name = BAD.replace('"', '\\"')
    return salu.load_text(f'name: "{name}"\ntarget: gfx900\ncode: {{asm: "s_add_u32 s1, s0, 35\\n\\n  s_endpgm"}}\n'
                          f"registers: {{s0: 7}}\nexpect: {{registers: {{s1: 43}}}}\n", BAD + ".yaml")


def test_nothing_is_markup():
    expect_harmless(program()._repr_html_(), BAD)
    expect_harmless(program().run()._repr_html_(), BAD, "s1", "0x0000002a", "expected 0x0000002b")
    session = program().session()
    expect_harmless(session._repr_html_(), BAD, "s_add_u32 s1, s0, 35")
    session.run()
    expect_harmless(session.why("s1")._repr_html_(), "s_add_u32 s1, s0, 35")
    expect_harmless(salu.sweep(program(), ["s1"], s0=range(3))._repr_html_(), "35", "37")
    expect_harmless(salu.equiv(program(), program(), outputs=["s1"], states=10)._repr_html_(), "equal")


def test_lanes_are_shown():
    outcome = salu.run(asm="s_mov_b64 exec, 5\ns_endpgm")
    assert outcome._repr_html_().count('fill="#2a7"') == 2
