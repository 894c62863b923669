#include "equiv/reproducer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "isa/disassemble.hpp"
#include "output/formats.hpp"
#include "output/state_list.hpp"
#include "support/numbers.hpp"

namespace salu::equiv {
namespace {

using support::hex;

constexpr u32 s_endpgm = 0xbf810000;

void append_words(const std::vector<u32>& words, const std::string& indent, std::string& text) {
  constexpr std::size_t words_per_line = 8;
  text += "[";
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i != 0) text += i % words_per_line == 0 ? ",\n" + indent : ", ";
    text += hex(words[i], 8);
  }
  text += "]";
}

/// Returns all blocks, with an S_ENDPGM wherever the run would have ended without one.
std::vector<CodeBlock> ended_blocks(const Program& program) {
  std::vector<CodeBlock> blocks = program.code;
  if (program.function_end) {
    const u64 end = *program.function_end;
    for (CodeBlock& block : blocks) {
      if (block.contains(end)) {
        block.words[static_cast<std::size_t>((end - block.base) / 4)] = s_endpgm;
      } else if (block.end() == end && program.find_block(end) == nullptr) {
        block.words.push_back(s_endpgm);
      }
    }
  }
  if (program.return_address) blocks.push_back({*program.return_address, {s_endpgm}, Access::read});
  return blocks;
}

/// Lists instructions, one per line with their texts; a gap starts a new block.
std::string listing(const Program& program, const std::vector<CodeBlock>& blocks, std::vector<u64> addresses) {
  for (const auto& end : {program.function_end, program.return_address}) {
    if (end) addresses.push_back(*end);
  }
  std::ranges::sort(addresses);
  std::string text;
  u64 next = ~u64{0};
  for (const u64 address : addresses) {
    const auto block = std::ranges::find_if(blocks, [&](const CodeBlock& one) { return one.contains(address); });
    // The end of a function may be listed twice.
    if (block == blocks.end() || address + 4 == next) continue;
    const auto words = std::span(block->words).subspan(static_cast<std::size_t>((address - block->base) / 4));
    const isa::Instruction instruction = isa::decode(program.generation(), words);
    if (address != next) {
      if (!text.empty()) text += "      ]\n";
      text += "  - base: " + hex(address) + "\n    words: [\n";
    }
    const std::size_t dwords = std::min<std::size_t>(instruction.dwords, words.size());
    std::string line = "      ";
    for (std::size_t i = 0; i < dwords; ++i) line += hex(words[i], 8) + ", ";
    constexpr std::size_t text_column = 32;
    line.resize(std::max(line.size(), text_column), ' ');
    text += fmt::format("{}# {}\n", line, isa::disassemble(program.generation(), instruction));
    next = address + dwords * 4;
  }
  return text.empty() ? text : text + "      ]\n";
}

std::string code_yaml(const Program& program, const std::vector<u64>& addresses) {
  const std::vector<CodeBlock> blocks = ended_blocks(program);
  if (!addresses.empty()) return "code:\n" + listing(program, blocks, addresses);
  std::string text = "code:\n";
  for (const CodeBlock& block : blocks) {
    text += "  - base: " + hex(block.base) + "\n    words: ";
    append_words(block.words, "            ", text);
    text += "\n";
  }
  return text;
}

std::string register_expectation(const Side& a, const Output& output) {
  const RegisterName& name = output.place.registers[0];
  const u64 value = a.read(name) & output.mask;
  const bool is_whole = (output.mask & low_bits(name.width)) == low_bits(name.width);
  if (is_whole) return fmt::format("    {}: {}\n", output.place.name, hex(value, name.width / 4U));
  return fmt::format("    {}: {{value: {}, mask: {}}}\n", output.place.name, hex(value), hex(output.mask));
}

/// Formats the expected bytes of memory that is a named output.
std::string bytes_expectation(const Side& a, const Place& place) {
  std::string text = "    - {at: " + hex(place.addresses[0]) + ", bytes: [";
  for (u64 i = 0; i < place.size_bytes; ++i) {
    constexpr u64 bytes_per_line = 16;
    if (i != 0) text += i % bytes_per_line == 0 ? ",\n       " : ", ";
    text += hex(read_bytes(a.memory_after(), place.addresses[0] + i, 1), 2);
  }
  return text + "]}\n";
}

