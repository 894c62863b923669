#pragma once

#include <salu/vector_registers.hpp>

#include <array>
#include <memory>

namespace salu::core {

/// Registers that are shared or copied together.
struct VectorBlock {
  static constexpr u32 registers = 16;
  alignas(64) std::array<VectorRegisters::Lanes, registers> lanes{};
  std::array<u64, registers> defined{};
};

/// All blocks; a null block contains zeros that are undefined.
struct VectorBlocks {
  static constexpr u32 count = VectorRegisters::count / VectorBlock::registers;
  std::array<std::shared_ptr<VectorBlock>, count> blocks;
};

/// Stands for a null block.
const VectorBlock& zero_vector_block();

/// The vector registers of a running wave, with the host addresses of their lanes.
class VectorFile {
 public:
  explicit VectorFile(const VectorRegisters& registers) { load(registers); }

  void load(const VectorRegisters& registers);
  /// A copy of the current registers.
  [[nodiscard]] VectorRegisters snapshot();
  /// The bytes of the values that registers do not share with a copy.
  static u64 bytes_beside(const VectorRegisters& registers, const VectorRegisters& copy);

  /// All lanes of a register.
  [[nodiscard]] const u32* lanes(u32 number) const {
    return read_[number / VectorBlock::registers]->lanes[number % VectorBlock::registers].data();
  }
  /// All lanes of a register, for writing.
  [[nodiscard]] u32* own_lanes(u32 number) { return own(number).lanes[number % VectorBlock::registers].data(); }
  /// All lanes of a register, for writing all of them: they are marked as written.
  [[nodiscard]] u32* own_whole(u32 number) {
    VectorBlock& block = own(number);
    block.defined[number % VectorBlock::registers] = ~u64{0};
    return block.lanes[number % VectorBlock::registers].data();
  }
  [[nodiscard]] u64 defined(u32 number) const {
    return read_[number / VectorBlock::registers]->defined[number % VectorBlock::registers];
  }
  /// Marks lanes as written (one bit each).
  void define(u32 number, u64 lanes) { own(number).defined[number % VectorBlock::registers] |= lanes; }

 private:
  [[nodiscard]] VectorBlock& own(u32 number) {
    VectorBlock* const block = own_[number / VectorBlock::registers];
    return block != nullptr ? *block : make_own_block(number / VectorBlock::registers);
  }
  VectorBlock& make_own_block(u32 block);

  std::shared_ptr<VectorBlocks> blocks_;
  std::array<const VectorBlock*, VectorBlocks::count> read_{};
  std::array<VectorBlock*, VectorBlocks::count> own_{};  ///< null if the block may be shared
};

}  // namespace salu::core
