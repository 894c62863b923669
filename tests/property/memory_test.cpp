#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "generation_names.hpp"
#include "property/outcomes.hpp"
#include "repetitions.hpp"

// Random loads, stores and atomics over random regions against memory as a map of bytes: in and out of bounds, across
// pages and regions, on code, by every dispatch loop; with snapshots in between.
namespace salu::test {
namespace {

constexpr u64 code_base = 0x1000;
constexpr u64 data_base = 0x20000;
constexpr u32 base_register = 4;  // s[4:7]
constexpr u32 offset_register = 8;
constexpr u32 first_data = 16;  // s[16:63] are loaded, stored and returned
constexpr u32 data_registers = 48;

struct Byte {
  u8 value = 0;
  bool mapped = false;
  bool writable = false;
};

/// The expected memory and registers: an array of bytes for the code, one for the data.
struct Model {
  static constexpr u64 code_bytes = 0x1000;
  static constexpr u64 data_begin = data_base - 0x1000;
  static constexpr u64 data_end = data_base + 0xc000;
  std::vector<Byte> bytes = std::vector<Byte>(code_bytes + data_end - data_begin);
  std::array<u32, 128> registers{};

  static bool is_code(u64 address) { return address - code_base < code_bytes; }
  static bool covers(u64 address) { return is_code(address) || (address >= data_begin && address < data_end); }
  static std::size_t index(u64 address) {
    return is_code(address) ? address - code_base : code_bytes + (address - data_begin);
  }
  [[nodiscard]] Byte at(u64 address) const { return covers(address) ? bytes.at(index(address)) : Byte{}; }
  Byte& at(u64 address) { return bytes.at(index(address)); }
  [[nodiscard]] u32 load(u64 address) const {
    u32 value = 0;
    for (u64 i = 4; i-- > 0;) value = value * 256 + at(address + i).value;
    return value;
  }
  void store(u64 address, u32 value) {
    for (u64 i = 0; i < 4; ++i) at(address + i).value = static_cast<u8>(value >> 8 * i);
  }
};

enum class AccessKind : u8 { load, store, add, swap };

/// One access; its encoding is chosen at random.
struct Op {
  AccessKind kind{};
  u32 dwords = 1;
  u32 sdata = 0;
  bool glc = false;
  std::optional<u64> size_bytes{};  ///< of the buffer
  u64 base = 0;
  u64 offset = 0;
  std::string_view fault{};  ///< expected stop
};

/// A straight line of accesses, with the model before each of them and after the last.
struct Line {
  Program program;
  Memory memory;
  WaveState initial;
  std::vector<Model> models;
  std::vector<u64> steps;  ///< executed before each access
  std::string stop;
  u64 stop_pc = 0;
  std::size_t misaligned_atomics = 0;  ///< of 64 bits, each with a warning
};

class Lines {
 public:
  explicit Lines(u64 seed) : random_(seed) {}

  Line make(Generation generation) {
    generation_ = generation;
    line_ = {};
    line_.initial = initial_state(generation);
    line_.initial.pc = code_base;
    model_ = {};
    add_regions();
    code_access_ = chance(50) ? Access::read_write : Access::read;
    for (u32 i = 0; i < data_registers; ++i) {
      model_.registers[first_data + i] = line_.initial.file[first_data + i] = static_cast<u32>(random_());
    }
    words_.clear();
    line_.stop = "end_program";
    for (int i = 0; i < 60 && line_.stop == "end_program"; ++i) add(pick());
    if (line_.stop == "end_program") {
      line_.stop_pc = here();
      append_code({0xbf810000});  // s_endpgm
    }
    line_.models.push_back(model_);
    line_.steps.push_back(steps_ + 1);
    steps_ = 0;
    line_.program.target = find_target(generation_name(generation));
    line_.program.code = {{code_base, words_, code_access_}};
    line_.program.entry = code_base;
    EXPECT_TRUE(place_code(line_.program, line_.memory));
    // Nothing accesses memory after the code, but its page may be mapped as a whole.
    const u64 end = line_.program.code[0].end();
    if (chance(50)) {
      EXPECT_TRUE(line_.memory.add_region({end, code_base + Model::code_bytes - end}));
    }
    return std::move(line_);
  }

 private:
  u64 below(u64 limit) { return random_() % limit; }
  bool chance(u32 percent) { return below(100) < percent; }
  [[nodiscard]] u64 here() const { return code_base + 4 * words_.size(); }

