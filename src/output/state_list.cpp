#include "output/state_list.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "isa/hwreg.hpp"
#include "isa/operand.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

namespace salu::output {
namespace {

u32 count_defined(const WaveState& state, const RegisterName& name) {
  if (name.is_always_defined()) return 0;
  u32 defined = 0;
  for (u32 i = 0; i < name.dwords(); ++i) defined += state.defined.test(name.index + i) ? 1 : 0;
  return defined;
}

Definition definition_of(const WaveState& state, const RegisterName& name) {
  if (name.is_always_defined()) return Definition::always;
  const u32 defined = count_defined(state, name);
  if (defined == 0) return Definition::none;
  return defined == name.dwords() ? Definition::all : Definition::some;
}

ListedRegister list_one(std::string name, RegisterName where, const WaveState& before, const WaveState& now) {
  ListedRegister listed{std::move(name), where, read_register(now, where), definition_of(now, where), false};
  listed.changed =
      listed.value != read_register(before, where) || count_defined(now, where) != count_defined(before, where);
  return listed;
}

ListedRegister list_named(const char* name, const Scenario& scenario, const WaveState& state) {
  const auto where = parse_register_name(scenario.program.generation(), name);
  return list_one(name, where.value_or(RegisterName{}), scenario.initial, state);
}

/// FLAT_SCRATCH or XNACK_MASK, if the generation has it.
std::optional<RegisterName> find_pair(Generation generation, isa::OperandClass operand) {
  for (u8 code = 0; code < code::count; ++code) {
    if (isa::operand_class(generation, code) == operand) return RegisterName::in_file(code, 2);
  }
  return std::nullopt;
}

}  // namespace

std::vector<ListedRegister> list_sgprs(const Scenario& scenario, const WaveState& state) {
  const Generation generation = scenario.program.generation();
  std::vector<ListedRegister> list;
  for (u32 i = 0; i < sgpr_limit(generation); ++i) {
    list.push_back(list_one(fmt::format("s{}", i), RegisterName::in_file(i), scenario.initial, state));
  }
  return list;
}

std::vector<ListedRegister> list_specials(const Scenario& scenario, const WaveState& state) {
  std::vector<ListedRegister> list;
  for (const char* name : {"vcc", "exec", "m0", "scc", "mode", "csp", "status", "trapsts", "tba", "tma", "pc"}) {
    list.push_back(list_named(name, scenario, state));
  }
  const Generation generation = scenario.program.generation();
  if (const auto name = find_pair(generation, isa::OperandClass::flat_scratch)) {
    list.push_back(list_one("flat_scratch", *name, scenario.initial, state));
  }
  if (const auto name = find_pair(generation, isa::OperandClass::xnack_mask)) {
    ListedRegister listed = list_one("xnack_mask", *name, scenario.initial, state);
    // Before GFX9 only some processors have it; writes of a program are listed anyway.
    if (scenario.program.target->has_xnack || listed.is_touched()) list.push_back(std::move(listed));
  }
  return list;
}

std::vector<ListedRegister> list_ttmps(const Scenario& scenario, const WaveState& state) {
  const Generation generation = scenario.program.generation();
  std::vector<ListedRegister> list;
  for (u32 i = 0; i < ttmp_count(generation); ++i) {
    list.push_back(
        list_one(fmt::format("ttmp{}", i), RegisterName::in_file(ttmp_code(generation) + i), scenario.initial, state));
  }
  return list;
}

std::vector<ListedRegister> list_hwregs(const Scenario& scenario, const WaveState& state) {
  const Generation generation = scenario.program.generation();
  const WaveState fresh = initial_state(generation);
  std::vector<ListedRegister> list;
  for (const isa::HwregInfo& info : isa::hwregs()) {
    const bool elsewhere =
        info.id <= isa::hwreg_id::trapsts || (info.id >= isa::hwreg_id::tba_lo && info.id <= isa::hwreg_id::tma_hi);
    if (elsewhere || !isa::contains(info.generations, generation)) continue;
    const bool is_zero =
        state.hwregs[info.id] == 0 && scenario.initial.hwregs[info.id] == 0 && fresh.hwregs[info.id] == 0;
    if (is_zero) continue;
    list.push_back(list_one(support::lower_case(info.name), {state_index::hwregs + info.id}, scenario.initial, state));
  }
  return list;
}

bool ListedVector::is_uniform() const {
  return defined == ~u64{0} && std::ranges::all_of(lanes, [this](u32 lane) { return lane == lanes[0]; });
}

std::vector<ListedVector> list_vectors(const Scenario& scenario, const WaveState& state) {
  std::vector<ListedVector> list;
  const VectorRegisters& before = scenario.initial.vectors;
  const VectorRegisters& now = state.vectors;
  if (!before.has_any() && !now.has_any()) return list;
  for (u32 number = 0; number < VectorRegisters::count; ++number) {
    if (!before.is_touched(number) && !now.is_touched(number)) continue;
    const bool changed = now.lanes(number) != before.lanes(number) || now.defined(number) != before.defined(number);
    const RegisterName where = RegisterName::in_vectors(number);
    list.push_back({isa::vector_register_name(where.index, state_index::lanes), now.lanes(number), now.defined(number),
                    changed, where});
  }
  return list;
}

std::vector<ListedRegister> halves_of(const Scenario& scenario, const WaveState& state, const ListedRegister& whole) {
  std::vector<ListedRegister> halves;
  for (const u32 half : {0U, 1U}) {
    RegisterName where = whole.where;
    where.width = 32;
    where.index += half;
    halves.push_back(list_one(whole.name + (half == 0 ? "_lo" : "_hi"), where, scenario.initial, state));
  }
  return halves;
}

std::vector<std::string> list_undefined(const Scenario& scenario, const WaveState& state) {
  std::vector<std::string> names;
  const auto add = [&](const ListedRegister& listed) {
    if (listed.definition == Definition::none && listed.value == 0) names.push_back(listed.name);
  };
  for (const ListedRegister& listed : list_sgprs(scenario, state)) add(listed);
  for (const ListedRegister& listed : list_specials(scenario, state)) {
    if (listed.definition != Definition::some) {
      add(listed);
    } else {
      for (const ListedRegister& half : halves_of(scenario, state, listed)) add(half);
    }
  }
  for (const ListedRegister& listed : list_ttmps(scenario, state)) add(listed);
  for (const ListedVector& vector : list_vectors(scenario, state)) {
    if (vector.defined == 0) names.push_back(vector.name);
    for (u32 lane = 0; vector.defined != 0 && lane < state_index::lanes; ++lane) {
      if ((vector.defined >> lane & 1) == 0) names.push_back(fmt::format("{}[{}]", vector.name, lane));
    }
  }
  return names;
}

std::string value_text(const ListedRegister& listed) {
  return listed.where.width < 32 ? std::to_string(listed.value) : support::hex(listed.value, listed.where.width / 4U);
}

std::vector<MemoryRun> changed_memory(const Memory& before, const Memory& after) {
  std::vector<MemoryRun> runs;
  for (const u64 page : Memory::differing_pages(before, after)) {
    for (u64 address = page; address < page + Memory::page_bytes; address += 4) {
      const u32 now = after.read_dword(address);
      if (now == before.read_dword(address)) continue;
      if (runs.empty() || runs.back().address + runs.back().words.size() * 4 != address) runs.push_back({address, {}});
      runs.back().words.push_back(now);
    }
  }
  return runs;
}

/// The regions without the program's code.
std::vector<MemoryRegion> data_regions(const Program& program, const Memory& memory) {
  std::vector<MemoryRegion> regions;
  for (MemoryRegion rest : memory.regions()) {
    for (const CodeBlock& code : program.code) {
      if (code.base >= rest.end() || code.end() <= rest.base) continue;
      if (code.base > rest.base) regions.push_back({rest.base, code.base - rest.base, rest.access});
      rest = {code.end(), rest.end() - code.end(), rest.access};
    }
    if (rest.size_bytes != 0) regions.push_back(rest);
  }
  return regions;
}

std::vector<MemoryPiece> memory_to_dump(const Scenario& scenario, const Memory& memory) {
  const std::vector<u64> pages = memory.nonzero_pages();
  std::vector<MemoryPiece> pieces;
  for (const MemoryRegion& region : data_regions(scenario.program, memory)) {
    pieces.push_back({{region.base, 0, region.access}, {}});
    auto page = std::ranges::lower_bound(pages, region.base / Memory::page_bytes * Memory::page_bytes);
    for (; page != pages.end() && *page < region.end(); ++page) {
      const u64 first = std::max(*page, region.base);
      const u64 end = std::min(*page + Memory::page_bytes, region.end());
      // A page that does not follow the previous one starts a new piece.
      if (pieces.back().region.base + pieces.back().bytes.size() != first) {
        pieces.back().region.size_bytes = first - pieces.back().region.base;
        pieces.push_back({{first, 0, region.access}, {}});
      }
      std::vector<u8>& bytes = pieces.back().bytes;
      const std::size_t old_size = bytes.size();
      bytes.resize(old_size + static_cast<std::size_t>(end - first));
      memory.read(first, std::span(bytes).subspan(old_size));
    }
    pieces.back().region.size_bytes = region.end() - pieces.back().region.base;
  }
  for (MemoryPiece& piece : pieces) {
    const auto last = std::find_if(piece.bytes.rbegin(), piece.bytes.rend(), [](u8 byte) { return byte != 0; });
    piece.bytes.erase(last.base(), piece.bytes.end());
  }
  for (const MemoryRun& run : changed_memory(scenario.code, memory)) {
    for (std::size_t i = 0; i < run.words.size(); ++i) {
      const u64 address = run.address + i * 4;
      const CodeBlock* const code = scenario.program.find_block(address);
      if (code == nullptr) continue;
      const u32 word = run.words[i];
      pieces.push_back({{address, 4, code->access},
                        {static_cast<u8>(word), static_cast<u8>(word >> 8), static_cast<u8>(word >> 16),
                         static_cast<u8>(word >> 24)}});
    }
  }
  return pieces;
}

}  // namespace salu::output
