#include <gtest/gtest.h>
#include <salu/run.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "repetitions.hpp"
#include "unit/loader_helpers.hpp"

// The undefined bits of memory after lanes have stored and loaded, against a model of single bytes: addresses are
// computed here, and loads and stores move the bits of the bytes that they access.
namespace salu::test {
namespace {

constexpr u32 lanes = 64;
constexpr u32 first_data = 8;  ///< registers that are loaded and stored: v8 to v31
constexpr u32 end_data = 32;
constexpr u32 first_given = 20;  ///< SGPRs with undefined bits: s20 to s27
constexpr u32 given = 8;
constexpr u64 plain = 0x100000;
constexpr u64 private_memory = 0x140000000;
constexpr u64 results = 0x200000;

struct Width {
  const char* store;
  const char* load;
  u32 bytes;
  bool is_signed = false;
};
constexpr std::array<Width, 8> widths = {{{"byte", "ubyte", 1},
                                          {"byte", "sbyte", 1, true},
                                          {"short", "ushort", 2},
                                          {"short", "sshort", 2, true},
                                          {"dword", "dword", 4},
                                          {"dwordx2", "dwordx2", 8},
                                          {"dwordx3", "dwordx3", 12},
                                          {"dwordx4", "dwordx4", 16}}};

using Row = std::array<u32, lanes>;

/// A random program of stores and loads, with the undefined bits that it leaves.
class Model {
 public:
  Model(std::string target, u64 seed) : target_(std::move(target)), random_(seed) {
    for (Row& row : registers_) row.fill(~u32{0});
    for (u32& mask : sgprs_) mask = below(3) == 0 ? 0 : static_cast<u32>(random_() & random_());
    for (u32 k = 0; k < addresses_.size(); ++k) addresses_[k] = offsets(k);
    for (int i = 0; i < 60; ++i) step();
    end();
  }

  [[nodiscard]] Scenario scenario() const {
    std::string text = "target: " + target_ + "\nregisters:\n";
    for (u32 k = 0; k < addresses_.size(); ++k) text += list("v" + std::to_string(k), addresses_[k], 0);
    text += list("v4", addresses_[0], plain) + "  v5: 0\n" + list("v6", addresses_[2], plain) + "  v7: 0\n";
    const std::string format = target_ == "gfx700" ? "0x00ea4fac" : target_ == "gfx803" ? "0x00e84fac" : "0x00e04fac";
    text += "  s[8:11]: [" + std::to_string(plain) + ", 0, 0x4000, 0x00027000]\n";
    text += "  s[12:15]: [0x40000000, 0x80000001, 0x00100000, " + format + "]\n";
    text += "  s[16:19]: [" + std::to_string(results) + ", 0, 0x4000, 0x00027000]\n";
    for (u32 k = 0; k < given; ++k) text += "  s" + std::to_string(first_given + k) + ": 0x12345678\n";
    text += "memory:\n- {at: 0x100000, size: 0x4000}\n- {at: 0x140000000, size: 0x100000}\n";
    text += "- {at: 0x200000, size: 0x4000}\ncode:\n  asm: |\n" + code_;
    Scenario scenario = load_good(text);
    for (u32 k = 0; k < given; ++k) {
      if (sgprs_[k] != 0) scenario.initial.undefined_bits.push_back({first_given + k, sgprs_[k]});
    }
    return scenario;
  }
  /// By address of the dword.
  [[nodiscard]] std::map<u64, u32> undefined_memory() const {
    std::map<u64, u32> dwords;
    for (const auto& [address, mask] : bytes_) {
      if (mask != 0) dwords[address & ~u64{3}] |= u32{mask} << (address % 4 * 8);
    }
    return dwords;
  }
  [[nodiscard]] const std::string& code() const { return code_; }

 private:
  u32 below(u32 limit) { return static_cast<u32>(random_() % limit); }

  /// Consecutive lanes, with one lane elsewhere, in pieces of 16 bytes, and these in any order.
  Row offsets(u32 kind) {
    Row row{};
    std::iota(row.begin(), row.end(), 0U);
    if (kind == 3) std::ranges::shuffle(row, random_);
    for (u32& offset : row) offset *= kind < 2 ? 4 : 16;
    if (kind == 1) row[below(lanes)] = 0x1000;
    return row;
  }
  static std::string list(const std::string& name, const Row& row, u64 base) {
    std::string text = "  " + name + ": [";
    for (const u32 value : row) text += std::to_string(base + value) + ", ";
    return text + "]\n";
  }
  void line(const std::string& text) { code_ += "    " + text + "\n"; }

  void step() {
    switch (below(4)) {
      case 0:
        return set_exec(below(2) == 0 ? ~u64{0} : random_());
      case 1:
        return move();
      default:
        return access();
    }
  }
  void set_exec(u64 exec) {
    exec_ = exec;
    line("s_mov_b32 exec_lo, " + std::to_string(static_cast<u32>(exec)));
    line("s_mov_b32 exec_hi, " + std::to_string(exec >> 32));
  }
  void move() {
    const u32 from = below(given);
    const u32 to = first_data + below(end_data - first_data);
    line("v_mov_b32_e32 v" + std::to_string(to) + ", s" + std::to_string(first_given + from));
    for (u32 lane = 0; lane < lanes; ++lane) {
      if ((exec_ >> lane & 1) != 0) registers_[to][lane] = sgprs_[from];
    }
  }

