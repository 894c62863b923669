// Runs the functions of an object natively and in salu, and prints a line of JSON for each. The contents of the object
// and the shared object are described in scripts/lib/generated_code.py, which compiles both and calls this program.

#include "compiler/inputs.hpp"
#include "compiler/memory_image.hpp"

#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <dlfcn.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace salu::compiler_test {
namespace {

constexpr u64 max_steps = 1'000'000;
constexpr std::size_t shown_differences = 3;
constexpr u64 image_count = 3;
/// The value that a function stores after its four dwords to show that it has reached its end.
constexpr u32 handed_over = 0xa55aa55b;
constexpr std::size_t dwords = 4;
constexpr const char* usage =
    "usage: check_compiled OBJECT NATIVE.so,... SEED INPUTS FUNCTION:TYPE,...\n"
    "TYPE is iN, or the target of a pointer: table, rows, ...\n";

struct Argument {
  unsigned bits = 64;
  std::string points_to;  ///< empty for an integer
};

struct Function {
  std::string name;
  std::vector<Argument> arguments;
};

template <class Number>
Number parse_number(const std::string& text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::invalid_argument("not a number: '" + text + "'\n" + usage);
  }
  return number;
}

Function parse_function(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    throw std::invalid_argument("not FUNCTION:TYPE,...: '" + text + "'\n" + usage);
  }
  Function function{text.substr(0, colon), {}};
  std::istringstream types(text.substr(colon + 1));
  for (std::string type; std::getline(types, type, ',');) {
    Argument& argument = function.arguments.emplace_back();
    if (type.size() > 1 && type[0] == 'i' && type[1] >= '0' && type[1] <= '9') {
      argument.bits = parse_number<unsigned>(type.substr(1));
      if (argument.bits == 0 || argument.bits > 64) {
        throw std::invalid_argument("not 1 to 64 bits: '" + type + "'");
      }
    } else {
      argument.points_to = type;
    }
  }
  return function;
}

/// The shared object: `void native_NAME(const u64* arguments)` and `u32 native_results[5]`.
class Native {
 public:
  explicit Native(const std::string& path) : library_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) {
      throw std::runtime_error(dlerror());
    }
    results_ = static_cast<u32*>(find("native_results"));
  }

  std::array<u32, dwords> run(const std::string& name, const std::vector<u64>& arguments) {
    std::fill_n(results_, dwords + 1, 0U);
    reinterpret_cast<void (*)(const u64*)>(find("native_" + name))(arguments.data());
    if (results_[dwords] != handed_over) {
      throw std::runtime_error(name + " hands nothing over natively");
    }
    std::array<u32, dwords> results{};
    std::copy_n(results_, dwords, results.begin());
    return results;
  }

 private:
  [[nodiscard]] void* find(const std::string& name) const {
    void* symbol = dlsym(library_, name.c_str());
    if (symbol == nullptr) {
      throw std::runtime_error(dlerror());
    }
    return symbol;
  }

  void* library_;
  u32* results_;
};

/// The address of the image in salu: a low address, or an address such that the upper half of a pointer changes inside
/// the image.
u64 image_base(u64 image, Generation generation) {
  const u64 end = u64{1} << address_bits(generation);
  const std::array<u64, image_count> tables = {0x1'0000'0000, 0x80'0000'0040 - 0x400,
                                               end - MemoryImage::size_bytes / 2};
  return tables[image] - MemoryImage::table_offset;
}

/// An input in the forms that the native function and salu take.
struct Input {
  std::vector<u64> native;
  std::vector<u64> guest;
};

std::vector<Input> inputs_on_image(const Function& function, const std::string& seed, const MemoryImage& image,
                                   u64 image_index, u64 base, std::size_t count) {
  std::vector<unsigned> widths;
  for (const Argument& argument : function.arguments) {
    widths.push_back(argument.bits);
  }
  const std::string name = seed + " " + function.name;
  const std::vector<std::vector<u64>> values = inputs_for(name, widths);
  Draw noise(name);
  std::vector<Input> inputs;
  for (std::size_t i = 0; i < count; ++i) {
    // A step that is coprime to the length reaches the whole list before it repeats.
    const std::vector<u64>& drawn = values[(image_index * count + i) * 7919 % values.size()];
    Input& input = inputs.emplace_back();
    for (std::size_t j = 0; j < function.arguments.size(); ++j) {
      const Argument& argument = function.arguments[j];
      if (!argument.points_to.empty()) {
        input.native.push_back(image.native_base() + image.offset_of(argument.points_to));
        input.guest.push_back(base + image.offset_of(argument.points_to));
      } else {
        // The bits above the width in the second SGPR are not specified.
        const u64 unspecified = argument.bits > 32 && argument.bits < 64 ? noise() << argument.bits : 0;
        const u64 kept = argument.bits > 32 && argument.bits < 64 ? (u64{1} << argument.bits) - 1 : ~u64{0};
        input.native.push_back((drawn[j] & kept) | unspecified);
        input.guest.push_back(input.native.back());
      }
    }
  }
  return inputs;
}

