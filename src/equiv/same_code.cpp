#include "equiv/same_code.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "core/program_words.hpp"
#include "equiv/outputs.hpp"
#include "exec/cfg.hpp"
#include "isa/hwreg.hpp"
#include "isa/memory_table.hpp"
#include "isa/symbolic.hpp"
#include "isa/vector/decode.hpp"
#include "loader/scenario/registers.hpp"
#include "observe/touches.hpp"
#include "observe/vector_accesses.hpp"

namespace salu::equiv {
namespace {

using isa::EncodingClass;
using isa::Flow;

constexpr Location return_address_place{loader::return_register, 2};

bool is_same(const Assumption& left, const Assumption& right) {
  return left.is_reply == right.is_reply &&
         std::ranges::equal(left.writes, right.writes, [](const AssumedWrite& a, const AssumedWrite& b) {
           return a.to == b.to && a.value == b.value && a.from == b.from;
         });
}

/// Compares the options that affect a run.
bool is_same(const RunOptions& left, const RunOptions& right) {
  const auto of = [](const RunOptions& options) {
    return std::tuple(options.max_steps, options.max_memory_bytes, options.strict, options.check_undefined,
                      options.check_hazards, options.xnack, options.check_races, options.on_vector,
                      options.clock.memtime, options.clock.memrealtime, options.clock.per_step,
                      options.approximations.rounding, options.approximations.seed);
  };
  return of(left) == of(right);
}

/// True if the result of an instruction depends on its address.
bool shows_its_address(const isa::Instruction& instruction) {
  if (instruction.encoding != EncodingClass::scalar) return false;
  const isa::InstructionInfo& row = isa::info(instruction.insn);
  if (row.reads_any(isa::effect::pc) && !row.branches()) return true;
  for (const isa::OperandSpec& operand : row.shape.span()) {
    if (operand.kind != isa::OperandKind::hwreg) continue;
    const u32 id = isa::decode_hwreg(instruction.simm16).id;
    if (id != isa::hwreg_id::mode && id != isa::hwreg_id::status && id != isa::hwreg_id::trapsts) return true;
  }
  return false;
}

class SameCode {
 public:
  explicit SameCode(const ComparedPrograms& compared)
      : compared_(compared), a_(scenario(0)), b_(scenario(1)), distance_(b_.initial.pc - a_.initial.pc) {}

  std::optional<std::vector<std::string>> run() {
    if (!have_same_start()) return std::nullopt;
    const bool is_whole = are_whole_programs_the_same();
    if (!is_whole && (may_fill_memory(a_) || may_fill_memory(b_) || !is_what_can_be_reached())) return std::nullopt;
    std::vector<std::string> assumptions = {
        "both programs read the same values of clocks, messages and hardware registers"};
    if (uses_memory_beside_code_) assumptions.emplace_back("no memory access is to code of A or B");
    return assumptions;
  }

 private:
  [[nodiscard]] const Scenario& scenario(std::size_t side) const { return compared_.pair.sides()[side].scenario(); }

  /// True if stores may reach the memory limit, which includes code.
  static bool may_fill_memory(const Scenario& scenario) {
    u64 pages = 0;
    for (const MemoryRegion& region : scenario.memory.regions())
      pages += (region.end() - 1) / Memory::page_bytes - region.base / Memory::page_bytes + 1;
    return pages > scenario.options.max_memory_bytes / Memory::page_bytes;
  }

  /// True if registers, inputs, outputs and options are equal; ignores the address of the first instruction.
  [[nodiscard]] bool have_same_start() const {
    if (a_.program.target->name != b_.program.target->name || a_.program.xnack != b_.program.xnack) return false;
    if (a_.program.has_sramecc() != b_.program.has_sramecc()) return false;
    if (a_.program.allows_unaligned != b_.program.allows_unaligned) return false;
    if (!is_same(a_.options, b_.options)) return false;
    WaveState moved = b_.initial;
    moved.pc = a_.initial.pc;
    if (!(moved == a_.initial)) return false;
    const auto is_one_place = [](const auto& each) {
      const Place& place = each.place;
      return place.is_memory ? place.addresses[0] == place.addresses[1] : place.registers[0] == place.registers[1];
    };
    return std::ranges::all_of(compared_.inputs, is_one_place) &&
           std::ranges::all_of(compared_.outputs.outputs, is_one_place);
  }

