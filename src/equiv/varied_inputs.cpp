#include "equiv/varied_inputs.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace salu::equiv {
namespace {

/// Adds the inputs in texts. Returns an error if one is invalid.
std::optional<Error> add_inputs(const std::string& option, const std::vector<std::string>& texts,
                                const std::vector<FixedRegister>& fixed, const Programs& programs,
                                std::vector<Input>& inputs) {
  for (const std::string& text : texts) {
    const Result<std::vector<Input>> named = parse_inputs(text, option, programs);
    if (!named) return named.error();
    // Inputs of one text do not overlap, and may be a million bytes: compare only with earlier texts.
    const std::size_t before = inputs.size();
    for (const Input& input : *named) {
      const auto fail = [&](const std::string& problem) {
        return Error{ErrorCode::usage, {option + " " + text}, fmt::format("`{}` {}", input.place.name, problem), {}};
      };
      if (const std::string* by = find_fixed(fixed, input.place)) {
        return fail("is also set by --set " + *by + "; remove one of them");
      }
      if (varies(std::span(inputs).first(before), input.place)) return fail("is already varied");
      inputs.push_back(input);
    }
  }
  return std::nullopt;
}

}  // namespace

Result<VariedInputs> read_inputs(const EquivalenceOptions& options, const Programs& programs,
                                 std::vector<std::string>& not_varied) {
  VariedInputs varied;
  const std::vector<FixedRegister> fixed = parse_fixed(options.fixed, programs);
  if (auto error = add_inputs("--exhaustive", options.exhaustive, fixed, programs, varied.inputs)) return *error;
  varied.exhaustive = varied.inputs.size();
  if (auto error = add_inputs("--inputs", options.inputs, fixed, programs, varied.inputs)) return *error;
  std::vector<support::ValueRange> ranges;
  for (const Input& input : std::span(varied.inputs).first(varied.exhaustive)) ranges.push_back(input.range());
  varied.combinations.emplace(ranges);
  if (varied.combinations->count() == 0) {
    return Error{ErrorCode::usage, {"--exhaustive"}, "more than 2^32 combinations; use smaller ranges", {}};
  }
  // With named inputs, all other places keep their values.
  if (!varied.inputs.empty()) return varied;
  const bool is_kernel = !programs[0]->arguments.empty() || !programs[1]->arguments.empty();
  if (is_kernel) varied.inputs = argument_inputs(programs, options.vary_buffers, not_varied);
  varied.finds_others = !is_kernel;
  return varied;
}

bool varies(std::span<const Input> inputs, const Place& place) {
  return std::ranges::any_of(inputs, [&](const Input& input) { return share_bits(input.place, place); });
}

std::optional<Error> fixed_problem(const std::vector<std::string>& fixed, const Programs& programs,
                                   const std::vector<Input>& columns) {
  const std::vector<FixedRegister> registers = parse_fixed(fixed, programs);
  for (const Input& column : columns) {
    const std::string* const by = find_fixed(registers, column.place);
    if (by == nullptr) continue;
    return Error{ErrorCode::usage,
                 {"--set " + *by},
                 fmt::format("rows of `cases:` set `{}`; remove one of them", column.place.name),
                 {}};
  }
  return std::nullopt;
}

}  // namespace salu::equiv
