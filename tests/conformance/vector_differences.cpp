#include "conformance/vector_differences.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <vector>

#include "conformance/vector_samples.hpp"
#include "isa/vector/decode.hpp"

namespace salu::conformance::vector {
namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// LLVM's text if salu rejects the words, otherwise empty.
std::string_view rejected_text(const Disagreement& each) {
  return each.llvm && !each.salu ? std::string_view(*each.llvm) : std::string_view();
}

std::vector<std::string_view> operands_of(std::string_view text) {
  std::vector<std::string_view> operands;
  std::size_t start = text.find(' ');
  while (start != std::string_view::npos) {
    start = text.find_first_not_of(", ", start);
    if (start == std::string_view::npos) break;
    const std::size_t end = std::min(text.find(start == text.find('[', start) ? ']' : ',', start), text.size());
    operands.push_back(text.substr(start, end - start));
    start = text.find(',', end);
  }
  return operands;
}

bool null_register(const Disagreement& each) {
  return std::ranges::any_of(operands_of(rejected_text(each)), [](std::string_view operand) {
    return operand == "null" || operand.starts_with("null ") || contains(operand, "(null)") ||
           contains(operand, "|null|") || contains(operand, "-null");
  });
}

/// `v[1:2]`, `a[3:6]`
bool odd_vgprs(const Disagreement& each) {
  const std::string_view text = rejected_text(each);
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if ((text[i] != 'v' && text[i] != 'a') || text[i + 1] != '[') continue;
    const std::size_t colon = text.find(':', i);
    if (colon != std::string_view::npos && (text[colon - 1] - '0') % 2 != 0) return true;
  }
  return false;
}

bool has_special_source(std::string_view operand) {
  return std::ranges::any_of(std::initializer_list<std::string_view>{"src_shared_", "src_private_", "src_pops_",
                                                                     "src_vccz", "src_execz", "src_scc"},
                             [&](std::string_view name) { return contains(operand, name); });
}

bool aperture_before_gfx9(const Disagreement& each) {
  const std::string_view text = rejected_text(each);
  return contains(text, "src_shared_") || contains(text, "src_private_") || contains(text, "src_pops_");
}

