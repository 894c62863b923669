#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "equiv/outputs.hpp"
#include "isa/operand.hpp"
#include "loader/number.hpp"

namespace salu::equiv {
namespace {

/// The text for all registers that are not outputs.
constexpr std::string_view other_registers = "all other registers";

/// A register counts as a result if it differs in at most one of this number of runs. With more differences, equal
/// values may be chance: temporaries often hold small numbers.
constexpr u64 most_disagreement = 16;

constexpr u32 likely_results = 2;

/// True for a column with expected values of a register or memory.
bool is_result(const CaseColumn& column) {
  return column.kind == CaseColumn::Kind::expected_register || column.kind == CaseColumn::Kind::expected_memory;
}

bool names_results(const Scenario& scenario) {
  const bool expects = scenario.expect && !(scenario.expect->registers.empty() && scenario.expect->memory.empty());
  return expects || (scenario.cases && std::ranges::any_of(scenario.cases->columns, is_result));
}

/// Returns the expectations of a scenario and all its rows, each place once, with the union of their masks.
Expectation all_expectations(const Scenario& scenario) {
  Expectation all = scenario.expect.value_or(Expectation{});
  for (std::size_t row = 0; scenario.cases && row < scenario.cases->rows(); ++row) {
    const auto cells = scenario.cases->row(row);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const CaseColumn& column = scenario.cases->columns[i];
      if (cells[i].mask == 0 || !is_result(column)) continue;
      if (column.kind == CaseColumn::Kind::expected_memory) {
        if (std::ranges::find(all.memory, column.address, &MemoryExpectation::address) == all.memory.end()) {
          all.memory.push_back({column.address, std::vector<u8>(column.size_bytes), {}, column.floats});
        }
        continue;
      }
      const auto known = std::ranges::find(all.registers, column.name, &RegisterExpectation::name);
      if (known != all.registers.end()) {
        known->mask |= cells[i].mask;
      } else {
        all.registers.push_back(
            {column.path.substr(column.path.find('.') + 1), column.name, 0, cells[i].mask, {}, column.floats});
      }
    }
  }
  return all;
}

/// The lanes that are active at the start of both programs: a function's results are only in these.
u64 lanes_of_results(const Programs& programs) { return programs[0]->initial.exec() & programs[1]->initial.exec(); }

void add_lanes(const Programs& programs, u32 number, u64 lanes, OutputSet& set, bool may_be_temporary = false) {
  for (Place& place : lane_places(programs, number, lanes))
    set.outputs.push_back({std::move(place), low_bits(32), may_be_temporary});
}

/// Formats `s2: only one of the programs writes it: assumed to be a temporary`.
std::string temporary_text(std::string_view bank, u32 number, bool may_be_result) {
  return fmt::format("{}{}: {}: assumed to be a temporary", bank, number,
                     may_be_result ? "not written last in every run, and different in many runs"
                                   : "only one of the programs writes it");
}

bool runs_several_waves(const Programs& programs) {
  return std::ranges::any_of(programs, [](const Scenario* program) { return program->runs_several_waves(); });
}

bool is_kernel_or_shader(EntryKind kind) { return kind == EntryKind::ends_itself; }

}  // namespace

std::vector<StopReason> expected_stops(const Programs& programs) {
  std::vector<StopReason> stops;
  for (const Scenario* program : programs) {
    if (program->expect && program->expect->stop) stops.push_back(*program->expect->stop);
    for (std::size_t row = 0; program->cases && row < program->cases->rows(); ++row) {
      const auto cells = program->cases->row(row);
      for (std::size_t i = 0; i < cells.size(); ++i) {
        constexpr u64 reason_bits = 255;
        const bool is_stop = program->cases->columns[i].kind == CaseColumn::Kind::expected_stop;
        if (is_stop && cells[i].mask != 0) stops.push_back(static_cast<StopReason>(cells[i].value & reason_bits));
      }
    }
  }
  std::ranges::sort(stops);
  const auto rest = std::ranges::unique(stops);
  stops.erase(rest.begin(), rest.end());
  return stops;
}

