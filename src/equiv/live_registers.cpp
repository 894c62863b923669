#include "equiv/live_registers.hpp"

#include <algorithm>

#include "equiv/discovery.hpp"
#include "isa/hwreg.hpp"
#include "isa/operand.hpp"
#include "observe/register_flow.hpp"

namespace salu::equiv {
namespace {

/// The registers of a program whose final values are compared.
observe::WaveRegisters compared_registers(const OutputSet& set, std::size_t side) {
  observe::WaveRegisters registers;
  for (const Output& output : set.outputs) {
    if (output.place.is_memory) continue;
    const Location place = output.place.registers[side].location();
    for (u32 i = 0; i < place.dwords; ++i) {
      const u32 index = place.index + i;
      if (state_index::is_lane(index)) {
        registers.vectors.set(state_index::vector_of(index));
      } else {
        registers.scalars.set(index);
      }
    }
  }
  return registers;
}

class Finder {
 public:
  Finder(const Programs& programs, const OutputSet& set) : programs_(programs) {
    for (const std::size_t side : both_sides) {
      const Scenario& scenario = *programs[side];
      const auto flow = [&](const observe::WaveRegisters& live_at_end) {
        return observe::find_register_flow(scenario.program, scenario.initial, scenario.options.on_vector, live_at_end);
      };
      read_[side] = flow({});
      kept_[side] = flow(compared_registers(set, side));
    }
  }

  LiveRegisters find() {
    for (const std::size_t side : both_sides) {
      const bool is_compiled = entry_kind(programs_[side]->program) != EntryKind::plain;
      // Compiled code saves registers before calls, so all of them would count as read.
      if (kept_[side].is_exact || !is_compiled) {
        find_in_program(side);
      } else {
        result_.is_complete = false;
      }
    }
    return std::move(result_);
  }

 private:
  using Flows = std::array<observe::RegisterFlow, 2>;

  void find_in_program(std::size_t side) {
    const Scenario& scenario = *programs_[side];
    const observe::RegisterFlow& flow = kept_[side];
    const EntryKind kind = entry_kind(scenario.program);
    for (u32 code = 0; code < code::count; ++code) {
      const u32 index = register_index(scenario.program.generation(), code);
      if (!flow.live.scalars.test(index) || has_value(index)) continue;
      add_scalar(side, code, is_input(side, [index](const auto& set) { return set.scalars.test(index); }));
    }
    if (flow.live.scalars.test(state_index::scc) && !has_value(state_index::scc)) {
      const RegisterName scc{state_index::scc, 1};
      add({"scc", {{"scc", false, {scc, scc}, {}, 0}}, is_input(side, [](const auto& set) {
             return set.scalars.test(state_index::scc);
           })});
    }
    for (const isa::HwregInfo& hwreg : isa::hwregs()) {
      const u32 index = state_index::hwregs + hwreg.id;
      if (kind == EntryKind::plain && read_[side].live.scalars.test(index)) add({std::string(hwreg.name), {}, true});
    }
    for (u32 number = 0; number < VectorRegisters::count; ++number) {
      const u64 unset =
          ~(programs_[0]->initial.vectors.defined(number) | programs_[1]->initial.vectors.defined(number));
      if (!flow.live.vectors.test(number) || unset == 0) continue;
      // Compiled code spills registers as a whole, with unset lanes.
      const bool is_written = !flow.is_exact || flow.writes.vectors.test(number);
      if (is_written && kind != EntryKind::plain) continue;
      LiveRegister live;
      live.name = isa::vector_register_name(RegisterName::in_vectors(number).index, state_index::lanes);
      live.places = lane_places(programs_, number, unset);
      live.is_input = !is_written && is_input(side, [number](const auto& set) { return set.vectors.test(number); });
      add(std::move(live));
    }
  }

  /// True if the register is set at the start of one program: then it is not an input of the pair.
  [[nodiscard]] bool has_value(u32 index) const {
    return std::ranges::any_of(programs_,
                               [index](const Scenario* program) { return is_defined(program->initial, index); });
  }

  /// True if an instruction may read the register, or if only one of the programs may leave it unchanged.
  template <class IsIn>
  [[nodiscard]] bool is_input(std::size_t side, const IsIn& is_in) const {
    if (entry_kind(programs_[side]->program) != EntryKind::plain) return false;
    return is_in(read_[side].live) || is_in(kept_[0].live) != is_in(kept_[1].live);
  }

  void add_scalar(std::size_t side, u32 code, bool is_input) {
    const Program& program = programs_[side]->program;
    if (is_stack_register(program, code)) return;
    LiveRegister live;
    live.is_input = is_input;
    live.name = isa::register_name(program.generation(), code, 1);
    if (live.name.empty()) return;
    if (can_vary(program.generation(), code)) {
      if (auto place = file_place(programs_, side, code, 1)) live.places.push_back(std::move(*place));
    }
    add(std::move(live));
  }

  void add(LiveRegister live) {
    const auto known = std::ranges::find(result_.registers, live.name, &LiveRegister::name);
    if (known == result_.registers.end()) {
      result_.registers.push_back(std::move(live));
    } else {
      known->is_input = known->is_input || live.is_input;
    }
  }

  const Programs& programs_;
  Flows read_;  ///< live registers because of reads
  Flows kept_;  ///< live registers because they may stay unchanged
  LiveRegisters result_;
};

}  // namespace

LiveRegisters find_live_registers(const Programs& programs, const OutputSet& set) {
  return Finder(programs, set).find();
}

}  // namespace salu::equiv
