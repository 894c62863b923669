// What is not run is known: the checked-in list says which functions are left out where, and why.

#include "compiler/left_out.hpp"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <set>

namespace salu::compiler_test {
namespace {

const std::string list_path = SALU_SOURCE_DIR "/tests/compiler/left_out.txt";

/// Every configuration with what is run there and what is left out, for people.
void print_coverage(const Suite& suite, const LeftOutTable& table) {
  constexpr std::array reasons = {Reason::failed, Reason::fallback, Reason::vector, Reason::memory, Reason::relocation};
  std::cout << std::left << std::setw(30) << suite.name << std::right << std::setw(6) << "run" << std::setw(10)
            << "left out";
  for (const Reason reason : reasons) {
    std::cout << std::setw(12) << reason_name(reason);
  }
  std::cout << '\n';
  const std::set<std::string> names(suite.names.begin(), suite.names.end());
  std::size_t run = 0;
  for (const Configuration& configuration : suite.configurations) {
    std::map<Reason, std::size_t> counts;
    std::size_t left_out = 0;
    for (const auto& [row, processors] : table) {
      if (names.contains(row.function) && row.selector == configuration.selector && row.level == configuration.level) {
        if (const auto found = processors.find(configuration.processor); found != processors.end()) {
          ++counts[found->second];
          ++left_out;
        }
      }
    }
    run += names.size() - left_out;
    std::cout << std::left << std::setw(30) << configuration.name() << std::right << std::setw(6)
              << names.size() - left_out << std::setw(10) << left_out;
    for (const Reason reason : reasons) {
      std::cout << std::setw(12) << counts[reason];
    }
    std::cout << '\n';
  }
  std::cout << run << " of " << names.size() * suite.configurations.size() << " are run (" << names.size() << ' '
            << suite.name << ", " << suite.configurations.size() << " configurations)\n\n";
}

TEST(LeftOutList, NamesExactlyWhatIsLeftOut) {
  const LeftOutTable actual = find_all_left_out();
  for (const Suite& suite : suites()) {
    print_coverage(suite, actual);
  }
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
  for (const Row& row : rows) {
    std::set<std::string> processors;
    for (const LeftOutTable* table : {&actual, &expected}) {
      if (const auto found = table->find(row); found != table->end()) {
        for (const auto& entry : found->second) {
          processors.insert(entry.first);
        }
      }
    }
    for (const std::string& processor : processors) {
      const std::string now = find(actual, row, processor);
      const std::string before = find(expected, row, processor);
      EXPECT_EQ(now, before) << row.function << " for " << processor << '_' << row.selector << '_' << row.level
                             << (now == "run" ? ": no longer left out, its entry is stale" : "");
    }
  }
  std::ofstream(SALU_LEFT_OUT_UPDATE) << write_left_out_list(actual);
  ADD_FAILURE() << "the list as it would have to be is in " << SALU_LEFT_OUT_UPDATE
                << ": when the changes above are meant, copy it to " << list_path;
}

TEST(LeftOutList, NamesAreUnique) {
  std::set<std::string> names;
  for (const Suite& suite : suites()) {
    for (const std::string& name : suite.names) {
      EXPECT_TRUE(names.insert(name).second) << "two functions are called " << name;
    }
  }
}

/// Optimised code of many functions runs everywhere: the list cannot grow until nothing is left to test.
TEST(LeftOutList, LeavesEnoughToRun) {
  for (const Suite& suite : suites()) {
    const std::size_t at_least = suite.names.size() * 2 / 7;
    for (const Configuration& configuration : suite.configurations) {
      EXPECT_GE(suite.names.size() - left_out_of(suite, configuration).size(), at_least)
          << suite.name << ' ' << configuration.name();
    }
  }
}

}  // namespace
}  // namespace salu::compiler_test
