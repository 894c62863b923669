#include "compiler/left_out.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iomanip>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace salu::compiler_test {
namespace {

constexpr std::array<std::pair<Reason, std::string_view>, 5> reason_names = {{
    {Reason::failed, "failed"},
    {Reason::fallback, "fallback"},
    {Reason::vector, "vector"},
    {Reason::memory, "memory"},
    {Reason::relocation, "relocation"},
}};

std::ifstream open(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    throw std::runtime_error(path + ": cannot be read");
  }
  return file;
}

Reason parse_reason(const std::string& name, const std::string& where) {
  for (const auto& [reason, known] : reason_names) {
    if (known == name) {
      return reason;
    }
  }
  throw std::runtime_error(where + ": unknown reason '" + name + "'");
}

/// What LLVM could not compile, from its messages.
std::map<std::string, LeftOut> read_log(const std::string& path) {
  std::ifstream file = open(path);
  std::map<std::string, LeftOut> result;
  std::string reason;
  std::string function;
  while (file >> reason >> function) {
    result.emplace(function, LeftOut{parse_reason(reason, path), "named by llc"});
  }
  return result;
}

/// Instruction lines of a function are those between its label and .Lfunc_end, less directives, labels and comments.
std::optional<LeftOut> judge_instruction(std::string_view line, bool reads_memory) {
  line = line.substr(0, line.find(';'));
  const auto begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos || line[begin] == '.' || line.find(':') == line.find_last_not_of(" \t")) {
    return std::nullopt;
  }
  line = line.substr(begin, line.find_last_not_of(" \t") - begin + 1);
  const std::string_view mnemonic = line.substr(0, line.find_first_of(" \t"));
  if (!mnemonic.starts_with("s_")) {
    return LeftOut{Reason::vector, std::string(line)};
  }
  // What the driver of a graphics API defines: where scratch memory is.
  const std::string_view unknown_address = reads_memory ? "SCRATCH_RSRC" : "@";
  if (line.find(unknown_address) != std::string_view::npos) {
    return LeftOut{Reason::relocation, std::string(line)};
  }
  if (reads_memory) {
    return std::nullopt;
  }
  for (const std::string_view prefix : {"s_load", "s_store", "s_buffer_", "s_scratch_", "s_atomic", "s_dcache"}) {
    if (mnemonic.starts_with(prefix)) {
      return LeftOut{Reason::memory, std::string(line)};
    }
  }
  return std::nullopt;
}

/// The function that a line begins, if it is a function's label; a helper's (`name.helper`) is its caller's.
std::string function_of(std::string_view line) {
  const std::string_view label = line.substr(0, line.find(':'));
  return std::string(label.size() == line.size() ? "" : label.substr(0, label.find('.')));
}

}  // namespace

std::string_view reason_name(Reason reason) {
  for (const auto& [known, name] : reason_names) {
    if (known == reason) {
      return name;
    }
  }
  return "unknown";
}

std::map<std::string, LeftOut> find_left_out(const Suite& suite, const Configuration& configuration) {
  std::map<std::string, LeftOut> result = read_log(configuration.path + ".log");

  const std::set<std::string> names(suite.names.begin(), suite.names.end());
  std::set<std::string> seen;
  const std::string path = configuration.path + ".s";
  std::ifstream file = open(path);
  std::string current;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(".Lfunc_end")) {
      current.clear();
    } else if (const std::string function = function_of(line); names.contains(function)) {
      current = function;
      seen.insert(function);
    } else if (!current.empty()) {
      if (const std::optional<LeftOut> verdict = judge_instruction(line, suite.reads_memory)) {
        // The address of scratch memory is set up first; the vector instruction that uses it says more.
        LeftOut& known = result.emplace(current, *verdict).first->second;
        if (known.reason == Reason::relocation && verdict->reason == Reason::vector) {
          known = *verdict;
        }
      }
    }
  }
  const auto missing = std::ranges::find_if(
      names, [&](const std::string& name) { return !seen.contains(name) && !result.contains(name); });
  if (missing != names.end()) {
    throw std::runtime_error(path + ": no function " + *missing + ", and " + configuration.path +
                             ".log does not say why");
  }
  return result;
}