  /// True if all code is equal: then reachability and reads do not matter, because the runs are identical.
  [[nodiscard]] bool are_whole_programs_the_same() const {
    const Program& a = a_.program;
    const Program& b = b_.program;
    const auto kernel_end = [](const Program& program) {
      return program.kernel_end ? std::optional(program.kernel_end->address) : std::nullopt;
    };
    return distance_ == 0 && a.function_end == b.function_end && a.return_address == b.return_address &&
           kernel_end(a) == kernel_end(b) &&
           std::ranges::equal(a.code, b.code,
                              [](const CodeBlock& left, const CodeBlock& right) {
                                return left.base == right.base && left.words == right.words &&
                                       left.access == right.access;
                              }) &&
           a.unresolved == b.unresolved &&
           std::ranges::equal(a.assumptions, b.assumptions,
                              [](const Assumption& left, const Assumption& right) {
                                return left.address == right.address && is_same(left, right);
                              }) &&
           a_.memory == b_.memory;
  }

  /// Compares the reachable instructions of both, from the first instruction on.
  bool is_what_can_be_reached() {
    if (std::ranges::any_of(compared_.inputs, [this](const Input& input) { return is_code(input.place); }))
      return false;
    for (const Output& output : compared_.outputs.outputs) {
      if (is_code(output.place) || (distance_ != 0 && output.place.registers[0].is_pc())) return false;
    }
    bool shows_address = false;
    bool uses_memory =
        std::ranges::any_of(compared_.outputs.outputs, [](const Output& output) { return output.place.is_memory; });
    bool returns = false;
    bool may_change_return = false;
    exec::Cfg cfg(a_.program.generation(), [this](u64 address) { return words_at(a_, address); });
    const auto visit = [&](exec::CfgNode& node) {
      if (!is_same_in_b(node)) return false;
      if (!node.is_instruction) return true;
      shows_address = shows_address || shows_its_address(node.instruction);
      uses_memory = uses_memory || touches_memory(node.instruction);
      may_change_return = may_change_return || may_write_return(node.instruction);
      if (node.flow != Flow::jump) return node.flow != Flow::call && !node.has_computed_target();
      returns = true;
      return node.instruction.ssrc0 == return_address_place.index;
    };
    if (!cfg.add(a_.initial.pc, visit)) return false;
    if (returns && (may_change_return || !return_to_one_place())) return false;
    // Code that computes its own address may read data next to it.
    if (shows_address && (distance_ != 0 || uses_memory)) return false;
    uses_memory_beside_code_ = uses_memory;
    return !uses_memory || is_memory_beside_code_the_same();
  }

  /// True if some byte of a place in memory is code in either program.
  [[nodiscard]] bool is_code(const Place& place) const {
    const auto holds = [&place](const Scenario& scenario) {
      return std::ranges::any_of(scenario.program.code, [&place](const CodeBlock& block) {
        return place.addresses[0] < block.end() && block.base < place.addresses[0] + place.size_bytes;
      });
    };
    return place.is_memory && (holds(a_) || holds(b_));
  }

  [[nodiscard]] bool is_memory_beside_code_the_same() const {
    std::array<Memory, 2> memories = {a_.memory, b_.memory};
    std::array<std::vector<MemoryRegion>, 2> regions;
    for (const std::size_t side : both_sides) {
      regions[side].assign(memories[side].regions().begin(), memories[side].regions().end());
      for (const Scenario* const each : {&a_, &b_}) {
        for (const CodeBlock& block : each->program.code) {
          memories[side].clear(block.base, block.end() - block.base);
          regions[side] = without(regions[side], block);
        }
      }
    }
    return regions[0] == regions[1] && Memory::differing_pages(memories[0], memories[1]).empty();
  }
  /// Returns the regions without the code.
  static std::vector<MemoryRegion> without(const std::vector<MemoryRegion>& regions, const CodeBlock& code) {
    std::vector<MemoryRegion> left;
    const auto add = [&left](u64 base, u64 end, Access access) {
      if (base < end) left.push_back({base, end - base, access});
    };
    for (const MemoryRegion& region : regions) {
      add(region.base, std::min(region.end(), code.base), region.access);
      add(std::max(region.base, code.end()), region.end(), region.access);
    }
    return left;
  }

