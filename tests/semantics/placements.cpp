#include "semantics/placements.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>
#include <set>

namespace salu::test {
namespace {

constexpr u32 allocated_sgprs = 48;
constexpr u64 base_address = 0x1000;
constexpr u32 sh_mem_bases = 15;

/// The location of an operand.
struct Place {
  enum class Storage : u8 { file, beyond, tba, tma, constant, literal, vccz, execz, scc, aperture };
  std::string name;
  u32 code = 0;
  Storage storage = Storage::file;
  bool privileged = false;  ///< writable only with STATUS.PRIV
  bool with_priv = false;   ///< and STATUS.PRIV is set
  std::optional<u32> literal{};
};
using Storage = Place::Storage;

struct Widths {
  u32 d = 0;
  u32 s0 = 0;
  u32 s1 = 0;
};

u64 cut(u64 value, u32 dwords) { return dwords == 2 ? value : value & 0xffffffff; }

// ---- reading and writing places ----

u64 read_file(const WaveState& state, u32 code, u32 dwords) {
  return dwords == 2 ? state.read64(code) : state.file[code];
}

u64 aperture_value(const WaveState& state, u32 code) {
  const u32 bases = state.hwregs[sh_mem_bases];
  const u64 base = code <= 236 ? bases >> 16 : bases & 0xffff;
  return base << 48 | (code == 236 || code == 238 ? 0xffffffff : 0);
}

u64 read_place(const WaveState& state, const Place& place, u32 dwords, bool sign_extend_literal) {
  switch (place.storage) {
    case Storage::file:
      return read_file(state, place.code, dwords);
    case Storage::beyond:
      return read_file(state, 0, dwords);
    case Storage::tba:
      return cut(state.tba >> (place.code % 2 * 32), dwords);
    case Storage::tma:
      return cut(state.tma >> (place.code % 2 * 32), dwords);
    case Storage::constant:
      return place.code == 239 ? 0 : inline_constant(place.code, dwords);
    case Storage::literal:
      return sign_extend_literal ? static_cast<u64>(i64{static_cast<i32>(*place.literal)}) : *place.literal;
    case Storage::vccz:
      return state.vcc() == 0 ? 1 : 0;
    case Storage::execz:
      return state.exec() == 0 ? 1 : 0;
    case Storage::scc:
      return state.scc ? 1 : 0;
    case Storage::aperture:
      return cut(aperture_value(state, place.code), dwords);
  }
  return 0;
}

void write_file(WaveState& state, u32 code, u32 dwords, u64 value) {
  state.file[code] = static_cast<u32>(value);
  if (dwords == 2) state.file[code + 1] = static_cast<u32>(value >> 32);
}

void write_address(u64& address, u32 code, u32 dwords, u64 value) {
  const u32 shift = code % 2 * 32;
  const u64 mask = dwords == 2 ? ~u64{0} : u64{0xffffffff} << shift;
  address = (address & ~mask) | (value << shift & mask);
}

/// Sets a place to a value as far as possible.
void prepare(WaveState& state, const Place& place, u32 dwords, u64 value) {
  switch (place.storage) {
    case Storage::file:
      write_file(state, place.code, dwords, value);
      break;
    case Storage::beyond:
      write_file(state, 0, dwords, value);
      break;
    case Storage::tba:
      write_address(state.tba, place.code, dwords, value);
      break;
    case Storage::tma:
      write_address(state.tma, place.code, dwords, value);
      break;
    case Storage::vccz:
      state.write64(code::vcc, value == 1 ? 0 : u64{1} << 40);
      break;
    case Storage::execz:
      state.write64(code::exec, value == 1 ? 0 : u64{1} << 40);
      break;
    case Storage::aperture:
      state.hwregs[sh_mem_bases] = static_cast<u32>(value >> 48) << (place.code <= 236 ? 16 : 0);
      break;
    case Storage::constant:
    case Storage::literal:
    case Storage::scc:
      break;
  }
}

// ---- all places ----

void add_registers(std::vector<Place>& places, Generation generation, u32 dwords) {
  const bool gfx9 = is_gfx9(generation);
  places.push_back({"last allocated sgpr", allocated_sgprs - dwords});
  places.push_back({"first sgpr beyond the allocation", allocated_sgprs, Storage::beyond});
  places.push_back({"s100", 100, Storage::beyond});
  if (generation == Generation::gcn1_1) places.push_back({"flat_scratch", 104});
  if (is_gcn1_2_or_later(generation)) {
    places.push_back({"flat_scratch", 102});
    places.push_back({"xnack_mask", 104});
  }
  places.push_back({"vcc", 106});
  places.push_back({"exec", 126});
  const u32 first_ttmp = gfx9 ? 108 : 112;
  for (const bool priv : {false, true}) {
    const std::string suffix = priv ? " with priv" : "";
    places.push_back({"first ttmp" + suffix, first_ttmp, Storage::file, true, priv});
    places.push_back({"last ttmp" + suffix, 124 - dwords, Storage::file, true, priv});
    if (gfx9) continue;
    places.push_back({"tba" + suffix, 108, Storage::tba, true, priv});
    places.push_back({"tma" + suffix, 110, Storage::tma, true, priv});
    if (dwords == 2) continue;
    places.push_back({"tba_hi" + suffix, 109, Storage::tba, true, priv});
    places.push_back({"tma_hi" + suffix, 111, Storage::tma, true, priv});
  }
  if (dwords == 2) return;
  places.push_back({"odd sgpr", 21});
  places.push_back({"vcc_hi", 107});
  places.push_back({"exec_hi", 127});
  places.push_back({"m0", 124});
}

void add_constants(std::vector<Place>& places, Generation generation, u32 dwords, u64 value, bool sign_extend_literal) {
  for (u32 code = 128; code <= 248; ++code) {
    const bool there = code <= 208 || (code >= 240 && (code <= 247 || is_gcn1_2_or_later(generation)));
    if (there && inline_constant(code, dwords) == value) {
      places.push_back({"constant " + std::to_string(code), code, Storage::constant});
    }
  }
  if (is_gfx9(generation)) {
    for (u32 code = 235; code <= 238; ++code) {
      places.push_back({"aperture " + std::to_string(code), code, Storage::aperture});
    }
    places.push_back({"src_pops_exiting_wave_id", 239, Storage::constant});
  }
  places.push_back({"src_vccz", 251, Storage::vccz});
  places.push_back({"src_execz", 252, Storage::execz});
  places.push_back({"src_scc", 253, Storage::scc});
  Place literal{"literal", 255, Storage::literal};
  literal.literal = static_cast<u32>(value);
  if (dwords == 1 || read_place({}, literal, 2, sign_extend_literal) == value) places.push_back(literal);
}

Place plain_place(u32 sgpr) { return {"s" + std::to_string(sgpr), sgpr}; }

std::vector<Place> source_places(const AluCase& alu_case, u32 plain, u32 dwords, u64 value, bool sign_extend_literal) {
  std::vector<Place> places = {plain_place(plain)};
  if (dwords == 0) return places;
  add_registers(places, alu_case.generation, dwords);
  add_constants(places, alu_case.generation, dwords, value, sign_extend_literal);
  return places;
}

constexpr u32 plain_s0 = 4;
constexpr u32 plain_s1 = 8;
constexpr u32 plain_d = 12;

std::vector<Place> destination_places(const AluCase& alu_case, u32 dwords) {
  std::vector<Place> places = {plain_place(plain_d)};
  if (dwords == 0) return places;
  add_registers(places, alu_case.generation, dwords);
  places.push_back({"ssrc0's own register", plain_s0});
  places.push_back({"ssrc1's own register", plain_s1});
  return places;
}

/// SDST is a source in the S_CMPK group, whose rows have no destination.
Widths widths_of(const OpcodeRow& row) {
  if (row.format == "SOPK") return {std::max(row.dst_dwords, row.src0_dwords), 0, 0};
  return {row.dst_dwords, row.src0_dwords, row.src1_dwords};
}

// ---- layouts ----

std::vector<u32> encode(const AluCase& alu_case, const OpcodeRow& row, const Place& d, const Place& s0,
                        const Place& s1) {
  Code code(alu_case.generation, base_address);
  const Operand sdst{d.code};
  const Operand ssrc0{s0.code, s0.literal};
  const Operand ssrc1{s1.code, s1.literal};
  if (row.format == "SOP2") code.sop2(row.mnemonic, sdst, ssrc0, ssrc1);
  if (row.format == "SOP1") code.sop1(row.mnemonic, sdst, ssrc0);
  if (row.format == "SOPC") code.sopc(row.mnemonic, ssrc0, ssrc1);
  if (row.format == "SOPK") code.sopk(row.mnemonic, sdst, static_cast<i64>(alu_case.in.s1));
  return code.words();
}

void define(WaveState& state, u32 first, u32 count) {
  for (u32 i = 0; i < count; ++i) state.defined.set(first + i);
}

/// Writes D to a destination that accepts it.
void write_destination(WaveState& state, const Place& d, u32 dwords, u64 value) {
  prepare(state, d, dwords, value);
  const bool is_address = d.storage == Storage::tba || d.storage == Storage::tma;
  const u32 address_index = (d.storage == Storage::tba ? state_index::tba : state_index::tma) + d.code % 2;
  define(state, is_address ? address_index : d.code, dwords);
}

/// Nothing if the places cannot hold the values at the same time.
std::optional<Placement> place(const AluCase& alu_case, const OpcodeRow& row, const Place& d, const Place& s0,
                               const Place& s1) {
  const AluInputs& in = alu_case.in;
  const AluResult& out = alu_case.out;
  const Widths widths = widths_of(row);
  const bool reads_old = reads_destination(alu_case.mnemonic);
  const bool sign_extend = sign_extends_literal(alu_case.mnemonic);
  if (s0.literal && s1.literal && *s0.literal != *s1.literal) return std::nullopt;

  Placement result;
  WaveState& initial = result.initial;
  initial = noisy_state(alu_case.generation);
  initial.pc = base_address;
  initial.scc = in.scc;
  if (d.with_priv || s0.with_priv || s1.with_priv) initial.status |= 1U << status_bit::priv;
  if (out.exec) initial.write64(code::exec, in.exec);
  if (widths.d != 0 && reads_old) prepare(initial, d, widths.d, in.old);
  if (widths.s1 != 0) prepare(initial, s1, widths.s1, in.s1);
  if (widths.s0 != 0) prepare(initial, s0, widths.s0, in.s0);
  const auto holds = [&](const Place& at, u32 dwords, u64 value, bool extend) {
    // Without STATUS.PRIV a TTMP of CDNA 3 reads as 0 (its ISA manual, 3.10).
    const bool hides = alu_case.generation >= Generation::cdna3 && at.storage == Storage::file && at.code >= 108 &&
                       at.code <= 123 && !initial.status_flag(status_bit::priv);
    return dwords == 0 || (hides ? 0 : read_place(initial, at, dwords, extend)) == cut(value, dwords);
  };
  if (!holds(s0, widths.s0, in.s0, sign_extend) || !holds(s1, widths.s1, in.s1, false)) return std::nullopt;
  if (reads_old && !holds(d, widths.d, in.old, false)) return std::nullopt;
  if (out.exec && initial.exec() != in.exec) return std::nullopt;

  std::set<std::string> warnings;
  result.expected = initial;
  WaveState& expected = result.expected;
  const auto note_source = [&](const Place& at, u32 dwords) {
    if (dwords == 0) return;
    if (at.storage == Storage::beyond) warnings.insert("register_out_of_range");
    if (at.storage == Storage::aperture && dwords == 1) warnings.insert("unspecified_result");
    if (at.code == 239) warnings.insert("no_functional_effect");  // SRC_POPS_EXITING_WAVE_ID
  };
  note_source(s0, widths.s0);
  note_source(s1, widths.s1);
  if (reads_old) note_source(d, widths.d);
  if (out.unspecified) warnings.insert("unspecified_result");
  if (out.exec) expected.write64(code::exec, *out.exec);
  if (out.scc) {
    expected.scc = *out.scc;
    define(expected, state_index::scc, 1);
  }
  if (out.d) {
    if (d.storage == Storage::beyond) {
      warnings.insert("register_out_of_range");
    } else if (d.privileged && !expected.status_flag(status_bit::priv)) {
      warnings.insert("dropped_write");
    } else {
      if (out.exec && d.code == code::exec && *out.d != *out.exec) warnings.insert("unspecified_result");
      write_destination(expected, d, widths.d, *out.d);
    }
  }
  result.words = encode(alu_case, row, d, s0, s1);
  expected.pc = base_address + 4 * result.words.size();
  for (const std::string& name : warnings) result.warnings += (result.warnings.empty() ? "" : " ") + name;
  result.text = "sdst: " + d.name + ", ssrc0: " + s0.name + ", ssrc1: " + s1.name;
  return result;
}

struct Choices {
  const OpcodeRow& row;
  std::vector<Place> d;
  std::vector<Place> s0;
  std::vector<Place> s1;

