#include <salu/equivalence.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <exception>

#include "loader/launch/bare_kernel.hpp"
#include "loader/launch/kernel_code.hpp"
#include "loader/program/code_files.hpp"
#include "loader/rejection.hpp"
#include "loader/scenario/one_scenario.hpp"
#include "loader/text_file.hpp"
#include "support/numbers.hpp"

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

/// Starts a kernel according to its metadata. `sizes`: further lines of `kernel:`.
Result<Scenario> start_kernel(const KernelMetadata& kernel, const std::string& path, const LoadOptions& options,
                              const std::string& sizes) {
  LoadOptions with_code = options;
  with_code.code_file = path;
  // The words are a placeholder for the object.
  const std::string text = make_kernel_scenario(kernel, "{words: [0xbf810000]}", sizes);
  Result<Scenario> scenario = load_yaml(text, path, with_code).front();
  if (!scenario) {
    return Error{
        scenario.error().code,
        {path},
        fmt::format("the kernel `{}` cannot be started without a scenario: {}", kernel.name, scenario.error().message),
        {}};
  }
  scenario->name = path;
  const std::string waves = scenario->waves == nullptr
                                ? "one wave of it"
                                : fmt::format("a work-group of {}", support::counted(scenario->waves->count, "wave"));
  scenario->remarks.push_back({{path},
                               fmt::format("`{}` is a kernel without a scenario: starting {}, with a buffer of 4096 "
                                           "bytes for each pointer",
                                           kernel.name, waves),
                               {}});
  return scenario;
}

/// The work-group of two kernels whose waves wait for each other: the size for which they were compiled, but not more
/// than 256 work-items unless it is required.
Result<std::array<u32, 3>> common_workgroup(const KernelMetadata& a, const KernelMetadata& b,
                                            const std::string& path_b) {
  constexpr u32 usual_items = 256;
  const auto required = [](const KernelMetadata& kernel) { return kernel.required_workgroup_size; };
  constexpr std::array<u32, 3> none{};
  if (required(a) != none && required(b) != none && required(a) != required(b)) {
    const auto text = [](const std::array<u32, 3>& size) {
      return fmt::format("[{}, {}, {}]", size[0], size[1], size[2]);
    };
    return Error{
        ErrorCode::usage,
        {path_b},
        fmt::format("`{}` was compiled for work-groups of {}, and `{}` for {}: they cannot be started with the "
                    "same work-group; write a scenario with `kernel:` for each",
                    b.name, text(required(b)), a.name, text(required(a))),
        {}};
  }
  if (required(a) != none) return required(a);
  if (required(b) != none) return required(b);
  return std::array<u32, 3>{std::min({a.max_workgroup_size, b.max_workgroup_size, usual_items}), 1, 1};
}

/// Launches both programs as kernels.
Result<ProgramPair> start_kernels(const KernelMetadata& a, const std::string& path_a, const LoadOptions& options_a,
                                  const KernelMetadata& b, const std::string& path_b, const LoadOptions& options_b,
                                  KernelLaunch launch) {
  if (!take_same_arguments(a, b)) {
    return Error{
        ErrorCode::usage,
        {path_b},
        fmt::format(
            "{}, but {}: they cannot be started with the same arguments; write a scenario with `kernel:` for each",
            describe_arguments(b), describe_arguments(a)),
        {}};
  }
  std::string sizes;
  Result<Scenario> first = start_kernel(a, path_a, options_a, sizes);
  if (!first) return std::move(first).error();
  Result<Scenario> second = start_kernel(b, path_b, options_b, sizes);
  if (!second) return std::move(second).error();
  const bool has_barriers = has_barrier(first->program) || has_barrier(second->program);
  if (launch == KernelLaunch::work_group_if_barriers && has_barriers) {
    const Result<std::array<u32, 3>> size = common_workgroup(a, b, path_b);
    if (!size) return size.error();
    sizes = fmt::format("  workgroup_size: [{}, {}, {}]\n  waves: all\n", (*size)[0], (*size)[1], (*size)[2]);
    first = start_kernel(a, path_a, options_a, sizes);
    if (!first) return std::move(first).error();
    second = start_kernel(b, path_b, options_b, sizes);
    if (!second) return std::move(second).error();
  }
  return ProgramPair{
      std::move(*first), std::move(*second),
      make_kernel_scenario(a, "{file: " + quote_for_yaml(path_a) + "}",
                           sizes + "# To compare registers when both reach an instruction that salu does not execute:\n"
                                   "# expect: {stop: vector_instruction, registers: {s0: 0}}\n")};
}

}  // namespace

Result<ProgramPair> load_pair(const std::string& path_a, const std::string& path_b, const LoadOptions& options_a,
                              const LoadOptions& options_b, const ScenarioSelection& selection_a,
                              const ScenarioSelection& selection_b, KernelLaunch launch) {
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
      if (kernel_a && kernel_b)
        return start_kernels(*kernel_a, path_a, options_a, *kernel_b, path_b, options_b, launch);
    }
    return ProgramPair{std::move(*first), std::move(*second)};
  } catch (Rejection& rejection) {
    return std::move(rejection).take();
  } catch (const std::exception& exception) {
    return Error{ErrorCode::io, {path_a}, std::string("cannot be loaded: ") + exception.what(), {}};
  }
}

}  // namespace salu
