#include <salu/report.hpp>
#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "fuzz/fuzzing.hpp"
#include "loader/launch/object_kernels.hpp"
#include "loader/objects/elf_image.hpp"
#include "loader/rejection.hpp"

/// Input: an ELF file. It is rejected with a message, or loaded; then the function at its entry, its other symbols and
/// its kernels can be run.
namespace salu::fuzzing {
namespace {

constexpr const char* file_name = "fuzz.o";

/// The file name marks it as an object, whatever its bytes are.
Result<Scenario> load_object(std::string_view bytes, const LoadOptions& options) {
  std::vector<Result<Scenario>> scenarios = load_bytes(std::string(bytes), file_name, options);
  require(scenarios.size() == 1, "a file gives one scenario or one error");
  return std::move(scenarios.front());
}

void check_program(const Program& program) {
  require(program.find_block(program.entry) != nullptr && program.entry % 4 == 0, "the entry is an instruction");
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    require(!program.code[i].words.empty() && program.code[i].base % 4 == 0, "a block of code is some dwords");
    require(i == 0 || program.code[i - 1].end() <= program.code[i].base, "blocks are sorted and apart");
  }
  require(std::ranges::is_sorted(program.symbols, {}, &Symbol::address), "symbols are sorted by address");
  require(std::ranges::is_sorted(program.unresolved, {}, &Unresolved::address), "unresolved symbols are sorted");
  require(std::ranges::is_sorted(program.lines, {}, &LineEntry::address), "lines are sorted by address");
  for (const LineEntry& line : program.lines) {
    require(line.file < program.files.size() && line.line != 0, "a line is one of a file");
    require(program.find_block(line.address) != nullptr, "a line is about code");
  }
  if (!program.function_end) return;
  const u64 end = *program.function_end;
  const CodeBlock* const last = program.find_block(end - 4);
  require(end % 4 == 0 && last != nullptr && program.entry < end && last == program.find_block(program.entry),
          "a function ends after one of the instructions that follow its entry");
}

void check_run(const Scenario& scenario) {
  check_program(scenario.program);
  constexpr u64 most_steps = 500;
  RunOptions options = scenario.options;
  options.max_steps = most_steps;
  const Outcome outcome = run(scenario.program, scenario.initial, scenario.memory, options);
  require(outcome.steps <= options.max_steps, "the step limit holds");
  // The report contains names of symbols, which may be any bytes.
  for (const ReportFormat format : {ReportFormat::text, ReportFormat::json}) {
    require(!report_outcome(scenario, outcome, format).empty(), "a report is not empty");
  }
}

/// Starts at some of the symbols, and at one that does not exist.
void check_symbols(std::string_view bytes, const Program& program) {
  constexpr std::size_t most_symbols = 4;
  std::vector<std::string> names = {"a name that no symbol has\xff"};
  for (const Symbol& symbol : program.symbols) {
    if (names.size() <= most_symbols) names.push_back(symbol.name);
  }
  for (const std::string& name : names) {
    LoadOptions options;
    options.symbol = name;
    const Result<Scenario> scenario = load_object(bytes, options);
    if (!scenario) {
      check_error(scenario.error());
      continue;
    }
    const auto at_entry = [&](const Symbol& symbol) {
      return symbol.name == name && symbol.address == scenario->program.entry;
    };
    require(std::ranges::any_of(scenario->program.symbols, at_entry), "the run starts at the symbol", name);
    check_run(*scenario);
  }
}

// ---- kernels ----

/// The metadata of the object's kernels; empty if it cannot be read.
std::vector<loader::KernelMetadata> read_kernels(std::string_view bytes) {
  try {
    return loader::kernels_of_object(bytes, file_name);
  } catch (const loader::Rejection&) {
    return {};
  }
}

/// A valid value for an argument; nothing for one that is too long to write.
std::optional<std::string> value_of(const loader::KernelArgument& argument) {
  constexpr u64 longest = 64;
  if (argument.value_kind == "dynamic_shared_pointer") return "{buffer: 16}";
  if (argument.value_kind != "by_value") return "{words: [7, 8], size: 64}";
  if (argument.size_bytes > longest) return std::nullopt;
  std::string value;
  for (u64 i = 0; i < argument.size_bytes; ++i) value += (i == 0 ? "" : ", ") + std::to_string(i);
  return "{bytes: [" + value + "]}";
}

bool is_plain(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
  });
}

/// A scenario that launches a kernel.
std::string scenario_of(const loader::KernelMetadata& kernel, const std::string& path) {
  std::string arguments;
  if (!kernel.knows_arguments) {
    for (u64 offset = 0; offset < std::min<u64>(kernel.kernarg_size_bytes, 64); offset += 8)
      arguments += fmt::format("{}{}: {{words: [7, 8], size: 64}}", offset == 0 ? "" : ", ", offset);
    arguments = kernel.kernarg_size_bytes % 8 == 0 ? "{" + arguments + "}" : "{}";
  }
  for (const loader::KernelArgument& argument : kernel.arguments) {
    if (argument.is_hidden()) continue;
    const auto value = value_of(argument);
    if (!value) break;
    arguments += (arguments.empty() ? "" : ", ") + *value;
  }
  if (kernel.knows_arguments) arguments = "[" + arguments + "]";
  return "code: {file: " + path + "}\nkernel: {" + (is_plain(kernel.name) ? "name: \"" + kernel.name + "\", " : "") +
         "args: " + arguments + ", grid_size: [100, 3], workgroup_id: [1, 0]}\n";
}

void check_kernels(std::string_view bytes) {
  constexpr std::size_t most_kernels = 3;
  const std::vector<loader::KernelMetadata> kernels = read_kernels(bytes);
  if (kernels.empty()) return;
  const MemoryFile file(bytes);
  for (std::size_t i = 0; i < std::min(kernels.size(), most_kernels); ++i) {
    for (const Result<Scenario>& scenario : load_yaml(scenario_of(kernels[i], file.path()), "/nonexistent/fuzz.yaml")) {
      if (scenario) {
        check_run(*scenario);
      } else {
        check_error(scenario.error());
      }
    }
  }
}

}  // namespace
}  // namespace salu::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const salu::u8* data, std::size_t size) {
  using namespace salu;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Result<Scenario> scenario = fuzzing::load_object(bytes, {});
  if (scenario) {
    fuzzing::check_run(*scenario);
    fuzzing::check_symbols(bytes, scenario->program);
  } else {
    fuzzing::check_error(scenario.error());
  }
  // An object without an entry function may have kernels.
  fuzzing::check_kernels(bytes);
  return 0;
}
