#include "loader/assembly/llvm_assembler.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

#include "loader/assembly/text_assembler.hpp"
#include "loader/assembly/text_object.hpp"
#include "loader/llvm_versions.hpp"
#include "loader/text_file.hpp"
#include "support/names.hpp"
#include "support/process.hpp"

namespace salu::loader {
namespace {

constexpr const char* variable = "SALU_LLVM_MC";
constexpr double most_seconds = 60;
constexpr std::size_t most_memory_bytes = std::size_t{3072} << 20;
constexpr std::size_t most_llvm_errors = 10;
/// LLVM is stopped when its messages exceed this size.
constexpr std::size_t most_error_bytes = 65536;

/// Converts `:sramecc+:xnack-` to `+sramecc,-xnack`, for -mattr.
std::string attributes_of(std::string_view features) {
  std::string attributes;
  while (!features.empty()) {
    features.remove_prefix(1);
    const std::string_view feature = features.substr(0, features.find(':'));
    features.remove_prefix(feature.size());
    if (feature.empty()) continue;
    if (!attributes.empty()) attributes += ',';
    attributes.append(1, feature.back()).append(feature.substr(0, feature.size() - 1));
  }
  return attributes;
}

std::vector<std::string> command_line(const std::string& program, const CodeInput& input, const Target& target) {
  std::string triple = generation_info(target.generation).gfx > 6 ? "amdgcn-amd-amdhsa" : "amdgcn";
  std::string processor(target.processor);
  std::string attributes = input.assembly.features;
  if (const auto own = target_said_by_text(input.text)) {
    const Target* const known = find_target(own->processor);
    if (known != nullptr && known->generation == target.generation) {
      triple = own->triple;
      processor = own->processor;
      attributes = attributes_of(own->features);
    }
  }
  std::vector<std::string> arguments = {program, "-triple=" + triple, "-mcpu=" + processor, "-filetype=obj", "-g"};
  if (!attributes.empty()) arguments.push_back("-mattr=" + attributes);
  std::filesystem::path folder = std::filesystem::path(input.file).parent_path();
  arguments.push_back("-I" + (folder.empty() ? std::string(".") : folder.string()));
  for (const std::string& each : input.assembly.include_folders) arguments.push_back("-I" + each);
  for (const std::string& symbol : input.assembly.symbols) {
    if (const auto definition = parse_definition(symbol))
      arguments.push_back(fmt::format("-defsym={}={}", definition->first, definition->second));
  }
  arguments.insert(arguments.end(), {"-o", "-", "-"});
  return arguments;
}

/// Reads a number with a colon from the start of a text and removes both.
std::optional<u32> take_number(std::string_view& text) {
  u32 number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto length = static_cast<std::size_t>(end - text.data());
  if (error != std::errc{} || length >= text.size() || text[length] != ':') return std::nullopt;
  text.remove_prefix(length + 1);
  return number;
}

/// Parses a line `<stdin>:7:3: error: message` of LLVM's tools.
std::optional<Error> error_of_line(std::string_view line, const CodeInput& input, const Lines& lines) {
  constexpr std::string_view kind = " error: ";
  const std::size_t error_at = line.find(kind);
  if (error_at == std::string_view::npos) return std::nullopt;
  const std::string_view message = line.substr(error_at + kind.size());
  // A file name may contain colons, so its end is searched backwards.
  const std::string_view place = line.substr(0, error_at);
  const std::size_t column_at = place.size() < 2 ? std::string_view::npos : place.rfind(':', place.size() - 2);
  const std::size_t line_at =
      column_at == std::string_view::npos || column_at == 0 ? std::string_view::npos : place.rfind(':', column_at - 1);
  SourcePlace where{input.file};
  std::string source_line;
  if (line_at != std::string_view::npos) {
    const std::string_view file = place.substr(0, line_at);
    std::string_view numbers = place.substr(line_at + 1);
    const auto line_number = take_number(numbers);
    const auto column = take_number(numbers);
    if (!line_number || !column) return std::nullopt;
    const bool is_own = file == llvm_stdin_name;
    if (!is_own) where.file = file;
    where.line = *line_number + (is_own ? input.first_line - 1 : 0);
    where.column = *column + (is_own ? input.first_column - 1 : 0);
    if (is_own) source_line = std::string(input.first_column - 1, ' ') + std::string(lines.line(*line_number));
  }
  return Error{ErrorCode::assembly, std::move(where), std::string(message), std::move(source_line)};
}

std::vector<Error> errors_of(const support::ProcessResult& result, const CodeInput& input, const std::string& program) {
  using End = support::ProcessResult::End;
  const Lines lines(input.text);
  std::vector<Error> errors;
  std::string_view left = result.errors;
  while (!left.empty() && errors.size() < most_llvm_errors) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    if (auto error = error_of_line(left.substr(0, end), input, lines)) errors.push_back(std::move(*error));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  if (!errors.empty()) return errors;
  std::string what = fmt::format("{} ended with status {}", program, result.status);
  if (result.end == End::killed) what = fmt::format("{} was ended by signal {}", program, result.status);
  if (result.end == End::timed_out) what = fmt::format("{} did not finish within {} seconds", program, most_seconds);
  if (result.end == End::too_verbose) what = program + " wrote more bytes than an object may have";
  if (result.end == End::not_started) what = fmt::format("{} cannot be started (error {})", program, result.status);
  const std::string_view said = std::string_view(result.errors).substr(0, result.errors.find('\n'));
  if (!said.empty()) what += fmt::format(": {}", support::beginning(said, 200));
  errors.push_back({ErrorCode::assembly, input.where, std::move(what), input.source_line});
  return errors;
}

LlvmAssembly assemble_with(const std::string& program, const CodeInput& input, const Target& target) {
  support::ProcessLimits limits;
  limits.seconds = most_seconds;
  limits.output_bytes = file_limit_bytes;
  limits.error_bytes = most_error_bytes;
  limits.memory_bytes = most_memory_bytes;
  support::ProcessResult result = support::run_process(command_line(program, input, target), input.text, limits);
  // The exit status is unknown if this process ignores SIGCHLD or waits for all its children. But llvm-mc writes an
  // object only if there was no error.
  if (result.is_good() && !result.output.empty()) return {program, std::move(result.output), {}};
  return {program, {}, errors_of(result, input, program)};
}

}  // namespace

std::vector<std::string> find_llvm_assemblers(const std::string& llvm) {
  const char* const chosen = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): no thread writes it
  if (chosen == nullptr) return find_llvm_programs("llvm-mc", llvm);
  const auto path = support::find_program({chosen});
  return path ? std::vector{*path} : std::vector<std::string>();
}

