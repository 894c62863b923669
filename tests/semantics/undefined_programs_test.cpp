#include <gtest/gtest.h>

#include <salu/event.hpp>
#include <salu/run.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/machine.hpp"
#include "generation_names.hpp"
#include "observe/observed_run.hpp"
#include "observe/trace.hpp"
#include "observe/undefined/undefined_check.hpp"
#include "repetitions.hpp"
#include "semantics/lane_programs.hpp"

// Programs whose lanes overlap in memory: as long as --check-undefined has not warned, other values of the undefined
// registers and memory lead to the same path, the same addresses, and the same results wherever the check calls them
// defined.
namespace salu::test::undefined_programs {
namespace {

using lane_programs::LaneProgram;
using lane_programs::LanePrograms;

constexpr u64 longest_run = 300;

/// A number from the environment, or a default: SALU_UNDEFINED_SEED and SALU_UNDEFINED_PROGRAMS (for each generation).
u64 environment_number(const char* variable, u64 otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}
constexpr u32 lanes = state_index::lanes;

/// The undefined state at the start of a program.
struct Unknown {
  std::vector<UndefinedBits> scalars;
  std::vector<std::pair<u32, u64>> vectors;  ///< lanes of a register
  std::vector<MemoryRegion> memory;
};

Unknown random_unknown(const LaneProgram& program, Random& random) {
  Unknown unknown;
  for (u64 count = random() % 4; count > 0; --count) {
    const u32 place = random() % 8 == 0 ? state_index::scc : static_cast<u32>(random() % (random() % 2 == 0 ? 8 : 108));
    const auto mask = static_cast<u32>(random() % 3 == 0 ? ~u64{0} : random() & random());
    unknown.scalars.push_back({place, place == state_index::scc ? 1 : mask});
  }
  for (u64 count = random() % 5; count > 0; --count) {
    // Addresses are rarely undefined.
    const u64 number = random() % 20 == 0 ? random() % 20 : 20 + random() % (LanePrograms::vectors - 20);
    unknown.vectors.emplace_back(static_cast<u32>(number), random_mask(random));
  }
  for (const MemoryRegion& region : program.regions) {
    if (random() % 3 == 0) unknown.memory.push_back(region);
  }
  // A part of the data that lanes can access.
  if (random() % 3 == 0)
    unknown.memory.push_back({program.regions[0].base + 1024 + random() % 64 * 4, 4 + random() % 64 * 4});
  return unknown;
}

/// Changes the values of the undefined state.
LaneProgram flip(LaneProgram program, const Unknown& unknown, Random& random) {
  WaveState& state = program.initial;
  for (const UndefinedBits& bits : unknown.scalars) {
    const u32 flipped = bits.mask & static_cast<u32>(random());
    if (bits.index == state_index::scc)
      state.scc = state.scc != (flipped != 0);
    else
      state.file[bits.index] ^= flipped;
  }
  for (const auto& [number, which] : unknown.vectors) {
    for (u32 lane = 0; lane < lanes; ++lane) {
      if ((which >> lane & 1) != 0) state.vectors.write(number, lane, static_cast<u32>(random()));
    }
  }
  for (const MemoryRegion& region : unknown.memory) {
    std::vector<u8> bytes(region.size_bytes);
    for (u8& byte : bytes) byte = static_cast<u8>(random());
    program.memory.write(region.base, bytes);
  }
  return program;
}

/// A step of a path: the address of the instruction and of the accessed memory.
std::string path_text(const TraceEvent& event) {
  std::ostringstream text;
  text << std::hex << event.pc;
  for (const auto& list : {event.read, event.written}) {
    for (const LocationValue& place : list) {
      if (place.location.is_memory()) text << " " << place.location.address << "+" << place.location.dwords;
    }
  }
  return text.str();
}

/// An observed run with its path.
class Watched {
 public:
  Watched(const LaneProgram& program, const Unknown* unknown, bool with_path)
      : machine_(program.program, Dispatch::best) {
    WaveState initial = program.initial;
    if (unknown != nullptr) {
      initial.undefined_bits = unknown->scalars;
      for (const auto& [number, which] : unknown->vectors) initial.vectors.undefine(number, which);
    }
    machine_.set_memory(program.memory);
    machine_.set_state(initial);
    observe::Observers observers;
    if (unknown != nullptr) {
      auto check = std::make_unique<observe::undefined::UndefinedCheck>(machine_, initial, unknown->memory);
      check_ = check.get();
      observers.push_back(std::move(check));
    }
    if (with_path) {
      observers.push_back(std::make_unique<observe::Tracer>(
          machine_, [this](const TraceEvent& event) { path_.push_back(path_text(event)); }));
    }
    run_.emplace(machine_, std::move(observers));
    run_->run(longest_run);
    memory_ = machine_.memory();
  }