std::vector<u32> sgprs_of(const Function& function, const std::vector<u64>& arguments) {
  std::vector<u32> sgprs;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    sgprs.push_back(static_cast<u32>(arguments[i]));
    if (function.arguments[i].bits > 32) {
      sgprs.push_back(static_cast<u32>(arguments[i] >> 32));
    }
  }
  return sgprs;
}

/// {"function", "runs", "agreed", "steps", "stopped": {reason: runs}, "differences": [...], "error"}. `error`: the
/// reason why the function was not compared.
class Check {
 public:
  Check(const Function& function, std::vector<Native>& natives) : function_(function), natives_(natives) {
    report_ = {{"function", function.name},
               {"runs", 0},
               {"agreed", 0},
               {"steps", 0},
               {"stopped", nlohmann::json::object()},
               {"differences", nlohmann::json::array()}};
  }

  nlohmann::json run(const std::string& object, const std::string& seed, const std::vector<MemoryImage>& images,
                     std::size_t count) {
    LoadOptions load;
    load.symbol = function_.name;
    std::vector<Result<Scenario>> loaded = load_file(object, load);
    if (loaded.size() != 1 || !loaded.front().has_value()) {
      report_["error"] = loaded.empty() ? "nothing was loaded" : loaded.front().error().to_string();
      return report_;
    }
    Scenario& scenario = *loaded.front();
    const Memory code = scenario.memory;
    for (u64 index = 0; index < images.size(); ++index) {
      const u64 base = image_base(index, scenario.program.generation());
      scenario.memory = code;
      if (!images[index].put_into(scenario.memory, base)) {
        throw std::runtime_error("the memory image lies on the code");
      }
      for (const Input& input : inputs_on_image(function_, seed, images[index], index, base, count)) {
        if (!compare(scenario, input, index)) {
          report_["error"] = "natively compiled code disagrees with itself: its behaviour is not defined";
          return report_;
        }
      }
    }
    return report_;
  }

 private:
  /// False if the native results differ from each other.
  bool compare(const Scenario& scenario, const Input& input, u64 image) {
    const std::array<u32, dwords> expected = natives_.front().run(function_.name, input.native);
    for (Native& other : natives_) {
      if (other.run(function_.name, input.native) != expected) {
        return false;
      }
    }
    WaveState state = scenario.initial;
    const std::vector<u32> sgprs = sgprs_of(function_, input.guest);
    for (u32 sgpr = 0; sgpr < sgprs.size(); ++sgpr) {
      state.file[sgpr] = sgprs[sgpr];
      state.defined.set(sgpr);
    }
    RunOptions options = scenario.options;
    options.max_steps = max_steps;
    const Outcome outcome = salu::run(scenario.program, state, scenario.memory, options);
    report_["runs"] = report_["runs"].get<u64>() + 1;
    report_["steps"] = report_["steps"].get<u64>() + outcome.steps;
    if (outcome.stop.reason == StopReason::vector_instruction ||
        outcome.stop.reason == StopReason::unsupported_instruction) {
      nlohmann::json& stopped = report_["stopped"][std::string(outcome.stop.reason_name())];
      stopped = stopped.is_null() ? 1 : stopped.get<u64>() + 1;
      return true;
    }
    const bool agrees = std::equal(expected.begin(), expected.end(), outcome.state.file.begin());
    if (outcome.stop.reason == StopReason::end_program && agrees && outcome.state.file[dwords] == handed_over &&
        outcome.warnings.empty() && differs_in_scratch_alone(outcome.memory, scenario.memory)) {
      report_["agreed"] = report_["agreed"].get<u64>() + 1;
    } else if (report_["differences"].size() < shown_differences) {
      report_["differences"].push_back(
          {{"sgprs", sgprs},
           {"image", image},
           {"expected", expected},
           {"got", std::vector<u32>(outcome.state.file.begin(), outcome.state.file.begin() + dwords)},
           {"stop", outcome.stop.reason_name()},
           {"detail", outcome.stop.detail + (outcome.stop.detail.empty() ? "" : " at ") + outcome.stop.instruction},
           {"warning", outcome.warnings.empty() ? "" : outcome.warnings.front().detail}});
    }
    return true;
  }

  const Function& function_;
  std::vector<Native>& natives_;
  nlohmann::json report_;
};

void check_all(const std::vector<std::string>& arguments) {
  if (arguments.size() < 5) {
    throw std::invalid_argument(usage);
  }
  std::vector<MemoryImage> images;
  for (u64 seed = 0; seed < image_count; ++seed) {
    images.emplace_back(seed);
  }
  std::vector<Native> natives;
  std::istringstream paths(arguments[1]);
  for (std::string path; std::getline(paths, path, ',');) {
    natives.emplace_back(path);
  }
  if (natives.empty()) {
    throw std::invalid_argument(usage);
  }
  const auto count = parse_number<std::size_t>(arguments[3]);
  for (std::size_t i = 4; i < arguments.size(); ++i) {
    const Function function = parse_function(arguments[i]);
    std::cout << Check(function, natives).run(arguments[0], arguments[2], images, count).dump() << std::endl;
  }
}

}  // namespace
}  // namespace salu::compiler_test

int main(int argc, char** argv) {
  try {
    salu::compiler_test::check_all({argv + 1, argv + argc});
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "check_compiled: " << error.what() << '\n';
    return 2;
  }
}
