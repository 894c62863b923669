#include <salu/equivalence.hpp>

#include <exception>

#include "loader/program_builder.hpp"
#include "loader/rejection.hpp"
#include "loader/text_file.hpp"

namespace salu {
namespace {

using namespace loader;

struct Input {
  const std::string& path;
  std::string bytes;
  bool is_code = false;
};

Input read_input(const std::string& path) {
  Input input{path, read_file(path, file_limit_bytes, "a scenario or a file of code"), false};
  input.is_code = code_file_kind(input.bytes, path).has_value();
  return input;
}

Result<Scenario> only_one(std::vector<Result<Scenario>> scenarios, const std::string& path) {
  if (scenarios.size() == 1) return std::move(scenarios.front());
  return Error{
      ErrorCode::usage,
      {display_name(path)},
      "holds " + std::to_string(scenarios.size()) + " scenarios; two programs are compared from one state each",
      {}};
}

Result<Scenario> load_side(Input input, const Input& other, const LoadOptions& options) {
  if (!input.is_code || other.is_code) {
    return only_one(load_bytes(std::move(input.bytes), input.path, options), input.path);
  }
  LoadOptions with_code = options;
  with_code.code_file = input.path;
  if (input.path == "-") {
    return Error{
        ErrorCode::usage, {display_name(input.path)}, "code from standard input cannot take a scenario's place", {}};
  }
  Result<Scenario> scenario = only_one(load_bytes(other.bytes, other.path, with_code), other.path);
  if (scenario) scenario->name = input.path;
  return scenario;
}

}  // namespace

Result<ProgramPair> load_pair(const std::string& path_a, const std::string& path_b, const LoadOptions& options_a,
                              const LoadOptions& options_b) {
  try {
    if (path_a == "-" && path_b == "-") {
      return Error{ErrorCode::usage, {display_name(path_a)}, "standard input (-) can be read once only", {}};
    }
    const Input a = read_input(path_a);
    const Input b = read_input(path_b);
    Result<Scenario> first = load_side(a, b, options_a);
    if (!first) return std::move(first).error();
    Result<Scenario> second = load_side(b, a, options_b);
    if (!second) return std::move(second).error();
    return ProgramPair{std::move(*first), std::move(*second)};
  } catch (Rejection& rejection) {
    return std::move(rejection).take();
  } catch (const std::exception& exception) {
    return Error{ErrorCode::io, {path_a}, std::string("cannot be loaded: ") + exception.what(), {}};
  }
}

}  // namespace salu