const std::map<std::string, LeftOut>& left_out_of(const Suite& suite, const Configuration& configuration) {
  static std::map<std::string, std::map<std::string, LeftOut>> known;
  const auto found = known.find(configuration.path);
  return found != known.end() ? found->second
                              : known.emplace(configuration.path, find_left_out(suite, configuration)).first->second;
}

LeftOutTable find_all_left_out() {
  LeftOutTable table;
  for (const Suite& suite : suites()) {
    for (const Configuration& configuration : suite.configurations) {
      for (const auto& [function, verdict] : find_left_out(suite, configuration)) {
        table[{function, configuration.selector, configuration.level}].emplace(configuration.processor, verdict.reason);
      }
    }
  }
  return table;
}

LeftOutTable read_left_out_list(const std::string& path) {
  std::ifstream file = open(path);
  LeftOutTable table;
  std::size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const std::string where = path + ":" + std::to_string(number);
    std::istringstream words(line.substr(0, line.find('#')));
    Row row;
    std::string reason_text;
    if (!(words >> row.function)) {
      continue;
    }
    if (!(words >> row.selector >> row.level >> reason_text)) {
      throw std::runtime_error(where + ": expected 'function selector level reason processor...'");
    }
    const Reason reason = parse_reason(reason_text, where);
    std::set<std::string> processors;
    for (std::string processor; words >> processor;) {
      processors.insert(processor);
    }
    const auto suite = std::find_if(suites().begin(), suites().end(), [&](const Suite& candidate) {
      return std::find(candidate.names.begin(), candidate.names.end(), row.function) != candidate.names.end();
    });
    if (suite == suites().end()) {
      throw std::runtime_error(where + ": no function " + row.function);
    }
    bool any = false;
    for (const Configuration& configuration : suite->configurations) {
      if (configuration.selector == row.selector && configuration.level == row.level &&
          (processors.contains("all") || processors.erase(configuration.processor) != 0)) {
        any = true;
        if (!table[row].emplace(configuration.processor, reason).second) {
          throw std::runtime_error(where + ": " + row.function + " on " + configuration.processor + " appears twice");
        }
      }
    }
    processors.erase("all");
    if (!any || !processors.empty()) {
      throw std::runtime_error(where + ": no such configuration" +
                               (processors.empty() ? "" : " (processor " + *processors.begin() + ")"));
    }
  }
  return table;
}

std::string write_left_out_list(const LeftOutTable& table) {
  std::vector<std::string> processors;
  for (const Configuration& configuration : function_configurations()) {
    if (std::find(processors.begin(), processors.end(), configuration.processor) == processors.end()) {
      processors.push_back(configuration.processor);
    }
  }
  std::ostringstream text;
  text << "# Functions that are not run, because their code is not purely scalar there: a new one, or one that is\n"
          "# scalar after all, fails the test. Judged from LLVM 19's assembly text and messages.\n"
          "# failed: an error of llc (the result is in vector registers); fallback: GlobalISel gave up;\n"
          "# vector: vector instructions; memory: scalar loads where there is no memory; relocation: an address that\n"
          "# nothing fills in.\n"
          "# function, selector, level, reason, processors\n";
  for (const auto& [row, reasons] : table) {
    for (const auto& [reason, name] : reason_names) {
      std::string list;
      std::size_t count = 0;
      for (const std::string& processor : processors) {
        if (const auto found = reasons.find(processor); found != reasons.end() && found->second == reason) {
          list += (list.empty() ? "" : " ") + processor;
          ++count;
        }
      }
      if (count != 0) {
        text << std::left << std::setw(30) << row.function << ' ' << std::setw(5) << row.selector << ' '
             << std::setw(11) << row.level << ' ' << std::setw(10) << name << ' '
             << (count == processors.size() ? "all" : list) << '\n';
      }
    }
  }
  return text.str();
}

}  // namespace salu::compiler_test
