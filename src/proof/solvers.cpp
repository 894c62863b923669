#include "proof/solvers.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <mutex>
#include <string_view>
#include <system_error>
#include <thread>

#include "support/names.hpp"
#include "support/printable.hpp"
#include "support/process.hpp"
#include "support/threads.hpp"

namespace salu::proof {
namespace {

/// Limit for the output of a solver, larger than any answer.
constexpr std::size_t most_output_bytes = std::size_t{16} << 20;
/// The largest timeout that both solvers accept.
constexpr double most_seconds = 1e6;

std::vector<std::string> command_of(const std::string& name, const std::string& path, double seconds) {
  // The solver's own limit is longer than the time after which salu kills it. It ends a solver that was started by a
  // wrapper script and survives when salu is killed.
  const auto whole_seconds = static_cast<u64>(std::ceil(std::min(seconds, most_seconds))) + 1;
  if (name == "z3") return {path, "-in", "-smt2", fmt::format("-T:{}", whole_seconds)};
  return {path, "--lang=smt2", fmt::format("--tlimit={}", whole_seconds * 1000), "-"};
}

/// The value of a name in the output of (get-value ...): `#x0000`, `#b01`, `(_ bv5 32)`, `true`.
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
  // Without a delimiter after it, a number may be truncated.
  const bool is_whole = end != text.data() + text.size() && (*end == ')' || *end == ' ');
  return error == std::errc() && is_whole ? std::optional(value) : std::nullopt;
}

/// The first line of a program's output, made printable for a message.
std::string beginning_of(const std::string& output) {
  constexpr std::size_t most_bytes = 100;
  return support::printable(support::beginning(std::string_view(output).substr(0, output.find('\n')), most_bytes));
}

bool ran_out_of_memory(const support::ProcessResult& result, std::size_t memory_bytes) {
  for (const std::string* const text : {&result.output, &result.errors}) {
    // The next-to-last text is from the dynamic loader, the last one from cvc5.
    for (const char* const words : {"out of memory", "bad_alloc", "MemoryError", "annot allocate memory",
                                    "failed to map segment", "OutOfMemoryException"}) {
      if (text->find(words) != std::string::npos) return true;
    }
  }
  // Some programs do not check the result of an allocation.
  const bool has_crashed =
      result.end == support::ProcessResult::End::killed && (result.status == SIGSEGV || result.status == SIGABRT);
  return has_crashed && result.most_memory_bytes > memory_bytes / 2;
}

std::string what_happened(const support::ProcessResult& result, std::size_t memory_bytes) {
  using End = support::ProcessResult::End;
  if (result.end == End::timed_out) return "took too long";
  if (result.end == End::too_verbose) return "printed too much output";
  if (result.end == End::not_started) return fmt::format("could not be started ({})", std::strerror(result.status));
  if (ran_out_of_memory(result, memory_bytes)) return "ran out of memory";
  // The message of std::thread in libstdc++. The reason is either the memory limit or the process limit.
  if (result.end == End::killed && result.errors.find("what():  Resource temporarily unavailable") != std::string::npos)
    return "could not start a thread (too little memory, or too many processes)";
  if (result.end == End::killed) return fmt::format("was ended by signal {}", result.status);
  const std::string said = beginning_of(result.errors.empty() ? result.output : result.errors);
  if (said == "unknown") return "answered unknown";
  if (said == "timeout") return "took too long";
  std::string what = result.status != 0 ? fmt::format("ended with exit code {}", result.status) : "gave no answer";
  if (!said.empty()) what += ": " + said;
  return what;
}

/// True if a program ended regularly. Both solvers exit with 1 if requested values are not available.
bool has_come_to_its_end(const support::ProcessResult& result) {
  return result.end == support::ProcessResult::End::exited && (result.status == 0 || result.status == 1);
}

SolverAnswer read_answer(const SmtQuery& query, const std::string& name, const support::ProcessResult& result,
                         std::size_t memory_bytes) {
  SolverAnswer answer;
  answer.by = name;
  const std::string_view output = result.output;
  const std::string_view first = output.substr(0, output.find('\n'));
  if (!has_come_to_its_end(result) || (first != "unsat" && first != "sat")) {
    answer.why = fmt::format("{} {}", name, what_happened(result, memory_bytes));
    return answer;
  }
  if (first == "unsat") {
    answer.kind = SolverAnswer::Kind::never;
    return answer;
  }
  for (const u32 number : query.inputs) {
    const std::optional<u64> value = value_of(output, fmt::format("input{}", number));
    if (!value) {
      answer.why = fmt::format("{} gave an answer that cannot be read", name);
      return answer;
    }
    answer.inputs.emplace_back(number, *value);
  }
  answer.kind = SolverAnswer::Kind::sometimes;
  return answer;
}

/// Sets a flag when the scope is left in any way.
class SetAtEnd {
 public:
  explicit SetAtEnd(std::atomic<bool>& flag) : flag_(flag) {}
  SetAtEnd(const SetAtEnd&) = delete;
  SetAtEnd& operator=(const SetAtEnd&) = delete;
  ~SetAtEnd() { flag_ = true; }

