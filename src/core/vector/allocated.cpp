#include "core/vector/allocated.hpp"

#include <optional>

#include "core/vector/lane_addresses.hpp"
#include "isa/operand.hpp"
#include "isa/vector/table.hpp"

namespace salu::core {
namespace {

namespace vector = isa::vector;
using vector::OperandKind;

/// A run of registers that exceeds the allocation.
struct Beyond {
  enum class Kind : u8 { vgpr, agpr, sgpr };
  Kind kind = Kind::vgpr;
  u32 first = 0;
  u32 dwords = 1;
};

class Allocator {
 public:
  Allocator(Generation generation, const Allocation& allocation, const vector::Instruction& instruction)
      : generation_(generation), allocation_(allocation), row_(vector::row(instruction.insn)) {
    result_.instruction = instruction;
    if (row_.is_memory()) {
      check_memory();
    } else {
      check_alu();
    }
    if (!result_.writes_beyond) return;
    const u8 dwords = instruction.dwords;
    result_.instruction = {};
    result_.instruction.insn = vector::Insn::v_nop;
    result_.instruction.dwords = dwords;
  }

  [[nodiscard]] const AllocatedInstruction& result() const { return result_; }
  /// The first result, otherwise the first source, that is beyond the allocation.
  [[nodiscard]] const std::optional<Beyond>& first() const { return result_.writes_beyond ? written_ : read_; }

 private:
  [[nodiscard]] u32 count(Beyond::Kind kind) const {
    return kind == Beyond::Kind::agpr ? allocation_.agprs : allocation_.vgprs;
  }
  [[nodiscard]] bool is_beyond(const Beyond& run) const { return run.first + run.dwords > count(run.kind); }

  bool check_read(const Beyond& run) {
    if (!is_beyond(run)) return false;
    if (!read_) read_ = run;
    return result_.reads_beyond = true;
  }
  void check_written(const Beyond& run) {
    if (is_beyond(run)) note_written(run);
  }
  void note_written(const Beyond& run) {
    if (!written_) written_ = run;
    result_.writes_beyond = true;
  }

  void check_alu() {
    const vector::Instruction& instruction = result_.instruction;
    const vector::Shape& shape = row_.shape;
    for (u32 i = 0; i < shape.source_count(); ++i) {
      const vector::Operand& operand = shape.sources[i];
      const vector::Source& source = instruction.sources[i];
      if (operand.kind == OperandKind::agpr) {
        check_read({Beyond::Kind::agpr, source.code, 1});
      } else if (operand.kind != OperandKind::constant && source.is_vgpr()) {
        const Beyond run{Beyond::Kind::vgpr, source.code - u32{vector::first_vgpr}, operand.dwords()};
        if (check_read(run) && shape.is_swap) check_written(run);
      }
    }
    if (shape.destination.kind == OperandKind::vgpr) {
      check_written({Beyond::Kind::vgpr, instruction.destination, shape.destination.dwords()});
    } else if (shape.destination.kind == OperandKind::agpr) {
      check_written({Beyond::Kind::agpr, instruction.destination, 1});
    }
    // If the mask is the only result, only its write is dropped.
    const bool has_several = shape.writes_mask && (shape.destination.is_there() || shape.writes_exec);
    const u32 mask = instruction.mask_destination;
    const bool is_sgpr = isa::operand_class(generation_, static_cast<u8>(mask)) == isa::OperandClass::sgpr;
    if (has_several && is_sgpr && mask + 2 > allocation_.sgprs) note_written({Beyond::Kind::sgpr, mask, 2});
  }

  void check_memory() {
    vector::MemoryOperands& operands = result_.instruction.memory;
    const vector::Access& access = row_.access;
    if (access.bytes == 0) return;
    const u32 address_dwords = address_registers(result_.instruction);
    if (address_dwords != 0 && check_read({Beyond::Kind::vgpr, operands.address, address_dwords})) operands.address = 0;
    const Beyond::Kind kind = operands.is_accumulator ? Beyond::Kind::agpr : Beyond::Kind::vgpr;
    const bool has_result = vector::has_result(result_.instruction) && !operands.lds;
    if (has_result) {
      const u32 first = vector::result_register(result_.instruction);
      check_written({kind, first, u32{access.result_dwords()} + u32{operands.tfe}});
    }
    if (!access.takes_data()) return;
    const bool is_first = check_read({kind, operands.data, access.data_dwords()});
    const bool is_second = access.takes_second_data() && check_read({kind, operands.second_data, access.data_dwords()});
    if (is_first) operands.data = 0;
    if (is_second) operands.second_data = 0;
    // The result of an atomic remains in accumulation registers, so it reads a0 instead of v0.
    const bool are_beyond = is_first && (is_second || !access.takes_second_data());
    if (are_beyond && !has_result) operands.is_accumulator = false;
  }

  Generation generation_;
  const Allocation& allocation_;
  const vector::InstructionInfo& row_;
  AllocatedInstruction result_;
  std::optional<Beyond> read_;
  std::optional<Beyond> written_;
};

std::string name_of(Generation generation, const Beyond& run) {
  if (run.kind == Beyond::Kind::sgpr) return isa::register_name(generation, run.first, run.dwords);
  const std::string first = std::to_string(run.first);
  const std::string letter = run.kind == Beyond::Kind::agpr ? "a" : "v";
  if (run.dwords == 1) return letter + first;
  return letter + "[" + first + ":" + std::to_string(run.first + run.dwords - 1) + "]";
}

}  // namespace

AllocatedInstruction allocate(Generation generation, const Allocation& allocation,
                              const vector::Instruction& instruction) {
  return Allocator(generation, allocation, instruction).result();
}

std::optional<vector::Instruction> decode_allocated(const Wave& wave, std::span<const u32> words) {
  std::optional<vector::Instruction> instruction = vector::decode(wave.generation, words);
  if (instruction) instruction = allocate(wave.generation, wave.allocation(), *instruction).instruction;
  return instruction;
}

std::string describe_beyond(Generation generation, const Allocation& allocation,
                            const vector::Instruction& instruction) {
  const Allocator allocator(generation, allocation, instruction);
  const Beyond run = allocator.first().value_or(Beyond());
  const bool is_sgpr = run.kind == Beyond::Kind::sgpr;
  const bool is_agpr = run.kind == Beyond::Kind::agpr;
  const u32 count = is_sgpr ? allocation.sgprs : is_agpr ? allocation.agprs : allocation.vgprs;
  return name_of(generation, run) + " is beyond the " + std::to_string(count) + " allocated " +
         (is_sgpr   ? "SGPRs"
          : is_agpr ? "AGPRs"
                    : "VGPRs") +
         (allocator.result().writes_beyond ? ": the instruction is ignored" : ": v0 is read instead");
}

}  // namespace salu::core
