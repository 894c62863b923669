#include "semantics/reference_alu.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace salu::test {
namespace {

/// Wide enough for all exact results below.
__extension__ using Wide = __int128;

using Models = std::map<std::string, AluModel, std::less<>>;

constexpr Wide two_to(u32 exponent) { return Wide{1} << exponent; }
bool bit(u64 value, u32 index) { return index < 64 && (value / (u64{1} << index)) % 2 == 1; }

Wide unsigned_value(u64 pattern, u32 bits) { return bits == 64 ? Wide{pattern} : Wide{pattern} % two_to(bits); }
Wide signed_value(u64 pattern, u32 bits) {
  const Wide value = unsigned_value(pattern, bits);
  return value >= two_to(bits - 1) ? value - two_to(bits) : value;
}
/// The low `bits` of an integer of any size and sign.
u64 wrap(Wide value, u32 bits) {
  const Wide remainder = value % two_to(bits);
  return static_cast<u64>(remainder < 0 ? remainder + two_to(bits) : remainder);
}
Wide floor_divide(Wide dividend, Wide divisor) {
  const Wide quotient = dividend / divisor;
  return dividend % divisor < 0 ? quotient - 1 : quotient;
}
Wide simm16_signed(const AluInputs& in) { return signed_value(in.s1, 16); }
Wide simm16_unsigned(const AluInputs& in) { return unsigned_value(in.s1, 16); }

/// A value with the rule SCC = (D != 0).
AluResult nonzero(u64 d) { return {d, d != 0, {}, false}; }
AluResult value(u64 d) { return {d, {}, {}, false}; }
AluResult only_scc(bool scc) { return {{}, scc, {}, false}; }

/// Builds a pattern bit by bit.
template <class Rule>
u64 bit_by_bit(u32 bits, Rule rule) {
  u64 result = 0;
  for (u32 i = 0; i < bits; ++i) {
    if (rule(i)) result += u64{1} << i;
  }
  return result;
}

/// The results of a logic operation for the bits (0, 0), (0, 1), (1, 0), (1, 1) of its sources, as text.
using TruthTable = std::string;
u64 logic(const TruthTable& table, u64 s0, u64 s1, u32 bits) {
  return bit_by_bit(bits, [&](u32 i) { return table[(bit(s0, i) ? 2U : 0U) + (bit(s1, i) ? 1U : 0U)] == '1'; });
}

const std::map<std::string, TruthTable> truth_tables = {
    {"and", "0001"},  {"or", "0111"},    {"xor", "0110"},  {"nand", "1110"},  {"nor", "1000"},
    {"xnor", "1001"}, {"andn2", "0010"}, {"orn2", "1011"}, {"andn1", "0100"}, {"orn1", "1101"},
};

void add_logic(Models& models) {
  for (const auto& entry : truth_tables) {
    const std::string& name = entry.first;
    const TruthTable& table = entry.second;
    for (const u32 bits : {32U, 64U}) {
      models["s_" + name + "_b" + std::to_string(bits)] = [table, bits](const AluInputs& in) {
        return nonzero(logic(table, in.s0, in.s1, bits));
      };
    }
    models["s_" + name + "_saveexec_b64"] = [table](const AluInputs& in) {
      const u64 exec = logic(table, in.s0, in.exec, 64);
      return AluResult{in.exec, exec != 0, exec, false};
    };
    models["s_" + name + "_wrexec_b64"] = [table](const AluInputs& in) {
      const u64 exec = logic(table, in.s0, in.exec, 64);
      return AluResult{exec, exec != 0, exec, false};
    };
  }
  for (const u32 bits : {32U, 64U}) {
    models["s_not_b" + std::to_string(bits)] = [bits](const AluInputs& in) {
      return nonzero(bit_by_bit(bits, [&](u32 i) { return !bit(in.s0, i); }));
    };
  }
}

AluResult overflowing(Wide exact) {
  return {wrap(exact, 32), exact < -two_to(31) || exact > two_to(31) - 1, {}, false};
}

template <class Choose>
AluModel choose(bool is_signed, Choose first_wins) {
  return [=](const AluInputs& in) {
    const Wide s0 = is_signed ? signed_value(in.s0, 32) : unsigned_value(in.s0, 32);
    const Wide s1 = is_signed ? signed_value(in.s1, 32) : unsigned_value(in.s1, 32);
    const bool first = first_wins(s0, s1);
    return AluResult{wrap(first ? s0 : s1, 32), first, {}, false};
  };
}

void add_arithmetic(Models& models) {
  models["s_add_u32"] = [](const AluInputs& in) {
    const Wide sum = unsigned_value(in.s0, 32) + unsigned_value(in.s1, 32);
    return AluResult{wrap(sum, 32), sum >= two_to(32), {}, false};
  };
  models["s_addc_u32"] = [](const AluInputs& in) {
    const Wide sum = unsigned_value(in.s0, 32) + unsigned_value(in.s1, 32) + (in.scc ? 1 : 0);
    return AluResult{wrap(sum, 32), sum >= two_to(32), {}, false};
  };
  models["s_sub_u32"] = [](const AluInputs& in) {
    const Wide difference = unsigned_value(in.s0, 32) - unsigned_value(in.s1, 32);
    return AluResult{wrap(difference, 32), difference < 0, {}, false};
  };
  models["s_subb_u32"] = [](const AluInputs& in) {
    const Wide difference = unsigned_value(in.s0, 32) - unsigned_value(in.s1, 32) - (in.scc ? 1 : 0);
    return AluResult{wrap(difference, 32), difference < 0, {}, false};
  };
  models["s_add_i32"] = [](const AluInputs& in) {
    return overflowing(signed_value(in.s0, 32) + signed_value(in.s1, 32));
  };
  models["s_sub_i32"] = [](const AluInputs& in) {
    return overflowing(signed_value(in.s0, 32) - signed_value(in.s1, 32));
  };
  models["s_addk_i32"] = [](const AluInputs& in) { return overflowing(signed_value(in.old, 32) + simm16_signed(in)); };
  models["s_min_i32"] = choose(true, std::less<Wide>());
  models["s_min_u32"] = choose(false, std::less<Wide>());
  models["s_absdiff_i32"] = [](const AluInputs& in) {
    const Wide wrapped = signed_value(wrap(signed_value(in.s0, 32) - signed_value(in.s1, 32), 32), 32);
    return nonzero(wrap(wrapped < 0 ? -wrapped : wrapped, 32));
  };
  models["s_abs_i32"] = [](const AluInputs& in) {
    const Wide exact = signed_value(in.s0, 32);
    return nonzero(wrap(exact < 0 ? -exact : exact, 32));
  };
  models["s_mul_i32"] = [](const AluInputs& in) {
    return value(wrap(signed_value(in.s0, 32) * signed_value(in.s1, 32), 32));
  };
  models["s_mulk_i32"] = [](const AluInputs& in) {
    return value(wrap(signed_value(in.old, 32) * simm16_signed(in), 32));
  };
  models["s_mul_hi_u32"] = [](const AluInputs& in) {
    return value(wrap(floor_divide(unsigned_value(in.s0, 32) * unsigned_value(in.s1, 32), two_to(32)), 32));
  };
  models["s_mul_hi_i32"] = [](const AluInputs& in) {
    return value(wrap(floor_divide(signed_value(in.s0, 32) * signed_value(in.s1, 32), two_to(32)), 32));
  };
  for (const u32 n : {1U, 2U, 3U, 4U}) {
    models["s_lshl" + std::to_string(n) + "_add_u32"] = [n](const AluInputs& in) {
      const Wide sum = unsigned_value(in.s0, 32) * two_to(n) + unsigned_value(in.s1, 32);
      return AluResult{wrap(sum, 32), sum >= two_to(32), {}, false};
    };
  }
}

AluModel field_extract(u32 bits, bool is_signed) {
  return [=](const AluInputs& in) {
    const auto offset = static_cast<u32>(in.s1 % bits);
    const auto width = static_cast<u32>(in.s1 / 65536 % 128);
    if (width == 0) return nonzero(0);
    AluResult result = nonzero(bit_by_bit(bits, [&](u32 i) {
      if (!is_signed) return i < width && offset + i < bits && bit(in.s0, offset + i);
      // The sign bit of the field, or of the operand if the field exceeds it, fills all bits above.
      const u32 place = std::min(offset + std::min(i, width - 1), bits - 1);
      return bit(in.s0, place);
    }));
    result.unspecified = width > bits;
    return result;
  };
}

void add_shifts(Models& models) {
  for (const u32 bits : {32U, 64U}) {
    const std::string n = std::to_string(bits);
    models["s_lshl_b" + n] = [bits](const AluInputs& in) {
      return nonzero(bit_by_bit(bits, [&](u32 i) {
        const auto count = static_cast<u32>(in.s1 % bits);
        return i >= count && bit(in.s0, i - count);
      }));
    };
    models["s_lshr_b" + n] = [bits](const AluInputs& in) {
      return nonzero(wrap(unsigned_value(in.s0, bits) / two_to(static_cast<u32>(in.s1 % bits)), bits));
    };
    models["s_ashr_i" + n] = [bits](const AluInputs& in) {
      return nonzero(wrap(floor_divide(signed_value(in.s0, bits), two_to(static_cast<u32>(in.s1 % bits))), bits));
    };
    models["s_bfm_b" + n] = [bits](const AluInputs& in) {
      const auto length = static_cast<u32>(in.s0 % bits);
      const auto offset = static_cast<u32>(in.s1 % bits);
      return value(bit_by_bit(bits, [&](u32 i) { return i >= offset && i < offset + length; }));
    };
    models["s_bfe_u" + n] = field_extract(bits, false);
    models["s_bfe_i" + n] = field_extract(bits, true);
  }
  const auto half = [](u64 pattern, u32 index) {
    return unsigned_value(pattern, 32) / two_to(16 * index) % two_to(16);
  };
  models["s_pack_ll_b32_b16"] = [=](const AluInputs& in) {
    return value(wrap(half(in.s1, 0) * two_to(16) + half(in.s0, 0), 32));
  };
  models["s_pack_lh_b32_b16"] = [=](const AluInputs& in) {
    return value(wrap(half(in.s1, 1) * two_to(16) + half(in.s0, 0), 32));
  };
  models["s_pack_hh_b32_b16"] = [=](const AluInputs& in) {
    return value(wrap(half(in.s1, 1) * two_to(16) + half(in.s0, 1), 32));
  };
}

bool any_in_quad(u64 pattern, u32 quad) {
  return bit(pattern, 4 * quad) || bit(pattern, 4 * quad + 1) || bit(pattern, 4 * quad + 2) ||
         bit(pattern, 4 * quad + 3);
}

u64 count_bits(u64 pattern, u32 bits, bool wanted) {
  u64 count = 0;
  for (u32 i = 0; i < bits; ++i) count += bit(pattern, i) == wanted ? 1 : 0;
  return count;
}

/// The number of bits, from the bottom or the top, before the first one that is `wanted`; all ones if none exists.
u64 skipped(u64 pattern, u32 bits, bool wanted, bool from_top) {
  for (u32 i = 0; i < bits; ++i) {
    if (bit(pattern, from_top ? bits - 1 - i : i) == wanted) return i;
  }
  return 0xffffffff;
}

void add_bits(Models& models) {
  for (const u32 bits : {32U, 64U}) {
    const std::string n = std::to_string(bits);
    models["s_wqm_b" + n] = [bits](const AluInputs& in) {
      return nonzero(bit_by_bit(bits, [&](u32 i) { return any_in_quad(in.s0, i / 4); }));
    };
    models["s_quadmask_b" + n] = [bits](const AluInputs& in) {
      return nonzero(bit_by_bit(bits / 4, [&](u32 i) { return any_in_quad(in.s0, i); }));
    };
    models["s_brev_b" + n] = [bits](const AluInputs& in) {
      return value(bit_by_bit(bits, [&](u32 i) { return bit(in.s0, bits - 1 - i); }));
    };
    models["s_bcnt0_i32_b" + n] = [bits](const AluInputs& in) { return nonzero(count_bits(in.s0, bits, false)); };
    models["s_bcnt1_i32_b" + n] = [bits](const AluInputs& in) { return nonzero(count_bits(in.s0, bits, true)); };
    models["s_ff0_i32_b" + n] = [bits](const AluInputs& in) { return value(skipped(in.s0, bits, false, false)); };
    models["s_ff1_i32_b" + n] = [bits](const AluInputs& in) { return value(skipped(in.s0, bits, true, false)); };
    models["s_flbit_i32_b" + n] = [bits](const AluInputs& in) { return value(skipped(in.s0, bits, true, true)); };
    models[bits == 32 ? "s_flbit_i32" : "s_flbit_i32_i64"] = [bits](const AluInputs& in) {
      return value(skipped(in.s0, bits, !bit(in.s0, bits - 1), true));
    };
    for (const bool set : {false, true}) {
      models[std::string("s_bitset") + (set ? "1" : "0") + "_b" + n] = [bits, set](const AluInputs& in) {
        return value(bit_by_bit(bits, [&](u32 i) { return i == in.s0 % bits ? set : bit(in.old, i); }));
      };
      models[std::string("s_bitcmp") + (set ? "1" : "0") + "_b" + n] = [bits, set](const AluInputs& in) {
        return only_scc(bit(in.s0, static_cast<u32>(in.s1 % bits)) == set);
      };
    }
  }
  models["s_sext_i32_i8"] = [](const AluInputs& in) { return value(wrap(signed_value(in.s0, 8), 32)); };
  models["s_sext_i32_i16"] = [](const AluInputs& in) { return value(wrap(signed_value(in.s0, 16), 32)); };
  models["s_bitreplicate_b64_b32"] = [](const AluInputs& in) {
    return value(bit_by_bit(64, [&](u32 i) { return bit(in.s0, i / 2); }));
  };
}

void add_moves(Models& models) {
  for (const u32 bits : {32U, 64U}) {
    const std::string n = std::to_string(bits);
    models["s_mov_b" + n] = [](const AluInputs& in) { return value(in.s0); };
    models["s_cmov_b" + n] = [](const AluInputs& in) { return in.scc ? value(in.s0) : AluResult{}; };
    models["s_cselect_b" + n] = [](const AluInputs& in) { return value(in.scc ? in.s0 : in.s1); };
  }
  models["s_movk_i32"] = [](const AluInputs& in) { return value(wrap(simm16_signed(in), 32)); };
  models["s_cmovk_i32"] = [](const AluInputs& in) { return in.scc ? value(wrap(simm16_signed(in), 32)) : AluResult{}; };
  models["s_mov_fed_b32"] = [](const AluInputs& in) { return AluResult{in.s0, {}, {}, true}; };
}

void add_compares(Models& models) {
  const std::map<std::string, std::function<bool(Wide, Wide)>> relations = {
      {"eq", std::equal_to<Wide>()},      {"lg", std::not_equal_to<Wide>()}, {"gt", std::greater<Wide>()},
      {"ge", std::greater_equal<Wide>()}, {"lt", std::less<Wide>()},         {"le", std::less_equal<Wide>()},
  };
  for (const auto& entry : relations) {
    const std::string& name = entry.first;
    const auto& relation = entry.second;
    models["s_cmp_" + name + "_i32"] = [relation](const AluInputs& in) {
      return only_scc(relation(signed_value(in.s0, 32), signed_value(in.s1, 32)));
    };
    models["s_cmp_" + name + "_u32"] = [relation](const AluInputs& in) {
      return only_scc(relation(unsigned_value(in.s0, 32), unsigned_value(in.s1, 32)));
    };
    models["s_cmp_" + name + "_u64"] = [relation](const AluInputs& in) {
      return only_scc(relation(unsigned_value(in.s0, 64), unsigned_value(in.s1, 64)));
    };
    models["s_cmpk_" + name + "_i32"] = [relation](const AluInputs& in) {
      return only_scc(relation(signed_value(in.old, 32), simm16_signed(in)));
    };
    models["s_cmpk_" + name + "_u32"] = [relation](const AluInputs& in) {
      return only_scc(relation(unsigned_value(in.old, 32), simm16_unsigned(in)));
    };
  }
}

Models make_models(bool first_wins_ties) {
  Models models;
  add_logic(models);
  add_arithmetic(models);
  add_shifts(models);
  add_bits(models);
  add_moves(models);
  add_compares(models);
  for (const bool is_signed : {false, true}) {
    models[is_signed ? "s_max_i32" : "s_max_u32"] =
        first_wins_ties ? choose(is_signed, std::greater_equal<Wide>()) : choose(is_signed, std::greater<Wide>());
  }
  return models;
}

}  // namespace

const AluModel* find_alu_model(Generation generation, std::string_view mnemonic) {
  static const Models common = make_models(false);
  static const Models cdna3 = make_models(true);
  const Models& models = generation >= Generation::cdna3 ? cdna3 : common;
  const auto found = models.find(mnemonic);
  return found == models.end() ? nullptr : &found->second;
}

bool sign_extends_literal(std::string_view mnemonic) {
  return mnemonic == "s_ashr_i64" || mnemonic == "s_bfe_i64" || mnemonic == "s_flbit_i32_i64";
}

bool reads_destination(std::string_view mnemonic) {
  return mnemonic.starts_with("s_bitset") || mnemonic.starts_with("s_cmpk_") || mnemonic == "s_addk_i32" ||
         mnemonic == "s_mulk_i32";
}

}  // namespace salu::test
