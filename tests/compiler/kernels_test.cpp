// Every kernel of kernel_ir/ in every configuration, started by a `kernel:` block with various arguments and sizes.

#include "compiler/compiled_code.hpp"
#include "compiler/inputs.hpp"
#include "compiler/memory_image.hpp"
#include "compiler/native_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>

namespace salu::compiler_test {
namespace {

constexpr std::size_t input_count = 8;
constexpr std::size_t buffer_dwords = 64;
constexpr u32 result_sgpr = 40;

/// A dispatch, and the work-group that runs.
struct Launch {
  std::array<u32, 3> size{};
  std::array<u32, 3> grid{};
  std::array<u32, 3> id{};
  u64 dispatch_id = 0;
  u32 dimensions = 3;
};

Launch draw_launch(Draw& draw) {
  constexpr std::array<std::array<u32, 3>, 7> sizes = {
      {{64, 1, 1}, {16, 4, 1}, {7, 3, 2}, {1, 1, 1}, {256, 2, 2}, {1024, 1, 1}, {5, 5, 5}}};
  Launch launch;
  launch.dimensions = static_cast<u32>(1 + draw.below(3));
  launch.size = sizes[draw.below(sizes.size())];
  launch.dispatch_id = draw.value(64);
  for (u32 i = 0; i < 3; ++i) {
    if (i >= launch.dimensions) {
      launch.size[i] = 1;
      launch.grid[i] = 1;
      continue;
    }
    const u32 groups = static_cast<u32>(1 + draw.below(draw.below(2) == 0 ? 4 : 4000));
    launch.id[i] = static_cast<u32>(draw.below(groups));
    // The last work-group of a row may be smaller.
    launch.grid[i] = groups * launch.size[i] - static_cast<u32>(draw.below(launch.size[i]));
  }
  return launch;
}

template <class Value>
void put(std::vector<u8>& bytes, std::size_t offset, Value value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

/// The launch as a native kernel sees it. Layouts: the HSA platform system architecture specification (kernel dispatch
/// packet), LLVM AMDGPUUsage (hidden arguments from code object version 5 on).
void set_native_launch(const Launch& launch, const void* arguments) {
  NativeLaunch& native = native_launch();
  native = {};
  native.workgroup_id = launch.id;
  native.dispatch_id = launch.dispatch_id;
  native.kernel_arguments = arguments;
  native.dispatch_packet.resize(64);
  native.implicit_arguments.resize(256);
  for (std::size_t i = 0; i < 3; ++i) {
    put(native.dispatch_packet, 4 + 2 * i, static_cast<u16>(launch.size[i]));
    put(native.dispatch_packet, 12 + 4 * i, launch.grid[i]);
    put(native.implicit_arguments, 4 * i, launch.grid[i] / launch.size[i]);
    put(native.implicit_arguments, 12 + 2 * i, static_cast<u16>(launch.size[i]));
    put(native.implicit_arguments, 18 + 2 * i, static_cast<u16>(launch.grid[i] % launch.size[i]));
  }
  put(native.implicit_arguments, 64, static_cast<u16>(launch.dimensions));
}

std::string list(const std::array<u32, 3>& values, u32 count) {
  std::string text;
  for (u32 i = 0; i < count; ++i) {
    text += (i == 0 ? "[" : ", ") + std::to_string(values[i]);
  }
  return text + "]";
}

/// The same arguments for native code and as `args:`.
class Input {
 public:
  Input(const Kernel& kernel, std::size_t number) : kernel_(kernel), number_(number) {
    Draw draw(kernel.name + std::to_string(number));
    launch_ = draw_launch(draw);
    bytes_.resize(kernel.layout[2 * kernel.parameters.size()]);
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
      add_argument(i, draw);
    }
  }

  /// The results of the kernel in native code.
  [[nodiscard]] std::array<u32, 2> run_natively() const {
    set_native_launch(launch_, bytes_.data());
    kernel_.native(bytes_.data());
    return native_launch().results;
  }

  /// The scenario for an object.
  [[nodiscard]] std::string scenario(const std::string& object) const {
    return "code: {file: \"" + object + "\"}\nkernel:\n  name: " + kernel_.name +
           "\n  workgroup_size: " + list(launch_.size, launch_.dimensions) +
           "\n  grid_size: " + list(launch_.grid, launch_.dimensions) +
           "\n  workgroup_id: " + list(launch_.id, launch_.dimensions) +
           "\n  dispatch_id: " + hex(launch_.dispatch_id, 64) + "\n" + (yaml_.empty() ? "" : "  args:\n") + yaml_;
  }

 private:
  void add_argument(std::size_t index, Draw& draw) {
    const KernelParameter& parameter = kernel_.parameters[index];
    const u64 offset = kernel_.layout[2 * index];
    const u64 size = kernel_.layout[2 * index + 1];
    yaml_ += "    " + parameter.name + ": ";
    if (parameter.kind == KernelParameter::Kind::pointer) {
      add_buffer(offset, draw);
      return;
    }
    std::vector<u8> value(size);
    for (u64 i = 0; i < size; i += 8) {
      const unsigned bits = static_cast<unsigned>(std::min<u64>(size - i, 8) * 8);
      const u64 drawn = parameter.kind == KernelParameter::Kind::bit ? draw.below(2)
                        : draw.below(2) == 0                         ? draw.edge(bits)
                                                                     : draw.value(bits);
      std::memcpy(value.data() + i, &drawn, bits / 8);
    }
    std::memcpy(bytes_.data() + offset, value.data(), size);
    if (size <= 8 && (size & (size - 1)) == 0) {
      u64 number = 0;
      std::memcpy(&number, value.data(), size);
      yaml_ += hex(number, static_cast<unsigned>(size * 8)) + "\n";
      return;
    }
    yaml_ += "{bytes: [";
    for (u64 i = 0; i < size; ++i) {
      yaml_ += (i == 0 ? "" : ", ") + std::to_string(value[i]);
    }
    yaml_ += "]}\n";
  }

  void add_buffer(u64 offset, Draw& draw) {
    std::vector<u32>& buffer = buffers_.emplace_back(buffer_dwords);
    std::string words;
    for (u32& dword : buffer) {
      dword = static_cast<u32>(draw.value(32));
      words += (words.empty() ? "" : ", ") + hex(dword, 32);
    }
    yaml_ += "{words: [" + words + "]";
    if (number_ % 2 == 1) {
      // Across an address at which the upper half of a pointer changes.
      yaml_ += ", at: " + hex(0x7'ffff'ff80 + 0x10'0000'0000 * buffers_.size(), 64);
    }
    yaml_ += "}\n";
    const u64 address = reinterpret_cast<u64>(buffer.data());
    std::memcpy(bytes_.data() + offset, &address, sizeof address);
  }

  const Kernel& kernel_;
  std::size_t number_;
  Launch launch_;
  std::vector<u8> bytes_;                 // native arguments
  std::deque<std::vector<u32>> buffers_;  // the memory that they point to
  std::string yaml_;
};

class CompiledKernel : public testing::Test {
 public:
  CompiledKernel(const Configuration& configuration, const Kernel& kernel)
      : configuration_(configuration), kernel_(kernel) {}

