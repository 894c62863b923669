// What is not run is known: the checked-in list says which functions are left out where, and why.

#include "compiler/left_out.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iomanip>
#include <iostream>
#include <set>

namespace salu::compiler_test {
namespace {

const std::string list_path = SALU_SOURCE_DIR "/tests/compiler/left_out.txt";

/// Every configuration with what is run there and what is left out, for people.
void print_coverage(const LeftOutTable& table) {
  std::cout << std::left << std::setw(30) << "configuration" << std::right << std::setw(6) << "run" << std::setw(10)
            << "left out";
  for (const Reason reason : {Reason::failed, Reason::fallback, Reason::vector, Reason::memory, Reason::relocation}) {
    std::cout << std::setw(12) << reason_name(reason);
  }
  std::cout << '\n';
  std::size_t run = 0;
  for (const Configuration& configuration : configurations()) {
    std::map<Reason, std::size_t> counts;
    std::size_t left_out = 0;
    for (const auto& [row, reasons] : table) {
      if (row.selector == configuration.selector && row.level == configuration.level) {
        if (const auto found = reasons.find(configuration.processor); found != reasons.end()) {
          ++counts[found->second];
          ++left_out;
        }
      }
    }
    run += functions().size() - left_out;
    std::cout << std::left << std::setw(30) << configuration.name() << std::right << std::setw(6)
              << functions().size() - left_out << std::setw(10) << left_out;
    for (const Reason reason : {Reason::failed, Reason::fallback, Reason::vector, Reason::memory, Reason::relocation}) {
      std::cout << std::setw(12) << counts[reason];
    }
    std::cout << '\n';
  }
  std::cout << run << " of " << functions().size() * configurations().size() << " are run (" << functions().size()
            << " functions, " << configurations().size() << " configurations)\n";
}

TEST(LeftOutList, NamesExactlyWhatIsLeftOut) {
  const LeftOutTable actual = find_all_left_out();
  print_coverage(actual);
  const LeftOutTable expected = read_left_out_list(list_path);
  if (actual == expected) {
    return;
  }
  std::set<Row> rows;
  for (const LeftOutTable* table : {&actual, &expected}) {
    for (const auto& entry : *table) {
      rows.insert(entry.first);
    }
  }
  const auto find = [](const LeftOutTable& table, const Row& row, const std::string& processor) -> std::string {
    const auto found = table.find(row);
    if (found == table.end() || !found->second.contains(processor)) {
      return "run";
    }
    return std::string(reason_name(found->second.at(processor)));
  };
  for (const Configuration& configuration : configurations()) {
    for (const Row& row : rows) {
      if (row.selector == configuration.selector && row.level == configuration.level) {
        const std::string now = find(actual, row, configuration.processor);
        const std::string before = find(expected, row, configuration.processor);
        EXPECT_EQ(now, before) << row.function << " for " << configuration.name()
                               << (now == "run" ? ": no longer left out, its entry is stale" : "");
      }
    }
  }
  std::ofstream(SALU_LEFT_OUT_UPDATE) << write_left_out_list(actual);
  ADD_FAILURE() << "the list as it would have to be is in " << SALU_LEFT_OUT_UPDATE
                << ": when the changes above are meant, copy it to " << list_path;
}

TEST(LeftOutList, NamesKnownFunctions) {
  std::set<std::string> names;
  for (const Function& function : functions()) {
    names.insert(function.name);
  }
  EXPECT_EQ(names.size(), functions().size()) << "two functions have the same name";
  for (const auto& entry : read_left_out_list(list_path)) {
    EXPECT_TRUE(names.contains(entry.first.function)) << list_path << ": no function " << entry.first.function;
  }
}

/// Optimised code of at least this many functions runs everywhere: the list cannot grow until nothing is left to test.
TEST(LeftOutList, LeavesEnoughToRun) {
  constexpr std::size_t at_least = 40;
  for (const Configuration& configuration : configurations()) {
    EXPECT_GE(functions().size() - find_left_out(configuration).size(), at_least) << configuration.name();
  }
}

}  // namespace
}  // namespace salu::compiler_test
