// Every function of memory_ir/ in every configuration, on the same memory in this process and in salu.

#include "compiler/compiled_code.hpp"
#include "compiler/inputs.hpp"
#include "compiler/many_at_once.hpp"
#include "compiler/memory_image.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace salu::compiler_test {
namespace {

constexpr u64 image_count = 8;
constexpr std::size_t inputs_per_image = 24;

const std::vector<MemoryImage>& images() {
  static const std::vector<MemoryImage> all = [] {
    std::vector<MemoryImage> made;
    for (u64 seed = 0; seed < image_count; ++seed) {
      made.emplace_back(seed);
    }
    return made;
  }();
  return all;
}

/// The address of the table in salu: low, such that the upper half of a pointer changes within it, and at the end of
/// the address space.
u64 table_address(std::size_t image, Generation generation) {
  const u64 end = u64{1} << address_bits(generation);
  const std::array<u64, 6> addresses = {
      0x1'0000'0000,  0x100'0000,     0x80'0000'0040 - 0x400, end - MemoryImage::size_bytes / 2,
      0x1f'ffff'fc00, 0x7f'fffe'f400,
  };
  return addresses[image % addresses.size()];
}

/// A buffer descriptor for `table`, without its base: stride, number of records, and ignored fields.
struct Buffer {
  u32 stride = 0;
  u32 records = 0;
  u32 noise = 0;