/// SRC_SCC and the like where only a register is allowed: destinations, masks, lane numbers, AGPRs.
bool special_source_as_register(const Disagreement& each) {
  const std::string_view text = rejected_text(each);
  const std::vector<std::string_view> operands = operands_of(text);
  if (operands.empty()) return false;
  if (has_special_source(operands.front())) return true;
  if (!has_special_source(text)) return false;
  const std::string name = name_of(text);
  if (each.words.words[0] >> 26 == 0b110111) return true;
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"v_readfirstlane", "v_readlane", "v_writelane", "v_movrels", "v_swap",
                                              "v_permlane", "v_accvgpr_read", "v_accvgpr_mov", "v_cndmask", "v_addc_",
                                              "v_subb"},
      [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool run_past_the_registers(const Disagreement& each) {
  const std::string_view text = rejected_text(each);
  return (text.starts_with("buffer_") || text.starts_with("tbuffer_")) &&
         (contains(text, "s[100:103]") || contains(text, ", [") || contains(text, "ttmp[") || contains(text, "/*"));
}

bool lds_direct(const Disagreement& each) { return contains(rejected_text(each), "src_lds_direct"); }

/// Controls of DPP that are reserved, or that this generation or this instruction does not have.
bool dpp_control(const Disagreement& each) {
  const std::string_view text = rejected_text(each);
  return contains(text, " row_mask:") && contains(text, "/*");
}

bool tfe_of_stores(const Disagreement& each) {
  const std::string_view text = rejected_text(each);
  return text.starts_with("buffer_store_") && contains(text, " tfe");
}

/// Bit 55 of a load to LDS.
bool unused_bit_of_load_to_lds(const Disagreement& each) {
  return !each.llvm && each.salu && each.salu->ends_with(" lds") && (each.words.words[1] >> 23 & 1) != 0;
}

bool flat_offset(const Disagreement& each) {
  const std::string_view text = rejected_text(each);
  return text.starts_with("flat_") && contains(text, " offset:");
}

bool modifier_without_meaning(const Disagreement& each) {
  const std::string_view text = rejected_text(each);
  const u32 first = each.words.words[0];
  constexpr u32 sdwa_code = 249;
  if (text.starts_with("v_nop ")) return true;
  if (first >> 31 == 0 && (first & 0x1ff) == sdwa_code && (contains(text, " clamp") || text == "v_nop")) return true;
  if (text.starts_with("v_pk_mov_b32 ")) return contains(text, " clamp") || contains(text, " neg_");
  const bool is_integer = std::ranges::any_of(
      std::initializer_list<std::string_view>{"v_cvt_u32_f32_e64 ", "v_cvt_i32_f32_e64 ", "v_cvt_u32_f64_e64 ",
                                              "v_cvt_i32_f64_e64 ", "v_cvt_u16_f16_e64 ", "v_cvt_i16_f16_e64 ",
                                              "v_cvt_norm_u16_f16_e64 ", "v_cvt_norm_i16_f16_e64 ",
                                              "v_frexp_exp_i32_f64_e64 ", "v_frexp_exp_i16_f16_e64 "},
      [&](std::string_view beginning) { return text.starts_with(beginning); });
  return is_integer && (contains(text, " mul:") || contains(text, " div:"));
}

/// `v_ldexp_f32 v0, v1, sext(v2)`
bool sext_in_vop3(const Disagreement& each) {
  return each.words.words[0] >> 26 == 0b110100 && contains(rejected_text(each), "sext(");
}

/// `v_ldexp_f16_dpp v0, v1, sext(v2) row_shl:1`
bool sext_in_dpp(const Disagreement& each) {
  return (each.words.words[0] & 0x1ff) == 250 && contains(rejected_text(each), "sext(");
}

bool mac_sdwa(const Disagreement& each) {
  return rejected_text(each).starts_with("v_mac_f32_sdwa ") || rejected_text(each).starts_with("v_mac_f16_sdwa ");
}

bool fma_mix(const Disagreement& each) { return rejected_text(each).starts_with("v_fma_mix"); }

bool scalar_to_accumulator(const Disagreement& each) { return rejected_text(each).starts_with("v_accvgpr_write_b32 "); }

bool dropped_by_cdna3(const Disagreement& each) { return rejected_text(each).starts_with("buffer_wbinvl1"); }

bool from_gfx906(const Disagreement& each) {
  if (each.llvm || !each.salu) return false;
  return starts_with_gfx906(name_of(*each.salu));
}

/// `v_dot4_i32_i8` with op_sel, and those of two products from CDNA 3 on.
bool halves_of_dot(const Disagreement& each) {
  const std::string_view text = rejected_text(each);
  if (text.starts_with("v_dot4_") || text.starts_with("v_dot8_")) {
    // LLVM 22 ignores the bits.
    const u32 halves = each.words.words[0] >> 11 & 0xf;
    const u32 high_halves = each.words.words[1] >> 27 & 3;
    return halves != 0b1000 || high_halves != 0b11;
  }
  return text.starts_with("v_dot") && contains(text, " op_sel");
}

bool literal_of_an_inline_constant(const Disagreement& each) {
  return each.llvm && each.salu && is_same_but_for_lit(*each.llvm, *each.salu, each.words.words[1]);
}

bool flat_scratch_base(const Disagreement& each) { return contains(rejected_text(each), "src_flat_scratch_base"); }

/// `v_cndmask_b32_e64 v0, v1, v2, v[4:5]`
bool other_masks(const Disagreement& each) {
  const std::string_view text = rejected_text(each);
  const std::vector<std::string_view> operands = operands_of(text);
  if (operands.empty() || !(operands.back().starts_with("v[") || operands.back() == "exec")) return false;
  const std::string name = name_of(text);
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"v_cndmask_b32", "v_addc_", "v_subb_", "v_subbrev_"},
      [&](std::string_view prefix) { return name.starts_with(prefix); });
}

