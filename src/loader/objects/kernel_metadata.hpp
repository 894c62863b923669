#pragma once

#include <salu/integer.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loader/objects/elf_image.hpp"

/// The metadata of kernels in a code object: MessagePack in an NT_AMDGPU_METADATA note, or YAML in an
/// NT_AMD_HSA_METADATA note (LLVM AMDGPUUsage, code object metadata V3 to V6, and V2).
namespace salu::loader {

/// An entry of `.args`, with its place in the kernarg segment.
struct KernelArgument {
  std::string name;        ///< `.name`; empty if missing
  std::string value_kind;  ///< `by_value`, `global_buffer`, `hidden_block_count_x`, ...
  std::string type_name;   ///< `.type_name`; may be empty
  u64 offset = 0;          ///< bytes into the kernarg segment
  u64 size_bytes = 0;      ///< `offset` + `size_bytes` is within the segment
  u64 pointee_align = 1;   ///< of a `dynamic_shared_pointer`: a power of two
  bool is_hidden() const { return value_kind.starts_with("hidden_"); }
  /// True if it is an address of memory.
  bool is_pointer() const;
};

struct KernelMetadata {
  std::string name;                              ///< `.name`
  std::string descriptor_symbol;                 ///< `.symbol`: `k.kd`
  bool has_code_header = false;                  ///< it has a `KernelCodeHeader` instead of a descriptor
  bool knows_arguments = true;                   ///< false: the metadata is missing; `arguments` is empty
  u64 kernarg_size_bytes = 0;                    ///< at most `most_kernarg_bytes`
  u64 kernarg_alignment = 1;                     ///< a power of two
  u32 group_segment_bytes = 0;                   ///< fixed LDS of a work-group
  u32 private_segment_bytes = 0;                 ///< fixed scratch of a work-item
  u32 max_workgroup_size = 1024;                 ///< most work-items in a work-group
  std::array<u32, 3> required_workgroup_size{};  ///< zeros: not specified
  bool uniform_workgroups = false;               ///< the grid must be a multiple of the work-group size
  std::vector<KernelArgument> arguments;         ///< hidden ones included
  std::optional<u32> sgpr_count;                 ///< registers that the code uses, if specified
  std::optional<u32> vgpr_count;
  std::optional<u32> agpr_count;
};

/// The size limit of a kernarg segment: far above the sizes that LLVM emits, but small enough for damaged objects.
inline constexpr u64 most_kernarg_bytes = u64{1} << 20;

/// Limits of the number and nesting of values in metadata: the parser recurses, and needs many times their size.
inline constexpr std::size_t most_metadata_values = 1'000'000;
inline constexpr std::size_t deepest_metadata = 32;

/// The error message for metadata that exceeds these limits.
std::string metadata_limits_text();

/// The type of the note that holds the metadata of kernels: NT_AMDGPU_METADATA.
inline constexpr u32 metadata_note_type = 32;

/// The type of the note of version 2: NT_AMD_HSA_METADATA.
inline constexpr u32 metadata_note_type_v2 = 10;

/// Finds the first note with metadata of kernels (name `AMDGPU`, type 32; in version 2 `AMD`, type 10); null if there
/// is none.
const ElfNote* find_metadata_note(const std::vector<ElfNote>& notes);

/// Reads the metadata of all kernels from all such notes. Rejects invalid MessagePack or YAML, and contradictions such
/// as an argument outside of the segment. `file` is for messages.
std::vector<KernelMetadata> parse_kernel_metadata(const std::vector<ElfNote>& notes, const std::string& file);

}  // namespace salu::loader
