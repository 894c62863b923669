#pragma once

#include <salu/integer.hpp>

#include <algorithm>
#include <string>

/// Kernels in assembly for tests of work-groups.
namespace salu::test {

/// The address of the buffer that a kernel gets.
inline constexpr u64 out = 0x200000000;

/// A scenario of a kernel: s[0:1] point to its arguments, s2 is the number of the work-group, v0 the work-item.
inline std::string kernel(const std::string& code, const std::string& launch, const std::string& more = {}) {
  std::string text = "target: gfx900\ncode:\n  asm: |\n";
  const auto add = [&](const std::string& lines) {
    for (std::size_t start = 0; start < lines.size();) {
      const std::size_t end = std::min(lines.find('\n', start), lines.size());
      text += "    " + lines.substr(start, end - start) + "\n";
      start = end + 1;
    }
  };
  add(".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.globl k\n.p2align 8\n.type k,@function\nk:");
  // s[4:5]: the buffer; s3: the first work-item of the wave; v1: its offset in dwords.
  add("  s_load_dwordx2 s[4:5], s[0:1], 0x0\n  v_readfirstlane_b32 s3, v0\n  v_lshlrev_b32_e32 v1, 2, v0\n"
      "  s_mov_b32 m0, -1\n  s_waitcnt lgkmcnt(0)");
  add(code);
  add(".Lend:\n.size k, .Lend-k\n.rodata\n.p2align 6\n.amdhsa_kernel k\n  .amdhsa_group_segment_fixed_size 4096\n"
      "  .amdhsa_user_sgpr_kernarg_segment_ptr 1\n  .amdhsa_next_free_vgpr 16\n  .amdhsa_next_free_sgpr 32\n"
      ".end_amdhsa_kernel\n.amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.kernels:\n  - .name: k\n"
      "    .symbol: k.kd\n    .kernarg_segment_size: 8\n    .kernarg_segment_align: 8\n"
      "    .group_segment_fixed_size: 4096\n    .private_segment_fixed_size: 0\n    .wavefront_size: 64\n"
      "    .sgpr_count: 32\n    .vgpr_count: 16\n    .max_flat_workgroup_size: 1024\n    .args:\n"
      "      - {.name: out, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}\n...\n"
      ".end_amdgpu_metadata");
  return text + "kernel: {args: {out: 0x200000000}, " + launch + "}\nmemory: [{at: 0x200000000, size: 16384}]\n" + more;
}

/// Each work-item stores its id to LDS and, after a barrier, reads that of its mirror image.
inline constexpr const char* mirror =
    "  ds_write_b32 v1, v0\n  s_waitcnt lgkmcnt(0)\n  s_barrier\n  v_sub_u32_e32 v2, 1020, v1\n  ds_read_b32 v3, v2\n"
    "  s_waitcnt lgkmcnt(0)\n  global_store_dword v1, v3, s[4:5]\n  s_endpgm";

/// The same for work-groups of 128 work-items. Each wave executes 8 instructions up to the barrier, 0x1000 to 0x1024,
/// and 5 after it, 0x1028 to 0x1044.
inline const std::string small_mirror = [] {
  std::string code = mirror;
  return code.replace(code.find("1020"), 4, "508");
}();

}  // namespace salu::test
