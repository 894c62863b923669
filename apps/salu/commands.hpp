#pragma once

namespace CLI {
class App;
}

/// The subcommands, one file each. Every `add_` declares one under the application; when the user chose it, it runs
/// while the command line is parsed and leaves its exit code.
namespace salu::app {

void add_run(CLI::App& app, int& exit_code);
void add_test(CLI::App& app, int& exit_code);
void add_equiv(CLI::App& app, int& exit_code);
void add_debug(CLI::App& app, int& exit_code);
void add_report(CLI::App& app, int& exit_code);
void add_asm(CLI::App& app, int& exit_code);
void add_dis(CLI::App& app, int& exit_code);
void add_targets(CLI::App& app, int& exit_code);

}  // namespace salu::app