  void TestBody() override {
    std::size_t mismatches = 0;
    for (std::size_t number = 0; number < input_count && !HasFatalFailure(); ++number) {
      run_input(Input(kernel_, number), check_of(number), mismatches < shown_mismatches, mismatches);
    }
    EXPECT_EQ(mismatches, 0U) << "so many inputs for which the results differ";
  }

 private:
  void run_input(const Input& input, CheckUndefined check, bool tells, std::size_t& mismatches) const {
    const std::string yaml = input.scenario(configuration_.object());
    const std::vector<Result<Scenario>> loaded = load_yaml(yaml, "kernel.yaml");
    ASSERT_EQ(loaded.size(), 1U);
    ASSERT_TRUE(loaded.front().has_value()) << loaded.front().error().to_string() << '\n' << yaml;
    const Scenario& scenario = *loaded.front();
    RunOptions options = scenario.options;
    options.check_undefined = check;
    options.compared = {{RegisterName::in_file(result_sgpr, 2)}};
    const Outcome outcome = run(scenario, options);
    const std::array<u32, 2> expected = input.run_natively();
    const std::array<u32, 2> actual = {outcome.state.file[result_sgpr], outcome.state.file[result_sgpr + 1]};
    if (outcome.stop.reason == StopReason::end_program && actual == expected && outcome.warnings.empty() &&
        differs_in_scratch_alone(outcome.memory, scenario.memory)) {
      return;
    }
    ++mismatches;
    if (tells) {
      ADD_FAILURE() << kernel_.name << " (" << kernel_.file << ") for " << configuration_.name() << "\n  expected  "
                    << hex(expected[0], 32) << ", " << hex(expected[1], 32) << " (native)\n  got       "
                    << hex(actual[0], 32) << ", " << hex(actual[1], 32) << ", stopped with "
                    << outcome.stop.reason_name() << ": " << outcome.stop.instruction << ": " << outcome.stop.detail
                    << "\n"
                    << (outcome.warnings.empty() ? "" : "  warning   " + outcome.warnings.front().detail + "\n")
                    << yaml;
    }
  }

  const Configuration& configuration_;
  const Kernel& kernel_;
};

/// Before main() of gtest_main: dynamic tests must be registered before the list of tests is printed.
const bool kernels_registered = [] {
  const Suite& suite = suites()[2];
  for (const Configuration& configuration : suite.configurations) {
    for (const Kernel& kernel : kernels()) {
      testing::RegisterTest(
          configuration.name("kernels_").c_str(), kernel.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
          [&configuration, &kernel]() -> CompiledKernel* { return new CompiledKernel(configuration, kernel); });
    }
  }
  return true;
}();

}  // namespace
}  // namespace salu::compiler_test
