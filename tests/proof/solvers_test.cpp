#include "proof/solvers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <string>
#include <thread>

#include "proof/smtlib.hpp"
#include "support/process.hpp"

// Processes and their limits. tests/equiv/solvers_test.py tests salu with solvers that misbehave.
namespace salu::proof {
namespace {

using support::ProcessLimits;
using support::ProcessResult;
using support::run_process;
using testing::HasSubstr;
using End = ProcessResult::End;

ProcessResult run_script(const std::string& script, const ProcessLimits& limits = {}, const std::string& input = {}) {
  return run_process({"/bin/sh", "-c", script}, input, limits);
}

TEST(Processes, InputThatNobodyReads) {
  const std::string large(std::size_t{8} << 20, 'x');
  const ProcessResult unread = run_script("echo done", {}, large);
  EXPECT_TRUE(unread.is_good());
  EXPECT_EQ(unread.output, "done\n");
  EXPECT_EQ(run_script("wc -c", {}, large).output, std::to_string(large.size()) + "\n");
}

TEST(Processes, MemoryIsLimited) {
  ProcessLimits limits;
  limits.memory_bytes = std::size_t{64} << 20;
  EXPECT_EQ(run_script("ulimit -v", limits).output, "65536\n");
  EXPECT_NE(run_script("ulimit -v").output, "65536\n");
}

TEST(Processes, WhatTheyHaveStartedEndsWithThem) {
  const ProcessResult result = run_script("sleep 1000 & echo $!");
  EXPECT_TRUE(result.is_good());
  // A process that has ended has an empty command line, even before its parent has waited for it.
  const std::string script = "for i in $(seq 500); do [ -n \"$(tr -d '\\0' 2>/dev/null </proc/" +
                             result.output.substr(0, result.output.find('\n')) +
                             "/cmdline)\" ] || exit 0; sleep 0.01; done; exit 1";
  EXPECT_TRUE(run_script(script).is_good());
}

TEST(Processes, SignalsThatTheCallerHoldsBackComeToThem) {
  sigset_t all{};
  sigset_t before{};
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const ProcessResult result = run_script("grep SigBlk /proc/self/status");
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(result.output, "SigBlk:\t0000000000000000\n");
}

TEST(Processes, EndAtTheirTimeOrWhenTheyAreCancelled) {
  ProcessLimits limits;
  limits.seconds = 0.1;
  // The streams are closed long before the program ends.
  EXPECT_EQ(run_script("exec >&- 2>&-; sleep 1000", limits).end, End::timed_out);
  limits.seconds = 1e300;
  std::atomic<bool> is_cancelled = false;
  limits.is_cancelled = &is_cancelled;
  const std::jthread other([&] { is_cancelled = true; });
  EXPECT_EQ(run_script("trap '' TERM; while :; do sleep 1000; done", limits).end, End::timed_out);
}

TEST(Processes, SignalsAreAsForAnyProgram) {
  const ProcessResult result = run_script("kill -TERM $$; sleep 1000");
  EXPECT_EQ(result.end, End::killed);
  EXPECT_EQ(result.status, SIGTERM);
}

/// Two factors of a 63-bit number, which are not found within the time limit.
SmtQuery hard_question(Terms& terms) {
  const TermId a = terms.zero_extend(terms.input(32, 0), 64);
  const TermId b = terms.zero_extend(terms.input(32, 1), 64);
  const TermId product = terms.equal(terms.multiply(a, b), terms.constant(64, 0x7ffffffa00000017));
  const TermId above = terms.bit_and(terms.below(terms.constant(64, 1), a), terms.below(terms.constant(64, 1), b));
  return smt_query(terms, terms.bit_and(product, above), false);
}

TEST(SolversLimits, MemoryThatRunsOutIsSaid) {
  Terms terms;
  // z3 4.8 to 4.13 starts with this amount of memory, including the stack of another thread; the question needs more.
  const SolverAnswer answer = Solvers(48).ask(hard_question(terms), 30);
  EXPECT_EQ(answer.kind, SolverAnswer::Kind::unknown);
  EXPECT_THAT(answer.why, HasSubstr("z3 ran out of memory"));
}

TEST(SolversLimits, TheyEndWhenTheyAreCancelled) {
  Terms terms;
  int asked = 0;
  const SolverAnswer answer = Solvers().ask(hard_question(terms), 1e6, {}, [&asked] { return ++asked == 3; });
  EXPECT_EQ(answer.kind, SolverAnswer::Kind::unknown);
  EXPECT_EQ(answer.why, "cancelled");
  EXPECT_EQ(asked, 3);
  // They also end if the callback throws.
  struct Thrown {};
  EXPECT_THROW(static_cast<void>(Solvers().ask(hard_question(terms), 1e6, {}, []() -> bool { throw Thrown(); })),
               Thrown);
}

TEST(SolversLimits, OnlyInputsThatPassTheCheckAreAnAnswer) {
  Terms terms;
  const TermId input = terms.input(32, 0);
  const SmtQuery query = smt_query(terms, terms.below(terms.constant(32, 5), input), false);
  const SolverAnswer good =
      Solvers().ask(query, 30, [](const SolverAnswer& answer) { return answer.inputs.at(0).second > 5; });
  EXPECT_EQ(good.kind, SolverAnswer::Kind::sometimes);
  const SolverAnswer none = Solvers().ask(query, 30, [](const SolverAnswer&) { return false; });
  EXPECT_EQ(none.kind, SolverAnswer::Kind::unknown);
  EXPECT_THAT(none.why, HasSubstr("z3 gave a wrong counterexample"));
  EXPECT_THAT(none.why, HasSubstr("cvc5 gave a wrong counterexample"));
}

}  // namespace
}  // namespace salu::proof
