#pragma once

#include <salu/integer.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loader/objects/elf_image.hpp"

/// What a code object says about its kernels: the MessagePack of its NT_AMDGPU_METADATA note, or the YAML of its
/// NT_AMD_HSA_METADATA note (LLVM AMDGPUUsage, code object metadata V3 to V6, and V2).
namespace salu::loader {

/// One entry of `.args`, in the kernarg segment's layout.
struct KernelArgument {
  std::string name;        ///< `.name`; empty when the metadata has none
  std::string value_kind;  ///< `by_value`, `global_buffer`, `hidden_block_count_x`, ...
  std::string type_name;   ///< `.type_name`; may be empty
  u64 offset = 0;          ///< bytes into the kernarg segment
  u64 size_bytes = 0;      ///< `offset` + `size_bytes` lies within the segment
  u64 pointee_align = 1;   ///< of a `dynamic_shared_pointer`: a power of two
  bool is_hidden() const { return value_kind.starts_with("hidden_"); }
  /// Whether it is the address of something in memory.
  bool is_pointer() const;
};

struct KernelMetadata {
  std::string name;                              ///< `.name`
  std::string descriptor_symbol;                 ///< `.symbol`: `k.kd`
  bool has_code_header = false;                  ///< a `KernelCodeHeader` is there instead of a descriptor
  bool knows_arguments = true;                   ///< false: there is no metadata, and `arguments` says nothing
  u64 kernarg_size_bytes = 0;                    ///< at most `most_kernarg_bytes`
  u64 kernarg_alignment = 1;                     ///< a power of two
  u32 group_segment_bytes = 0;                   ///< fixed LDS of a work-group
  u32 private_segment_bytes = 0;                 ///< fixed scratch of a work-item
  u32 max_workgroup_size = 1024;                 ///< work-items in a work-group at most
  std::array<u32, 3> required_workgroup_size{};  ///< zeros: not said
  bool uniform_workgroups = false;               ///< the grid has to be a multiple of the work-group size
  std::vector<KernelArgument> arguments;         ///< hidden ones included
  std::optional<u32> sgpr_count;                 ///< registers that the code uses, where the metadata say so
  std::optional<u32> vgpr_count;
  std::optional<u32> agpr_count;
};

/// The most that a kernarg segment may hold: far beyond what LLVM emits, so that a damaged object cannot ask for more.
inline constexpr u64 most_kernarg_bytes = u64{1} << 20;

/// The most values, and levels, that metadata may have: a parser that keeps them needs many times their bytes, and
/// recurses.
inline constexpr std::size_t most_metadata_values = 1'000'000;
inline constexpr std::size_t deepest_metadata = 32;

/// What an error says of metadata beyond these.
std::string metadata_limits_text();

/// The type of the note that holds the metadata of kernels: NT_AMDGPU_METADATA.
inline constexpr u32 metadata_note_type = 32;

/// The type of the note of version 2: NT_AMD_HSA_METADATA.
inline constexpr u32 metadata_note_type_v2 = 10;

/// The first note that holds metadata of kernels (name `AMDGPU`, type 32; of version 2 `AMD`, type 10), or null.
const ElfNote* find_metadata_note(const std::vector<ElfNote>& notes);

/// Reads the metadata of all kernels, of all such notes; none without one. Rejects what is no such MessagePack or YAML,
/// or contradicts itself (an argument outside the segment). `file` is for messages.
std::vector<KernelMetadata> parse_kernel_metadata(const std::vector<ElfNote>& notes, const std::string& file);

}  // namespace salu::loader
