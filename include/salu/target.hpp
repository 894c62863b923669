#pragma once

#include <salu/family.hpp>
#include <salu/integer.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace salu {

/// The instruction set generations, oldest first.
enum class Generation : u8 {
#define SALU_GENERATION(id, ...) id,
#include <salu/generations.def>
#undef SALU_GENERATION
};

/// How many generations there are.
inline constexpr std::size_t generation_count = 0
#define SALU_GENERATION(id, ...) +1
#include <salu/generations.def>
#undef SALU_GENERATION
    ;

/// How scalar memory instructions are encoded.
enum class ScalarMemory : u8 {
  smrd,          ///< one dword; 8 bits of offset in dwords, or a register
  smrd_literal,  ///< the same, and a literal dword as offset
  smem,          ///< two dwords; 20 bits of offset in bytes, or a register
  smem_signed,   ///< the same with 21 bits and a sign, a register beside them (SOE), and NV
  smem_gfx10,    ///< the same with another prefix; the register is NULL for none, and DLC takes the place of SOE
};

/// Which numbers and places the vector instructions have.
enum class VectorEncoding : u8 {
  gfx6,   ///< those of GFX6 and GFX7
  gfx8,   ///< those from GFX8 on, with SDWA and DPP
  gfx10,  ///< those of GFX10, with literals in VOP3 and more than one address in MIMG; only lengths are known
};

/// All that is particular to a generation beside its rows in the tables of instructions, hardware registers and
/// messages. A row of <salu/generations.def> names every field.
struct GenerationInfo {
  std::string_view name;       ///< `gcn1.4`, `cdna1`: what `--mcpu` and `target:` accept
  std::string_view processor;  ///< the processor of LLVM that stands for it
  Family family;               ///< which rows "all" and "from a generation on" mean, and where they end
  Generation column;           ///< whose rows it has in those tables: its own, or those of an older generation
  u8 gfx;                      ///< AMD's GFX level: 6 to 9

  u8 wave_size;           ///< lanes of a wave, and bits of EXEC and VCC that count: 32 or 64
  u8 instruction_dwords;  ///< of the longest instruction
  OperandCodes operands;
  ModeLayout mode;
  StatusLayout status;
  WaitLayout waits;

  u8 sgprs;                          ///< user SGPRs that an operand can name: s0 up to this number minus one
  u8 sgpr_block;                     ///< kernels are given SGPRs in multiples of this many
  u8 address_bits;                   ///< significant bits of a byte address and of the PC (Linux: width of PC_HI)
  u8 first_ttmp;                     ///< operand encoding of TTMP0
  u8 ttmps;                          ///< how many TTMPs there are
  u8 flat_scratch;                   ///< operand encoding of FLAT_SCRATCH_LO; 0 where there is none
  bool ttmps_need_priv;              ///< without STATUS.PRIV a TTMP reads as 0 (CDNA 3 ISA manual, 3.10)
  bool has_xnack_mask;               ///< XNACK_MASK is operand 104 and 105
  bool trap_addresses_are_operands;  ///< TBA and TMA are operands 108 to 111; elsewhere hardware registers
  bool ib_sts_is_writable;           ///< by S_SETREG while STATUS.PRIV is set
  bool has_aperture_operands;        ///< SRC_SHARED_BASE to SRC_PRIVATE_LIMIT and SRC_POPS_EXITING_WAVE_ID
  bool has_inverse_two_pi;           ///< 1/(2*PI) is an inline constant
  ScalarMemory scalar_memory;

  VectorEncoding vector_encoding;
  bool has_flat;         ///< FLAT
  bool has_vintrp;       ///< VINTRP
  bool has_mimg;         ///< MIMG
  bool sdwa_names_sdst;  ///< VOPC with SDWA can write another register pair than VCC

  u32 shared_aperture;   ///< upper half of the address of shared memory, where Linux puts it
  u32 private_aperture;  ///< the same of private memory
  bool
      flat_scratch_init_is_address;  ///< a kernel is given the address of its scratch memory; elsewhere size and offset
  bool buffer_has_element_size;      ///< ELEMENT_SIZE in the descriptor of a swizzled buffer
  bool data_format_extends_stride;   ///< DATA_FORMAT are bits of the stride of a buffer with ADD_TID_ENABLE
  bool preloads_arguments;           ///< the first arguments of a kernel can arrive in user SGPRs
  bool has_architected_flat_scratch;  ///< the hardware sets FLAT_SCRATCH, and no SGPR tells of scratch memory
  bool packs_work_item_ids;           ///< a kernel finds all three in v0, 10 bits each
  bool has_accumulators;              ///< AGPRs
};