  /// Regions of all sizes within nine pages, some of them adjacent, and whole pages.
  void add_regions() {
    std::vector<MemoryRegion> wanted = {{data_base + 0x3000, chance(50) ? 0x1000U : 0x4000U, Access::read_write}};
    for (int i = 0; i < 10; ++i) {
      const bool adjacent = chance(40) && !line_.memory.regions().empty();
      const u64 base = adjacent ? wanted[below(wanted.size())].end() : data_base + below(0x9000);
      wanted.push_back({base, 1 + below(chance(50) ? 0x40 : 0x1800), chance(70) ? Access::read_write : Access::read});
    }
    for (const MemoryRegion& region : wanted) {
      if (region.end() > Model::data_end || !line_.memory.add_region(region)) continue;
      std::vector<u8> values(region.size_bytes);
      for (u64 i = 0; i < values.size(); ++i) {
        values[i] = static_cast<u8>(random_());
        model_.at(region.base + i) = {values[i], true, region.access == Access::read_write};
      }
      line_.memory.write(region.base, values);
    }
  }

  /// An address in, at the edge of, or near mapped memory; sometimes in code that has been run.
  u64 pick_address() {
    if (chance(10)) return code_base + below(words_.size() * 4 + 1) / 4 * 4;
    if (chance(30)) {
      const auto regions = line_.memory.regions();
      const MemoryRegion& region = regions[below(regions.size())];
      return (chance(50) ? region.base : region.end()) - 32 + below(64);
    }
    return data_base + below(0x9000);
  }

  Op pick() {
    Op op;
    const u32 kinds = is_gfx9(generation_) ? 4 : is_gcn1_2_or_later(generation_) ? 2 : 1;
    do {
      op = {};
      op.kind = static_cast<AccessKind>(below(kinds));
      const u32 sizes = op.kind == AccessKind::load ? 5 : op.kind == AccessKind::store ? 3 : 2;
      op.dwords = 1U << below(sizes);
      op.sdata = first_data + static_cast<u32>(below(data_registers / op.dwords)) * op.dwords;
      op.glc = chance(50);
      const u64 address = pick_address();
      op.offset = below(chance(50) ? 0x80 : 0x800);
      op.base = address - op.offset;
      if (chance(40)) op.size_bytes = chance(50) ? op.offset + below(80) : below(0x1000);
      op.fault = fault_of(op);
    } while (reaches_code_ahead(op) || (!op.fault.empty() && !chance(3)));
    return op;
  }

  static u64 dword_address(const Op& op, u32 i) { return op.base / 4 * 4 + op.offset / 4 * 4 + 4 * u64{i}; }
  static bool in_bounds(const Op& op, u32 i) {
    return !op.size_bytes || op.offset / 4 * 4 + 4 * u64{i} < *op.size_bytes;
  }

  /// The contents there are not decided yet.
  bool reaches_code_ahead(const Op& op) {
    const u64 end = dword_address(op, op.dwords);
    return end > here() && dword_address(op, 0) < data_base - 0x100;
  }

  std::string_view fault_of(const Op& op) {
    const bool writes = op.kind != AccessKind::load;
    for (u32 i = 0; i < op.dwords; ++i) {
      const u64 address = dword_address(op, i);
      if (!in_bounds(op, i)) continue;
      // The first missing byte determines the stop.
      for (u64 byte = address; byte < address + 4; ++byte) {
        const Byte there = std::as_const(model_).at(byte);
        if (!there.mapped) return "unmapped_memory";
        if (writes && !there.writable) return "write_protected";
      }
    }
    return {};
  }

  /// The effect on the model.
  void apply(const Op& op) {
    if (!op.fault.empty()) return;
    const bool is_wide_atomic = op.kind >= AccessKind::add && op.dwords == 2;
    if (is_wide_atomic && in_bounds(op, 0) && dword_address(op, 0) % 8 != 0) ++line_.misaligned_atomics;
    std::array<u32, 16> old{};
    for (u32 i = 0; i < op.dwords; ++i) {
      if (in_bounds(op, i)) old[i] = model_.load(dword_address(op, i));
    }
    std::array<u32, 16> value{};
    u64 carry = 0;
    for (u32 i = 0; i < op.dwords; ++i) {
      const u32 data = model_.registers[op.sdata + i];
      const u64 sum = u64{old[i]} + data + carry;
      carry = sum >> 32;
      value[i] = op.kind == AccessKind::add ? static_cast<u32>(sum) : data;
    }
    for (u32 i = 0; i < op.dwords; ++i) {
      if (op.kind != AccessKind::load && in_bounds(op, i)) model_.store(dword_address(op, i), value[i]);
      const bool returns = op.kind == AccessKind::load || (op.kind != AccessKind::store && op.glc);
      if (returns) model_.registers[op.sdata + i] = old[i];
    }
  }