  [[nodiscard]] const core::Machine& machine() const { return machine_; }
  [[nodiscard]] const Memory& memory() const { return memory_; }
  [[nodiscard]] observe::undefined::State undefined() { return std::as_const(*check_).state(); }
  [[nodiscard]] const std::vector<std::string>& path() const { return path_; }
  [[nodiscard]] bool has_warned() const {
    return std::ranges::any_of(machine_.warnings(),
                               [](const Warning& each) { return each.kind == WarningKind::undefined_read; });
  }
  /// An instruction that faults has had no effect.
  [[nodiscard]] bool has_done_all() const {
    return !machine_.stopped() || is_regular_end(machine_.stop_reason()) || machine_.stop_reason() == StopReason::halt;
  }

 private:
  core::Machine machine_;
  observe::undefined::UndefinedCheck* check_ = nullptr;  ///< one of the observers of `run_`
  std::optional<observe::ObservedRun> run_;
  Memory memory_;
  std::vector<std::string> path_;
};

/// The results that differ although the check calls them defined; empty if none exist.
std::string difference(Watched& checked, const Watched& other) {
  std::ostringstream text;
  text << std::hex;
  observe::undefined::State undefined = checked.undefined();
  const WaveState left = checked.machine().state();
  const WaveState right = other.machine().state();
  for (u32 index = 0; index < code::count; ++index) {
    const u64 wrong = (left.file[index] ^ right.file[index]) & ~undefined.shadow.scalar(index).bits;
    if (wrong != 0) text << "  scalar register " << std::dec << index << std::hex << ": 0x" << wrong << "\n";
  }
  if (left.scc != right.scc && undefined.shadow.scalar(state_index::scc).bits == 0) text << "  scc\n";
  if (left.pc != right.pc) text << "  pc\n";
  if (((left.mode ^ right.mode) & ~undefined.shadow.scalar(state_index::mode).bits) != 0) text << "  mode\n";
  for (u32 number = 0; number < VectorRegisters::count; ++number) {
    for (u32 lane = 0; lane < lanes; ++lane) {
      const u32 differs = left.vectors.lanes(number)[lane] ^ right.vectors.lanes(number)[lane];
      if (differs == 0) continue;
      const u64 wrong = differs & ~undefined.shadow.lanes(checked.machine().vectors(), number)[lane].bits;
      if (wrong != 0) text << "  v" << std::dec << number << "[" << lane << "]" << std::hex << ": 0x" << wrong << "\n";
    }
  }
  const Memory& memory = checked.memory();
  for (const u64 page : Memory::differing_pages(memory, other.memory())) {
    for (u64 address = page; address < page + Memory::page_bytes; address += 4) {
      const u32 differs = memory.read_dword(address) ^ other.memory().read_dword(address);
      const u64 wrong = differs & ~undefined.shadow.dword(address).bits;
      if (wrong != 0) text << "  memory at 0x" << address << ": 0x" << wrong << "\n";
    }
  }
  return text.str();
}

/// Memory that other undefined values change, but that is not reported at the end of a run.
std::string unreported_output(const Outcome& checked, const Memory& other, const Unknown& unknown) {
  std::vector<UndefinedOutput> reported;
  for (const Warning& warning : checked.warnings) {
    if (warning.kind != WarningKind::undefined_output) continue;
    const std::vector<UndefinedOutput>& memory = warning.undefined->memory;
    // Only a limited number is listed.
    if (memory.size() >= 16) return {};
    reported.insert(reported.end(), memory.begin(), memory.end());
  }
  std::ostringstream text;
  for (const u64 page : Memory::differing_pages(checked.memory, other)) {
    if (page >= shared_memory_base) continue;
    for (u64 address = page; address < page + Memory::page_bytes; ++address) {
      std::array<u8, 1> left{};
      std::array<u8, 1> right{};
      checked.memory.read(address, left);
      other.read(address, right);
      const auto is_in = [address](const auto& range) {
        if constexpr (requires { range.base; })
          return address - range.base < range.size_bytes;
        else
          return address - range.address < range.size_bytes;
      };
      if (left != right && std::ranges::none_of(unknown.memory, is_in) && std::ranges::none_of(reported, is_in))
        text << "  output at 0x" << std::hex << address << "\n";
    }
  }
  return text.str();
}

std::string listing(const LaneProgram& program, const Unknown& unknown) {
  std::ostringstream text;
  text << "undefined:" << std::hex;
  for (const UndefinedBits& bits : unknown.scalars)
    text << " " << std::dec << bits.index << std::hex << "?" << bits.mask;
  for (const auto& [number, which] : unknown.vectors) text << " v" << std::dec << number << std::hex << "?" << which;
  for (const MemoryRegion& region : unknown.memory) text << " [" << region.base << "+" << region.size_bytes << "]";
  text << "\nexec " << program.initial.exec();
  RunOptions options;
  options.max_steps = longest_run;
  options.trace = [&text](const TraceEvent& event) {
    text << "\n  " << event.pc << " " << instruction_text(event) << "    " << reads_text(event) << " -> "
         << writes_text(event);
  };
  run(program.program, program.initial, program.memory, options);
  return text.str();
}

class UndefinedPrograms : public testing::TestWithParam<Generation> {};

TEST_P(UndefinedPrograms, OtherValuesChangeNothingThatIsCalledDefined) {
  const u64 seed = environment_number("SALU_UNDEFINED_SEED", 1);
  const auto count =
      static_cast<int>(environment_number("SALU_UNDEFINED_PROGRAMS", static_cast<u64>(repetitions(400))));
  LanePrograms generator(GetParam(), 100 * seed + static_cast<u64>(GetParam()));
  Random random(1000 * seed + static_cast<u64>(GetParam()));
  int compared = 0;
  int with_undefined_memory = 0;
  for (int i = 0; i < count; ++i) {
    const LaneProgram program = generator.make();
    const Unknown unknown = random_unknown(program, random);
    Watched checked(program, &unknown, false);
    Watched traced(program, &unknown, true);
    std::string wrong = difference(checked, traced);
    if (checked.has_warned() != traced.has_warned()) wrong += "  a trace changes the warnings\n";
    const bool is_compared = !checked.has_warned() && checked.has_done_all();
    compared += is_compared ? 1 : 0;
    for (int turn = 0; is_compared && wrong.empty() && turn < 2; ++turn) {
      const LaneProgram flipped = flip(program, unknown, random);
      const Watched other(flipped, nullptr, true);
      if (traced.path() != other.path()) wrong += "  another path, or other addresses\n";
      if (checked.machine().stop_reason() != other.machine().stop_reason()) wrong += "  another end\n";
      wrong += difference(checked, other);
      if (checked.machine().stopped() && is_regular_end(checked.machine().stop_reason())) {
        WaveState initial = program.initial;
        initial.undefined_bits = unknown.scalars;
        for (const auto& [number, which] : unknown.vectors) initial.vectors.undefine(number, which);
        RunOptions options;
        options.max_steps = longest_run;
        options.check_undefined = CheckUndefined::bits;
        options.uninitialised = unknown.memory;
        const Outcome outcome = run(program.program, initial, program.memory, options);
        with_undefined_memory += outcome.undefined_memory.empty() ? 0 : 1;
        wrong += unreported_output(outcome, other.memory(), unknown);
      }
    }
    constexpr std::size_t most_shown = 1000;
    ASSERT_TRUE(wrong.empty()) << "program " << i << " of seed " << seed << "\n"
                               << wrong.substr(0, most_shown) << "\n"
                               << listing(program, unknown);
  }
  // The test is only meaningful if enough programs of this kind are generated.
  EXPECT_GT(compared, count / 20);
  EXPECT_GE(with_undefined_memory, compared / 20);
}

INSTANTIATE_TEST_SUITE_P(Generations, UndefinedPrograms,
                         testing::ValuesIn(all_generations().begin(), all_generations().end()), test_name);

}  // namespace
}  // namespace salu::test::undefined_programs