  void access() {
    const Width& width = widths[below(widths.size())];
    const u32 dwords = std::max(width.bytes / 4, 1U);
    const u32 align = std::min(width.bytes, 4U);
    // On CDNA 2, several registers begin with an even one.
    const u32 data = (first_data + below(end_data - first_data - 3)) & ~u32{dwords > 1 ? 1U : 0U};
    const std::string operand = "v[" + std::to_string(data) + ":" + std::to_string(data + dwords - 1) + "]";
    const bool is_store = below(2) == 0;
    const std::string name = std::string(is_store ? "store_" : "load_") + (is_store ? width.store : width.load);
    // Stores of different lanes do not overlap.
    u32 kind = width.bytes > 4 ? 2 + below(2) : below(4);
    std::array<u64, lanes> places{};
    switch (below(3)) {
      case 0: {
        const u32 offset = below(0x400 / align) * align;
        line("buffer_" + name + " " + operand + ", v" + std::to_string(kind) +
             ", s[8:11], 0 offen offset:" + std::to_string(offset));
        for (u32 lane = 0; lane < lanes; ++lane) places[lane] = plain + addresses_[kind][lane] + offset;
        return transfer(is_store, width, data, [&](u32 lane, u32 byte) { return places[lane] + byte; });
      }
      case 1: {
        kind = width.bytes > 4 ? 2 : kind / 2 * 2;
        const bool is_flat = target_ == "gfx700" || target_ == "gfx803";
        const u32 offset = is_flat ? 0 : below(0x400 / align) * align;
        const std::string address = kind == 0 ? "v[4:5]" : "v[6:7]";
        const std::string behind = is_flat ? "" : ", off offset:" + std::to_string(offset);
        line((is_flat ? "flat_" : "global_") + name + " " +
             (is_store ? address + ", " + operand : operand + ", " + address) + behind);
        for (u32 lane = 0; lane < lanes; ++lane) places[lane] = plain + addresses_[kind][lane] + offset;
        return transfer(is_store, width, data, [&](u32 lane, u32 byte) { return places[lane] + byte; });
      }
      default: {
        // The dwords of all lanes are consecutive.
        const u32 offset = below(0x40 / align) * align;
        line("buffer_" + name + " " + operand + ", off, s[12:15], 0 offset:" + std::to_string(offset));
        return transfer(is_store, width, data, [&](u32 lane, u32 byte) {
          const u64 at = offset + byte;
          return private_memory + at / 4 * 256 + lane * u64{4} + at % 4;
        });
      }
    }
  }

  template <class PlaceOf>
  void transfer(bool is_store, const Width& width, u32 data, const PlaceOf& place_of) {
    for (u32 lane = 0; lane < lanes; ++lane) {
      if ((exec_ >> lane & 1) == 0) continue;
      std::array<u32, 4> loaded{};
      for (u32 byte = 0; byte < width.bytes; ++byte) {
        u8& kept = bytes_[place_of(lane, byte)];
        const u32 shift = byte % 4 * 8;
        if (is_store) kept = static_cast<u8>(registers_[data + byte / 4][lane] >> shift);
        loaded[byte / 4] |= u32{kept} << shift;
      }
      if (is_store) continue;
      const u32 sign = 1U << (std::min(width.bytes, 4U) * 8 - 1);
      if (width.is_signed && (loaded[0] & sign) != 0) loaded[0] |= ~(sign - 1);
      for (u32 k = 0; k < std::max(width.bytes / 4, 1U); ++k) registers_[data + k][lane] = loaded[k];
    }
  }

  /// Stores all registers, to make loaded values visible.
  void end() {
    set_exec(~u64{0});
    for (u32 k = first_data; k < end_data; ++k) {
      const u32 offset = (k - first_data) * lanes * 4;
      line("s_mov_b32 s30, " + std::to_string(offset));
      line("buffer_store_dword v" + std::to_string(k) + ", v0, s[16:19], s30 offen");
      const Width& dword = widths[4];
      transfer(true, dword, k, [&](u32 lane, u32 byte) { return results + offset + lane * u64{4} + byte; });
    }
    line("s_endpgm");
  }

  std::string target_;
  std::mt19937_64 random_;
  std::string code_;
  u64 exec_ = ~u64{0};
  std::array<Row, end_data> registers_{};
  std::array<u32, given> sgprs_{};
  std::array<Row, 4> addresses_{};
  std::map<u64, u8> bytes_;
};

class UndefinedInMemory : public testing::TestWithParam<const char*> {};

TEST_P(UndefinedInMemory, AgreesWithTheModel) {
  std::size_t most = 0;
  for (int i = 0; i < repetitions(30); ++i) {
    const Model model(GetParam(), static_cast<u64>(i));
    const Scenario scenario = model.scenario();
    RunOptions options = scenario.options;
    options.check_undefined = CheckUndefined::bits;
    const Outcome outcome = run(scenario, options);
    ASSERT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    std::map<u64, u32> undefined;
    for (const UndefinedMemory& each : outcome.undefined_memory) undefined[each.address] = each.mask;
    ASSERT_EQ(undefined, model.undefined_memory()) << "program " << i << "\n" << model.code();
    most = std::max(most, undefined.size());
  }
  EXPECT_GT(most, lanes);
}

INSTANTIATE_TEST_SUITE_P(Targets, UndefinedInMemory, testing::Values("gfx700", "gfx803", "gfx900", "gfx908", "gfx90a"),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace
}  // namespace salu::test
