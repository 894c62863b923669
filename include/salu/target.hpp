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

/// The number of generations.
inline constexpr std::size_t generation_count = 0
#define SALU_GENERATION(id, ...) +1
#include <salu/generations.def>
#undef SALU_GENERATION
    ;

/// The encoding of scalar memory instructions.
enum class ScalarMemory : u8 {
  smrd,          ///< one dword; 8 bits of offset in dwords, or a register
  smrd_literal,  ///< like smrd, or a literal dword as offset
  smem,          ///< two dwords; 20 bits of offset in bytes, or a register
  smem_signed,   ///< like smem with a signed offset of 21 bits, an additional register (SOE), and NV
  smem_gfx10,    ///< the same with another prefix; the register is NULL for none, and DLC takes the place of SOE
};

/// The opcodes and formats of vector instructions.
enum class VectorEncoding : u8 {
  gfx6,   ///< GFX6 and GFX7
  gfx8,   ///< GFX8 and later, with SDWA and DPP
  gfx10,  ///< those of GFX10, with literals in VOP3 and more than one address in MIMG; only lengths are known
};

/// The properties of a generation, except its rows in the tables of instructions, hardware registers and messages. Each
/// row of <salu/generations.def> has all fields.
struct GenerationInfo {
  std::string_view name;       ///< `gcn1.4`, `cdna1`: what `--mcpu` and `target:` accept
  std::string_view processor;  ///< the LLVM processor that represents it
  Family family;               ///< the family to which rows "all" and "from a generation on" are limited
  Generation column;           ///< generation whose rows in those tables it uses: itself or an older one
  u8 gfx;                      ///< AMD's GFX level: 6 to 9

  u8 wave_size;           ///< lanes of a wave, and bits of EXEC and VCC that count: 32 or 64
  u8 instruction_dwords;  ///< of the longest instruction
  OperandCodes operands;
  ModeLayout mode;
  StatusLayout status;
  WaitLayout waits;

  u8 sgprs;                          ///< number of user SGPRs that an operand can name, from s0 on
  u8 sgpr_block;                     ///< allocation granularity of SGPRs for kernels
  u8 address_bits;                   ///< significant bits of a byte address and of the PC (Linux: width of PC_HI)
  u8 first_ttmp;                     ///< operand encoding of TTMP0
  u8 ttmps;                          ///< number of TTMPs
  u8 flat_scratch;                   ///< operand encoding of FLAT_SCRATCH_LO; 0 if it does not exist
  bool ttmps_need_priv;              ///< without STATUS.PRIV a TTMP reads as 0 (CDNA 3 ISA manual, 3.10)
  bool has_xnack_mask;               ///< XNACK_MASK is operand 104 and 105
  bool trap_addresses_are_operands;  ///< TBA and TMA are operands 108 to 111, not hardware registers
  bool ib_sts_is_writable;           ///< by S_SETREG while STATUS.PRIV is set
  bool has_aperture_operands;        ///< SRC_SHARED_BASE to SRC_PRIVATE_LIMIT and SRC_POPS_EXITING_WAVE_ID
  bool has_inverse_two_pi;           ///< 1/(2*PI) is an inline constant
  ScalarMemory scalar_memory;

  VectorEncoding vector_encoding;
  bool has_flat;         ///< FLAT
  bool has_vintrp;       ///< VINTRP
  bool has_mimg;         ///< MIMG
  bool sdwa_names_sdst;  ///< VOPC with SDWA can write another register pair than VCC

  u32 shared_aperture;   ///< upper half of the shared memory address, as on Linux
  u32 private_aperture;  ///< upper half of the private memory address, as on Linux
  bool
      flat_scratch_init_is_address;  ///< a kernel is given the address of its scratch memory; elsewhere size and offset
  bool buffer_has_element_size;      ///< ELEMENT_SIZE in the descriptor of a swizzled buffer
  bool data_format_extends_stride;   ///< DATA_FORMAT holds bits of the stride of a buffer with ADD_TID_ENABLE
  bool preloads_arguments;           ///< the first arguments of a kernel can arrive in user SGPRs
  bool has_architected_flat_scratch;  ///< the hardware sets FLAT_SCRATCH; SGPRs do not describe scratch memory
  bool packs_work_item_ids;           ///< all three work-item ids are in v0, 10 bits each
  bool has_accumulators;              ///< AGPRs
};

