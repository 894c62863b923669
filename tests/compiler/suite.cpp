#include "compiler/suite.hpp"

namespace salu::compiler_test {
namespace {

template <class Items>
std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) {
    names.push_back(item.name);
  }
  return names;
}

}  // namespace

const std::vector<Suite>& suites() {
  static const std::vector<Suite> all = {
      {"functions", names_of(functions()), function_configurations(), false},
      {"memory_functions", names_of(memory_functions()), memory_function_configurations(), true},
      {"kernels", names_of(kernels()), kernel_configurations(), true},
  };
  return all;
}

}  // namespace salu::compiler_test
