#include "proof/solvers.hpp"

#include <fmt/core.h>

#include <atomic>
#include <charconv>
#include <cmath>
#include <mutex>
#include <string_view>
#include <thread>

#include "support/process.hpp"

namespace salu::proof {
namespace {

/// More than an answer ever has.
constexpr std::size_t most_output_bytes = std::size_t{16} << 20;

std::vector<std::string> command_of(const std::string& name, const std::string& path, double seconds) {
  // Somebody has to end them where salu itself is killed.
  const auto whole_seconds = static_cast<u64>(std::ceil(seconds)) + 1;
  if (name == "z3") return {path, "-in", "-smt2", fmt::format("-T:{}", whole_seconds)};
  return {path, "--lang=smt2", fmt::format("--tlimit={}", whole_seconds * 1000), "-"};
}

/// The value behind a name in what (get-value ...) prints: `#x0000`, `#b01`, `(_ bv5 32)`, `true`.
std::optional<u64> value_of(std::string_view text, const std::string& name) {
  const std::size_t at = text.find("(" + name + " ");
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + name.size() + 2);
  int base = 10;
  if (text.starts_with("true")) return 1;
  if (text.starts_with("false")) return 0;
  if (text.starts_with("#x") || text.starts_with("#b")) {
    base = text[1] == 'x' ? 16 : 2;
    text.remove_prefix(2);
  } else if (text.starts_with("(_ bv")) {
    text.remove_prefix(5);
  } else {
    return std::nullopt;
  }
  u64 value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

std::string what_happened(const support::ProcessResult& result) {
  using End = support::ProcessResult::End;
  switch (result.end) {
    case End::timed_out:
      return "took too long";
    case End::killed:
      return fmt::format("ended by signal {}", result.status);
    case End::too_verbose:
      return "printed more than an answer";
    case End::not_started:
      return "could not be started";
    case End::exited:
      break;
  }
  return "does not know";
}

SolverAnswer read_answer(const SmtQuery& query, const std::string& name, const support::ProcessResult& result) {
  SolverAnswer answer;
  answer.by = name;
  const std::string_view output = result.output;
  const std::string_view first = output.substr(0, output.find('\n'));
  if (first == "unsat") {
    answer.kind = SolverAnswer::Kind::never;
    return answer;
  }
  if (first == "sat") {
    for (const u32 number : query.inputs) {
      const std::optional<u64> value = value_of(output, fmt::format("input{}", number));
      if (!value) {
        answer.why = fmt::format("{}: its answer cannot be read", name);
        return answer;
      }
      answer.inputs.emplace_back(number, *value);
    }
    answer.kind = SolverAnswer::Kind::sometimes;
    return answer;
  }
  answer.why = fmt::format("{} {}", name, first == "timeout" ? "took too long" : what_happened(result));
  return answer;
}

}  // namespace

Solvers::Solvers() {
  for (const char* const name : {"z3", "cvc5"}) {
    if (const auto path = support::find_program({name})) {
      found_.push_back({name, *path});
    } else {
      missing_.emplace_back(name);
    }
  }
}

SolverAnswer Solvers::ask(const SmtQuery& query, double seconds) const {
  std::atomic<bool> is_answered = false;
  std::mutex mutex;
  SolverAnswer best;
  std::vector<std::jthread> threads;
  for (const Solver& solver : found_) {
    threads.emplace_back([&] {
      support::ProcessLimits limits;
      limits.seconds = seconds;
      limits.output_bytes = most_output_bytes;
      limits.is_cancelled = &is_answered;
      const auto result = support::run_process(command_of(solver.name, solver.path, seconds), query.text, limits);
      SolverAnswer answer = read_answer(query, solver.name, result);
      const std::scoped_lock lock(mutex);
      if (best.kind != SolverAnswer::Kind::unknown) return;
      if (answer.kind == SolverAnswer::Kind::unknown && !best.why.empty()) answer.why = best.why + ", " + answer.why;
      best = std::move(answer);
      if (best.kind != SolverAnswer::Kind::unknown) is_answered = true;
    });
  }
  threads.clear();
  return best;
}

}  // namespace salu::proof
