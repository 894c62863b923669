#include <salu/equivalence.hpp>

#include <fmt/core.h>

#include <exception>

#include "loader/launch/bare_kernel.hpp"
#include "loader/program/code_files.hpp"
#include "loader/rejection.hpp"
#include "loader/scenario/one_scenario.hpp"
#include "loader/text_file.hpp"

namespace salu {
namespace {

using namespace loader;

struct Input {
  const std::string& path;
  const ScenarioSelection& selection;
  std::string bytes;
  bool is_code = false;
};

Input read_input(const std::string& path, const ScenarioSelection& selection, const FileRules& rules) {
  Input input{path, selection, read_file(path, file_limit_bytes, "a scenario or a file of code", rules), false};
  input.is_code = code_file_kind(input.bytes, path).has_value();
  return input;
}

Result<Scenario> choose(std::vector<Result<Scenario>> scenarios, const Input& from, const LoadOptions& options) {
  const ScenarioChoice choice{.document = from.selection.document, .row = from.selection.row, .takes_table = true};
  return choose_one(std::move(scenarios), display_name(from.path), choice, options.set);
}

Result<Scenario> load_side(const Input& input, const Input& other, const LoadOptions& options) {
  if (!input.is_code || other.is_code) {
    return choose(load_bytes(input.bytes, input.path, options), input, options);
  }
  LoadOptions with_code = options;
  with_code.code_file = input.path;
  if (input.path == "-") {
    return Error{
        ErrorCode::usage, {display_name(input.path)}, "code from standard input cannot replace a scenario's code", {}};
  }
  Result<Scenario> scenario = choose(load_bytes(other.bytes, other.path, with_code), other, options);
  if (scenario) scenario->name = input.path;
  return scenario;
}

/// Returns the kernel at the entry of code without a scenario. Nothing for standard input, which cannot be read again.
std::optional<KernelMetadata> bare_kernel(const Input& input, const Scenario& scenario) {
  const bool is_object = input.path != "-" && code_file_kind(input.bytes, input.path) == CodeFileKind::elf;
  return is_object ? find_kernel_at_entry(scenario, input.bytes) : std::nullopt;
}

Result<Scenario> start_kernel(const KernelMetadata& kernel, const std::string& path, const LoadOptions& options) {
  LoadOptions with_code = options;
  with_code.code_file = path;
  // The words are a placeholder for the object.
  const std::string text = make_kernel_scenario(kernel, "{words: [0xbf810000]}", "");
  Result<Scenario> scenario = load_yaml(text, path, with_code).front();
  if (!scenario) {
    return Error{
        scenario.error().code,
        {path},
        fmt::format("the kernel `{}` cannot be started without a scenario: {}", kernel.name, scenario.error().message),
        {}};
  }
  scenario->name = path;
  scenario->remarks.push_back(
      {{path},
       "`" + kernel.name +
           "` is a kernel without a scenario: starting one wave of it, with a buffer of 4096 bytes for each pointer",
       {}});
  return scenario;
}

/// Launches both programs as kernels.
Result<ProgramPair> start_kernels(const KernelMetadata& a, const std::string& path_a, const LoadOptions& options_a,
                                  const KernelMetadata& b, const std::string& path_b, const LoadOptions& options_b) {
  if (!take_same_arguments(a, b)) {
    return Error{
        ErrorCode::usage,
        {path_b},
        fmt::format(
            "{}, but {}: they cannot be started with the same arguments; write a scenario with `kernel:` for each",
            describe_arguments(b), describe_arguments(a)),
        {}};
  }
  Result<Scenario> first = start_kernel(a, path_a, options_a);
  if (!first) return std::move(first).error();
  Result<Scenario> second = start_kernel(b, path_b, options_b);
  if (!second) return std::move(second).error();
  return ProgramPair{
      std::move(*first), std::move(*second),
      make_kernel_scenario(a, "{file: " + quote_for_yaml(path_a) + "}",
                           "# To compare registers when both reach an instruction that salu does not execute:\n"
                           "# expect: {stop: vector_instruction, registers: {s0: 0}}\n")};
}

}  // namespace

Result<ProgramPair> load_pair(const std::string& path_a, const std::string& path_b, const LoadOptions& options_a,
                              const LoadOptions& options_b, const ScenarioSelection& selection_a,
                              const ScenarioSelection& selection_b) {
  try {
    if (path_a == "-" && path_b == "-") {
      return Error{ErrorCode::usage, {display_name(path_a)}, "standard input (-) can be read only once", {}};
    }
    const Input a = read_input(path_a, selection_a, options_a.files);
    const Input b = read_input(path_b, selection_b, options_b.files);
    Result<Scenario> first = load_side(a, b, options_a);
    if (!first) return std::move(first).error();
    Result<Scenario> second = load_side(b, a, options_b);
    if (!second) return std::move(second).error();
    if (a.is_code && b.is_code) {
      const auto kernel_a = bare_kernel(a, *first);
      const auto kernel_b = bare_kernel(b, *second);
      if (kernel_a && kernel_b) return start_kernels(*kernel_a, path_a, options_a, *kernel_b, path_b, options_b);
    }
    return ProgramPair{std::move(*first), std::move(*second)};
  } catch (Rejection& rejection) {
    return std::move(rejection).take();
  } catch (const std::exception& exception) {
    return Error{ErrorCode::io, {path_a}, std::string("cannot be loaded: ") + exception.what(), {}};
  }
}

}  // namespace salu