 private:
  std::atomic<bool>& flag_;
};

}  // namespace

Solvers::Solvers(u64 memory_mib) : memory_mib_(memory_mib) {
  for (const char* const name : {"z3", "cvc5"}) {
    if (const auto path = support::find_program({name})) {
      found_.push_back({name, *path});
    } else {
      missing_.emplace_back(name);
    }
  }
}

SolverAnswer Solvers::ask(const SmtQuery& query, double seconds, const Check& holds,
                          const std::function<bool()>& is_cancelled) const {
  constexpr std::chrono::milliseconds between_looks(10);
  const auto memory_bytes = static_cast<std::size_t>(memory_mib_ << 20);
  std::mutex mutex;
  std::condition_variable has_more;
  std::vector<SolverAnswer> answers;
  std::atomic<bool> is_over = false;
  const auto add = [&](SolverAnswer answer) {
    const std::scoped_lock lock(mutex);
    answers.push_back(std::move(answer));
    has_more.notify_one();
  };
  // Declared after everything that the threads use, so that no solver outlives this function, however it is left.
  std::vector<std::jthread> threads;
  const SetAtEnd end(is_over);
  for (const Solver& solver : found_) {
    try {
      threads.push_back(support::start_thread([&] {
        support::ProcessLimits limits;
        limits.seconds = seconds;
        limits.output_bytes = most_output_bytes;
        limits.memory_bytes = memory_bytes;
        limits.is_cancelled = &is_over;
        const auto result = support::run_process(command_of(solver.name, solver.path, seconds), query.text, limits);
        add(read_answer(query, solver.name, result, memory_bytes));
      }));
    } catch (const std::system_error& error) {
      add({SolverAnswer::Kind::unknown,
           {},
           solver.name,
           fmt::format("{} could not be started ({})", solver.name, error.code().message())});
    }
  }
  const auto wait_for = [&](std::size_t count) {
    std::unique_lock lock(mutex);
    return has_more.wait_for(lock, between_looks, [&] { return answers.size() >= count; });
  };
  SolverAnswer best;
  for (std::size_t i = 0; i < found_.size(); ++i) {
    while (!wait_for(i + 1)) {
      if (is_cancelled && is_cancelled()) return {SolverAnswer::Kind::unknown, {}, {}, "cancelled"};
    }
    SolverAnswer answer;
    {
      const std::scoped_lock lock(mutex);
      answer = std::move(answers[i]);
    }
    if (answer.kind == SolverAnswer::Kind::sometimes && holds && !holds(answer))
      answer = {SolverAnswer::Kind::unknown, {}, answer.by, answer.by + " gave a wrong counterexample"};
    if (answer.kind != SolverAnswer::Kind::unknown) return answer;
    if (!best.why.empty()) answer.why = best.why + ", " + answer.why;
    best = std::move(answer);
  }
  return best;
}

}  // namespace salu::proof
