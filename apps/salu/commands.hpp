#pragma once

#include "command.hpp"

/// The subcommands, one file each. Each `add_` function declares one of them.
namespace salu::app {

void add_run(Command& app);
void add_test(Command& app);
void add_equiv(Command& app);
void add_prove(Command& app);
void add_sweep(Command& app);
void add_debug(Command& app);
void add_report(Command& app);
void add_why(Command& app);
void add_asm(Command& app);
void add_dis(Command& app);
void add_info(Command& app);
void add_targets(Command& app);
void add_help(Command& app, const CommandLine& line);
void add_version(Command& app);
// These two generate text from all declarations of the command line.
void add_completion(Command& app, const CommandLine& line);
void add_manual(Command& app, const CommandLine& line);

}  // namespace salu::app
