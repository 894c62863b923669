#pragma once

#include <salu/equivalence.hpp>
#include <salu/scenario.hpp>

#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "command_line.hpp"
#include "output.hpp"

namespace salu::app {

/// What commands on two programs have in common: which these are, what is varied and what is compared.
struct PairArguments {
  std::string file_a;
  std::string file_b;
  LoadOptions load;  ///< for both
  std::string symbol_a;
  std::string symbol_b;
  std::string mcpu_a;
  std::string mcpu_b;
  EquivalenceOptions compare;
  std::optional<std::string> states;  ///< numbers as written
  std::optional<std::string> seed;
  LimitTexts limits;
  std::optional<std::string> output;  ///< for the scenarios that show a difference
  bool json = false;
  bool quiet = false;
};

/// Declares them, but for `states`, `seed` and `limits`. `need_of_b`: whether there has to be a B.
void add_pair_options(Command& command, PairArguments& arguments, Command::Need need_of_b = Command::Need::required);

/// What is wrong with the options, or nothing.
std::string read_pair_options(PairArguments& arguments);

/// Declares where the scenarios go that show a difference; `default_output` without it.
void add_pair_output(Command& command, PairArguments& arguments, const std::string& default_output);
/// What is wrong with that place, or with one of the others that the command writes to, or nothing.
std::string read_pair_output(PairArguments& arguments, const std::string& default_output,
                             std::vector<Output> others = {});

/// Both programs. What was noticed while they were loaded is said.
Result<ProgramPair> load_pair_of(const PairArguments& arguments);

/// Says what is wrong; the exit code for it.
int report_pair_error(const Error& error);

/// Writes the scenarios that show a difference, where there is a place for them. Returns the exit code.
int write_reproducer(const PairArguments& arguments, const Difference& difference);

}  // namespace salu::app