  [[nodiscard]] u64 in_b(u64 address) const { return (address + distance_) & pc_mask(b_.program.generation()); }

  static bool is_end(const Scenario& scenario, u64 address) {
    return scenario.program.function_end == address || scenario.program.return_address == address;
  }
  static bool is_kernel_end(const Scenario& scenario, u64 address) {
    return scenario.program.kernel_end && scenario.program.kernel_end->address == address;
  }
  /// Returns the words from an address to the end of its block; empty if a program ends there or there is no code.
  static std::span<const u32> words_at(const Scenario& scenario, u64 address) {
    if (is_end(scenario, address) || is_kernel_end(scenario, address)) return {};
    return core::words_at(scenario.program, address);
  }

  /// True if B has the same instruction as A, or ends as A does.
  [[nodiscard]] bool is_same_in_b(const exec::CfgNode& node) const {
    const std::array<u64, 2> addresses = {node.address, in_b(node.address)};
    if (is_end(a_, addresses[0]) != is_end(b_, addresses[1])) return false;
    if (is_kernel_end(a_, addresses[0]) != is_kernel_end(b_, addresses[1])) return false;
    const std::span<const u32> words = words_at(a_, addresses[0]);
    const std::span<const u32> others = words_at(b_, addresses[1]);
    if (words.empty() || others.empty()) return words.empty() && others.empty();
    const std::size_t count = std::min<std::size_t>(node.instruction.dwords, words.size());
    if (node.instruction != isa::decode(b_.program.generation(), others) || others.size() < count) return false;
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_as_loaded = a_.memory.read_dword(addresses[0] + 4 * i) == words[i] &&
                                b_.memory.read_dword(addresses[1] + 4 * i) == others[i];
      if (words[i] != others[i] || !is_as_loaded) return false;
    }
    return std::ranges::none_of(both_sides, [&](std::size_t side) {
      const Program& program = scenario(side).program;
      return program.find_assumption(addresses[side]) != nullptr ||
             program.find_unresolved(addresses[side], u64{node.instruction.dwords} * 4) != nullptr;
    });
  }

  [[nodiscard]] bool may_write_return(const isa::Instruction& instruction) const {
    const Generation generation = a_.program.generation();
    if (instruction.encoding == EncodingClass::scalar)
      return observe::may_write(generation, instruction, return_address_place);
    const auto vector = isa::vector::decode(generation, instruction.vector_words);
    return !vector || observe::may_write(generation, *vector, return_address_place, true);
  }
  /// True if s[30:31] initially hold the return address that ends both programs.
  [[nodiscard]] bool return_to_one_place() const {
    const std::optional<u64> address = a_.program.return_address;
    const bool are_allocated = a_.initial.sgprs >= return_address_place.index + return_address_place.dwords;
    const bool is_varied = std::ranges::any_of(compared_.inputs, [](const Input& input) {
      return !input.place.is_memory && overlap(input.place.registers[0].location(), return_address_place);
    });
    return address && address == b_.program.return_address && are_allocated && !is_varied &&
           a_.initial.read64(return_address_place.index) == *address;
  }

  const ComparedPrograms& compared_;
  const Scenario& a_;
  const Scenario& b_;
  u64 distance_;  ///< distance from A's code to B's
  bool uses_memory_beside_code_ = false;
};

}  // namespace

bool touches_memory(const isa::Instruction& instruction) {
  using MemoryKind = isa::MemoryOperation::Kind;
  if (instruction.encoding == EncodingClass::scalar) {
    if (!isa::is_scalar_memory(instruction.insn)) return false;
    const MemoryKind kind = isa::memory_operation(instruction.insn).kind;
    return kind == MemoryKind::load || kind == MemoryKind::store || kind == MemoryKind::atomic;
  }
  switch (instruction.vector) {
    case isa::VectorFormat::vop1:
    case isa::VectorFormat::vop2:
    case isa::VectorFormat::vopc:
    case isa::VectorFormat::vop3:
    case isa::VectorFormat::vintrp:
    case isa::VectorFormat::exp:
      return false;
    default:
      return true;
  }
}

std::optional<std::vector<std::string>> find_same_code(const ComparedPrograms& compared) {
  return SameCode(compared).run();
}

}  // namespace salu::equiv