/// `v[255:256]`, which LLVM 19 rejected.
bool run_past_v255(const Disagreement& each) {
  const std::string_view text = rejected_text(each);
  for (std::size_t colon = text.find(':'); colon != std::string_view::npos; colon = text.find(':', colon + 1)) {
    int last = 0;
    std::from_chars(text.data() + colon + 1, text.data() + text.size(), last);
    const std::size_t open = text.rfind('[', colon);
    if (last > 255 && open != std::string_view::npos && open > 0 && (text[open - 1] == 'v' || text[open - 1] == 'a'))
      return true;
  }
  return false;
}

/// ABS or NEG of integers.
bool signs_of_integers(const Disagreement& each) {
  if (each.llvm || !each.salu) return false;
  const std::string name = name_of(*each.salu);
  const bool is_one = std::ranges::any_of(
      std::initializer_list<std::string_view>{"v_mad_u16", "v_mad_i16", "v_min3_i16", "v_min3_u16", "v_max3_i16",
                                              "v_max3_u16", "v_med3_i16", "v_med3_u16", "v_mad_u32_u16",
                                              "v_mad_i32_i16", "v_add_i16", "v_sub_i16"},
      [&](std::string_view other) { return name == other; });
  return is_one && ((each.words.words[0] >> 8 & 7) != 0 || each.words.words[1] >> 29 != 0);
}

/// As base of addresses.
bool exec_as_base(const Disagreement& each) {
  return !each.llvm && each.salu && each.words.words[0] >> 26 == 0b110111 && contains(*each.salu, "exec");
}

/// Bit 55 of FLAT, bit 25 of DS.
bool unused_bits(const Disagreement& each) {
  if (each.llvm || !each.salu) return false;
  const u32 format = each.words.words[0] >> 26;
  return (format == 0b110111 && (each.words.words[1] >> 23 & 1) != 0) ||
         (format == 0b110110 && (each.words.words[0] >> 25 & 1) != 0);
}

/// `v_alignbit_b32 v0, v1, v2, v3 op_sel:[0,0,1,0]`
bool halves_of_alignbit(const Disagreement& each) {
  if (!each.llvm || !(each.llvm->starts_with("v_alignbit_b32") || each.llvm->starts_with("v_alignbyte_b32")))
    return false;
  if (!each.salu) return contains(*each.llvm, " clamp");
  return each.llvm->starts_with(*each.salu + " op_sel:");
}

/// `offset:swizzle(FFT,3)`, `offset:swizzle(ROTATE,0,1)`
bool swizzle_modes(const Disagreement& each) {
  return each.llvm && each.salu && (contains(*each.llvm, "swizzle(FFT") || contains(*each.llvm, "swizzle(ROTATE"));
}

/// `flat_atomic_add a16, v[2:3], a8 glc`
bool accumulators_of_atomics(const Disagreement& each) {
  if (!each.llvm || !contains(*each.llvm, "_atomic_")) return false;
  const std::vector<std::string_view> operands = operands_of(*each.llvm);
  return !operands.empty() && operands.front().starts_with("a");
}

/// `v_cvt_f64_i32_dpp v[8:9], v2 row_shl:1 row_mask:0xf bank_mask:0xf`
bool dpp_of_pairs(const Disagreement& each) {
  const std::string_view text = rejected_text(each);
  return contains(text, " row_mask:") && contains(text, "v[");
}

bool accumulators_of_float_sums(const Disagreement& each) {
  return !each.llvm && each.salu && is_float_sum_in_accumulators(*each.salu);
}

/// Bit 15 of MUBUF, bit 25 of FLAT and GLOBAL.
bool scc_of_float_atomics(const Disagreement& each) {
  if (each.llvm || !each.salu || !is_float_atomic(name_of(*each.salu))) return false;
  const u32 first = each.words.words[0];
  return (first >> (first >> 26 == 0b111000 ? 15 : 25) & 1) != 0;
}

using enum Generation;
constexpr auto newest = static_cast<Generation>(generation_count - 1);

