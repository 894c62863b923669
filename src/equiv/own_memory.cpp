#include "equiv/own_memory.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

#include "core/program_words.hpp"
#include "equiv/same_code.hpp"
#include "isa/control_flow.hpp"
#include "observe/known_instruction.hpp"
#include "observe/undefined/tracker.hpp"
#include "observe/vector_accesses.hpp"

namespace salu::equiv {
namespace {

namespace undefined = observe::undefined;
using observe::Accesses;
using observe::KnownInstruction;
using undefined::OriginId;
using undefined::State;

/// Tracks bits of registers and memory that depend on a source, with the tracker for inexact bits, without warnings.
class Dependence {
 public:
  Dependence() { origin_ = state_.origins.begin(undefined::Origin::Kind::given, 0, {}, 0); }

  void add(const core::Machine& machine, const RegisterName& name) {
    for (u32 i = 0; i < name.dwords(); ++i) {
      const u32 width = std::min(u32{name.width} - 32 * i, u32{32});
      add(machine, name.index + i, static_cast<u32>(low_bits(width) << name.low_bit));
    }
  }
  void add(const core::Machine& machine, u32 index, u32 bits) {
    if (state_index::is_lane(index)) {
      undefined::ShadowRow& row = state_.shadow.own_lanes(machine.vectors(), state_index::vector_of(index));
      row.set(state_index::lane_of(index), {bits, origin_});
    } else if (index < state_index::scalar_count) {
      state_.shadow.set_scalar(index, {bits, origin_});
    }
  }
  void add_memory(u64 address, u64 size_bytes) {
    for (u64 byte = address; byte < address + size_bytes; ++byte) {
      const u32 bits = u32{0xff} << (8 * (byte % 4));
      state_.shadow.set_dword(byte & ~u64{3}, {bits, origin_}, bits);
    }
  }
  [[nodiscard]] bool holds(const core::Machine& machine, u32 index) {
    if (state_index::is_lane(index)) {
      const u32 number = state_index::vector_of(index);
      return state_.shadow.lanes(machine.vectors(), number)[state_index::lane_of(index)].bits != 0;
    }
    return index < state_index::scalar_count && state_.shadow.scalar(index).bits != 0;
  }

  /// Tracks the instruction that the machine executes next.
  void advance(core::Machine& machine, const undefined::Coming& coming) {
    state_.affects_address = false;
    state_.affects_control_flow = false;
    undefined::advance(state_, machine, coming);
  }
  /// True if the address of that instruction's access depends on the source.
  [[nodiscard]] bool decides_address() const { return state_.affects_address; }
  [[nodiscard]] bool decides_target() const { return state_.affects_control_flow; }

 private:
  State state_ = State::of_inexact();
  OriginId origin_ = 0;
};

/// True if an address is in the code of either program or in the data of its objects.
bool is_loaded(const RunPair& pair, u64 address) {
  return std::ranges::any_of(
      pair.sides(), [address](const Side& side) { return side.scenario().code.find_region(address) != nullptr; });
}

/// Repeats a run of a side and searches for accesses to loaded code and data.
class Search {
 public:
  Search(const RunPair& pair, std::size_t index)
      : pair_(pair),
        side_(pair.sides()[index]),
        program_(side_.scenario().program),
        machine_(program_, side_.scenario().options.dispatch) {
    machine_.set_options(side_.scenario().options);
    machine_.set_memory(side_.memory_before());
    machine_.set_state(side_.start());
    for (const Input& input : pair.inputs()) {
      const Place& place = input.place;
      if (place.is_memory)
        of_inputs_.add_memory(place.addresses[index], place.size_bytes);
      else
        of_inputs_.add(machine_, place.registers[index]);
    }
    // An unset register may have any value, like an input.
    for (u32 i = 0; i < state_index::defined_count; ++i) {
      if (!side_.start().defined.test(i)) of_inputs_.add(machine_, i, ~u32{0});
    }
    for (u32 i = 0; i < state_index::tba; ++i) note_own_address(i, machine_.wave().slots[i]);
  }

  /// Returns true if there is such an access; nothing if time ran out.
  std::optional<bool> run(const Deadline& deadline) {
    constexpr u64 steps_between_looks = 4096;
    const u64 most_steps = side_.options(pair_.patience()).max_steps;
    while (machine_.steps() < most_steps && !machine_.stopped()) {
      if (step()) return true;
      if (machine_.steps() % steps_between_looks == 0 && deadline.is_over()) return std::nullopt;
    }
    return false;
  }

 private:
  bool step() {
    machine_.run_exactly(0);
    if (machine_.stopped()) return false;
    const u64 pc = machine_.pc();
    const std::span<const u32> words = machine_.code().words_at(pc);
    if (words.empty()) return machine_.run_exactly(1), false;
    KnownInstruction& known = known_[pc];
    if (!known.is_still(words)) known = KnownInstruction(machine_, pc, words);
    const Assumption* const assumed = program_.find_assumption(pc);
    const bool runs_vector = assumed == nullptr && known.vector() != nullptr && machine_.executes_vectors();
    accesses_.clear();
    if (assumed != nullptr)
      find_accesses(machine_, *assumed, accesses_);
    else if (runs_vector)
      find_accesses(machine_, *known.vector(), accesses_);
    else
      find_accesses(machine_, known.instruction(), accesses_);
    const undefined::Coming coming{pc, known, accesses_, runs_vector, assumed};
    of_inputs_.advance(machine_, coming);
    of_program_.advance(machine_, coming);
    if (of_inputs_.decides_address() && meets_loaded_memory()) return true;
    machine_.run_exactly(1);
    if (of_inputs_.decides_target() && is_register_jump(known) && is_loaded(machine_.pc())) return true;
    note_own_addresses(known);
    return false;
  }

