#include "suite/result_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <string_view>

#include "support/numbers.hpp"
#include "support/printable.hpp"

namespace salu::suite {
namespace {

using support::printable;

constexpr std::string_view good = support::style::green;
constexpr std::string_view bad = support::style::red;

std::string rounded(double value, std::chars_format format) {
  constexpr int digits = 3;
  std::array<char, 400> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value, format, digits).ptr};
}

/// The number of following failures of other lanes of the same register, for the same expectation.
std::size_t lanes_behind(std::span<const Failure> failures, std::size_t first) {
  const auto register_of = [](const Failure& failure) -> std::optional<u32> {
    const std::optional<Location>& place = failure.mismatch.location;
    if (!place || !state_index::is_lane(place->index)) return std::nullopt;
    return state_index::vector_of(place->index);
  };
  const Failure& one = failures[first];
  if (!register_of(one)) return 0;
  const auto rest = failures.subspan(first + 1);
  const auto end = std::ranges::find_if_not(rest, [&](const Failure& other) {
    return other.row == one.row && other.mismatch.where == one.mismatch.where && register_of(other) == register_of(one);
  });
  return static_cast<std::size_t>(end - rest.begin());
}

std::string title(const TestResult& test) {
  return printable(test.id) + (test.name == test.id ? "" : " (" + printable(test.name) + ")");
}

}  // namespace

std::string ResultText::of(const TestResult& test) const {
  if (test.error) return error_line(test);
  const std::string rows = test.is_table ? support::counted(test.runs, "row") : "";
  if (options_.only_list) {
    return fmt::format("{}{}{}\n", printable(test.id), test.name == test.id ? "" : "  " + printable(test.name),
                       test.is_table ? " (" + rows + ")" : "");
  }
  if (test.status == TestResult::Status::failed) return failures(test);
  if (!options_.passed) return {};
  return fmt::format("{}: {}{}\n", styled("PASS", good), title(test), test.is_table ? ", " + rows : "");
}

std::string ResultText::summary(const SuiteResult& suite) const {
  if (options_.only_list) return {};
  const u64 tests = suite.passed + suite.failed + suite.not_loaded;
  std::string text = support::counted(tests, "test");
  if (suite.runs != tests - suite.not_loaded) text += " (" + support::counted(suite.runs, "run") + ")";
  text += fmt::format(": {} passed", suite.passed);
  if (suite.failed != 0) text += ", " + styled(fmt::format("{} failed", suite.failed), bad);
  if (suite.not_loaded != 0) text += ", " + styled(fmt::format("{} not loaded", suite.not_loaded), bad);
  if (suite.stopped_early) text += "; stopped at the first failure";
  const Shard& shard = suite_.shard;
  if (shard.count > 1) text += fmt::format("; shard {} of {}", shard.index + 1, shard.count);
  text += '\n';
  if (suite.without_expectations != 0 && options_.remarks) {
    text += support::counted(suite.without_expectations, "test") +
            " without `expect:`: only a regular end of the run was checked\n";
  }
  if (suite.fidelity) text += fidelity(*suite.fidelity);
  return options_.stats ? text + stats(suite) : text;
}

std::string ResultText::fidelity(const SuiteFidelity& fidelity) const {
  const u64 inexact = fidelity.approximate + fidelity.skipped + fidelity.assumed;
  std::string text = fmt::format("fidelity: {} of {} exact", fidelity.exact,
                                 support::counted(fidelity.exact + inexact, "executed instruction"));
  if (inexact != 0) {
    text += fmt::format("; {} approximate, {} skipped, {} assumed\n", fidelity.approximate, fidelity.skipped,
                        fidelity.assumed);
    text += fmt::format(
        "  {} of {} not entirely exact; this affects control flow in {}, an address in {}, a compared "
        "result in {}",
        fidelity.inexact_runs, support::counted(fidelity.runs, "run"), fidelity.affected_control_flow,
        fidelity.affected_addresses, fidelity.affected_results);
  }
  text += '\n';
  const auto share = [](const Share& part) { return fmt::format("{} of {}", part.covered, part.all); };
  for (const InstructionCoverage& coverage : fidelity.coverage) {
    text += fmt::format("  {}: {} scalar instructions, {} of their operand forms", generation_name(coverage.generation),
                        share(coverage.scalar), share(coverage.operand_forms));
    text += fmt::format("; {} vector instructions, {} of their encodings\n", share(coverage.vector),
                        share(coverage.vector_forms));
    if (options_.uncovered && !coverage.never_executed.empty())
      text += fmt::format("    never: {}\n", fmt::join(coverage.never_executed, ", "));
  }
  return text;
}