void OutputChooser::watch(const Side& a, const Side& b, const Discovery& discovery) {
  ++runs_;
  for (u32 sgpr = 0; sgpr < agreed_.size(); ++sgpr) {
    const RegisterName name = RegisterName::in_file(sgpr);
    if (a.read(name) == b.read(name)) ++agreed_[sgpr];
  }
  const u64 lanes = lanes_of_results(programs_);
  for (u32 vgpr = 0; vgpr < vectors_agreed_.size(); ++vgpr) {
    const u32 first = RegisterName::in_vectors(vgpr).index;
    // Most programs do not write vector registers.
    const bool is_written = discovery.vectors_written(0).test(vgpr) || discovery.vectors_written(1).test(vgpr);
    u64 left = is_written ? lanes : 0;
    while (left != 0) {
      const RegisterName lane{first + static_cast<u32>(std::countr_zero(left))};
      if (a.read(lane) != b.read(lane)) break;
      left &= left - 1;
    }
    if (left == 0) ++vectors_agreed_[vgpr];
  }
}

OutputSet OutputChooser::choose(const Discovery& discovery, std::vector<std::string>& not_compared) const {
  for (const Scenario* scenario : programs_) {
    if (names_results(*scenario)) return expected(*scenario, not_compared);
  }
  OutputSet set;
  set.all_memory = true;
  const EntryKind a = entry_kind(programs_[0]->program);
  const EntryKind b = entry_kind(programs_[1]->program);
  if (a == EntryKind::function || b == EntryKind::function) {
    choose_results(discovery, set, not_compared);
  } else if (is_kernel_or_shader(a) || is_kernel_or_shader(b) || runs_several_waves(programs_)) {
    not_compared.emplace_back("registers: they do not outlive S_ENDPGM");
  } else {
    choose_all_written(discovery, set, not_compared);
  }
  return set;
}

OutputSet OutputChooser::expected(const Scenario& scenario, std::vector<std::string>& not_compared) const {
  OutputSet set;
  set.is_named = true;
  const std::size_t own = &scenario == programs_[0] ? 0 : 1;
  const Expectation all = all_expectations(scenario);
  for (const RegisterExpectation& expectation : all.registers) {
    const auto other = find_in(*programs_[1 - own], expectation.text);
    if (!other) {
      not_compared.push_back(expectation.text + ": of `expect:`, but only one of the programs has it");
      continue;
    }
    Output output;
    output.place.name = expectation.text;
    output.place.registers[own] = expectation.name;
    output.place.registers[1 - own] = *other;
    output.mask = expectation.mask & low_bits(expectation.name.width);
    // The dwords of a float of 64 bits in lanes are compared one by one.
    if (!expectation.high && !expectation.is_high) output.floats = expectation.floats;
    set.outputs.push_back(std::move(output));
  }
  for (const MemoryExpectation& expectation : all.memory) {
    const u64 size = expectation.bytes.size();
    const std::string name = "memory " + loader::range_text(expectation.address, expectation.address + size);
    if (!programs_[1 - own]->memory.is_mapped(expectation.address, size)) {
      not_compared.push_back(name + ": of `expect:`, but only one of the programs has it");
      continue;
    }
    set.outputs.push_back(
        {{name, true, {}, {expectation.address, expectation.address}, size}, ~u64{0}, false, expectation.floats});
  }
  not_compared.emplace_back(scenario.cases ? "everything not named by `expect:` and `cases:`"
                                           : "everything not named by `expect:`");
  return set;
}

void OutputChooser::choose_results(const Discovery& discovery, OutputSet& set,
                                   std::vector<std::string>& not_compared) const {
  // Results are in the same kind of registers as arguments: in SGPRs, or in VGPRs as for C functions.
  if (discovery.takes_vectors() || !discovery.takes_scalars()) choose_vector_results(discovery, set, not_compared);
  if (discovery.takes_scalars() || !discovery.takes_vectors()) choose_scalar_results(discovery, set, not_compared);
  not_compared.emplace_back(other_registers);
}