constexpr std::array<Difference, 33> differences = {{
    {"null-register", gcn1_2, newest, "", null_register},
    {"lds-direct", gcn1_2, newest, "", lds_direct},
    {"dpp-control", gcn1_2, newest, "", dpp_control},
    {"odd-vgprs", cdna2, newest, "", odd_vgprs},
    {"aperture-before-gfx9", gcn1_2, gcn1_2, "", aperture_before_gfx9},
    {"special-source-as-register", gcn1_2, newest, "", special_source_as_register},
    {"run-past-the-registers", gcn1_2, newest, "", run_past_the_registers},
    {"tfe-of-stores", gcn1_2, cdna1, "", tfe_of_stores},
    {"unused-bit-of-load-to-lds", gcn1_4, cdna1, "", unused_bit_of_load_to_lds, until_19},
    {"flat-offset", gcn1_2, newest, "", flat_offset},
    {"modifier-without-meaning", gcn1_2, newest, "", modifier_without_meaning},
    {"sext-in-vop3", gcn1_2, newest, "", sext_in_vop3, until_19},
    {"sext-in-dpp", gcn1_2, newest, "", sext_in_dpp, until_19},
    {"mac-sdwa", gcn1_2, gcn1_2, "", mac_sdwa},
    {"scalar-to-accumulator", cdna1, cdna1, "", scalar_to_accumulator},
    {"dropped-by-cdna3", cdna3, newest, "", dropped_by_cdna3, until_19},
    {"halves-of-dot", gcn1_4, newest, "!gfx900", halves_of_dot},
    {"fma-mix", gcn1_4, gcn1_4, "!gfx900", fma_mix},
    {"from-gfx906", gcn1_4, gcn1_4, "gfx900", from_gfx906},
    {"literal-of-an-inline-constant", gcn1_2, newest, "", literal_of_an_inline_constant, since_22},
    {"flat-scratch-base", gcn1_2, newest, "", flat_scratch_base, since_22},
    {"other-masks", gcn1_2, newest, "", other_masks, since_22},
    {"run-past-v255", gcn1_2, newest, "", run_past_v255, since_22},
    {"signs-of-integers", gcn1_4, newest, "", signs_of_integers, since_22},
    {"dpp-of-pairs", gcn1_2, cdna1, "", dpp_of_pairs, since_22},
    {"exec-as-base", gcn1_4, newest, "", exec_as_base, since_22},
    {"unused-bits", gcn1_2, cdna1, "", unused_bits, since_22},
    {"halves-of-alignbit", gcn1_4, newest, "", halves_of_alignbit, since_22},
    {"swizzle-modes", gcn1_4, newest, "", swizzle_modes, since_22},
    {"accumulators-of-atomics", gcn1_2, cdna1, "", accumulators_of_atomics, since_22},
    {"scc-of-float-atomics", cdna1, cdna2, "", scc_of_float_atomics},
    {"sc1-of-float-atomics", cdna3, newest, "", scc_of_float_atomics, since_22},
    {"accumulators-of-float-sums", cdna3, newest, "", accumulators_of_float_sums, since_22},
}};

}  // namespace

bool is_float_atomic(std::string_view name) {
  return contains(name, "_atomic_") && (name.ends_with("_f16") || name.ends_with("_f32") || name.ends_with("_f64"));
}

bool is_float_sum_in_accumulators(std::string_view text) {
  return text.starts_with("global_atomic_add_f32 a") || text.starts_with("global_atomic_pk_add_f16 a");
}

bool starts_with_gfx906(std::string_view name) {
  return name == "v_fmac_f32" || name == "v_xnor_b32" || name.starts_with("v_dot");
}

std::span<const Difference> all_differences() { return differences; }

bool is_of(const Difference& difference, std::string_view processor, Generation generation) {
  if (generation < difference.first || generation > difference.last || !difference.versions.has(llvm().version))
    return false;
  if (difference.processor.starts_with('!')) return difference.processor.substr(1) != processor;
  return difference.processor.empty() || difference.processor == processor;
}

const Difference* find_difference(const Disagreement& disagreement) {
  const auto* const found = std::ranges::find_if(differences, [&](const Difference& each) {
    return is_of(each, disagreement.processor, disagreement.generation) && each.explains(disagreement);
  });
  return found == differences.end() ? nullptr : found;
}

}  // namespace salu::conformance::vector
