"""The pages of `salu report` in a headless Chromium: pointer and keys, both themes, wide and narrow windows, and no external
requests. Screenshots are written to the directory SALU_SCREENSHOTS, if it is set."""

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

# The fault is the last of some 300,000 steps, of which every twelfth forks.
FAULT = """
name: a fault after many forks
target: gfx900
code:
  asm: |
    start:
      s_mov_b32 s40, 25000
    loop:
      s_mov_b64 exec, s[34:35]
      s_add_u32 s42, s42, s40
      s_cbranch_i_fork s[32:33], a
    b:
      s_xor_b32 s43, s43, s42
      s_branch j
    a:
      s_add_u32 s44, s42, 1
    j:
      s_cbranch_join s36
      s_sub_u32 s40, s40, 1
      s_cmp_lg_u32 s40, 0
      s_cbranch_scc1 loop
      s_load_dword s5, s[50:51], 0
      s_endpgm
registers: {exec: 0xff, "s[32:33]": 0x0f, "s[34:35]": 0xff, s36: 0, s42: 0, s43: 0, "s[50:51]": 0x9000000}
"""

MISUSE = """
name: an overwritten entry
target: gfx900
code:
  asm: |
    start:
      s_cbranch_i_fork s[32:33], a
    b:
      s_mov_b32 s9, 2
      s_branch j
    a:
      s_mov_b32 s8, 1
      s_mov_b32 s0, 4
    j:
      s_cbranch_join s36
      s_endpgm
registers: {exec: 3, "s[32:33]": 1, s36: 0}
expect: {registers: {s8: 1, exec: 2, s9: 3}}
"""