std::string missing_llvm_assembler(const std::string& llvm) {
  const char* const chosen = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): no thread writes it
  if (chosen != nullptr)
    return fmt::format(
        "LLVM's assembler is not installed: {} is {}, which is not a program (Debian's package llvm-19 contains one)",
        variable, support::quote(chosen));
  const std::string version = chosen_llvm_version(llvm);
  if (version.empty()) {
    return fmt::format(
        "LLVM's assembler is not installed: llvm-mc-19, llvm-mc-22 and llvm-mc are not in PATH (Debian's package "
        "llvm-19 contains the first), and {} is not set",
        variable);
  }
  const std::string by = llvm.empty() ? llvm_version_variable : "--llvm";
  if (!is_llvm_version(version))
    return fmt::format("{} is {}, which is not a version of LLVM; expected a number such as 22", by,
                       support::quote(support::beginning(version, 40)));
  return fmt::format("LLVM's assembler is not installed in the version selected by {}: llvm-mc-{} is not in PATH", by,
                     version);
}

LlvmAssembly assemble_with_llvm(const std::vector<std::string>& programs, const CodeInput& input,
                                const Target& target) {
  LlvmAssembly first = assemble_with(programs.front(), input, target);
  for (std::size_t i = 1; i < programs.size() && !first.errors.empty(); ++i) {
    LlvmAssembly other = assemble_with(programs[i], input, target);
    if (other.errors.empty()) return other;
  }
  return first;
}

}  // namespace salu::loader