  // ---- encoding ----

  void append_code(std::initializer_list<u32> words) {
    for (const u32 word : words) {
      for (u64 i = 0; i < 4; ++i) {
        model_.at(here() + i) = {static_cast<u8>(word >> 8 * i), true, code_access_ == Access::read_write};
      }
      words_.push_back(word);
    }
  }

  /// s_mov_b32 with a literal.
  void move(u32 sgpr, u64 value) {
    append_code({0xbe8000ff | sgpr << 16 | (is_gcn1_2_or_later(generation_) ? 0U : 3U) << 8, static_cast<u32>(value)});
    ++steps_;
  }

  void add(const Op& op) {
    const bool smem = is_gcn1_2_or_later(generation_);
    u64 rest = op.offset;
    const u64 immediate = smem ? below(rest + 1) : rest / 4 * 4;
    move(base_register, op.base);
    const u64 base_high = op.base >> 32 & 0xffff;
    if (!op.size_bytes) {
      move(base_register + 1, base_high);
    } else {
      const u64 stride = *op.size_bytes % 4 == 0 && chance(50) ? 4 : chance(50) ? 1 : 0;
      move(base_register + 1, base_high | stride << 16);
      move(base_register + 2, *op.size_bytes / std::max<u64>(stride, 1));
    }
    // Only an immediate, only a register, or both if each of the two can be a multiple of four.
    const bool takes_register = chance(50) || (!smem && immediate > 255 * 4);
    const bool takes_both = takes_register && is_gfx9(generation_) && chance(50);
    const u64 in_register = takes_both ? rest - immediate / 4 * 4 : rest;
    if (takes_register) move(offset_register, in_register);
    line_.models.push_back(model_);
    line_.steps.push_back(steps_);
    apply(op);
    const u64 at = here();
    const u32 imm = takes_register && !takes_both ? 0 : 1;
    const u64 in_field = takes_both ? immediate / 4 * 4 : rest;
    if (smem) {
      const u32 soe = takes_both ? 1 : 0;
      append_code({0xc0000000 | opcode(op) << 18 | imm << 17 | u32{op.glc} << 16 | soe << 14 | op.sdata << 6 |
                       base_register / 2,
                   imm != 0 ? static_cast<u32>(in_field) | soe * offset_register << 25 : offset_register});
    } else {
      append_code({0xc0000000 | opcode(op) << 22 | op.sdata << 15 | base_register / 2 << 9 | imm << 8 |
                   (imm != 0 ? static_cast<u32>(in_field / 4) : offset_register)});
    }
    ++steps_;
    if (op.fault.empty()) return;
    line_.stop = op.fault;
    line_.stop_pc = at;
    --steps_;  // `make` adds the instruction that ends the run
  }

  static u32 opcode(const Op& op) {
    const u32 buffer = op.size_bytes ? 1 : 0;
    const u32 wide = op.dwords == 2 ? 1 : 0;
    u32 size = 0;
    while (1U << size < op.dwords) ++size;
    switch (op.kind) {
      case AccessKind::load:
        return 8 * buffer + size;
      case AccessKind::store:
        return 16 + 8 * buffer + size;
      case AccessKind::add:
        return (buffer != 0 ? 66 : 130) + 32 * wide;
      case AccessKind::swap:
        return (buffer != 0 ? 64 : 128) + 32 * wide;
    }
    return 0;
  }