# Wave 0 spins after the first barrier, and wave 1 waits for it at the second one.
DEADLOCK = """      s_barrier
      v_readfirstlane_b32 s4, v0
      s_cmp_eq_u32 s4, 0
      s_cbranch_scc1 spin
      s_barrier
      s_endpgm
    spin:
      s_branch spin
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

# The contrast of text and background, by the formula of WCAG 2. Returns values below 4.5, or below 3 for large text.
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

# Elements that exceed the page to the right, and truncated text without a way to scroll to the rest.
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
        cls.make("fault", "-", text=FAULT)
        misuse = pathlib.Path(cls.folder.name, "misuse.yaml")
        misuse.write_text(MISUSE)
        cls.make("misuse", misuse)
        cls.make("hazard", root / "programs/missing_waits.yaml", "--document", "3", "--check-hazards")
        cls.make("race", root / "programs/missing_barrier.yaml", "--document", "2", "--check-races")
        complete = (root / "programs/missing_barrier.yaml").read_text().split("\n---\n")[0]
        deadlock = complete.replace("      s_barrier\n", DEADLOCK)
        cls.make("deadlock", "-", text=deadlock)
        # The waves of 40 work-groups, of which one writes a register without permission.
        many = complete.replace("      s_barrier\n", "      s_barrier\n      s_mov_b32 ttmp4, 1\n")
        cls.make("many", "-", "--wave", "5", text=many.replace("workgroup_size: 128", "workgroup_size: 128, grid_size: 5120"))

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
        """Returns the starts of the marks of the selected column, in fractions of the width of their plots."""
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
        written = self.browser.run(
            "return [...document.querySelectorAll('.wave.is-written')].map((row) => row.firstChild.textContent)")
        self.assertEqual(written, ["exec"], "and CSP, which has a line of its own")
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
        self.browser.click(f"#final .row:nth-child({names.index('s[42:43]') + 1})")
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
        # An instruction and a side of a fork show their place in time.
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
        # The bar below the timeline scrolls it: by its keys to the end, and back with the selected step.
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
        # Both are absent at the first step, which is the first in time.
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
        expected = ["theme", "next", "last", "zoom-out", "zoom-in", "zoom-fit", "mark-next", "timeline", "registers",
                    "source-lines", "listing", "forks", "only-changed", "final"]
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
        self.assertIn("All expectations hold", self.browser.text("#outcome"))

    def test_a_guess_is_called_one(self):
        self.open("skeleton")
        self.assertTrue(self.browser.run("return document.getElementById('guess').checkVisibility()"))
        self.assertIn("exec ?", self.browser.text("#registers"))
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
        self.assertIn("represents 128 steps", notice)
        self.assertTrue(self.browser.run("return document.getElementById('summarised').checkVisibility()"))
        self.browser.click("#timeline", 0.5, 0.2)
        self.assertRegex(self.where(), r"Steps [\d,]+ to [\d,]+ of 300,002 · 2\d lanes on at some time, 0 always")
        # 59999 of 60000 times.
        self.assertIn("taken 59,999 (99.9 %)", self.browser.text("#listing"))
        parts = self.browser.run("return document.querySelectorAll('#listing .is-part').length")
        self.assertEqual(parts, 5, "the loop")
        self.assertLess(os.path.getsize(self.pages["long"]), 2_000_000)
        self.browser.press("+", "+", "Right", "Left")
        self.browser.press("End")

    def test_texts_from_outside_are_texts(self):
        self.open("evil")
        self.assertEqual(self.browser.text("h1"), EVIL_NAME)
        self.assertEqual(self.browser.run("return document.title"), EVIL_NAME)
        self.assertIn("<img", self.browser.text("#listing"))
        self.assertIn("expectations0: expected 0x00000002, got 0x00000001", self.browser.text("#findings").replace(" ", "", 1))
        self.assertIn("trap_ignored", self.browser.text("#findings"))
        self.assertEqual(self.browser.run("return [window.evil ?? 0, document.images.length, document.scripts.length]"), [0, 0, 2])
        self.browser.click("#findings .finding:nth-child(2) button")
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

    def findings(self):
        return self.browser.run("return [...document.querySelectorAll('#findings .finding')].map((item) => item.textContent)")

    def links(self):
        return self.browser.run("return [...document.querySelectorAll('#findings button')].map((button) => button.textContent)")

    def test_findings_come_first_and_lead_to_culprit_and_victim(self):
        self.open("misuse")
        self.assertIn("2 expectations failed, 1 warning", self.browser.text(".verdict"))
        findings = self.findings()
        self.assertEqual(len(findings), 3)
        self.assertIn("exec: expected 0x0000000000000002, got 0x0000000000000004", findings[0])
        self.assertIn("control_stack_misuse", findings[2])
        top, track = self.browser.run(
            "return ['findings', 'timeline'].map((id) => document.getElementById(id).getBoundingClientRect().top)")
        self.assertLess(top, min(track, 250))
        red = self.browser.run("return getComputedStyle(document.querySelector('.finding.bad .kind')).color")
        self.assertEqual(red, self.browser.run("return getComputedStyle(document.querySelector('.verdict')).color"))
        # It opens at the last write of the place of the first finding: the join.
        self.assertIn("Step 4 of", self.where())
        links = self.links()
        for name, step in (("culprit: s_mov_b32 s0, 4", 3), ("victim: s_cbranch_join s36", 4), ("last write: s_mov_b32 s9, 2", 5)):
            place = next(i for i, text in enumerate(links) if text.startswith(name))
            self.browser.run("document.querySelectorAll('#findings button')[arguments[0]].focus()", place)
            self.browser.press("Enter")
            self.assertIn(f"Step {step} of", self.where(), name)
        # N and P move from one to the next, including the fork.
        self.browser.press("p", "p", "p")
        self.assertIn("Step 1 of", self.where())
        self.browser.press("n")
        self.assertIn("Step 3 of", self.where())

    def test_a_hazard_that_nobody_expected_leads_to_its_place(self):
        self.open("hazard")
        self.assertIn("hazard smem_raw: expected none", self.findings()[0])
        # The sum is the fifth instruction; the first one loads its operand.
        self.assertIn("s_add_u32 s7, s4, s5", self.links()[0])
        self.assertIn("step 5", self.links()[0])
        self.assertIn("Step 5 of", self.where())

    def test_a_page_opens_at_the_fault_with_single_steps_around_it(self):
        self.open("fault")
        self.assertIn("Step 275,002 of 275,002", self.where())
        self.assertEqual(self.now_lines(), ["0x1030"])
        self.assertIn("unmapped_memory", self.findings()[0])
        self.browser.press("Left", "Left")
        self.assertIn("Step 275,000 of", self.where())
        self.assertIn("s_cmp_lg_u32", self.browser.text("#now"))
        # A value that was read links to the step that wrote it.
        self.browser.click("#now button")
        self.assertIn("Step 274,999 of", self.where())
        self.assertIn("s_sub_u32 s40", self.browser.text("#now"))
        # The reverse direction: a register's row.
        self.browser.run("document.querySelector('#registers .wave').focus()")
        names = self.browser.run("return [...document.querySelectorAll('#registers .name')].map((name) => name.textContent)")
        self.browser.press(*["Down"] * names.index("s43"), "Enter")
        self.assertIn("Step 274,996 of", self.where())
        self.assertIn("s_xor_b32 s43", self.browser.text("#now"))
        # Forks of the start are shown one by one, those in the middle are not.
        self.browser.run("location.hash = '#step=1'; location.reload()")
        self.assertIn("Step 1 of", self.where())
        self.browser.press("n", "n", "Right")
        self.assertIn("Step 16 of", self.where())
        self.assertIn("path: a, 4 lanes wait in entry 0", self.browser.text("#sides"))
        self.open("fault", fragment="#step=150000")
        self.assertRegex(self.where(), "Steps 149,[0-9]+ to 150,[0-9]+ of")

    def test_the_wheel_and_dragging_zoom(self):
        shown = "return [view.from, view.to]"
        self.open("gcd")
        width = "return parseFloat(document.querySelector('.cursor.selected').style.width)"
        whole = self.browser.run(width)
        self.browser.move("#timeline", 0.5, 0.5)
        x, y = self.browser.run(
            "const b = document.getElementById('timeline').getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]")
        for delta in (-100, -100):
            self.browser.cdp("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=delta)
        zoomed = self.browser.wait(lambda: self.browser.run(width), lambda now: now > 1.5 * whole)
        self.assertTrue(self.browser.run("return document.getElementById('pan').checkVisibility()"))
        self.browser.press("0")
        self.assertAlmostEqual(self.browser.run(width), whole, places=3)
        # From a quarter to a half: a quarter of the run then has the whole width, and the selected step does not change.
        before = self.where()
        self.browser.drag("#timeline", 0.25, 0.5)
        self.assertAlmostEqual(self.browser.run(width), 4 * whole, delta=0.2 * whole)
        self.assertEqual(self.where(), before)
        self.assertGreater(zoomed, whole)

    def test_time_lines_have_the_same_columns(self):
        for name, width in (("fork", 1280), ("fork", 380), ("fault", 1280), ("fault", 380)):
            with self.subTest(page=name, width=width):
                self.open(name, width)
                edges = self.browser.run(
                    "return [...document.querySelectorAll('.plot')].map((plot) => {"
                    "const box = plot.getBoundingClientRect(); return [box.left, box.right]; })")
                self.assertGreater(len(edges), 5)
                for left, right in edges:
                    self.assertAlmostEqual(left, edges[0][0], delta=0.51)
                    self.assertAlmostEqual(right, edges[0][1], delta=0.51)

    def test_source_stands_beside_the_assembly(self):
        self.open("fork")
        self.browser.click("#timeline", 7.5 / 18, 0.3)
        now = "return [...document.querySelectorAll('#source-lines .is-now .code')].map((code) => code.textContent.trim())"
        self.assertEqual(len(self.browser.run(now)), 1)
        self.assertIn("s_cbranch_join s37", self.browser.run(now)[0])
        place = self.browser.run(
            "return [...document.querySelectorAll('.source-line')].findIndex((line) => line.textContent.includes('s_or_b64 s[42:43]'))")
        self.browser.click(f".source-line:nth-child({place + 1})")
        self.assertIn("Step 13 of 17", self.where())
        # Standard input cannot be read again.
        self.open("long")
        self.assertFalse(self.browser.run("return document.getElementById('source').checkVisibility()"))

    def test_lanes_have_the_colour_of_their_path(self):
        self.open("fork")
        # The middle of lanes at steps, as the canvas has them: 64 pixels down to lane 0, three a lane.
        pixels = """
          const canvas = document.querySelector('#timeline canvas');
          const all = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
          return arguments[0].map(([step, lane]) => {
            const place = 4 * ((64 + lane * 3 + 1) * canvas.width + Math.floor(canvas.width * (step - 0.5) / 18));
            return all.slice(place, place + 3).join();
          });
        """
        together, then, even, odd, other, waiting, off = self.browser.run(
            pixels, [(2, 0), (5, 0), (7, 0), (9, 1), (13, 40), (5, 40), (13, 0)])
        self.assertEqual(len({together, then, even, odd, other}), 5)
        self.assertEqual(len({waiting, off, other}), 3, "lanes that wait are neither on nor off")
        legend = self.browser.text("#legend")
        for name in ("then", "even", "odd", "else", "waits in entry 1"):
            self.assertIn(name, legend)

    def test_narrow_and_wide_cut_no_name(self):
        broken = """
          return [...document.querySelectorAll(arguments[0])].filter((node) => {
            const range = document.createRange();
            range.selectNodeContents(node);
            return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1;
          }).map((node) => node.textContent);
        """
        self.open("fork", 380)
        self.assertIn("sh_mem_bases", self.browser.text("#final"))
        self.assertEqual(self.browser.run(broken, "#final .row > span:first-child"), [])
        # The tracks below the lanes have their names there too, and space for them.
        names, left, edge = self.browser.run("""
          const names = [...document.querySelectorAll('#lane-axis span')].filter((node) => node.checkVisibility());
          return [names.map((node) => node.textContent), Math.min(...names.map((node) => node.getBoundingClientRect().left)),
            document.getElementById('lane-axis').getBoundingClientRect().left];
        """)
        self.assertEqual(names[-2:], ["csp", "pc"])
        self.assertGreaterEqual(left, edge)
        self.open("fork")
        self.assertEqual(self.browser.run(broken, "#listing .line > .address + span"), [])

    def test_the_selected_column_leaves_texts_legible(self):
        # The colour of the selection covers the drawing of a column and its background.
        ratio = """
          const top = getComputedStyle(document.querySelector('.cursor.selected')).backgroundColor;
          const faint = getComputedStyle(document.querySelector('.faint')).color;
          const page = getComputedStyle(document.body).backgroundColor;
          const canvas = document.createElement('canvas');
          canvas.width = canvas.height = 1;
          const context = canvas.getContext('2d', {willReadFrequently: true});
          const light = (below) => {
            for (const style of [below, top]) {
              context.fillStyle = style;
              context.fillRect(0, 0, 1, 1);
            }
            const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((c) =>
              (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
          };
          const both = [light(faint), light(page)];
          return Math.max(...both) / Math.min(...both);
        """
        for scheme in ("light", "dark"):
            with self.subTest(scheme=scheme):
                self.open("fork", scheme=scheme)
                self.assertGreaterEqual(self.browser.run(ratio), 4.5)

    def test_many_columns_leave_no_gaps(self):
        self.open("long", scheme="dark")
        # s0 changes in every column: its row is drawn at half its height everywhere.
        opacities = self.browser.run("""
          const canvas = document.querySelector('#registers .wave canvas');
          const {width, data} = canvas.getContext('2d').getImageData(0, canvas.height / 2, canvas.width, 1);
          return Array.from({length: width}, (_, x) => data[4 * x + 3]).slice(5, -5);
        """)
        self.assertGreater(len(opacities), 500)
        self.assertGreaterEqual(min(opacities), 150)

    def test_colours_are_not_named_where_they_are_not_known(self):
        self.open("fork")
        self.assertEqual(self.browser.text("#legend span"), "all together")
        self.open("fault")
        self.assertIn("path not recorded", self.browser.text("#legend span"))
        self.assertEqual(self.browser.text("#outcome").count("unmapped_memory"), 1)
        self.open("misuse")
        self.assertEqual(self.browser.text("#findings-title"), "Findings (3)")

    def waves(self):
        """Returns the texts of the links to waves, and the place of the selected one."""
        return self.browser.run("""
          const links = [...document.querySelectorAll('.waves-box a')];
          return [links.map((link) => link.textContent), links.findIndex((link) => link.getAttribute('aria-current') === 'true')];
        """)

    def chosen(self, wave):
        """Waits until a wave is shown, because another one loads the page again."""
        shown = "return document.querySelector('.waves-box a[aria-current]')?.getAttribute('href')"
        self.assertEqual(self.browser.wait(lambda: self.browser.run(shown), lambda now: now == f"#wave={wave}"), f"#wave={wave}")

    def test_a_page_of_one_wave_does_not_offer_others(self):
        self.open("fork")
        self.assertEqual(self.waves(), [[], -1])
        self.assertFalse(self.browser.run("return location.hash.includes('wave')"))

    def test_waves_are_chosen_by_pointer_key_and_address(self):
        self.open("deadlock")
        texts, at = self.waves()
        self.assertEqual(at, 0, "the wave that stopped the run")
        self.assertIn("deadlock", texts[0])
        self.assertIn("waits at a barrier", texts[1])
        self.assertIn("2 waves", self.browser.text("#meta"))
        self.browser.click(".waves-box li:nth-child(2) a")
        self.chosen(1)
        self.assertEqual(self.waves()[1], 1)
        self.assertTrue(self.browser.run("return location.hash.startsWith('#wave=1&step=')"))
        self.assertEqual(self.browser.run("return document.activeElement.getAttribute('href')"), "#wave=1", "the focus stays")
        self.browser.press("Tab")
        self.browser.press("Left")
        self.assertIn("Step 7 of 8", self.where())
        self.browser.run("document.querySelector('.waves-box a').focus()")
        self.browser.press("Enter")
        self.chosen(0)
        self.browser.run("history.back()")
        self.chosen(1)
        self.open("deadlock", fragment="#wave=1&step=3")
        self.assertEqual(self.waves()[1], 1)
        self.assertIn("Step 3 of 8", self.where())
        self.open("deadlock", fragment="#wave=9")
        self.assertEqual(self.waves()[1], 0)

    def test_everything_belongs_to_the_chosen_wave(self):
        spins = "return [...document.querySelectorAll('#listing .line')].find((line) => line.textContent.includes('s_branch spin')).textContent"
        self.open("deadlock", fragment="#wave=0")
        self.assertIn("19,", self.browser.run(spins))
        self.assertIn("v0          0x00000000 0x00000001", " ".join(self.finals()))
        self.open("deadlock", fragment="#wave=1")
        self.assertIn("never", self.browser.run(spins))
        self.assertIn("v0          0x00000040 0x00000041", " ".join(self.finals()))
        self.assertIn("wave 1 of work-group", self.browser.text("#lanes-title"))

    def finals(self):
        return self.browser.run(
            "return [...document.querySelectorAll('#final .row')].map((row) => row.firstChild.textContent.padEnd(12) + row.lastChild.textContent)")

    def test_barriers_are_marked_and_described(self):
        self.open("deadlock", fragment="#wave=1&step=1")
        # Wave 0 executes 4 steps before its first barrier; the steps of the run are those of the trace.
        self.assertIn("Step 1 of 8 (step 5 of the run)", self.where())
        self.browser.press("n")
        self.assertIn("Step 4 of 8", self.where())
        note = self.browser.text(".barrier-note")
        self.assertRegex(note, "waits at the barrier from step 8 of the run; meanwhile w0 10,000 steps; continues with step 10,009")
        self.browser.press("n")
        self.assertIn("Step 8 of 8", self.where())
        self.assertIn("never passed", self.browser.text(".barrier-note"))
        self.assertIn("never passed", self.browser.text(".barrier-note.bad"))
        # A line in the colour of its kind: after steps 4 and 8 of 9 columns.
        colours = self.browser.run("""
          const canvas = document.querySelector('#timeline canvas');
          const context = canvas.getContext('2d');
          return [4, 8].map((step) => [...context.getImageData(Math.round(canvas.width * step / 9) - 1, 120, 1, 1).data].join());
        """)
        self.assertEqual(len(set(colours)), 2)
        self.open("deadlock", fragment="#wave=1&step=2")
        self.assertIsNone(self.browser.run("return document.querySelector('.barrier-note')"))

    def test_findings_lead_to_other_waves(self):
        self.open("deadlock", fragment="#wave=1")
        self.assertEqual([link.split(":")[0] for link in self.links()], ["w0 repeats", "w1 waits", "w0 the end"])
        self.browser.click("#findings button:nth-child(1)")
        self.chosen(0)
        self.assertIn("After the last step", self.where())
        self.open("race")
        self.assertIn("w1 at", self.links()[0])
        other = next(i for i, link in enumerate(self.links()) if link.startswith("w0 other"))
        self.assertIn("ds_read_b32 v3, v2", self.links()[other])
        self.browser.run("document.querySelectorAll('#findings button')[arguments[0]].click()", other)
        self.chosen(0)
        self.assertIn("ds_read_b32 v3, v2", self.browser.text("#now"))
        self.assertIn("data_race", " ".join(self.findings()))

    def test_other_waves_and_those_that_are_not_recorded_are_listed(self):
        self.open("many")
        texts, at = self.waves()
        self.assertEqual(len(texts), 16)
        self.assertIn("w5", texts[at])
        self.assertIn("--wave N", self.browser.text(".waves-box"))
        self.assertIn("1 warning in w4: dropped_write", self.findings())
        self.browser.click("#findings li:nth-child(3) a")
        self.chosen(1)

    def test_memory_leads_to_the_wave_that_wrote_it(self):
        self.open("deadlock", fragment="#wave=1")
        self.browser.run("document.querySelector('#memory-words .row').click()")
        self.chosen(0)
        self.assertIn("ds_write_b32", self.browser.text("#now"))

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
        # The drawing changes: the colour of an active lane.
        drawn = "return document.querySelector('#timeline canvas').toDataURL()"
        before = self.browser.run(drawn)
        self.browser.click("#theme")
        self.assertNotEqual(before, self.browser.run(drawn))


if __name__ == "__main__":
    unittest.main(verbosity=2)
