"""The pages of `salu report` in a headless Chromium: what the pointer and the keys do, both themes, wide and narrow, and that nothing
of it comes from outside. Screenshots of all of them go to SALU_SCREENSHOTS when that names a folder."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from browser import Browser

root = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
salu = os.environ["SALU_EXECUTABLE"]
screenshots = os.environ.get("SALU_SCREENSHOTS")

LONG = """
name: a long run
target: gfx900
code:
  asm: |
    start:
      s_mov_b32 s0, 60000
    loop:
      s_and_b32 s1, s0, 63
      s_lshl_b64 exec, 1, s1
      s_sub_u32 s0, s0, 1
      s_cmp_lg_u32 s0, 0
      s_cbranch_scc1 loop
      s_endpgm
"""

EVIL_NAME = "</script><script>window.evil=1</script><img src=x onerror=window.evil=1>"
EVIL = f"""
name: "{EVIL_NAME}"
target: gfx900
code:
  asm: |
    "<img/src=x/onerror=window.evil=1>":
      s_mov_b32 s0, 1
      s_sendmsg sendmsg(MSG_INTERRUPT)
      s_trap 1
      s_endpgm
expect:
  registers: {{s0: 2}}
"""

# Text against what is behind it, by the formula of WCAG 2. Returns what is below 4.5, or 3 where the text is large.
CONTRAST = """
const parse = (text) => {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d', {willReadFrequently: true});
  context.fillStyle = text;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data];
};
const over = (top, below) => top.slice(0, 3).map((c, i) => c * top[3] / 255 + below[i] * (1 - top[3] / 255));
const light = (color) => {
  const [r, g, b] = color.map((c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = (node) => {
  if (node === null) return [255, 255, 255];
  const own = parse(getComputedStyle(node).backgroundColor);
  return own[3] === 255 ? own.slice(0, 3) : over(own, behind(node.parentElement));
};
const bad = [];
let seen = 0;
for (const node of document.querySelectorAll('body *')) {
  const has_text = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim() !== '');
  if (!has_text || !node.checkVisibility() || ['SCRIPT', 'NOSCRIPT', 'OPTION'].includes(node.tagName) || node.disabled) continue;
  ++seen;
  const style = getComputedStyle(node);
  const background = behind(node);
  const [a, b] = [light(over(parse(style.color), background)), light(background)].sort((x, y) => y - x);
  const ratio = (a + 0.05) / (b + 0.05);
  const size = parseFloat(style.fontSize);
  const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
  if (ratio < least) bad.push(`${node.tagName}.${node.className} "${node.textContent.slice(0, 30)}" ${ratio.toFixed(2)}`);
}
return {bad, seen};
"""

# What sticks out of the page to the right, and pieces of text that are cut off without a way to scroll to them.
OVERFLOW = """
const page = document.documentElement;
const wide = [...document.querySelectorAll('body *')].filter((node) => node.checkVisibility() &&
  node.getBoundingClientRect().right > innerWidth + 1 && !node.closest('.scroll, .plot, .skip'));
return {page: page.scrollWidth, window: innerWidth, wide: wide.slice(0, 5).map((n) => `${n.tagName}.${n.className} ${n.textContent.slice(0, 40)}`)};
"""


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="salu-pages-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.pages = {}
        cls.make("fork", root / "programs/fork_join.yaml")
        cls.make("gcd", root / "programs/gcd.yaml", "--set", "s0=1071", "--set", "s1=462")
        cls.make("memory", root / "programs/store_and_reload.yaml")
        cls.make("skeleton", root / "programs/vector_skeleton.yaml")
        cls.make("long", "-", text=LONG)
        cls.make("evil", "-", text=EVIL)

    @classmethod
    def make(cls, name, file, *options, text=None):
        path = os.path.join(cls.folder.name, name + ".html")
        subprocess.run([salu, "report", str(file), "-o", path, *options], input=text, text=True, check=True, timeout=120,
                       stderr=subprocess.DEVNULL)
        cls.pages[name] = path

    def open(self, name, width=1280, scheme="light", fragment="", height=900):
        self.browser.messages()
        self.browser.open(self.pages[name], width, height, scheme, fragment)

    def tearDown(self):
        self.assertEqual(self.browser.messages(), [], "the page or the browser complains")
        self.assertEqual(self.browser.run("return performance.getEntriesByType('resource').map((entry) => entry.name)"), [])

    def where(self):
        return self.browser.text("#where")

    def now_lines(self):
        return self.browser.run("return [...document.querySelectorAll('#listing .is-now .address')].map((a) => a.textContent)")

    def lanes_on(self):
        return self.browser.run(
            "return [...document.querySelectorAll('#lanes-now i')].flatMap((cell, lane) => cell.className === 'on' ? [lane] : [])")

    def selected_at(self):
        """Where the marks of the selected column begin, as shares of the width of their plots."""
        return self.browser.run(
            "return [...document.querySelectorAll('.cursor.selected')].map((c) => parseFloat(c.style.left) / 100)")

    def test_a_click_on_a_column_marks_the_step_everywhere(self):
        self.open("fork")
        # 17 steps and the end: step 8, the join that pops the odd lanes, is the eighth of 18 columns.
        self.browser.click("#timeline", 7.5 / 18, 0.3)
        self.assertIn("Step 8 of 17", self.where())
        self.assertIn("8 lanes on", self.where())
        self.assertIn("CSP 2", self.where())
        self.assertEqual(self.now_lines(), ["0x102c"])
        self.assertEqual(self.lanes_on(), list(range(0, 16, 2)))
        shares = self.selected_at()
        self.assertGreater(len(shares), 5)
        for share in shares:
            self.assertAlmostEqual(share, 7 / 18, places=3)
        now = self.browser.text("#now")
        self.assertIn("s_cbranch_join s37", now)
        self.assertIn("join: pop entry 1", now)
        # EXEC and MODE are what it writes.
        written = self.browser.run(
            "return [...document.querySelectorAll('.wave.is-written')].map((row) => row.firstChild.textContent)")
        self.assertEqual(written, ["exec_lo", "exec_hi", "mode"])
        side = self.browser.run("return [...document.querySelectorAll('#forks .is-now strong')].map((s) => s.textContent)")
        self.assertEqual(side, ["then", "even"], "the sides that are running, outermost first")
        self.assertEqual(self.browser.run("return location.hash"), "#step=8")

    def test_a_click_on_an_instruction_goes_to_its_next_run(self):
        self.open("fork")
        row = "#listing .line:nth-child(12)"
        self.assertIn("inner_join", self.browser.text(row))
        for step in (8, 11, 8):
            self.browser.click(row)
            self.assertIn(f"Step {step} of 17", self.where())

    def test_the_tree_and_the_final_state_lead_to_steps(self):
        self.open("fork")
        sides = self.browser.run("return [...document.querySelectorAll('#forks .row')].map((row) => row.textContent)")
        self.assertEqual(len(sides), 6)
        place = 1 + next(i for i, side in enumerate(sides) if "odd" in side)
        self.browser.click(f"#forks .row:nth-child({place})")
        self.assertIn("Step 9 of 17", self.where())
        names = self.browser.run("return [...document.querySelectorAll('#final .row')].map((row) => row.firstChild.textContent)")
        self.browser.click(f"#final .row:nth-child({names.index('s42') + 1})")
        self.assertIn("Step 13 of 17", self.where())

    def test_hovering_shows_without_choosing(self):
        self.open("fork")
        self.browser.move("#timeline", 12.5 / 18, 0.2)
        self.assertIn("Step 13 of 17", self.browser.text("#hint"))
        self.assertIn("48 lanes", self.browser.text("#hint"))
        self.assertIn("Step 1 of 17", self.where())
        hovered = self.browser.run("return [...document.querySelectorAll('#listing .hovered .address')].map((a) => a.textContent)")
        self.assertEqual(hovered, ["0x100c"])
        self.assertFalse(self.browser.run("return document.querySelector('.cursor.hover').hidden"))
        self.browser.move("h1")
        self.assertEqual(self.browser.text("#hint"), "")
        # An instruction and a side of a fork show where in time they are.
        self.browser.move("#listing .line:nth-child(12)")
        left, width = self.browser.run(
            "const c = document.querySelector('#timeline .cursor.span'); return [parseFloat(c.style.left), parseFloat(c.style.width)]")
        self.assertAlmostEqual(left, 100 * 7 / 18, places=1)
        self.assertAlmostEqual(width, 100 * 4 / 18, places=1)

    def test_keys_step_and_zoom(self):
        self.open("gcd")
        self.browser.run("document.getElementById('timeline').focus()")
        self.browser.press("Right", "Right", "Left", "Right", "Right")
        self.assertIn("Step 4 of 69", self.where())
        self.browser.press("PageDown")
        self.assertIn("Step 14 of 69", self.where())
        self.browser.press("End")
        self.assertIn("After the last step", self.where())
        self.assertEqual(self.now_lines(), ["0x1020"], "the instruction that ended the run")
        self.browser.press("Right")
        self.assertIn("After the last step", self.where())
        self.browser.press("PageUp", "Left")
        self.assertIn("Step 59 of 69", self.where())
        self.assertEqual(self.browser.attribute("#timeline", "aria-valuenow"), "59")
        self.assertIn("Step 59 of 69", self.browser.attribute("#timeline", "aria-valuetext"))
        self.browser.press("+")
        width = self.browser.run("return parseFloat(document.querySelector('.cursor.selected').style.width)")
        self.assertAlmostEqual(width, 100 / 35, places=1)
        self.browser.press("Home")
        self.assertIn("Step 1 of 69", self.where())
        self.assertAlmostEqual(self.selected_at()[0], 0, places=3)
        # What is shown moves by the bar below the timeline: by its keys to the end, and back with the step that is chosen.
        shown = "return [document.getElementById('pan').checkVisibility(), Number(document.getElementById('pan').value)]"
        self.assertEqual(self.browser.run(shown), [True, 0])
        self.browser.run("document.getElementById('pan').focus()")
        self.browser.press("End")
        self.assertEqual(self.browser.run(shown), [True, 35])
        self.assertAlmostEqual(self.selected_at()[0], -1, places=3)
        self.browser.click("#timeline", 0.01, 0.3)
        self.assertIn("Step 36 of 69", self.where())
        self.browser.run("document.getElementById('timeline').focus()")
        self.browser.press("Home")
        self.assertEqual(self.browser.run(shown), [True, 0])
        self.browser.press("0")
        self.assertEqual(self.browser.run(shown)[0], False)
        width = self.browser.run("return parseFloat(document.querySelector('.cursor.selected').style.width)")
        self.assertAlmostEqual(width, 100 / 70, places=1)

    def test_everything_is_reached_by_tab(self):
        self.open("fork")
        # Neither of these is there at the first step: one cannot go further back.
        self.browser.press("Tab", "Tab")
        reached = []
        while "theme" not in reached[1:]:
            reached.append(self.browser.run(
                "const a = document.activeElement; return a.id || a.parentElement.id || a.tagName"))
            style = self.browser.run(
                "const s = getComputedStyle(document.activeElement); return [s.outlineStyle, parseFloat(s.outlineWidth)]")
            self.assertLess(len(reached), 40)
            if reached[-1] != "BODY":
                self.assertEqual(style[0], "solid", f"no focus to be seen on {reached[-1]}")
                self.assertGreaterEqual(style[1], 2)
            self.browser.press("Tab")
        expected = ["theme", "next", "last", "zoom-out", "zoom-in", "zoom-fit", "timeline", "listing", "forks",
                    "only-changed", "final"]
        self.assertEqual([name for name in reached[:-1] if name in expected], expected)

    def test_lists_are_walked_with_arrows(self):
        self.open("fork")
        self.browser.run("document.querySelector('#listing .line').focus()")
        self.browser.press("Down", "Down", "Down", "Enter")
        self.assertIn("Step 13 of 17", self.where(), "the instruction at else")
        self.assertEqual(self.browser.run("return document.activeElement.tabIndex"), 0)
        self.assertEqual(self.browser.run("return document.querySelectorAll('#listing [tabindex=\"0\"]').length"), 1)
        self.browser.press("Up", "Enter")
        self.assertIn("Step 3 of 17", self.where())
        self.assertEqual(self.browser.attribute("#listing .line:nth-child(3)", "aria-selected"), "true")

    def test_counts_and_branch_ratios(self):
        self.open("gcd")
        branch = self.browser.text("#listing .line:nth-child(2)")
        self.assertIn("taken 1 (8 %)", branch)
        self.assertIn("not taken 11", branch)
        self.assertIn("All hold", self.browser.text("#expectations") + " ")

    def test_a_guess_is_called_one(self):
        self.open("skeleton")
        self.assertTrue(self.browser.run("return document.getElementById('guess').checkVisibility()"))
        self.assertIn("exec_lo ?", self.browser.text("#registers"))
        self.open("fork")
        self.assertFalse(self.browser.run("return document.getElementById('guess').checkVisibility()"))

    def test_the_fragment_chooses_a_step(self):
        self.open("gcd", fragment="#step=17")
        self.assertIn("Step 17 of 69", self.where())
        self.open("gcd", fragment="#step=end")
        self.assertIn("After the last step", self.where())
        self.open("gcd", fragment="#step=<b>")
        self.assertIn("Step 1 of 69", self.where())

    def test_a_long_run_is_summarised_and_says_so(self):
        self.open("long")
        # 300002 steps: 4096 columns of 64 are not enough, those of 128 are.
        notice = self.browser.text("#summarised")
        self.assertIn("stands for 128 steps", notice)
        self.assertTrue(self.browser.run("return document.getElementById('summarised').checkVisibility()"))
        self.browser.click("#timeline", 0.5, 0.2)
        self.assertRegex(self.where(), r"Steps [\d,]+ to [\d,]+ of 300,002 · 2\d lanes on at some time, 0 always")
        # 59999 of 60000 times.
        self.assertIn("taken 59,999 (99.9 %)", self.browser.text("#listing"))
        parts = self.browser.run("return document.querySelectorAll('#listing .is-part').length")
        self.assertEqual(parts, 5, "the loop")
        self.assertLess(os.path.getsize(self.pages["long"]), 5_000_000)
        self.browser.press("+", "+", "Right", "Left")
        self.browser.press("End")

    def test_texts_from_outside_are_texts(self):
        self.open("evil")
        self.assertEqual(self.browser.text("h1"), EVIL_NAME)
        self.assertEqual(self.browser.run("return document.title"), EVIL_NAME)
        self.assertIn("<img", self.browser.text("#listing"))
        self.assertIn("s0", self.browser.text("#expectations"))
        self.assertIn("trap_ignored", self.browser.text("#warnings"))
        self.assertEqual(self.browser.run("return [window.evil ?? 0, document.images.length, document.scripts.length]"), [0, 0, 2])
        self.browser.click("#warnings .row:last-child")
        self.assertIn("Step 3 of 4", self.where())

    def test_wide_and_narrow_light_and_dark(self):
        for name in self.pages:
            for width in (1280, 380):
                for scheme in ("light", "dark"):
                    with self.subTest(page=name, width=width, scheme=scheme):
                        self.open(name, width, scheme, "#step=4" if name != "long" else "#step=150000")
                        overflow = self.browser.run(OVERFLOW)
                        self.assertEqual(overflow["wide"], [])
                        self.assertLessEqual(overflow["page"], overflow["window"])
                        contrast = self.browser.run(CONTRAST)
                        self.assertEqual(contrast["bad"], [])
                        self.assertGreater(contrast["seen"], 30)
                        if screenshots:
                            self.browser.screenshot(f"{screenshots}/{name}-{width}-{scheme}.png", full=True)

    def test_the_button_overrides_the_system(self):
        def page():
            return self.browser.run("return getComputedStyle(document.body).backgroundColor")
        self.open("fork", scheme="light")
        light = page()
        self.browser.click("#theme")
        self.browser.click("#theme")
        self.assertEqual(self.browser.text("#theme"), "Theme: dark")
        dark = page()
        self.assertNotEqual(light, dark)
        self.browser.scheme("dark")
        self.browser.click("#theme")
        self.assertEqual(page(), dark, "auto is what the system says")
        self.browser.click("#theme")
        self.assertEqual((self.browser.text("#theme"), page()), ("Theme: light", light))
        # The pictures follow: the colour of a lane that is on.
        drawn = "return document.querySelector('#timeline canvas').toDataURL()"
        before = self.browser.run(drawn)
        self.browser.click("#theme")
        self.assertNotEqual(before, self.browser.run(drawn))


if __name__ == "__main__":
    unittest.main(verbosity=2)
