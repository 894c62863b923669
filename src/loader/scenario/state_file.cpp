#include "loader/scenario/state_file.hpp"

#include <fmt/core.h>

#include <array>
#include <charconv>

#include "isa/unknown_target.hpp"
#include "loader/rejection.hpp"
#include "loader/text_file.hpp"
#include "loader/yaml/memory_blocks.hpp"

namespace salu::loader {
namespace {

// A state file may also contain facts about the run.
constexpr std::array<std::string_view, 17> state_keys = {
    "schema", "name",   "target", "stop",  "steps", "skipped_vector", "fidelity", "warnings",  "registers",
    "vector", "hwregs", "sgprs",  "vgprs", "agprs", "undefined",      "memory",   "mismatches"};

void check_target(const Document& document, const Node& node, Generation generation) {
  const std::string& name = read_text(document, node, "`target:`");
  const Target* target = find_target(name);
  if (target == nullptr) document.fail(node, isa::unknown_target(name), ErrorCode::target);
  if (target->generation != generation) {
    document.fail(node,
                  fmt::format("the state is for {}, but the code is for {}", generation_name(target->generation),
                              generation_name(generation)),
                  ErrorCode::target);
  }
}

/// Checks facts about the run, which are not used, to reject files that are not states.
void check_account_of_run(const Document& document, const MapReader& map) {
  if (const Node* name = map.find("name")) read_text(document, *name, "`name:`");
  for (const char* key : {"steps", "skipped_vector"}) {
    if (const Node* count = map.find(key)) read_unsigned(document, *count, fmt::format("`{}:`", key), 64);
  }
  for (const char* key : {"stop", "fidelity"}) {
    const Node* const node = map.find(key);
    if (node != nullptr && !node->is_map())
      document.fail(*node, fmt::format("`{}:` must be a map, found {}", key, describe(*node)));
  }
  for (const char* key : {"warnings", "mismatches"}) {
    if (const Node* list = map.find(key)) expect_sequence(document, *list, fmt::format("`{}:`", key));
  }
}

/// Marks lanes as undefined. They keep their values, because states list all lanes of a register.
void undefine_lanes(const RegisterName& name, WaveState& state) {
  for (u32 i = 0; i < name.dwords(); ++i) {
    const u32 index = name.index + i;
    state.vectors.undefine(state_index::vector_of(index), u64{1} << state_index::lane_of(index));
  }
}

void read_undefined(const Document& document, const Node& list, Generation generation, RegisterWriter& writer,
                    WaveState& state) {
  expect_sequence(document, list, "`undefined:`");
  for (const Node* node : list.children) {
    const RegisterName name = read_register_name(document, *node, generation, all_registers(generation));
    if (name.is_always_defined()) document.fail(*node, "`" + node->text + "` cannot be undefined");
    if (name.is_vector()) {
      undefine_lanes(name, state);
      continue;
    }
    if (!writer.write(name, Number{}).empty()) {
      document.fail(*node, "`" + node->text + "` has a value under `registers:` and is listed as undefined");
    }
    for (u32 i = 0; i < name.dwords(); ++i) state.defined.reset(name.index + i);
  }
}

/// Reads a file with a single document. `nothing` is the message for an empty file.
std::shared_ptr<const Document> read_single_document(std::string text, const std::string& path,
                                                     const std::string& nothing) {
  auto documents = parse_yaml(make_source(std::move(text), path, state_limit_bytes));
  if (documents.empty()) reject(ErrorCode::scenario, {display_name(path)}, nothing);
  if (!documents.front()) throw Rejection(std::move(documents.front()).error());
  if (documents.size() > 1) {
    reject(ErrorCode::scenario, {display_name(path)}, "more than one document: --state expects the state of one run");
  }
  return *documents.front();
}

/// Updates code from memory, which a run may have changed.
void take_code_from_memory(Scenario& scenario) {
  for (CodeBlock& block : scenario.program.code) {
    scenario.memory.read(block.base, {reinterpret_cast<u8*>(block.words.data()), block.words.size() * 4});
  }
}

}  // namespace

void check_schema(const Document& document, const Node& root, std::string_view expected) {
  for (std::size_t i = 0; i + 1 < root.children.size(); i += 2) {
    if (root.children[i]->text != "schema") continue;
    const Node& node = *root.children[i + 1];
    const std::string& schema = read_text(document, node, "`schema:`");
    if (schema == expected) return;
    const std::string_view family = expected.substr(0, expected.rfind('v') + 1);
    if (schema.starts_with(family)) {
      u32 version = 0;
      const auto [end, error] = std::from_chars(schema.data() + family.size(), schema.data() + schema.size(), version);
      if (error == std::errc{} && end == schema.data() + schema.size() && version > 1) {
        document.fail(node, fmt::format("the schema `{}` is from a later version of salu; this version supports `{}`",
                                        schema, expected));
      }
    }
    if (schema == state_schema)
      document.fail(node, "this is the final state of a run, not a scenario; load it with --state");
    document.fail(node, fmt::format("unknown schema `{}`; expected `{}`", schema, expected));
  }
}

void apply_state_file(const std::string& path, const FileRules& files, const SymbolIndex& symbols, Scenario& scenario) {
  const auto shared = read_single_document(read_file(path, state_limit_bytes, "a state file", files), path,
                                           "the file contains no state");
  const Document& document = *shared;
  const Node& root = *document.root;
  if (!root.is_map()) document.fail(root, "a state must be a map (`registers:`, `memory:`), found " + describe(root));
  check_schema(document, root, state_schema);
  const MapReader map(document, root, "a state", state_keys);
  check_account_of_run(document, map);
  const Generation generation = scenario.program.generation();
  WaveState& state = scenario.initial;

  if (const Node* target = map.find("target")) check_target(document, *target, generation);
  read_allocation(document, map, generation, state);
  RegisterWriter writer(state, generation);
  // JSON names every register of the target, allocated or not.
  if (const Node* registers = map.find("registers"))
    read_registers(document, *registers, generation, all_registers(generation), symbols, writer);
  if (const Node* vectors = map.find("vector"))
    read_registers(document, *vectors, generation, all_registers(generation), symbols, writer);
  if (const Node* hwregs = map.find("hwregs")) read_hwregs(document, *hwregs, generation, symbols, writer);
  if (const Node* undefined = map.find("undefined")) read_undefined(document, *undefined, generation, writer, state);
  if (const Node* memory = map.find("memory")) {
    MemoryReader(document, scenario.program, symbols, files).read_over(*memory, scenario.memory);
    take_code_from_memory(scenario);
  }
}

void apply_setting(const std::string& setting, const SymbolIndex& symbols, Scenario& scenario, RegisterWriter& writer) {
  const SourcePlace where{"--set " + setting};
  const std::size_t equals = setting.find('=');
  const std::string expected = "expected NAME=VALUE, as in --set s0=7";
  if (equals == std::string::npos || equals == 0) reject(ErrorCode::usage, where, expected);
  std::string_view place = std::string_view(setting).substr(0, equals);
  const auto floats = take_float_suffix(place);
  const std::string name_text(place);
  const Generation generation = scenario.program.generation();
  try {
    const auto document = read_single_document(setting.substr(equals + 1), where.file, expected);
    std::string problem;
    const auto name = find_settable_register(name_text, generation, allocated_registers(scenario.initial), problem);
    if (!name) reject(ErrorCode::usage, where, problem);
    const FloatMap float_map(*document->root, floats.value_or(FloatComparison{}).format);
    const Node& value = floats ? float_map.node() : *document->root;
    problem = write_register_value(*document, value, "`" + name_text + "`", *name, generation, symbols, writer);
    if (!problem.empty()) reject(ErrorCode::usage, where, fmt::format("the value of `{}` {}", name_text, problem));
  } catch (Rejection& rejection) {
    Error error = std::move(rejection).take();
    throw Rejection(Error{ErrorCode::usage, where, std::move(error.message), {}});
  }
}

}  // namespace salu::loader