  [[nodiscard]] bool is_loaded(u64 address) const { return equiv::is_loaded(pair_, address); }
  [[nodiscard]] static bool is_register_jump(const KnownInstruction& known) {
    return known.flow() == isa::Flow::jump || known.flow() == isa::Flow::call;
  }

  /// True if an address is in an instruction that the program may execute, or in a function of an object.
  [[nodiscard]] bool is_instruction(u64 address) const {
    if (pair_.maps()[side_.index()].is_reachable(address)) return true;
    return program_.find_block(address) != nullptr &&
           std::ranges::any_of(program_.symbols, [address](const Symbol& symbol) {
             return address - symbol.address < symbol.size_bytes;
           });
  }

  /// True if the instruction accesses loaded code or data. If its address also derives from the program's own
  /// addresses, as that of a table element, only accesses to instructions count.
  [[nodiscard]] bool meets_loaded_memory() const {
    const bool is_own = of_program_.decides_address();
    for (const auto* list : {&accesses_.reads, &accesses_.writes}) {
      for (const Location& location : *list) {
        if (!location.is_memory() || location.address >= shared_memory_base) continue;
        for (u32 i = 0; i < location.dwords; ++i) {
          const u64 address = machine_.wave().data_address(location.address + u64{i} * 4);
          if (is_own ? is_instruction(address) : is_loaded(address)) return true;
        }
      }
    }
    return false;
  }

  /// Notes registers to which the instruction has written an address of the program: computed from the PC or from a
  /// literal that is such an address, or loaded.
  void note_own_addresses(const KnownInstruction& known) {
    const isa::Instruction& instruction = known.instruction();
    const isa::vector::Instruction* const vector = known.vector();
    const bool is_scalar = instruction.encoding == isa::EncodingClass::scalar;
    const bool reads_pc = is_scalar && isa::info(instruction.insn).reads_any(isa::effect::pc);
    const u32 literal =
        is_scalar ? (instruction.has_literal ? instruction.literal : 0) : (vector != nullptr ? vector->literal : 0);
    const bool is_made = reads_pc || is_own_address(literal);
    const bool is_load = touches_memory(instruction);
    if (!is_made && !is_load) return;
    const auto visit = [&](u32 index, u32 value) {
      if (is_made)
        of_program_.add(machine_, index, ~u32{0});
      else
        note_own_address(index, value);
    };
    for (const Location& location : accesses_.writes) {
      if (location.is_memory() || location.index >= state_index::tba) continue;
      for (u32 i = 0; i < location.dwords; ++i) visit(location.index + i, machine_.wave().slots[location.index + i]);
    }
    for (const Accesses::Lanes& written : accesses_.vectors_written) {
      for (u32 lane = 0; lane < state_index::lanes; ++lane) {
        const u32 index = state_index::vgprs + written.number * state_index::lanes + lane;
        if ((written.lanes >> lane & 1) != 0) visit(index, machine_.lane(index));
      }
    }
  }
  void note_own_address(u32 index, u32 value) {
    if (is_own_address(value) && !of_inputs_.holds(machine_, index)) of_program_.add(machine_, index, ~u32{0});
  }
  /// True if a dword is the lower half of an address in the loaded program.
  [[nodiscard]] bool is_own_address(u32 value) const {
    return std::ranges::any_of(side_.scenario().code.regions(), [value](const MemoryRegion& region) {
      return value - static_cast<u32>(region.base) < region.size_bytes;
    });
  }

  const RunPair& pair_;
  const Side& side_;
  const Program& program_;
  core::Machine machine_;
  Dependence of_inputs_;
  Dependence of_program_;                            ///< dependence on the load address of the program
  std::unordered_map<u64, KnownInstruction> known_;  ///< by address
  Accesses accesses_;
};

/// True if the last run of a side executed an indirect branch.
bool uses_addresses(const Side& side) {
  const Program& program = side.scenario().program;
  bool any = false;
  side.visit_executed([&](u64 address) {
    const std::span<const u32> words = core::words_at(program, address);
    if (any || words.empty()) return;
    const isa::Instruction instruction = isa::decode(program.generation(), words);
    const isa::Flow flow = isa::flow_of(instruction);
    any = touches_memory(instruction) || flow == isa::Flow::jump || flow == isa::Flow::call;
  });
  return any;
}

}  // namespace

std::optional<Judgement> judge_runs(const RunPair& pair, const OutputSet& set, const Deadline& deadline) {
  const Judgement judgement = judge(pair.a(), pair.b(), set);
  if (!judgement.differs()) return judgement;
  // The search follows a single wave.
  if (pair.runs_several_waves()) return judgement;
  for (const std::size_t side : both_sides) {
    if (!uses_addresses(pair.sides()[side])) continue;
    const std::optional<bool> is_met = Search(pair, side).run(deadline);
    if (!is_met) return std::nullopt;
    if (*is_met) return Judgement{Judgement::Kind::skipped, own_memory_is_input};
  }
  return judgement;
}

bool may_depend_on_own_memory(const RunPair& pair) {
  if (!pair.runs_several_waves()) return false;
  bool is_met = false;
  for (const Side& side : pair.sides()) {
    RunOptions options = side.options(pair.patience());
    options.trace = [&](const TraceEvent& event) {
      for (const auto* const list : {&event.read, &event.written}) {
        is_met = is_met || std::ranges::any_of(*list, [&](const LocationValue& value) {
                   return value.location.is_memory() && is_loaded(pair, value.location.address);
                 });
      }
    };
    side.repeat(options);
  }
  return is_met;
}

}  // namespace salu::equiv