/// The properties of all generations, in order.
inline constexpr std::array<GenerationInfo, generation_count> generation_table = [] {
  using enum Generation;
  return std::array<GenerationInfo, generation_count>{{
#define SALU_GENERATION(id, ...) {__VA_ARGS__},
#include <salu/generations.def>
#undef SALU_GENERATION
  }};
}();

/// The properties of a generation.
constexpr const GenerationInfo& generation_info(Generation generation) {
  return generation_table[static_cast<std::size_t>(generation)];
}

/// The base of private memory if FLAT_SCRATCH does not hold an address: SH_HIDDEN_PRIVATE_BASE_VMID of GCN 1.1 and 1.2,
/// which the driver chooses on hardware.
inline constexpr u64 hidden_private_base = 0x1'4000'0000;

/// The base of a work-group's shared memory (LDS) in salu, with up to 4 GiB. Flat addresses in the shared aperture map
/// to this range, which is not used for anything else.
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

/// The number of user SGPRs that the operand encoding of a generation can name, from s0 on.
constexpr u32 sgpr_limit(Generation generation) { return generation_info(generation).sgprs; }

/// The significant bits of a byte address and of the PC: 40 on GCN 1.0 to 1.2, 48 on GFX9 (Linux: width of PC_HI).
constexpr u32 address_bits(Generation generation) { return generation_info(generation).address_bits; }

/// `address_bits` as a mask with the two low bits cleared: the bits of a value that are kept when it is loaded into the
/// PC.
constexpr u64 pc_mask(Generation generation) { return ((u64{1} << address_bits(generation)) - 1) & ~u64{3}; }

/// A target of `--mcpu`: an LLVM processor, an alias of one, or a generation.
struct Target {
  std::string_view name;       ///< as given on the command line: `gfx900`, `tahiti`, `gcn1.4`
  std::string_view processor;  ///< LLVM's canonical processor name; for a generation its representative
  Generation generation;
  u8 elf_machine;  ///< EF_AMDGPU_MACH value of the processor in `e_flags` (LLVM AMDGPUUsage, table of ELF header flags)
  bool has_xnack;  ///< LLVM's XNACK support; required to name XNACK_MASK on GCN 1.2
};

/// The parts of a processor's number: 9, 0 and 10 of gfx90a.
struct ProcessorVersion {
  u32 major = 0;
  u32 minor = 0;
  u32 stepping = 0;
};

/// The version of a target; for a generic target such as gfx9-generic, the version of its first processor.
ProcessorVersion processor_version(const Target& target);

/// All targets: processors in LLVM's order, each followed by its aliases, then generations.
std::span<const Target> targets();

/// Finds a target by the name of a processor, alias or generation, or by a target ID (`gfx90a:sramecc+:xnack-`); null
/// if unknown.
const Target* find_target(std::string_view name);

/// The features of a target ID in the syntax of LLVM's -mattr: `+sramecc,-xnack`; an empty text if it has none. Returns
/// nothing for a name that `find_target` does not find.
std::optional<std::string> target_features(std::string_view name);

/// True if the processor can protect its registers and memory by SRAM-ECC (LLVM AMDGPUUsage, target features).
bool supports_sramecc(const Target& target);

/// The processor whose EF_AMDGPU_MACH bits are in `e_flags`; null if it is not one of gfx6 to gfx9.
const Target* find_target_by_elf_flags(u32 e_flags);

/// The known target names nearest to a misspelt one, best first, at most `limit`.
std::vector<std::string_view> nearest_target_names(std::string_view name, std::size_t limit = 3);

}  // namespace salu
