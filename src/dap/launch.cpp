#include "dap/launch.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "loader/assembly/text_assembler.hpp"
#include "loader/llvm_versions.hpp"
#include "loader/number.hpp"
#include "loader/yaml/named_file.hpp"

namespace salu::dap {
namespace {

constexpr u64 most_mebibytes = 65'536;

/// `set`: a list of `s0=7`, or an object of names and values.
std::vector<std::string> read_settings(Arguments& arguments, const std::vector<std::string>& defaults) {
  const Json* const value = arguments.find("set");
  if (value == nullptr) return defaults;
  if (!value->is_object()) {
    if (!value->is_array()) arguments.refuse("set", "registers and values: {\"s0\": 7}, or a list: [\"s0=7\"]");
    std::vector<std::string> list = arguments.texts("set");
    const bool are_settings = std::ranges::all_of(
        list, [](const std::string& each) { return !each.starts_with('=') && each.find('=') != std::string::npos; });
    if (!are_settings) arguments.refuse("set", "a register and its value in each text, e.g. [\"s0=7\"]");
    return list;
  }
  std::vector<std::string> settings;
  for (const auto& [name, wanted] : value->items()) {
    if (wanted.is_string()) {
      settings.push_back(name + "=" + wanted.get<std::string>());
    } else if (wanted.is_number_integer()) {
      settings.push_back(name + "=" + wanted.dump());
    } else {
      arguments.refuse("set", "integers or strings as values");
    }
  }
  return settings;
}

std::string read_number_or_name(Arguments& arguments, const char* key, const std::string& otherwise) {
  const Json* const value = arguments.find(key);
  const bool is_number = value != nullptr && value->is_number_unsigned();
  if (value != nullptr && !is_number && !value->is_string()) arguments.refuse(key, "a number of at least 1, or a name");
  return is_number ? std::to_string(value->get<u64>()) : arguments.text(key, otherwise);
}

std::optional<OnVector> read_on_vector(Arguments& arguments, std::optional<OnVector> otherwise) {
  const std::string word = arguments.text("onVector");
  if (word == "run") return OnVector::run;
  if (word == "stop") return OnVector::stop;
  if (word == "skip") return OnVector::skip;
  if (!word.empty()) arguments.refuse("onVector", "\"run\", \"stop\" or \"skip\"");
  return otherwise;
}

std::optional<Approximations> read_approximations(Arguments& arguments, std::optional<Approximations> otherwise) {
  const std::string text = arguments.text("approximations");
  if (text.empty()) return otherwise;
  const auto approximations = parse_approximations(text);
  if (!approximations) arguments.refuse("approximations", "\"nearest\", \"low\", \"high\" or \"seed N\"");
  return approximations;
}

std::optional<u64> read_memory_limit(Arguments& arguments, std::optional<u64> otherwise) {
  const Json* const value = arguments.find("maxMemory");
  if (value == nullptr) return otherwise;
  const loader::ParsedSize size = loader::parse_size(value->is_string() ? value->get<std::string>() : value->dump());
  if (!size.bytes) arguments.refuse("maxMemory", "a number of bytes below 2^63, or a text with its unit: \"64 MiB\"");
  return size.bytes;
}

/// `assembler`, `llvm`, `include`, `defsym`: lists replace those of the server.
void read_assembly(Arguments& arguments, AssemblyOptions& assembly) {
  const std::string word = arguments.text("assembler");
  const auto assembler = loader::find_assembler(word);
  if (assembler) assembly.assembler = assembler;
  if (!word.empty() && !assembler) arguments.refuse("assembler", "\"auto\", \"salu\" or \"llvm\"");
  if (arguments.has("llvm")) assembly.llvm = arguments.text("llvm");
  if (!assembly.llvm.empty() && !loader::is_llvm_version(assembly.llvm))
    arguments.refuse("llvm", "a version of LLVM, e.g. \"22\"");
  if (arguments.has("include")) assembly.include_folders = arguments.texts("include");
  if (!arguments.has("defsym")) return;
  assembly.symbols = arguments.texts("defsym");
  const bool are_definitions = std::ranges::all_of(
      assembly.symbols, [](const std::string& each) { return loader::parse_definition(each).has_value(); });
  if (!are_definitions) arguments.refuse("defsym", "a symbol and its value in each text, e.g. [\"n=4\"]");
}

/// `root`: a client cannot widen the restriction of the server.
std::optional<std::string> read_root(Arguments& arguments, const std::optional<std::string>& own) {
  if (!arguments.has("root")) return own;
  std::string root = arguments.text("root");
  const std::string problem = loader::root_problem(root);
  if (!problem.empty()) arguments.refuse("root", "a folder; " + problem);
  if (own && !loader::lies_in(root, *own)) arguments.refuse("root", "a folder in " + *own + ", the server's `--root`");
  return root;
}

}  // namespace

Result<Launch> read_launch(Arguments& arguments, const Launch& defaults) {
  Launch launch = defaults;
  launch.program = arguments.text("program", defaults.program);
  launch.choice.document = read_number_or_name(arguments, "document", defaults.choice.document);
  launch.choice.row = read_number_or_name(arguments, "case", defaults.choice.row);
  if (arguments.has("wave")) launch.wave = arguments.count("wave", 0);
  launch.load.mcpu = arguments.text("mcpu", defaults.load.mcpu);
  launch.load.symbol = arguments.text("symbol", defaults.load.symbol);
  launch.load.state_file = arguments.text("state", defaults.load.state_file);
  launch.load.set = read_settings(arguments, defaults.load.set);
  launch.load.files.root = read_root(arguments, defaults.load.files.root);
  launch.load.files.regular_only = true;
  launch.load.on_vector = read_on_vector(arguments, defaults.load.on_vector);
  launch.load.approximations = read_approximations(arguments, defaults.load.approximations);
  read_assembly(arguments, launch.load.assembly);
  if (arguments.has("maxSteps")) {
    launch.load.max_steps = arguments.count("maxSteps", 1);
    if (launch.load.max_steps == u64{0}) arguments.refuse("maxSteps", "a number of at least 1");
  }
  launch.load.max_memory_bytes = read_memory_limit(arguments, defaults.load.max_memory_bytes);
  const u64 default_mebibytes = defaults.history.history_bytes >> 20;
  const u64 mebibytes = arguments.count("historyMemory", default_mebibytes);
  if (mebibytes == 0 || mebibytes > most_mebibytes)
    arguments.refuse("historyMemory", fmt::format("1 to {} MiB", most_mebibytes));
  launch.history.history_bytes = mebibytes << 20;
  launch.history.check_undefined =
      arguments.flag("checkUndefined", defaults.history.check_undefined != CheckUndefined::off) ? CheckUndefined::bits
                                                                                                : CheckUndefined::off;
  launch.load.check_hazards = arguments.flag("checkHazards", defaults.load.check_hazards);
  launch.load.check_races = arguments.flag("checkRaces", defaults.load.check_races);
  launch.load.xnack = defaults.load.xnack;
  if (arguments.has("xnack")) launch.load.xnack = arguments.flag("xnack", false);
  launch.stop_on_entry = arguments.flag("stopOnEntry", true);
  launch.no_debug = arguments.flag("noDebug", false);
  if (arguments.problem()) return *arguments.problem();
  if (launch.program == "-") return refusal("`program`: expected a file, not standard input");
  if (launch.program.empty()) {
    return refusal("`program` is missing: the scenario (YAML), .s, .hex, .bin or ELF object to debug");
  }
  return launch;
}

}  // namespace salu::dap
