#include "loader/scenario/scenario.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "isa/unknown_target.hpp"
#include "loader/launch/kernel_launch.hpp"
#include "loader/launch/private_memory.hpp"
#include "loader/objects/entry_function.hpp"
#include "loader/program/code_files.hpp"
#include "loader/program/program_builder.hpp"
#include "loader/rejection.hpp"
#include "loader/scenario/assumptions.hpp"
#include "loader/scenario/cases.hpp"
#include "loader/scenario/code_block.hpp"
#include "loader/scenario/expectation.hpp"
#include "loader/scenario/given_waves.hpp"
#include "loader/scenario/registers.hpp"
#include "loader/scenario/run_options.hpp"
#include "loader/scenario/state_file.hpp"
#include "loader/scenario/undefined.hpp"
#include "loader/yaml/memory_blocks.hpp"
#include "loader/yaml/reader.hpp"
#include "loader/yaml/yaml_tree.hpp"
#include "support/printable.hpp"

namespace salu::loader {
namespace {

constexpr std::array<std::string_view, 24> scenario_keys = {
    "schema", "name",    "target", "code",      "registers", "hwregs",   "memory",      "sgprs",
    "vgprs",  "agprs",   "limits", "on_vector", "expect",    "kernel",   "clock",       "cases",
    "assume", "replies", "checks", "xnack",     "undefined", "schedule", "work_groups", "approximations"};

const Target& find_named_target(const LoadOptions& options) {
  const Target* target = find_target(options.mcpu);
  if (target != nullptr) return *target;
  reject(ErrorCode::usage, {"--mcpu " + options.mcpu}, isa::unknown_target(options.mcpu));
}

const Target& find_target_of(const Document& document, const Node& node) {
  const std::string& name = read_text(document, node, "`target:`");
  const Target* target = find_target(name);
  if (target != nullptr) return *target;
  document.fail(node, isa::unknown_target(name), ErrorCode::target);
}

/// `target:` and --mcpu may name different processors, but only of the same generation.
void check_same_generation(const Document& document, const Node& node, const Target& own, const Target& named) {
  if (own.generation == named.generation) return;
  const auto describe_target = [](const Target& target) {
    const std::string generation(generation_name(target.generation));
    return std::string(target.name) + (target.name == generation ? "" : " (" + generation + ")");
  };
  document.fail(node,
                fmt::format("the scenario is for {}, but --mcpu is {}; remove one of them", describe_target(own),
                            describe_target(named)),
                ErrorCode::target);
}

/// Returns the highest address that contains no code.
u64 choose_return_address(const Program& program) {
  u64 address = pc_mask(program.generation());
  while (const CodeBlock* block = program.find_block(address)) address = block->base - 4;
  return address;
}

/// Sets the program of the scenario and its default initial state.
void set_program(Scenario& scenario, BuiltProgram& built) {
  scenario.program = std::move(built.program);
  scenario.remarks = std::move(built.remarks);
  scenario.initial = initial_state(scenario.program.generation());
  scenario.initial.pc = scenario.program.entry;
  // As in a kernel that is launched by a runtime with a trap handler.
  if (built.entered.is_kernel) scenario.initial.status |= status_layout(scenario.program.generation()).trap_en.mask();
  if (!place_code(scenario.program, scenario.memory))
    reject(ErrorCode::scenario, {scenario.file}, "the code does not fit into memory");
  for (const DataBlock& block : built.data) {
    if (!scenario.memory.add_region({block.base, block.size_bytes, block.access}))
      reject(ErrorCode::scenario, {scenario.file}, "the data at " + hex(block.base) + " does not fit into memory");
    scenario.memory.write(block.base, block.bytes);
  }
  scenario.code = scenario.memory;
}

/// Sets a return address for a function of the default calling convention, unless the user has set one.
void set_return_address(Scenario& scenario) {
  Program& program = scenario.program;
  program.return_address = choose_return_address(program);
  write_register(scenario.initial, program.generation(), RegisterName::in_file(return_register, 2),
                 *program.return_address);
}

/// If the user has changed the PC from `start`, the run ends with the function at the new PC.
void follow_pc(Scenario& scenario, BuiltProgram& built, u64 start) {
  if (scenario.initial.pc == start) return;
  built.entered =
      enter_function(scenario.program, built.functions, find_function(built.functions, scenario.initial.pc));
}

/// Sets the end of a kernel, for any name of its descriptor.
void follow_kernel(Program& program, BuiltProgram& built) {
  const Symbol* const kernel = find_function(built.functions, program.entry);
  program.function_end.reset();
  program.kernel_end = kernel == nullptr ? std::nullopt : find_kernel_end(program, built.functions, *kernel);
  built.entered = {.is_kernel = true};
}

/// Applies options of the command line to the loaded scenario. `may_return`: the scenario does not set s[30:31].
void apply_options(Scenario& scenario, const LoadOptions& options, const SymbolIndex& symbols, BuiltProgram& built,
                   bool may_return) {
  if (!options.state_file.empty() && scenario.waves != nullptr) {
    reject(ErrorCode::usage, {"--state " + options.state_file},
           "a state file has the state of one wave, but the scenario runs several (`waves: all` or `work_groups:`)");
  }
  if (!options.state_file.empty()) scenario.group.reset();  // the states of the other waves are unknown
  if (!options.state_file.empty()) apply_state_file(options.state_file, options.files, symbols, scenario);
  RegisterWriter writer(scenario.initial, scenario.program.generation());
  const u64 start = scenario.initial.pc;
  for (const std::string& setting : options.set) apply_setting(setting, symbols, scenario, writer);
  set_in_waves(scenario, writer.written());
  follow_pc(scenario, built, start);
  const bool wrote = writer.wrote(return_register, 2);
  if (wrote) scenario.program.return_address.reset();
  const bool is_new = scenario.initial.pc != start && !scenario.program.return_address && options.state_file.empty();
  if (is_new && may_return && !wrote && built.entered.returns_by_register) set_return_address(scenario);
  scenario.root = options.files.root;
  if (options.max_steps) scenario.options.max_steps = *options.max_steps;
  if (options.max_memory_bytes) scenario.options.max_memory_bytes = *options.max_memory_bytes;
  scenario.options.max_seconds = options.max_seconds;
  if (options.on_vector) scenario.options.on_vector = *options.on_vector;
  if (options.approximations) scenario.options.approximations = *options.approximations;
  if (options.check_hazards) scenario.options.check_hazards = true;
  if (options.xnack) scenario.options.xnack = options.xnack;
  if (options.check_races) scenario.options.check_races = true;
}

/// Warns if a kernel is started like a function and its registers are not set.
void remark_on_kernel(Scenario& scenario, const SymbolIndex& symbols, const LoadOptions& options) {
  if (!options.state_file.empty() || !options.set.empty()) return;
  const Program& program = scenario.program;
  for (const Symbol& symbol : program.symbols) {
    if (symbol.address != program.entry || symbols.find(symbol.name + std::string(descriptor_suffix)).count == 0)
      continue;
    scenario.remarks.push_back(
        {{scenario.file},
         "`" + symbol.name +
             "` is a kernel and starts without arguments and work-group ids; use a scenario with `kernel:` to set them",
         {}});
    return;
  }
}

/// Replaces a block of the scenario by other code.
void replace_code(CodeInput& block, CodeInput other) {
  other.base = block.base;
  if (other.kind != CodeInput::Kind::words) {
    other.symbol = std::move(block.symbol);
    other.symbol_where = std::move(block.symbol_where);
    other.symbol_line = std::move(block.symbol_line);
  }
  block = std::move(other);
}

/// Adds the assembly options of the command line to those of the blocks.
void set_assembly(std::vector<CodeInput>& inputs, const LoadOptions& options, std::string_view target) {
  const AssemblyOptions& more = options.assembly;
  const std::string features = target_features(target).value_or("");
  for (CodeInput& input : inputs) {
    input.assembly.features = features;
    input.files = options.files;
    if (!more.llvm.empty()) input.assembly.llvm = more.llvm;
    if (more.assembler) input.assembly.assembler = more.assembler;
    const auto append = [](auto& own, const auto& others) { own.insert(own.end(), others.begin(), others.end()); };
    append(input.assembly.include_folders, more.include_folders);
    append(input.assembly.symbols, more.symbols);
  }
}

/// Sets a feature from a target ID, if the code does not specify it.
void set_feature(std::optional<bool>& feature, std::string_view name, std::string_view target) {
  if (feature) return;
  const std::string features = target_features(target).value_or("");
  if (features.find("+" + std::string(name)) != std::string::npos) feature = true;
  if (features.find("-" + std::string(name)) != std::string::npos) feature = false;
}

void set_features(Program& program, std::string_view target) {
  set_feature(program.xnack, "xnack", target);
  set_feature(program.sramecc, "sramecc", target);
}

}  // namespace

Scenario load_document(const Document& document, const std::string& default_name, const LoadOptions& options) {
  const Node& root = *document.root;
  if (!root.is_map())
    document.fail(root, "a scenario must be a map (`target: gfx900`, `code: ...`), found " + describe(root));
  check_schema(document, root, scenario_schema);
  const MapReader map(document, root, "a scenario", scenario_keys);

  Scenario scenario;
  scenario.file = document.source->file;
  const Node* name = map.find("name");
  scenario.name = name == nullptr ? default_name : read_text(document, *name, "`name:`");

  std::optional<CodeInput> other_code;
  if (!options.code_file.empty()) other_code = read_code_file(options.code_file, options.files);
  const bool has_own_target = other_code && (!options.mcpu.empty() || other_code->kind == CodeInput::Kind::elf);
  const Node* target_node = has_own_target ? nullptr : map.find("target");
  const Target* target = target_node == nullptr ? nullptr : &find_target_of(document, *target_node);
  if (!options.mcpu.empty()) {
    const Target& named = find_named_target(options);
    if (target != nullptr) check_same_generation(document, *target_node, *target, named);
    target = &named;
  }
  std::vector<CodeInput> inputs = read_code(document, map.require("code"), options.files);
  if (other_code) replace_code(inputs.front(), std::move(*other_code));
  const std::string_view target_name =
      options.mcpu.empty() && target_node != nullptr ? std::string_view(target_node->text) : options.mcpu;
  set_assembly(inputs, options, target_name);
  target = choose_target(inputs, target, options.mcpu.empty() ? "`target:`" : "--mcpu",
                         document.source->place(target_node == nullptr ? root : *target_node));
  std::optional<KernelChoice> kernel;
  const std::string symbol = support::printable(options.symbol);
  if (const Node* block = map.find("kernel")) kernel = choose_kernel(document, *block, inputs, *target, symbol);
  BuiltProgram built = build_program(std::move(inputs), *target, kernel ? kernel->entry_symbol() : symbol);
  set_program(scenario, built);
  set_features(scenario.program, target_name);

  const Generation generation = scenario.program.generation();
  WaveState& state = scenario.initial;
  const SymbolIndex symbols(scenario.program);
  MemoryReader memory(document, scenario.program, symbols, options.files);
  if (const Node* blocks = map.find("memory")) memory.read_regions(*blocks, scenario.memory);
  if (kernel) {
    launch_kernel(document, *kernel, symbols, memory, scenario);
    follow_kernel(scenario.program, built);
  }
  read_allocation(document, map, generation, state);
  if (!kernel) provide_private_memory(built, scenario);
  RegisterWriter writer(state, generation);
  if (const Node* registers = map.find("registers"))
    read_registers(document, *registers, generation, allocated_registers(state), symbols, writer);
  if (const Node* hwregs = map.find("hwregs")) read_hwregs(document, *hwregs, generation, symbols, writer);
  const Node* const groups = map.find("work_groups");
  if (groups != nullptr && kernel)
    document.fail(*groups, "`work_groups:` cannot be combined with `kernel:`, which starts the waves of a kernel");
  if (const Node* undefined = map.find("undefined")) {
    if (scenario.waves != nullptr)
      document.fail(*undefined, "`undefined:` applies to one wave, but the kernel runs with `waves: all`");
    if (groups != nullptr) document.fail(*undefined, "`undefined:` applies to one wave, not to `work_groups:`");
    read_undefined_bits(document, *undefined, generation, state);
  }
  set_in_waves(scenario, writer.written());
  follow_pc(scenario, built, scenario.program.entry);
  if (!kernel && map.find("registers") == nullptr) remark_on_kernel(scenario, symbols, options);
  const bool may_return = state.sgprs > return_register + 1 && !writer.wrote(return_register, 2);
  if (built.entered.returns_by_register && may_return) set_return_address(scenario);
  if (groups != nullptr) read_work_groups(document, *groups, symbols, scenario);
  read_run_options(document, map, scenario.options);
  if (const Node* schedule = map.find("schedule"); schedule != nullptr && !kernel && groups == nullptr)
    document.fail(*schedule, "`schedule:` orders the waves of work-groups, which `kernel:` or `work_groups:` starts");
  if (const Node* assume = map.find("assume"))
    scenario.program.assumptions =
        read_assumptions(document, *assume, scenario.program, symbols, allocated_registers(state));
  if (const Node* replies = map.find("replies"))
    add_replies(document, *replies, scenario.program, symbols, scenario.program.assumptions);
  if (const Node* expect = map.find("expect"))
    scenario.expect = read_expectation(document, *expect, scenario, symbols, memory);
  apply_options(scenario, options, symbols, built, may_return);
  if (const Node* cases = map.find("cases")) {
    scenario.cases = std::make_shared<const CaseTable>(read_cases(document, *cases, scenario, symbols, options));
  }
  return scenario;
}

Scenario load_code(CodeInput input, const LoadOptions& options) {
  Scenario scenario;
  scenario.file = input.file;
  scenario.name = input.file;
  std::vector<CodeInput> inputs;
  inputs.push_back(std::move(input));
  set_assembly(inputs, options, options.mcpu);
  const Target* named = options.mcpu.empty() ? nullptr : &find_named_target(options);
  const Target* target = choose_target(inputs, named, "--mcpu", {scenario.file});
  BuiltProgram built = build_program(std::move(inputs), *target, support::printable(options.symbol));
  set_program(scenario, built);
  set_features(scenario.program, options.mcpu);
  provide_private_memory(built, scenario);
  if (built.entered.returns_by_register) set_return_address(scenario);
  const SymbolIndex symbols(scenario.program);
  remark_on_kernel(scenario, symbols, options);
  apply_options(scenario, options, symbols, built, true);
  return scenario;
}

}  // namespace salu::loader
