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

/// The arguments that `equiv` and `prove` share: the two programs, the inputs and the outputs.
struct PairArguments {
  std::string file_a;
  std::string file_b;
  LoadOptions load;  ///< for both
  std::string symbol_a;
  std::string symbol_b;
  std::string mcpu_a;
  std::string mcpu_b;
  std::string document;  ///< for both
  std::string document_a;
  std::string document_b;
  EquivalenceOptions compare;
  std::optional<std::string> states;  ///< as the user wrote it
  std::optional<std::string> seed;
  LimitTexts limits;
  std::optional<std::string> output;  ///< for the scenarios that show a difference
  bool json = false;
  bool quiet = false;
};

/// Declares the shared options, except for `states`, `seed`, `limits` and the outputs.
void add_pair_options(Command& command, PairArguments& arguments, Command::Need need_of_b = Command::Need::required);

/// Reads the values of the options. Returns an error message, or "".
std::string read_pair_options(PairArguments& arguments);

/// Declares --max-time, in the group of limits, with its former name.
void add_pair_time_option(Command& command, std::optional<double>& seconds, const std::string& help);

/// Declares --output, for scenarios that reproduce a difference, and --format. In the group of outputs.
void add_pair_output(Command& command, PairArguments& arguments);
/// Checks --output and the `others`, which are further output files. Returns an error message, or "".
std::string read_pair_output(PairArguments& arguments, std::vector<Output> others = {});

/// Loads both programs and prints the remarks about them. `launch`: of kernels without a scenario.
Result<ProgramPair> load_pair_of(const PairArguments& arguments, KernelLaunch launch);

/// Prints an error. Returns its exit code.
int report_pair_error(const Error& error);

/// Writes the scenarios that reproduce a difference, if --output is given. Returns the exit code.
int write_reproducer(const PairArguments& arguments, const Difference& difference);

}  // namespace salu::app