  [[nodiscard]] std::array<u64, 2> words(u64 base) const {
    return {(base & 0xffff'ffff'ffff) | u64{stride} << 48 | u64{noise & 0xc0000000} << 32, records | u64{noise} << 32};
  }
};

Buffer draw_buffer(Draw& draw, bool wide) {
  Buffer buffer;
  buffer.noise = static_cast<u32>(draw());
  if (wide) {
    // From the smallest size that contains the largest offset to sizes of more than 32 bits.
    buffer.stride = static_cast<u32>(draw.below(2) == 0 ? 0 : 1 + draw.below(0x3fff));
    buffer.records = static_cast<u32>(0x200000 + draw.below(0xffe0'0000));
    return buffer;
  }
  constexpr u64 most_bytes = MemoryImage::table_bytes - 64;
  constexpr std::array<u32, 8> strides = {0, 0, 0, 4, 4, 12, 16, 100};
  buffer.stride = strides[draw.below(strides.size())];
  const u64 most_records = buffer.stride == 0 ? most_bytes : most_bytes / buffer.stride;
  buffer.records = static_cast<u32>(draw.below(draw.below(3) == 0 ? most_records : std::min<u64>(most_records, 140)));
  return buffer;
}

/// The same for loads of the vector unit, which use more fields: consecutive dwords and a common format.
Buffer raw_buffer(const Buffer& buffer) {
  const u64 bytes = u64{buffer.records} * std::max(buffer.stride, 1U);
  return {.stride = 0, .records = static_cast<u32>(std::min<u64>(bytes, 0xffff'ffff)) & ~3U, .noise = 0x27000};
}

/// The same arguments as the native function and salu take them.
struct MemoryInput {
  std::vector<u64> native;
  std::vector<u64> guest;
};

std::vector<MemoryInput> inputs_on_image(const Function& function, const MemoryImage& image, std::size_t image_index,
                                         u64 guest_base, bool all_scalar) {
  std::vector<unsigned> integer_widths;
  bool draws = false;
  for (const Argument& argument : function.arguments) {
    draws = draws || argument.kind != Argument::Kind::pointer;
    if (argument.kind == Argument::Kind::integer) {
      integer_widths.push_back(argument.bits);
    }
  }
  const std::vector<std::vector<u64>> integers = inputs_for(function.name, integer_widths);
  Draw draw(function.name + std::to_string(image_index));
  std::vector<MemoryInput> inputs;
  const std::size_t count = draws ? inputs_per_image : 1;
  for (std::size_t i = 0; i < count; ++i) {
    // A step that is coprime to the length reaches the whole list before it repeats.
    const std::vector<u64>& values = integers[(image_index * count + i) * 7919 % integers.size()];
    std::size_t next = 0;
    MemoryInput& input = inputs.emplace_back();
    for (const Argument& argument : function.arguments) {
      if (argument.kind == Argument::Kind::descriptor) {
        const Buffer drawn = draw_buffer(draw, argument.name == "wide");
        const Buffer buffer = all_scalar ? drawn : raw_buffer(drawn);
        const u64 offset = image.offset_of("table");
        for (const u64 word : buffer.words(image.native_base() + offset)) {
          input.native.push_back(word);
        }
        for (const u64 word : buffer.words(guest_base + offset)) {
          input.guest.push_back(word);
        }
      } else if (argument.kind == Argument::Kind::pointer) {
        const u64 offset = image.offset_of(argument.name);
        input.native.push_back(image.native_base() + offset);
        input.guest.push_back(guest_base + offset);
      } else {
        input.native.push_back(values[next]);
        input.guest.push_back(values[next]);
        ++next;
      }
    }
  }
  return inputs;
}

/// Clocks that count instructions always cause a warning, which is allowed.
bool has_no_warnings(const Outcome& outcome) {
  return std::all_of(outcome.warnings.begin(), outcome.warnings.end(), [](const Warning& warning) {
    return warning.kind == WarningKind::no_functional_effect && warning.instruction.starts_with("s_memtime");
  });
}

/// Functions with a call, a clock, or an instruction that flushes the cache: batches do not support these.
constexpr std::array<std::string_view, 3> left_to_the_machine = {"sum_by_call", "clock_goes_on",
                                                                 "reload_after_invalidation"};

class MemoryFunction : public testing::Test {
 public:
  MemoryFunction(const Configuration& configuration, const Function& function)
      : configuration_(configuration), function_(function) {}

  void TestBody() override {
    Result<Scenario> loaded = load_function(configuration_, function_.name);
    ASSERT_TRUE(loaded.has_value()) << loaded.error().to_string();
    const bool all_scalar = is_scalar(*loaded);
    const Memory code = loaded->memory;
    std::size_t mismatches = 0;
    for (std::size_t i = 0; i < images().size(); ++i) {
      const MemoryImage& image = images()[i];
      const u64 base = table_address(i, loaded->program.generation()) - MemoryImage::table_offset;
      loaded->memory = code;
      ASSERT_TRUE(image.put_into(loaded->memory, base)) << hex(base, 64);
      std::size_t number = i;
      const std::vector<MemoryInput> inputs = inputs_on_image(function_, image, i, base, all_scalar);
      expect_the_same_at_once(*loaded, inputs, all_scalar);
      for (const MemoryInput& input : inputs) {
        if (agrees(*loaded, input, check_of(number++), mismatches < shown_mismatches)) {
          continue;
        }
        if (mismatches++ < shown_mismatches) {
          ADD_FAILURE() << "on memory image " << i << ", the table at " << hex(base + MemoryImage::table_offset, 64);
        }
      }
    }
    EXPECT_EQ(mismatches, 0U) << "so many inputs for which the results differ";
  }

 private:
  [[nodiscard]] bool agrees(const Scenario& scenario, const MemoryInput& input, CheckUndefined check,
                            bool tells) const {
    const std::vector<u64> expected = run_natively(function_, input.native);
    const Outcome outcome = run_function(scenario, function_, sgprs_of(function_, input.guest), check);
    const std::vector<u64> actual = results_in(function_, outcome.state);
    const StopReason regular_end = configuration_.ends_program() ? StopReason::end_program : StopReason::returned;
    if (outcome.stop.reason == regular_end && actual == expected && has_no_warnings(outcome) &&
        differs_in_scratch_alone(outcome.memory, scenario.memory)) {
      return true;
    }
    if (tells) {
      ADD_FAILURE() << describe(configuration_, function_, input.guest, expected, actual, outcome);
    }
    return false;
  }

  void expect_the_same_at_once(const Scenario& scenario, const std::vector<MemoryInput>& inputs,
                               bool all_scalar) const {
    std::vector<std::vector<u32>> sgprs;
    for (const MemoryInput& input : inputs) {
      sgprs.push_back(sgprs_of(function_, input.guest));
    }
    const auto found = run_many(scenario, function_, sgprs, configuration_.ends_program());
    std::size_t answered = 0;
    for (std::size_t state = 0; state < inputs.size(); ++state) {
      if (found[state]) {
        ASSERT_EQ(*found[state], run_natively(function_, inputs[state].native)) << "at once, input " << state;
        ++answered;
      }
    }
    if (all_scalar && std::ranges::find(left_to_the_machine, function_.name) == left_to_the_machine.end()) {
      EXPECT_EQ(answered, inputs.size()) << "answers at once";
    }
  }

  const Configuration& configuration_;
  const Function& function_;
};

/// Before main() of gtest_main: dynamic tests must be registered before the list of tests is printed.
const bool registered = [] {
  const Suite& suite = suites()[1];
  for (const Configuration& configuration : suite.configurations) {
    for (const Function& function : memory_functions()) {
      testing::RegisterTest(
          configuration.name("memory_").c_str(), function.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
          [&configuration, &function]() -> MemoryFunction* { return new MemoryFunction(configuration, function); });
    }
  }
  return true;
}();

}  // namespace
}  // namespace salu::compiler_test