/// The rows, by generation.
inline constexpr std::array<GenerationInfo, generation_count> generation_table = [] {
  using enum Generation;
  return std::array<GenerationInfo, generation_count>{{
#define SALU_GENERATION(id, ...) {__VA_ARGS__},
#include <salu/generations.def>
#undef SALU_GENERATION
  }};
}();

/// The row of a generation.
constexpr const GenerationInfo& generation_info(Generation generation) {
  return generation_table[static_cast<std::size_t>(generation)];
}

/// Where private memory begins for FLAT_SCRATCH where that is no address: SH_HIDDEN_PRIVATE_BASE_VMID of GCN 1.1 and
/// 1.2, which on hardware is the driver's choice.
inline constexpr u64 hidden_private_base = 0x1'4000'0000;

/// Where salu has a work-group's shared memory (LDS), 4 GiB from here at most: flat addresses in the shared aperture
/// lead here, and nothing else lies here.
inline constexpr u64 shared_memory_base = 0xffff'0000'0000;

/// Every generation, oldest first.
std::span<const Generation> all_generations();

/// `gcn1.4`, `cdna1`: the name that `--mcpu` and `target:` accept.
constexpr std::string_view generation_name(Generation generation) { return generation_info(generation).name; }

/// True from GCN 1.4 on: AMD's GFX9 family, CDNA included.
constexpr bool is_gfx9(Generation generation) { return generation_info(generation).gfx == 9; }

/// True from GCN 1.2 on: AMD's GFX8 and GFX9, which have SMEM instead of SMRD.
constexpr bool is_gcn1_2_or_later(Generation generation) { return generation_info(generation).gfx >= 8; }

/// Lanes of a wave, where the program does not choose between 32 and 64.
constexpr u32 wave_size(Generation generation) { return generation_info(generation).wave_size; }

/// A bit for each lane of a wave of 1 to 64 lanes: the bits of EXEC and VCC that count.
constexpr u64 lane_mask(u32 lanes) { return ~u64{0} >> (64 - lanes); }

/// Operand encodings of VCC, M0, NULL, EXEC, VCCZ, EXECZ and SCC.
constexpr const OperandCodes& operand_codes(Generation generation) { return generation_info(generation).operands; }

/// The layout of MODE.
constexpr const ModeLayout& mode_layout(Generation generation) { return generation_info(generation).mode; }

/// The layout of STATUS.
constexpr const StatusLayout& status_layout(Generation generation) { return generation_info(generation).status; }

/// User SGPRs that the operand encoding of a generation can name: s0 up to this number minus one.
constexpr u32 sgpr_limit(Generation generation) { return generation_info(generation).sgprs; }

/// Significant bits of a byte address and of the PC: 40 on GCN 1.0 to 1.2, 48 on GFX9 (Linux: width of PC_HI).
constexpr u32 address_bits(Generation generation) { return generation_info(generation).address_bits; }

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

/// The parts of a processor's number: 9, 0 and 10 of gfx90a.
struct ProcessorVersion {
  u32 major = 0;
  u32 minor = 0;
  u32 stepping = 0;
};

/// That of a target; of a generic one such as gfx9-generic, that of the first processor that it stands for.
ProcessorVersion processor_version(const Target& target);

/// All names: processors in LLVM's order, each followed by its aliases, generations last.
std::span<const Target> targets();

/// Looks a processor, alias or generation name up, or a target ID (`gfx90a:sramecc+:xnack-`); null when there is none.
const Target* find_target(std::string_view name);

/// What a target ID says behind the processor, as LLVM's -mattr has it: `+sramecc,-xnack`; empty where it says nothing.
/// Nothing for a name that `find_target` does not know.
std::optional<std::string> target_features(std::string_view name);

/// True if the processor can protect its registers and memory by SRAM-ECC (LLVM AMDGPUUsage, target features).
bool supports_sramecc(const Target& target);

/// The processor whose EF_AMDGPU_MACH bits are in `e_flags`; null when it is not one of gfx6 to gfx9.
const Target* find_target_by_elf_flags(u32 e_flags);

/// The known target names nearest to a misspelt one, best first, at most `limit`.
std::vector<std::string_view> nearest_target_names(std::string_view name, std::size_t limit = 3);

}  // namespace salu