std::string changed_expectations(const Side& a, const Side& b) {
  std::vector<output::MemoryRun> runs;
  for (const u64 address : find_changed(a, b).dwords) {
    if (runs.empty() || runs.back().address + runs.back().words.size() * 4 != address) runs.push_back({address, {}});
    runs.back().words.push_back(a.memory_after().read_dword(address));
  }
  std::string text;
  for (const output::MemoryRun& run : runs) {
    text += "    - {at: " + hex(run.address) + ", words: ";
    append_words(run.words, "       ", text);
    text += "}\n";
  }
  return text;
}

/// The stop reason of a run of the words alone, without functions, kernels and code after the last word.
StopReason reproduced_end(StopReason reason) {
  if (reason == StopReason::returned) return StopReason::end_program;
  return reason == StopReason::past_kernel_end ? StopReason::pc_outside_code : reason;
}

std::string expect_yaml(const Side& a, const Side& b, const OutputSet& set) {
  std::string text = "expect:\n  stop: " + std::string(stop_reason_name(reproduced_end(a.reason()))) + "\n";
  if (judge(a, b, set).kind == Judgement::Kind::stop_differs) return text;
  std::string registers;
  std::string memory;
  for (const Output& output : set.outputs) {
    if (output.may_be_temporary) continue;
    if (output.place.is_memory) {
      memory += bytes_expectation(a, output.place);
    } else {
      registers += register_expectation(a, output);
    }
  }
  if (set.all_memory) memory += changed_expectations(a, b);
  if (!registers.empty()) text += "  registers:\n" + registers;
  if (!memory.empty()) text += "  memory:\n" + memory;
  return text;
}

/// A YAML flow mapping.
class FlowMap {
 public:
  void add(const std::string& key, const std::string& value) {
    text_ += (text_.empty() ? "" : ", ") + output::quote(key) + ": " + value;
  }
  [[nodiscard]] bool empty() const { return text_.empty(); }
  [[nodiscard]] std::string text() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

/// Adds the addresses of the dwords that contain some bytes.
void add_dwords(std::set<u64>& dwords, u64 address, u64 size_bytes) {
  for (u64 dword = address & ~u64{3}; dword < address + size_bytes; dword += 4) dwords.insert(dword);
}

void add_memory(FlowMap& row, const std::set<u64>& dwords, const Memory& memory) {
  FlowMap map;
  for (const u64 address : dwords) map.add(hex(address), hex(memory.read_dword(address), 8));
  if (!map.empty()) row.add("memory", map.text());
}

void add_register(FlowMap& map, const Side& side, const Output& output) {
  const RegisterName& name = output.place.registers[side.index()];
  const u64 value = side.read(name) & output.mask;
  const bool is_whole = (output.mask & low_bits(name.width)) == low_bits(name.width);
  map.add(output.place.name,
          is_whole ? hex(value) : fmt::format("{{value: {}, mask: {}}}", hex(value), hex(output.mask)));
}

/// True if a run may end by the return of a function.
bool may_return(const Side& side) {
  const Program& program = side.scenario().program;
  return program.function_end || program.return_address;
}

/// Formats the waves of the last run of a side: `registers:` of the first one, and those of the others that differ.
std::string waves_yaml(const Side& side) {
  const DispatchedWaves& waves = side.started_waves();
  const WaveState first = waves.wave(0).initial;
  std::string text = output::registers_yaml(side.scenario(), first) + "work_groups:\n";
  for (u64 number = 0; number < waves.count; ++number) {
    const DispatchedWave wave = waves.wave(number);
    text += wave.begins_group ? "  - - " : "    - ";
    text += output::differing_registers_yaml(side.scenario(), wave.initial, first) + "\n";
  }
  const Schedule& schedule = side.scenario().options.schedule;
  text += fmt::format("schedule: {{slice: {}", schedule.slice);
  if (schedule.seed) text += fmt::format(", seed: {}", *schedule.seed);
  return text + (schedule.concurrent_groups ? ", groups: concurrent}\n" : "}\n");
}

/// Formats a document. `returns`: an S_ENDPGM replaces the end of a function, and takes one more step.
std::string document(const Side& side, const ReproducerOptions& how, bool returns, const std::string& expectation) {
  const Scenario& scenario = side.scenario();
  const RunOptions options = side.options(how.patience);
  std::string text =
      fmt::format("---\nschema: salu-scenario-v1\nname: {}\ntarget: {}\n",
                  output::quote((side.index() == 0 ? "A: " : "B: ") + scenario.name), scenario.program.target->name);
  text += code_yaml(scenario.program, how.addresses[side.index()]);
  text += side.runs_several_waves() ? waves_yaml(side) : output::registers_yaml(scenario, side.start());
  text += output::memory_yaml(scenario, side.memory_before());
  text += fmt::format("limits: {{steps: {}", options.max_steps + (returns ? 1 : 0));
  if (options.max_memory_bytes != RunOptions{}.max_memory_bytes)
    text += fmt::format(", memory: {}", options.max_memory_bytes);
  text += "}\n";
  if (options.on_vector == OnVector::skip) text += "on_vector: skip\n";
  if (options.approximations != Approximations{})
    text += fmt::format("approximations: {}\n", approximations_text(options.approximations));
  const Clock& clock = options.clock;
  if (clock.memtime != 0 || clock.memrealtime != 0 || clock.per_step != 1) {
    text += fmt::format("clock: {{memtime: {}, memrealtime: {}, per_step: {}}}\n", clock.memtime, clock.memrealtime,
                        clock.per_step);
  }
  return text + expectation;
}

}  // namespace

