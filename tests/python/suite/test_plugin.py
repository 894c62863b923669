"""The pytest plugin in a project that has the package installed."""

pytest_plugins = ["pytester"]

SCENARIO = """schema: salu-scenario-v1
name: {name}
target: gfx900
code: {{asm: "s_add_u32 s1, s0, 35\\n\\n  s_endpgm"}}
registers: {{s0: 7}}
expect: {{registers: {{s1: {value}}}}}
"""
TABLE = """schema: salu-scenario-v1
target: gfx900
code: {asm: "s_add_u32 s1, s0, 35\\n\\n  s_endpgm"}
cases: [{s0: 1, expect: {s1: 36}}, {s0: 2, expect: {s1: 36}}, {s0: 3, expect: {s1: 38}}]
"""


def run(pytester, *arguments):
    return pytester.runpytest_subprocess("-p", "salu_pytest", "-p", "no:cacheprovider", *arguments)


def test_scenarios_are_tests(pytester):
    pytester.makefile(".yaml", good=SCENARIO.format(name="good", value=42), bad=SCENARIO.format(name="bad", value=43),
                      table=TABLE, other="name: no scenario\n", broken=SCENARIO.format(name="x", value=42).replace("s_add", "s_dad"))
    result = run(pytester, "-v")
    result.assert_outcomes(passed=3, failed=3)
    result.stdout.fnmatch_lines_random(["*good.yaml::good PASSED*", "*bad.yaml::bad FAILED*", "*table.yaml::document 1[[]2[]] FAILED*",
                                        "*s1: expected 0x0000002b, got 0x0000002a*", "*unknown instruction*"])
    assert str(result.stdout).count("s1: expected 0x0000002b") == 1


def test_patterns_name_scenarios(pytester):
    text = SCENARIO.format(name="plain", value=42).replace("schema: salu-scenario-v1\n", "")
    pytester.makefile(".yaml", plain=text)
    run(pytester).assert_outcomes()
    run(pytester, "plain.yaml").assert_outcomes(passed=1)
    pytester.makeini("[pytest]\nsalu_scenarios = plain.yaml\n")
    run(pytester).assert_outcomes(passed=1)


def test_a_run_that_does_not_end_fails_without_expectations(pytester):
    pytester.makefile(".yaml", endless="schema: salu-scenario-v1\ntarget: gfx900\ncode: {asm: \"l:\\n\\n  s_branch l\"}\n"
                      "limits: {steps: 100}\n")
    result = run(pytester)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*step_limit*"])