  explicit Choices(const AluCase& alu_case) : row(opcode_row(alu_case.generation, alu_case.mnemonic)) {
    const Widths widths = widths_of(row);
    d = destination_places(alu_case, widths.d);
    s0 = source_places(alu_case, plain_s0, widths.s0, cut(alu_case.in.s0, widths.s0),
                       sign_extends_literal(alu_case.mnemonic));
    s1 = source_places(alu_case, plain_s1, widths.s1, cut(alu_case.in.s1, widths.s1), false);
  }
};

}  // namespace

u64 inline_constant(u32 code, u32 dwords) {
  static constexpr float floats[] = {0.5F, -0.5F, 1.0F, -1.0F, 2.0F, -2.0F, 4.0F, -4.0F};
  if (code == 248) return dwords == 2 ? 0x3fc45f306dc9c882 : 0x3e22f983;  // 1 / (2 * pi)
  if (code >= 240) {
    const float value = floats[code - 240];
    return dwords == 2 ? std::bit_cast<u64>(double{value}) : std::bit_cast<u32>(value);
  }
  const i64 value = code <= 192 ? i64{code} - 128 : 192 - i64{code};
  return cut(static_cast<u64>(value), dwords);
}

WaveState noisy_state(Generation generation) {
  WaveState state = initial_state(generation);
  for (u32 i = 0; i < code::count; ++i) {
    const bool there = i != 125 && (is_gfx9(generation) || i < 108 || i > 111);
    if (there) state.file[i] = 0x9e3779b9 * (i + 1) ^ 0x5bd1e995;
  }
  state.tba = 0x000000a1b2c3d400;
  state.tma = 0x000000e5f6a7b800;
  state.mode = 0x600003c0;  // CSP = 3
  state.status = 0x00010840;
  for (u32 id = 3; id < 16; ++id) state.hwregs[id] = 0x01000193 * (id + 7);
  state.sgprs = allocated_sgprs;
  for (u32 i = 0; i < state_index::defined_count; ++i) state.defined.set(i, i % 3 == 0);
  state.defined.set(code::exec).set(code::exec + 1);
  return state;
}

Placement plain_placement(const AluCase& alu_case) {
  const OpcodeRow& row = opcode_row(alu_case.generation, alu_case.mnemonic);
  return place(alu_case, row, plain_place(plain_d), plain_place(plain_s0), plain_place(plain_s1)).value();
}

std::vector<Placement> all_placements(const AluCase& alu_case) {
  const Choices choices(alu_case);
  std::vector<Placement> placements;
  const auto add = [&](const Place& d, const Place& s0, const Place& s1) {
    if (auto placement = place(alu_case, choices.row, d, s0, s1)) placements.push_back(std::move(*placement));
  };
  // A destination beyond the allocation forces the general handler, so each source is tried with both.
  std::vector<Place> some_d = {choices.d[0]};
  const auto beyond = std::ranges::find(choices.d, Storage::beyond, &Place::storage);
  if (beyond != choices.d.end()) some_d.push_back(*beyond);
  for (const Place& d : some_d) {
    for (const Place& s0 : choices.s0) add(d, s0, choices.s1[0]);
    for (std::size_t i = 1; i < choices.s1.size(); ++i) add(d, choices.s0[0], choices.s1[i]);
  }
  for (std::size_t i = 1; i < choices.d.size(); ++i) add(choices.d[i], choices.s0[0], choices.s1[0]);
  // Constants and literals in both sources, including a shared literal.
  const auto is_constant = [](const Place& at) { return at.code >= 128; };
  for (const Place& s0 : choices.s0) {
    for (const Place& s1 : choices.s1) {
      if (is_constant(s0) && is_constant(s1)) add(choices.d[0], s0, s1);
    }
  }
  return placements;
}

Placement random_placement(const AluCase& alu_case, std::mt19937_64& random) {
  const Choices choices(alu_case);
  const auto any = [&](const std::vector<Place>& places) -> const Place& { return places[random() % places.size()]; };
  for (int attempt = 0; attempt < 8; ++attempt) {
    const Place& d = any(choices.d);
    const Place& s0 = any(choices.s0);
    const Place& s1 = any(choices.s1);
    if (auto placement = place(alu_case, choices.row, d, s0, s1)) return *placement;
  }
  return plain_placement(alu_case);
}

std::string run_placement(const AluCase& alu_case, const Placement& placement, Dispatch dispatch) {
  Code code(alu_case.generation, base_address);
  for (const u32 word : placement.words) code.word(word);
  code.end();
  RunOptions options;
  options.dispatch = dispatch;
  const Outcome outcome = run_code(code, placement.initial, options);
  std::string problems = difference(placement.expected, outcome.state);
  if (outcome.stop.reason != StopReason::end_program || outcome.steps != 2) {
    problems += "  stopped with " + std::string(outcome.stop.reason_name()) + " after " +
                std::to_string(outcome.steps) + " steps: " + outcome.stop.detail + '\n';
  }
  std::set<std::string_view> names;
  for (const Warning& warning : outcome.warnings) names.insert(warning_kind_name(warning.kind));
  std::string warnings;
  for (const std::string_view name : names) warnings += (warnings.empty() ? "" : " ") + std::string(name);
  if (warnings != placement.warnings) {
    problems += "  warnings: expected {" + placement.warnings + "}, are {" + warnings + "}\n";
  }
  if (problems.empty()) return problems;
  return alu_case.mnemonic + " on " + std::string(generation_name(alu_case.generation)) + ", " + placement.text + '\n' +
         problems;
}

}  // namespace salu::test