void OutputChooser::choose_scalar_results(const Discovery& discovery, OutputSet& set,
                                          std::vector<std::string>& not_compared) const {
  const auto is_given = [](const Scenario* program) { return program->initial.defined.test(0); };
  bool may_be_temporary = false;
  for (u32 sgpr = 0; sgpr < Discovery::most_results; ++sgpr) {
    const bool agrees = runs_ != 0 && (runs_ - agreed_[sgpr]) * most_disagreement <= runs_;
    const bool is_result = discovery.is_written_always(sgpr) && discovery.is_left_behind(sgpr);
    const bool is_written = discovery.is_written(sgpr);
    // s0 is always compared, unless the loader sets it: a program that returns its first argument does not write it.
    const bool may_pass = sgpr == 0 && !std::ranges::any_of(programs_, is_given);
    const bool may_be_result = discovery.may_be_result(sgpr);
    const bool is_rare = !is_written && may_be_result && discovery.knows_code();
    if (!may_pass && !is_rare && !(is_written && may_be_result && (agrees || is_result))) {
      if (is_written) not_compared.push_back(temporary_text("s", sgpr, may_be_result));
      break;
    }
    // The following registers are results only if this one is.
    may_be_temporary = may_be_temporary || (is_rare && !may_pass);
    if (auto place = file_place(programs_, 0, sgpr, 1))
      set.outputs.push_back({std::move(*place), low_bits(32), may_be_temporary});
  }
}

void OutputChooser::choose_vector_results(const Discovery& discovery, OutputSet& set,
                                          std::vector<std::string>& not_compared) const {
  bool may_be_temporary = false;
  for (u32 vgpr = 0; vgpr < Discovery::most_results; ++vgpr) {
    const bool is_written = discovery.vectors_written(0).test(vgpr) || discovery.vectors_written(1).test(vgpr);
    const bool agrees = runs_ != 0 && (runs_ - vectors_agreed_[vgpr]) * most_disagreement <= runs_;
    // Beyond the two halves of a 64-bit result, common values are more often temporaries than results.
    const bool is_result =
        vgpr < likely_results && discovery.is_vector_written_always(vgpr) && discovery.is_vector_left_behind(vgpr);
    // As for s0: a function may return its first argument.
    const bool may_pass = vgpr == 0 && discovery.takes_vectors();
    const bool may_be_result = discovery.may_be_vector_result(vgpr);
    const bool is_rare = !is_written && may_be_result && discovery.knows_code();
    if (!may_pass && !is_rare && !(is_written && may_be_result && (agrees || is_result))) {
      if (is_written) not_compared.push_back(temporary_text("v", vgpr, may_be_result));
      break;
    }
    may_be_temporary = may_be_temporary || (is_rare && !may_pass);
    add_lanes(programs_, vgpr, lanes_of_results(programs_), set, may_be_temporary);
  }
}

void OutputChooser::choose_all_written(const Discovery& discovery, OutputSet& set,
                                       std::vector<std::string>& not_compared) const {
  std::vector<std::string> names;
  bool writes_scc = false;
  for (const std::size_t side : both_sides) {
    const auto& written = discovery.writes(side).scalars;
    const Generation generation = programs_[side]->program.generation();
    writes_scc = writes_scc || written.test(state_index::scc);
    for (u32 index = 0; index < code::count; ++index) {
      const u32 code = register_code(generation, index);
      std::string name = written.test(index) ? isa::register_name(generation, code, 1) : std::string();
      if (name.empty() || std::ranges::find(names, name) != names.end()) continue;
      if (auto place = file_place(programs_, side, code, 1)) {
        set.outputs.push_back({std::move(*place), low_bits(32)});
      } else {
        not_compared.push_back(name + ": only one of the programs can have it");
      }
      names.push_back(std::move(name));
    }
  }
  if (writes_scc) {
    const RegisterName scc{state_index::scc, 1};
    set.outputs.push_back({{"scc", false, {scc, scc}, {}, 0}, 1});
  }
  const auto vectors = discovery.writes(0).vectors | discovery.writes(1).vectors;
  for (u32 number = 0; number < vectors.size(); ++number) {
    if (!vectors.test(number)) continue;
    const std::size_t before = set.outputs.size();
    add_lanes(programs_, number, ~u64{0}, set);
    if (set.outputs.size() != before) continue;
    const u32 first = RegisterName::in_vectors(number).index;
    not_compared.push_back(isa::vector_register_name(first, state_index::lanes) +
                           ": only one of the programs can have it");
  }
  not_compared.emplace_back("hardware registers, PC");
}

}  // namespace salu::equiv
