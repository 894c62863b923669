#include <spdlog/spdlog.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command_line.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "info_text.hpp"
#include "loader/yaml/reader.hpp"
#include "output.hpp"

namespace salu::app {
namespace {

struct InfoArguments {
  std::string file;
  LoadOptions load;
  std::optional<std::string> scenario;
  std::optional<std::string> output;
  bool as_json = false;
};

/// The path of the object relative to the directory of the scenario.
std::string path_in_scenario(const InfoArguments& options) {
  namespace fs = std::filesystem;
  if (options.output.value_or("-") == "-") return options.file;
  std::error_code error;
  const fs::path folder = fs::absolute(*options.output, error).parent_path();
  return fs::proximate(fs::absolute(options.file, error), folder, error).string();
}

/// The scenario for a kernel or function; nothing, after an error message, if the object does not have it.
std::optional<std::string> scenario_for(const loader::InspectedObject& object, const InfoArguments& options) {
  const std::string& name = *options.scenario;
  if (auto text = loader::starting_scenario(object, name, path_in_scenario(options))) return text;
  std::vector<std::string_view> names;
  for (const loader::InspectedKernel& kernel : object.kernels) names.push_back(kernel.metadata.name);
  for (const Symbol& function : object.functions) names.push_back(function.name);
  const std::string hint = loader::did_you_mean(name, names);
  const std::string has =
      names.empty() ? "; the file does not contain any" : "; the file has " + support::first_names(names);
  spdlog::error("{}: error: no kernel or function named {}{}", object.file, loader::quote(name),
                hint.empty() ? has : hint);
  return std::nullopt;
}

int inspect(InfoArguments& options) {
  std::string problem = read_load_options({}, options.load);
  if (options.scenario && options.as_json) problem = "--scenario: a scenario is YAML; omit --format json";
  if (problem.empty()) problem = output_problem({{"--output", options.output}}, {options.file});
  if (!problem.empty()) {
    spdlog::error("error: {}", problem);
    return exit_code::usage;
  }
  if (options.output) options.load.files.outputs = {*options.output};
  const Result<loader::InspectedObject> object = loader::inspect_file(options.file, options.load);
  if (!object) {
    spdlog::error("{}", object.error().to_string());
    return exit_code_of(object.error());
  }
  std::optional<std::string> text = options.as_json ? info_json(*object) : info_text(*object);
  if (options.scenario) text = scenario_for(*object, options);
  if (!text) return exit_code::bad_input;
  if (options.output.value_or("-") == "-") {
    print(*text);
    return exit_code::good;
  }
  return write_file(*options.output, *text) ? exit_code::good : exit_code::bad_input;
}

}  // namespace

void add_info(Command& app) {
  Command command = app.add("info", "list the kernels, arguments and functions of an object or assembly file");
  const auto options = std::make_shared<InfoArguments>();
  command.argument("FILE", options->file, "ELF object (.o, .so, .hsaco) or assembly (.s)");
  add_target_option(command, "--mcpu", options->load.mcpu,
                    "processor or generation, see `salu targets` (default: as in the ELF object)");
  const Choices<bool> formats = {{"text", false}, {"json", true}};
  command.choice("--format", options->as_json, formats, "text or json (default: text)");
  command.option("--scenario", options->scenario,
                 "print a scenario template for this kernel or function, with its arguments to be filled in", "NAME");
  command.option("-o,--output", options->output, "write to FILE (default: standard output)", "FILE");
  add_assembly_options(command, options->load.assembly);
  command.epilogue(
      {.notes = {},
       .examples = {"salu info kernel.o", "salu info --scenario k kernel.o > k.yaml",
                    "salu info --format json kernel.hsaco"},
       .exit_codes = {
           {exit_code::good, "printed"}, {exit_code::usage, "wrong usage"}, {exit_code::bad_input, "bad input"}}});
  command.action([options] { return inspect(*options); });
}

}  // namespace salu::app