std::string make_reproducer(const Side& a, const Side& b, const OutputSet& set, const ReproducerOptions& options) {
  std::string text;
  for (const std::string& line : options.comment) text += "# " + line + "\n";
  const std::string expectation = expect_yaml(a, b, set);
  for (const Side* const side : {&a, &b})
    text += document(*side, options, side->reason() == StopReason::returned, expectation);
  return text;
}

bool can_be_row(const Side& side) { return side.reason() != StopReason::step_limit || !may_return(side); }

std::string case_row(const Side& side, std::span<const Input> inputs, const OutputSet& set, const std::string& name) {
  FlowMap row;
  std::set<u64> given;
  row.add("name", output::quote(name));
  for (const Input& input : inputs) {
    if (input.place.is_memory) {
      add_dwords(given, input.place.addresses[side.index()], input.place.size_bytes);
    } else {
      const RegisterName& reg = input.place.registers[side.index()];
      row.add(input.place.name, hex(read_register(side.start(), reg)));
    }
  }
  add_memory(row, given, side.memory_before());
  FlowMap expect;
  std::set<u64> left;
  expect.add("stop", std::string(stop_reason_name(reproduced_end(side.reason()))));
  for (const Output& output : set.outputs) {
    if (output.may_be_temporary) continue;
    if (output.place.is_memory) {
      add_dwords(left, output.place.addresses[side.index()], output.place.size_bytes);
    } else {
      add_register(expect, side, output);
    }
  }
  if (set.all_memory) {
    const std::vector<u64> changed = changed_dwords(side);
    left.insert(changed.begin(), changed.end());
  }
  add_memory(expect, left, side.memory_after());
  row.add("expect", expect.text());
  return row.text();
}

std::string cases_scenario(const Side& side, const std::vector<std::string>& rows) {
  std::string cases = "cases:\n";
  for (const std::string& row : rows) cases += "  - " + row + "\n";
  return document(side, {}, may_return(side), rows.empty() ? std::string() : cases);
}

std::string try_reproducer(const std::string& text) {
  std::vector<Result<Scenario>> scenarios = load_yaml(text, "reproducer");
  if (scenarios.size() != 2) return "it cannot be loaded as two scenarios";
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    if (!scenarios[i]) return scenarios[i].error().to_string();
    const Scenario& scenario = *scenarios[i];
    const Outcome outcome = run(scenario, scenario.options);
    const bool holds = check(scenario.expect.value_or(Expectation{}), outcome).empty();
    if (i == 0 && !holds) return "A has other results in it than before";
    if (i == 1 && holds) return "B has the same results as A in it";
  }
  return {};
}

}  // namespace salu::equiv