  std::mt19937_64 random_;
  Generation generation_{};
  Line line_;
  Model model_;
  Access code_access_{};
  std::vector<u32> words_;
  u64 steps_ = 0;
};

/// Empty if memory and the data registers match the model.
std::string difference(const Model& model, const WaveState& state, const Memory& memory) {
  for (u32 i = first_data; i < first_data + data_registers; ++i) {
    if (state.file[i] != model.registers[i]) return "s" + std::to_string(i);
  }
  for (const MemoryRegion& region : memory.regions()) {
    std::vector<u8> bytes(region.size_bytes);
    memory.read(region.base, bytes);
    for (u64 i = 0; i < bytes.size(); ++i) {
      const Byte expected = model.at(region.base + i);
      // The model of an earlier position does not contain the code after it.
      if (!expected.mapped && Model::is_code(region.base + i)) continue;
      if (!expected.mapped || expected.value != bytes[i]) return "byte " + std::to_string(region.base + i);
    }
  }
  return {};
}

class MemoryProperty : public testing::TestWithParam<Generation> {};

TEST_P(MemoryProperty, AccessesAreThoseOfAnArrayOfBytes) {
  Lines lines(0x3e30 + static_cast<u64>(GetParam()));
  std::map<std::string, int> stops;
  u64 accesses = 0;
  for (int i = 0; i < repetitions(300); ++i) {
    SCOPED_TRACE("line " + std::to_string(i));
    const Line line = lines.make(GetParam());
    accesses += line.models.size() - 1;
    ++stops[line.stop];
    RunOptions options;
    const auto check = [&] {
      const Outcome outcome = run(line.program, line.initial, line.memory, options);
      ASSERT_EQ(outcome.stop.reason_name(), line.stop) << outcome.stop.detail;
      ASSERT_EQ(outcome.stop.pc, line.stop_pc);
      ASSERT_EQ(outcome.steps, line.steps.back());
      ASSERT_EQ(difference(line.models.back(), outcome.state, outcome.memory), "");
      ASSERT_EQ(outcome.warnings.size(), line.misaligned_atomics);
      for (const Warning& warning : outcome.warnings) ASSERT_EQ(warning.kind, WarningKind::unspecified_result);
      ASSERT_TRUE(std::ranges::equal(outcome.memory.regions(), line.memory.regions()));
    };
    for (const Dispatch dispatch : {Dispatch::switched, Dispatch::direct_goto}) {
      options.dispatch = dispatch;
      check();
    }
    options.trace = [](const TraceEvent&) {};
    check();
    if (HasFatalFailure()) return;
  }
  constexpr bool is_whole = repetitions(300) == 300;
  if (!is_whole) return;
  EXPECT_GT(accesses, 4000U);
  EXPECT_GT(stops["unmapped_memory"], 20);
  EXPECT_GT(stops["end_program"], 2);
  if (is_gcn1_2_or_later(GetParam())) {
    EXPECT_GT(stops["write_protected"], 5);
  }
}

// Machine::memory() is a copy of memory at that point, unaffected by later writes; a run that starts from it ends like
// the first one.
TEST_P(MemoryProperty, SnapshotsStay) {
  struct Snapshot {
    std::size_t access;
    WaveState state;
    Memory memory;
  };
  Lines lines(0x5a90 + static_cast<u64>(GetParam()));
  std::mt19937_64 random(9);
  for (int i = 0; i < repetitions(60); ++i) {
    SCOPED_TRACE("line " + std::to_string(i));
    const Line line = lines.make(GetParam());
    for (const Dispatch dispatch : {Dispatch::switched, Dispatch::best}) {
      core::Machine machine(line.program, dispatch);
      machine.set_memory(line.memory);
      machine.set_state(line.initial);
      std::vector<Snapshot> snapshots;
      u64 steps = 0;
      for (std::size_t access = 0; access + 1 < line.models.size(); access += 1 + random() % 6) {
        steps += machine.run(line.steps[access] - steps);
        ASSERT_EQ(steps, line.steps[access]);
        snapshots.push_back({access, machine.state(), machine.memory()});
      }
      machine.run(1000);
      ASSERT_EQ(machine.stop().reason_name(), line.stop);
      ASSERT_EQ(difference(line.models.back(), machine.state(), machine.memory()), "");
      for (const Snapshot& snapshot : snapshots) {
        ASSERT_EQ(difference(line.models[snapshot.access], snapshot.state, snapshot.memory), "")
            << "before access " << snapshot.access;
        const Outcome rest = run(line.program, snapshot.state, snapshot.memory);
        ASSERT_EQ(rest.stop.reason_name(), line.stop);
        ASSERT_TRUE(rest.state == machine.state());
        ASSERT_TRUE(rest.memory == machine.memory());
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Generations, MemoryProperty,
                         testing::ValuesIn(all_generations().begin(), all_generations().end()), test_name);

}  // namespace
}  // namespace salu::test
