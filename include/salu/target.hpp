#pragma once

#include <salu/integer.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace salu {

/// The instruction set generations, in the order of the columns of the opcode tables.
enum class Generation : u8 { gcn1_0, gcn1_1, gcn1_2, gcn1_4, cdna1, cdna2, cdna3 };

/// How many generations there are.
inline constexpr std::size_t generation_count = 7;

/// Every generation, oldest first.
std::span<const Generation> all_generations();

/// `gcn1.0` ... `cdna3`: the name that `--mcpu` and `target:` accept.
std::string_view generation_name(Generation generation);

/// True from GCN 1.4 on: AMD's GFX9 family, CDNA included.
constexpr bool is_gfx9(Generation generation) { return generation >= Generation::gcn1_4; }

/// True from GCN 1.2 on: SMEM instead of SMRD, 102 instead of 104 SGPRs.
constexpr bool is_gcn1_2_or_later(Generation generation) { return generation >= Generation::gcn1_2; }

/// User SGPRs that the operand encoding of a generation can name: s0 up to this number minus one.
constexpr u32 sgpr_limit(Generation generation) { return is_gcn1_2_or_later(generation) ? 102 : 104; }

/// Significant bits of a byte address and of the PC: 40 on GCN 1.0 to 1.2, 48 on GFX9 (Linux: width of PC_HI).
constexpr u32 address_bits(Generation generation) { return is_gfx9(generation) ? 48 : 40; }

/// `address_bits` as a mask with the two low bits cleared: what a value keeps when it is loaded into the PC.
constexpr u64 pc_mask(Generation generation) { return ((u64{1} << address_bits(generation)) - 1) & ~u64{3}; }

/// One thing that `--mcpu` can name: a processor of LLVM, an alias of one, or a generation.
struct Target {
  std::string_view name;       ///< as given on the command line: `gfx900`, `tahiti`, `gcn1.4`
  std::string_view processor;  ///< LLVM's canonical processor name; for a generation the one that stands for it
  Generation generation;
  u8 elf_machine;  ///< EF_AMDGPU_MACH value of the processor in `e_flags` (LLVM AMDGPUUsage, table of ELF header flags)
  bool has_xnack;  ///< LLVM's XNACK support: XNACK_MASK can be named on GCN 1.2 only then
};

/// All names: processors in LLVM's order, each followed by its aliases, generations last.
std::span<const Target> targets();

/// Looks a processor, alias or generation name up; null when there is none.
const Target* find_target(std::string_view name);

/// The processor whose EF_AMDGPU_MACH bits are in `e_flags`; null when it is not one of gfx6 to gfx9.
const Target* find_target_by_elf_flags(u32 e_flags);

/// The known target names nearest to a misspelt one, best first, at most `limit`.
std::vector<std::string_view> nearest_target_names(std::string_view name, std::size_t limit = 3);

}  // namespace salu
