#include "compiler/left_out.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace salu::compiler_test {
namespace {

std::ifstream open(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    throw std::runtime_error(path + ": cannot be read");
  }
  return file;
}

/// The suite that a function is of.
const Suite& suite_of(const std::string& function, const std::string& where) {
  const auto found = std::ranges::find_if(
      suites(), [&](const Suite& suite) { return std::ranges::find(suite.names, function) != suite.names.end(); });
  if (found == suites().end()) {
    throw std::runtime_error(where + ": no function " + function);
  }
  return *found;
}

/// Adds what a line says, its reason apart.
void read_line(const std::string& line, const std::string& why, const std::string& where,
               std::map<Row, std::string>& rows) {
  std::istringstream words(line);
  Row row;
  if (!(words >> row.function)) {
    return;
  }
  if (!(words >> row.selector >> row.level) || why.empty()) {
    throw std::runtime_error(where + ": expected 'function selector level processor... # why'");
  }
  for (std::string processor; words >> processor;) {
    bool any = false;
    for (const Configuration& configuration : suite_of(row.function, where).configurations) {
      const auto fits = [](const std::string& said, const std::string& is) { return said == "all" || said == is; };
      if (!fits(row.selector, configuration.selector) || !fits(row.level, configuration.level) ||
          !fits(processor, configuration.processor)) {
        continue;
      }
      any = true;
      const Row one{row.function, configuration.selector, configuration.level, configuration.processor};
      if (!rows.emplace(one, why).second) {
        throw std::runtime_error(where + ": " + row.function + " on " + configuration.name() + " appears twice");
      }
    }
    if (!any) {
      throw std::runtime_error(where + ": no such configuration");
    }
  }
}

}  // namespace

const std::map<Row, std::string>& left_out() {
  static const std::map<Row, std::string> all = [] {
    const std::string path = SALU_SOURCE_DIR "/tests/compiler/left_out.txt";
    std::map<Row, std::string> rows;
    std::ifstream file = open(path);
    std::size_t number = 0;
    for (std::string line; std::getline(file, line);) {
      const std::size_t mark = std::min(line.find('#'), line.size());
      const std::size_t begin = line.find_first_not_of("# ", mark);
      const std::string why = begin == std::string::npos ? "" : line.substr(begin);
      read_line(line.substr(0, mark), why, path + ":" + std::to_string(++number), rows);
    }
    return rows;
  }();
  return all;
}

const std::string* why_left_out(const Configuration& configuration, const std::string& function) {
  const auto found = left_out().find({function, configuration.selector, configuration.level, configuration.processor});
  return found == left_out().end() ? nullptr : &found->second;
}

const std::set<std::string>& not_compiled(const Configuration& configuration) {
  static std::map<std::string, std::set<std::string>> known;
  const auto found = known.find(configuration.path);
  if (found != known.end()) {
    return found->second;
  }
  std::set<std::string>& names = known[configuration.path];
  std::ifstream file = open(configuration.path + ".log");
  for (std::string what, function; file >> what >> function;) {
    if (what == "failed") {
      names.insert(function);
    }
  }
  return names;
}

}  // namespace salu::compiler_test