std::string ResultText::styled(const std::string& text, std::string_view style) const {
  return options_.colour ? std::string(style) + text + std::string(support::style::plain) : text;
}

std::string ResultText::error_line(const TestResult& test) const {
  const Error& error = *test.error;
  std::string place = printable(error.where.file);
  if (error.where.line != 0) place += fmt::format(":{}:{}", error.where.line, error.where.column);
  return fmt::format("{}: {}: {}\n", styled("ERROR", bad), place, printable(error.message));
}

std::string ResultText::failures(const TestResult& test) const {
  std::string lines;
  const Failure* last = nullptr;
  u64 shown = 0;
  for (std::size_t i = 0; i < test.failures.size(); ++i) {
    const Failure& failure = test.failures[i];
    std::string name = printable(test.id);
    if (failure.row) {
      name += fmt::format("[{}]",
                          failure.row_name.empty() ? std::to_string(*failure.row + 1) : printable(failure.row_name));
      if (last == nullptr || last->row != failure.row) ++shown;
      last = &failure;
    } else if (test.name != test.id) {
      name = title(test);
    }
    const Mismatch& mismatch = failure.mismatch;
    std::string text = name + ": " + mismatch.text();
    if (const std::size_t more = lanes_behind(test.failures, i); more != 0) {
      text += ", and " + support::counted(more, "more lane");
      i += more;
    }
    if (!failure.writer.empty()) text += "; " + failure.writer;
    if (mismatch.where.line != 0) text += fmt::format("; expected in {}:{}", mismatch.where.file, mismatch.where.line);
    std::ranges::replace(text, '\n', ' ');
    lines += fmt::format("{}: {}\n", styled("FAIL", bad), text);
    for (const std::string& link : failure.chain) lines += "      " + printable(link) + "\n";
  }
  if (test.is_table && test.failed_runs > shown) {
    lines += fmt::format("{}: {}: {} of {}\n", styled("FAIL", bad), title(test),
                         support::counted(test.failed_runs - shown, "more row"), test.runs);
  }
  return lines;
}

std::string ResultText::stats(const SuiteResult& suite) const {
  const auto rate = [](u64 count, double seconds) {
    if (seconds <= 0) return std::string("-");
    return rounded(static_cast<double>(count) / seconds / 1e6, std::chars_format::general) + " million a second";
  };
  const auto time = [](double seconds) { return rounded(seconds, std::chars_format::fixed) + " s"; };
  return fmt::format(
      "{} in {} with {}: loading {}, running and comparing {} (of all threads)\nruns: {} per thread, instructions: {} "
      "per thread\n",
      support::counted(suite.runs, "run"), time(suite.wall_seconds), support::counted(suite_.jobs, "thread"),
      time(suite.load_seconds), time(suite.run_seconds), rate(suite.runs, suite.run_seconds),
      rate(suite.steps, suite.run_seconds));
}

std::string Progress::after(const TestResult& test) {
  if (test.file != last_file_) ++files_done_;
  last_file_ = test.file;
  failed_ += test.status == TestResult::Status::passed ? 0 : 1;
  return fmt::format("[{}/{}] {} failed", files_done_, file_count_, failed_);
}

}  // namespace salu::suite
