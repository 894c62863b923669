#include <salu/run.hpp>

#include <algorithm>
#include <bit>

#include "core/accesses.hpp"
#include "core/machine.hpp"
#include "fuzz/fuzzing.hpp"
#include "isa/operand.hpp"

/// Input: how to run, a seed for the initial state, then code: words as they are, or fields for valid instructions.
/// Every way of running the code comes to the same end, and nothing changes but what the instructions declare.
namespace salu::fuzzing {
namespace {

using core::Location;
using core::Machine;

constexpr u64 first_base = 0x1000;
constexpr u64 second_base = 0x2000;
constexpr std::size_t most_words = 96;

class Random {
 public:
  explicit Random(u32 seed) : state_(seed | u64{1} << 40) {}
  u64 next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ * 0x2545f4914f6cdd1d;
  }
  bool one_in(u32 count) { return next() >> 32 % count == 0; }

 private:
  u64 state_;
};

/// A run, with everything that is compared.
struct Case {
  Program program;
  WaveState initial;
  RunOptions options;
  u64 split = 0;
};

// ---- making a case ----

bool is_wide(const isa::OperandSpec& operand) { return operand.dwords >= 2; }

/// Some instruction of the generation with operands from the input, pairs made even.
void append_instruction(Bytes& input, Generation generation, std::vector<u32>& words) {
  isa::Instruction instruction;
  instruction.encoding = isa::EncodingClass::scalar;
  do {
    instruction.insn = static_cast<isa::Insn>(input.take_below(isa::insn_count));
    if (input.left() == 0) instruction.insn = isa::Insn::s_endpgm;
  } while (isa::info(instruction.insn).opcode(generation) == isa::absent);

  const isa::InstructionInfo& info = isa::info(instruction.insn);
  for (const isa::OperandSpec& operand : info.shape.span()) {
    const u8 code = input.take8();
    const bool is_constant = code >= code::count;
    const u8 aligned = is_wide(operand) && !is_constant ? code & 0xfe : code;
    if (operand.field == isa::Field::sdst) instruction.sdst = aligned & 127;
    if (operand.field == isa::Field::ssrc0) instruction.ssrc0 = aligned;
    if (operand.field == isa::Field::ssrc1) instruction.ssrc1 = aligned;
    if (operand.field == isa::Field::simm16) {
      instruction.simm16 = operand.kind == isa::OperandKind::branch ? static_cast<u16>(static_cast<i8>(code) / 8)
                                                                    : static_cast<u16>(code | input.take8() << 8);
    }
    const bool source = operand.field == isa::Field::ssrc0 || operand.field == isa::Field::ssrc1;
    const bool literal = source && operand.kind != isa::OperandKind::gpr_idx && code == isa::literal_code;
    if (literal || operand.kind == isa::OperandKind::literal) instruction.has_literal = true;
  }
  if (instruction.has_literal) instruction.literal = input.take32();
  const isa::EncodedWords encoded = isa::encode(generation, instruction);
  words.insert(words.end(), encoded.span().begin(), encoded.span().end());
}

std::vector<u32> make_words(Bytes& input, Generation generation, bool shaped) {
  if (!shaped) return input.take_words(most_words);
  std::vector<u32> words;
  while (input.left() != 0 && words.size() < most_words) append_instruction(input, generation, words);
  return words;
}

/// Registers that are small, extreme or random, and pairs that hold addresses of code.
void fill_registers(WaveState& state, Generation generation, Random& random, u64 code_words) {
  const auto some_address = [&] {
    return (random.one_in(3) ? second_base : first_base) + random.next() % (code_words + 1) * 4;
  };
  for (u32 code = 0; code < code::count; code += 2) {
    const bool no_register = isa::register_name(generation, code, 1).empty();
    const bool beside_the_file = !is_gfx9(generation) && code >= code::tba && code < code::ttmp0;
    if (no_register || beside_the_file) continue;
    switch (random.next() >> 33 & 7) {
      case 0:
        break;
      case 1:
        state.write64(code, ~u64{0});
        break;
      case 2:
      case 3:
        state.write64(code, random.next() & 0x0000'003f'0000'003f);
        break;
      case 4:
        state.write64(code, some_address());
        break;
      default:
        state.write64(code, random.next());
    }
    if (random.one_in(2)) state.defined.set(code).set(code + 1);
  }
  if (isa::register_name(generation, code::m0 + 1, 1).empty()) state.file[code::m0 + 1] = 0;
  if (random.one_in(2)) state.file[code::m0] &= 0x3f;
  state.tba = random.one_in(2) ? 0 : some_address();
  state.tma = random.next() & pc_mask(generation);
}

Case make_case(Bytes& input) {
  Case made;
  const Generation generation = input.take_generation();
  const u8 flags = input.take8();
  const auto flag = [flags](u32 bit) { return (flags >> bit & 1) != 0; };
  made.options.strict = flag(0);
  made.options.on_vector = flag(1) ? OnVector::skip : OnVector::stop;
  const bool shaped = flag(2);
  const bool two_blocks = flag(3);
  const u32 sgprs = flag(4) ? sgpr_limit(generation) : input.take_below(sgpr_limit(generation) + 1);
  const u8 status = input.take8();
  made.options.max_steps = input.take8();
  made.split = input.take8();
  Random random(input.take32());

  std::vector<u32> words = make_words(input, generation, shaped);
  if (words.empty()) words.push_back(0xbf810000);
  made.program.target = find_target(generation_name(generation));
  made.program.entry = first_base;
  if (flag(5)) made.program.function_end = first_base + random.next() % (words.size() + 1) * 4;
  if (flag(6)) made.program.return_address = second_base - 4;
  made.initial = initial_state(generation);
  made.initial.sgprs = sgprs;
  fill_registers(made.initial, generation, random, words.size());
  if (two_blocks) {
    // Behind the first block at once or after a gap.
    const u64 base = flag(7) ? first_base + words.size() * 4 : second_base;
    made.program.code.push_back({base, {words.rbegin(), words.rend()}});
  }
  made.program.code.insert(made.program.code.begin(), {first_base, std::move(words)});
  made.initial.pc = first_base;
  made.initial.scc = (status & 1) != 0;
  made.initial.mode = static_cast<u32>(random.next()) & ~(random.one_in(2) ? 0 : 7U << mode_bit::csp);
  if (!random.one_in(4)) made.initial.mode &= ~(1U << mode_bit::vskip);
  made.initial.status = status & (1U << status_bit::priv | 1U << status_bit::trap_en);
  if (random.one_in(16)) made.initial.status |= 1U << status_bit::halt;
  return made;
}

// ---- comparing runs ----

bool same(const Warning& left, const Warning& right) {
  return left.kind == right.kind && left.pc == right.pc && left.instruction == right.instruction &&
         left.detail == right.detail;
}

std::string describe(const Case& made) {
  std::string text = std::string(generation_name(made.program.generation())) + " sgprs " +
                     std::to_string(made.initial.sgprs) + (made.options.strict ? " strict" : "") + " limit " +
                     std::to_string(made.options.max_steps);
  for (const CodeBlock& block : made.program.code) text += "\n" + hex_words(block.words);
  return text;
}

std::string describe(const Outcome& outcome) {
  return std::string(outcome.stop.reason_name()) + " at " + std::to_string(outcome.stop.pc) + " (" +
         outcome.stop.instruction + "): " + outcome.stop.detail + ", steps " + std::to_string(outcome.steps) + ", " +
         std::to_string(outcome.warnings.size()) + " warnings";
}

std::string difference(const WaveState& left, const WaveState& right) {
  std::string text;
  for (u32 code = 0; code < code::count; ++code) {
    if (left.file[code] != right.file[code]) {
      text += " " + std::to_string(code) + ": " + hex_words({&left.file[code], 1}) + " " +
              hex_words({&right.file[code], 1});
    }
  }
  for (u32 i = 0; i < defined_index::count; ++i) {
    if (left.defined.test(i) != right.defined.test(i)) text += " defined " + std::to_string(i);
  }
  if (left.pc != right.pc) text += " pc " + std::to_string(left.pc) + " " + std::to_string(right.pc);
  if (left.mode != right.mode) text += " mode";
  if (left.status != right.status) text += " status";
  if (left.scc != right.scc) text += " scc";
  return text;
}

void require_same(const Case& made, const Outcome& expected, const Outcome& actual, std::string_view how) {
  const auto detail = [&] {
    return describe(made) + "\n" + describe(expected) + "\n" + std::string(how) + ": " + describe(actual) +
           difference(expected.state, actual.state);
  };
  require(expected.stop.reason == actual.stop.reason && expected.stop.warning == actual.stop.warning &&
              expected.stop.pc == actual.stop.pc && expected.stop.instruction == actual.stop.instruction &&
              expected.stop.detail == actual.stop.detail,
          "the run ends in the same way", detail);
  require(expected.steps == actual.steps && expected.skipped_vector == actual.skipped_vector, "it takes as many steps",
          detail);
  require(std::ranges::equal(expected.warnings, actual.warnings, same), "it warns of the same", detail);
  require(expected.state == actual.state, "it leaves the same state", detail);
}

Outcome outcome_of(const Machine& machine, u64 steps, const Outcome& expected) {
  Outcome outcome;
  // Where the limit ended the run, the machine has nothing to say of it.
  outcome.stop = machine.stopped() ? machine.stop() : expected.stop;
  outcome.steps = steps;
  outcome.skipped_vector = machine.skipped_vector();
  outcome.warnings = machine.warnings();
  outcome.state = machine.state();
  return outcome;
}

void prepare(Machine& machine, const Case& made) {
  machine.set_strict(made.options.strict);
  machine.set_on_vector(made.options.on_vector);
  machine.set_state(made.initial);
}

/// In two pieces, then once more from the start with the same machine.
void check_pieces(const Case& made, Dispatch dispatch, const Outcome& expected) {
  Machine machine(made.program, dispatch);
  prepare(machine, made);
  const u64 limit = made.options.max_steps;
  const u64 first = machine.run(std::min(made.split, limit));
  const u64 steps = first + machine.run(limit - first);
  require_same(made, expected, outcome_of(machine, steps, expected), "in two pieces");

  WaveState other = made.initial;
  other.sgprs = sgpr_limit(made.program.generation());
  machine.set_state(other);
  machine.run(made.split);
  machine.set_state(made.initial);
  const u64 again = machine.run(limit);
  require_same(made, expected, outcome_of(machine, again, expected), "with a machine that was used before");
}

// ---- what an instruction may change ----

void mark(core::DefinedSet& set, Generation generation, const Location& location) {
  for (const u32 index : core::defined_indices(generation, location)) set.set(index);
}

bool covers(const std::vector<Location>& writes, Location::Kind kind, u32 first = 0) {
  return std::ranges::any_of(writes, [&](const Location& location) {
    if (location.kind != kind) return false;
    return kind != Location::Kind::registers ||
           (first >= location.first && first < u32{location.first} + location.dwords);
  });
}

template <class Detail>
void check_changes(const WaveState& before, const WaveState& after, const core::Accesses& accesses,
                   const Detail& detail) {
  for (u32 code = 0; code < code::count; ++code) {
    require(before.file[code] == after.file[code] || covers(accesses.writes, Location::Kind::registers, code),
            "only declared registers change", detail);
  }
  require(before.scc == after.scc || covers(accesses.writes, Location::Kind::scc) ||
              covers(accesses.writes, Location::Kind::hwreg),
          "SCC changes only where it is declared", detail);
}

/// One instruction at a time, looking at each.
void check_steps(const Case& made, Dispatch dispatch, const Outcome& expected) {
  Machine machine(made.program, dispatch);
  prepare(machine, made);
  const Generation generation = made.program.generation();
  u64 steps = 0;
  while (steps < made.options.max_steps && !machine.stopped()) {
    const auto instruction = machine.instruction_at(machine.pc());
    const core::Accesses accesses = instruction ? core::find_accesses(machine, *instruction) : core::Accesses{};
    const WaveState before = machine.state();
    const u64 pc = machine.pc();
    const u64 executed = machine.run_exactly(1);
    const WaveState after = machine.state();
    const auto detail = [&] {
      return describe(made) + "\nat " + std::to_string(pc) + ": " + machine.text_at(pc) + difference(before, after);
    };
    steps += executed;
    check_changes(before, after, accesses, detail);
    if (executed == 0) break;
    // What was defined stays so, and nothing else becomes so than what is written.
    core::DefinedSet allowed = before.defined;
    for (const Location& location : accesses.writes) mark(allowed, generation, location);
    require((before.defined & ~after.defined).none() && (after.defined & ~allowed).none(),
            "what becomes defined was written", detail);
  }
  machine.run_exactly(0);
  require_same(made, expected, outcome_of(machine, steps, expected), "step by step");
}

void check_observed(const Case& made, const Outcome& expected) {
  RunOptions options = made.options;
  u64 events = 0;
  options.trace = [&](const TraceEvent& event) {
    ++events;
    require(event.step == events && !event.instruction.empty(), "a trace numbers its lines and names each instruction",
            [&] { return describe(made); });
  };
  require_same(made, expected, run(made.program, made.initial, Memory{}, options), "traced");
  require(events == expected.steps, "a trace has a line for every step", [&] { return describe(made); });

  options.trace = nullptr;
  options.check_undefined = true;
  options.strict = false;
  const Outcome checked = run(made.program, made.initial, Memory{}, options);
  require(made.options.strict || checked.state == expected.state, "looking for undefined reads changes nothing",
          [&] { return describe(made) + difference(expected.state, checked.state); });
}

}  // namespace
}  // namespace salu::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const salu::u8* data, std::size_t size) {
  using namespace salu;
  fuzzing::Bytes input(data, size);
  fuzzing::Case made = fuzzing::make_case(input);
  made.options.dispatch = Dispatch::switched;
  const Outcome expected = run(made.program, made.initial, Memory{}, made.options);
  for (const Dispatch dispatch : {Dispatch::direct_goto, Dispatch::tail_calls}) {
    if (!has_dispatch(dispatch)) continue;
    RunOptions options = made.options;
    options.dispatch = dispatch;
    fuzzing::require_same(made, expected, run(made.program, made.initial, Memory{}, options), "another dispatch loop");
  }
  for (const Dispatch dispatch : {Dispatch::switched, Dispatch::best}) {
    fuzzing::check_pieces(made, dispatch, expected);
    fuzzing::check_steps(made, dispatch, expected);
  }
  fuzzing::check_observed(made, expected);
  return 0;
}
