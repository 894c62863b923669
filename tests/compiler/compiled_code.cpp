#include "compiler/compiled_code.hpp"

#include "isa/decode.hpp"

#include <algorithm>
#include <cstdlib>
#include <iomanip>
#include <span>
#include <sstream>
#include <utility>

namespace salu::compiler_test {
namespace {

constexpr u64 max_steps = 100'000;

std::string list(const std::vector<u64>& values, const std::vector<unsigned>& bits) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += (i == 0 ? "" : ", ") + hex(values[i], std::max(bits[i], 32U));
  }
  return text;
}

/// Widths of the elements in which arguments are passed.
std::vector<unsigned> widths_of(const Function& function) {
  std::vector<unsigned> widths;
  for (const Argument& argument : function.arguments) {
    widths.insert(widths.end(), argument.bits == 128 ? 2 : 1, std::min(argument.bits, 64U));
  }
  return widths;
}

}  // namespace

std::string hex(u64 value, unsigned bits) {
  std::ostringstream text;
  text << "0x" << std::hex << std::setfill('0') << std::setw(static_cast<int>((bits + 3) / 4)) << value;
  return text.str();
}

Result<Scenario> load_function(const Configuration& configuration, const std::string& function) {
  LoadOptions options;
  options.symbol = function;
  std::vector<Result<Scenario>> loaded = load_file(configuration.object(), options);
  if (loaded.size() != 1) {
    return Error{
        ErrorCode::elf, {configuration.object()}, "expected one scenario, got " + std::to_string(loaded.size()), ""};
  }
  return std::move(loaded.front());
}

std::vector<u32> sgprs_of(const Function& function, const std::vector<u64>& arguments) {
  const std::vector<unsigned> widths = widths_of(function);
  std::vector<u32> sgprs;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    sgprs.push_back(static_cast<u32>(arguments[i]));
    if (widths[i] == 64) {
      sgprs.push_back(static_cast<u32>(arguments[i] >> 32));
    }
  }
  return sgprs;
}

namespace {

std::vector<ComparedResult> compared_results(const Function& function) {
  std::vector<ComparedResult> compared;
  u32 sgpr = 0;
  for (const unsigned bits : function.result_bits) {
    const u32 dwords = bits == 64 ? 2 : 1;
    compared.push_back({RegisterName::in_file(sgpr, dwords), bits == 64 ? ~u64{0} : (u64{1} << bits) - 1});
    sgpr += dwords;
  }
  return compared;
}

}  // namespace

CheckUndefined check_of(std::size_t input) {
  static const bool checks_all = std::getenv("SALU_CHECK_UNDEFINED") != nullptr;
  return input == 0 || checks_all ? CheckUndefined::bits : CheckUndefined::off;
}

Outcome run_function(const Scenario& scenario, const Function& function, const std::vector<u32>& sgprs,
                     CheckUndefined check) {
  WaveState state = scenario.initial;
  for (u32 sgpr = 0; sgpr < sgprs.size(); ++sgpr) {
    state.file[sgpr] = sgprs[sgpr];
    state.defined.set(sgpr);
  }
  RunOptions options = scenario.options;
  options.max_steps = max_steps;
  options.check_undefined = check;
  if (check != CheckUndefined::off) {
    options.compared = compared_results(function);
    if (scenario.private_memory) options.uninitialised.push_back(*scenario.private_memory);
  }
  return run(scenario.program, state, scenario.memory, options);
}

std::vector<u64> results_in(const Function& function, const WaveState& state) {
  std::vector<u64> results;
  u32 sgpr = 0;
  for (const unsigned bits : function.result_bits) {
    if (bits == 64) {
      results.push_back(state.read64(sgpr));
      sgpr += 2;
    } else {
      results.push_back(state.file[sgpr] & ((u64{1} << bits) - 1));
      ++sgpr;
    }
  }
  return results;
}

bool is_scalar(const Scenario& scenario) {
  const Program& program = scenario.program;
  u64 end = program.find_block(program.entry)->end();
  for (const Symbol& symbol : program.symbols) {
    // A helper is part of the function.
    if (symbol.address > program.entry && symbol.name.find('.') == std::string::npos) {
      end = std::min(end, symbol.address);
    }
  }
  for (u64 address = program.entry; address < end;) {
    const CodeBlock* const block = program.find_block(address);
    const std::span<const u32> words = std::span(block->words).subspan((address - block->base) / 4);
    const isa::Instruction instruction = isa::decode(program.generation(), words);
    if (instruction.encoding == isa::EncodingClass::vector) {
      return false;
    }
    address += 4U * instruction.dwords;
  }
  return true;
}

std::vector<u64> run_natively(const Function& function, const std::vector<u64>& arguments) {
  std::vector<u64> results(function.result_bits.size());
  function.native(arguments.data(), results.data());
  return results;
}

std::string describe(const Configuration& configuration, const Function& function, const std::vector<u64>& arguments,
                     const std::vector<u64>& expected, const std::vector<u64>& actual, const Outcome& outcome) {
  std::ostringstream text;
  text << function.name << " (" << function.file << ") for " << configuration.name() << "\n  arguments "
       << list(arguments, widths_of(function)) << "\n  expected  " << list(expected, function.result_bits)
       << " (native)\n  got       " << list(actual, function.result_bits) << ", stopped with "
       << outcome.stop.reason_name() << " after " << outcome.steps << " steps"
       << (outcome.stop.detail.empty() ? "" : ": " + outcome.stop.detail) << "\n  code      salu dis "
       << configuration.object() << "\n  reproduce " << SALU_EXECUTABLE << " run --trace --symbol " << function.name;
  u32 sgpr = 0;
  for (const u32 value : sgprs_of(function, arguments)) {
    text << " --set s" << sgpr++ << '=' << hex(value, 32);
  }
  text << ' ' << configuration.object() << "\n"
       << (outcome.warnings.empty() ? "" : "  warning   " + outcome.warnings.front().detail + "\n");
  return text.str();
}

}  // namespace salu::compiler_test
