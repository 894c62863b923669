#include "equiv/place.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "isa/operand.hpp"
#include "loader/number.hpp"
#include "loader/scenario/registers.hpp"
#include "loader/value_range.hpp"
#include "loader/yaml/reader.hpp"

namespace salu::equiv {
namespace {

using loader::hex;
using loader::Number;

constexpr u64 most_memory_bytes = 1 << 20;
constexpr u64 piece_bytes = 8;
constexpr u64 varied_buffer_bytes = 64;
constexpr u64 varied_bytes_of_wave = 256;
constexpr std::string_view memory_prefix = "memory.";
constexpr std::string_view arguments_prefix = "args.";
constexpr std::string_view buffers_prefix = "*args.";

/// A parsed text `NAME`, `NAME:SIZE` or `NAME=LO..HI`.
struct Spec {
  std::string name;
  std::optional<u64> size;
  std::optional<std::string_view> range;  ///< `LO..HI`
  std::string problem;
};

std::optional<Number> number_in(std::string_view text) { return loader::parse_number(text).number; }

Spec read_spec(std::string_view text) {
  Spec spec;
  std::string_view rest = text;
  if (const std::size_t equals = rest.find('='); equals != std::string_view::npos) {
    spec.range = rest.substr(equals + 1);
    rest = rest.substr(0, equals);
  }
  const std::size_t bracket = rest.find(']');
  const std::size_t colon = rest.find(':', bracket == std::string_view::npos ? 0 : bracket);
  const bool inside = bracket == std::string_view::npos && rest.find('[') != std::string_view::npos;
  if (colon != std::string_view::npos && !inside) {
    const auto size = number_in(rest.substr(colon + 1));
    if (!size || size->negative || !size->fits(32) || size->is_zero()) {
      spec.problem = "expected a size after `:`, bits of a register or bytes of memory";
    } else {
      spec.size = size->low64();
    }
    rest = rest.substr(0, colon);
  }
  spec.name = rest;
  if (spec.name.empty()) spec.problem = "expected a name";
  return spec;
}

Error wrong(const std::string& option, std::string_view text, const std::string& problem) {
  return {ErrorCode::usage, {option + " " + std::string(text)}, problem, {}};
}

/// Sets the range of an input. Returns an error; empty on success.
std::string set_range(Input& input, std::optional<std::string_view> text) {
  support::ValueRange range = {0, low_bits(input.bits), 1, input.bits};
  std::string problem = text ? loader::read_value_range(*text, input.bits, range) : std::string();
  if (!problem.empty()) return problem;
  if (range.step != 1) return "a range must not have a step here: all its values are tried";
  input.first = range.first;
  input.span = range.last_index;
  return {};
}

std::string name_of_memory(u64 address) { return "memory " + hex(address); }

/// Returns the reason why a range of memory cannot be an input or output; empty if it can.
std::string memory_problem(const Scenario& scenario, u64 address, u64 size, bool is_input) {
  const std::string range = loader::range_text(address, address + size);
  if (size > most_memory_bytes) return fmt::format("more than {} bytes", most_memory_bytes);
  if (!scenario.memory.is_mapped(address, size))
    return fmt::format("not all of {} is memory of {}", range, scenario.name);
  for (const CodeBlock& block : scenario.program.code) {
    const bool is_apart = address >= block.end() || address + size <= block.base;
    if (is_input && !is_apart) return range + " contains code of " + scenario.name;
  }
  return {};
}

/// Splits memory, at an address in each program, into inputs of up to `most` bytes.
std::vector<Input> cut_memory(const std::string& name, const std::array<u64, 2>& addresses, u64 size, u64 most) {
  std::vector<Input> inputs;
  for (u64 offset = 0; offset < size; offset += most) {
    Input input;
    input.place.is_memory = true;
    input.place.addresses = {addresses[0] + offset, addresses[1] + offset};
    input.place.size_bytes = std::min(most, size - offset);
    input.place.name = name.empty()  ? name_of_memory(addresses[0] + offset)
                       : offset == 0 ? name
                                     : fmt::format("{}+{}", name, offset);
    input.bits = static_cast<u32>(input.place.size_bytes * 8);
    input.span = low_bits(input.bits);
    inputs.push_back(std::move(input));
  }
  return inputs;
}

bool share_bits(const RegisterName& left, const RegisterName& right) {
  if (!overlap(left.location(), right.location())) return false;
  const bool are_apart = left.low_bit >= right.low_bit + right.width || right.low_bit >= left.low_bit + left.width;
  // Names of whole dwords share a whole dword.
  return left.width >= 32 || right.width >= 32 || !are_apart;
}

/// The buffer that an argument points to in each program. Its size is the smaller one, 0 without a buffer.
struct PointedBuffer {
  std::array<u64, 2> addresses{};
  u64 size_bytes = ~u64{0};
};

PointedBuffer pointed_buffer(const Programs& programs, const std::array<const KernelArgumentPlace*, 2>& arguments) {
  PointedBuffer buffer;
  for (const std::size_t side : both_sides) {
    const Memory& memory = programs[side]->memory;
    buffer.addresses[side] = read_bytes(memory, arguments[side]->address, arguments[side]->size_bytes);
    const MemoryRegion* region = memory.find_region(buffer.addresses[side]);
    const u64 size_bytes = region == nullptr ? 0 : region->end() - buffer.addresses[side];
    buffer.size_bytes = std::min(buffer.size_bytes, size_bytes);
  }
  return buffer;
}

/// Returns the first bytes of the buffer that an argument points to in each program: for several waves a dword for each
/// work-item. Empty without a buffer.
std::vector<Input> buffer_inputs(const Programs& programs, const std::array<const KernelArgumentPlace*, 2>& arguments) {
  const PointedBuffer buffer = pointed_buffer(programs, arguments);
  const u64 waves = std::max(programs[0]->wave_count(), programs[1]->wave_count());
  const u64 size = waves == 1 ? varied_buffer_bytes : waves * varied_bytes_of_wave;
  return cut_memory(std::string(buffers_prefix) + arguments[0]->name, buffer.addresses,
                    std::min(size, buffer.size_bytes), 4);
}

/// Finds an argument by its name in both programs.
Result<std::array<const KernelArgumentPlace*, 2>> both_arguments(std::string_view name, std::string_view text,
                                                                 const std::string& option, const Programs& programs) {
  std::array<const KernelArgumentPlace*, 2> arguments{};
  for (const std::size_t side : both_sides) {
    arguments[side] = find_argument(*programs[side], name);
    if (arguments[side] != nullptr) continue;
    std::vector<std::string_view> names;
    for (const KernelArgumentPlace& other : programs[side]->arguments) names.push_back(other.name);
    return wrong(option, text,
                 fmt::format("{} does not have an argument `{}`{}", programs[side]->name, name,
                             names.empty() ? "; it is not started as a kernel with arguments (`kernel:` of a scenario)"
                                           : "; it has " + loader::name_list(names, "and")));
  }
  return arguments;
}

Result<std::vector<Input>> named_argument(const Spec& spec, std::string_view text, const std::string& option,
                                          const Programs& programs) {
  const auto arguments =
      both_arguments(std::string_view(spec.name).substr(arguments_prefix.size()), text, option, programs);
  if (!arguments) return arguments.error();
  const auto& [a, b] = *arguments;
  if (a->is_preloaded || b->is_preloaded)
    return wrong(option, text,
                 "the argument is preloaded into SGPRs, which are not varied with it; compile without preloading");
  if (a->size_bytes != b->size_bytes) {
    return wrong(option, text, fmt::format("the argument has {} bytes in A and {} in B", a->size_bytes, b->size_bytes));
  }
  return cut_memory(spec.name, {a->address, b->address}, a->size_bytes, piece_bytes);
}

Result<std::vector<Input>> named_buffer(const Spec& spec, std::string_view text, const std::string& option,
                                        const Programs& programs, bool is_input) {
  const auto arguments =
      both_arguments(std::string_view(spec.name).substr(buffers_prefix.size()), text, option, programs);
  if (!arguments) return arguments.error();
  const PointedBuffer buffer = pointed_buffer(programs, *arguments);
  const u64 size = spec.size.value_or(buffer.size_bytes);
  if (buffer.size_bytes == 0) return wrong(option, text, "the argument does not point to a buffer");
  if (size > buffer.size_bytes)
    return wrong(option, text, fmt::format("the buffer has only {} bytes", buffer.size_bytes));
  for (const std::size_t side : both_sides) {
    const std::string problem = memory_problem(*programs[side], buffer.addresses[side], size, is_input);
    if (!problem.empty()) return wrong(option, text, problem);
  }
  return cut_memory(spec.name, buffer.addresses, size, is_input ? 4 : size);
}

Result<std::vector<Input>> named_memory(const Spec& spec, std::string_view text, const std::string& option,
                                        const Programs& programs, bool is_input) {
  const auto address = number_in(std::string_view(spec.name).substr(memory_prefix.size()));
  if (!address || address->negative || !address->fits(48)) {
    return wrong(option, text, "expected an address after `memory.`, as in memory.0x10000:64");
  }
  const u64 size = spec.size.value_or(4);
  for (const Scenario* scenario : programs) {
    const std::string problem = memory_problem(*scenario, address->low64(), size, is_input);
    if (!problem.empty()) return wrong(option, text, problem);
  }
  return cut_memory({}, {address->low64(), address->low64()}, size, is_input ? 4 : size);
}

std::string file_register_name(Generation generation, const RegisterName& name) {
  return isa::register_name(generation, register_code(generation, name.index), name.dwords());
}

Result<std::vector<Input>> named_register(const Spec& spec, std::string_view text, const std::string& option,
                                          const Programs& programs, bool is_input) {
  std::array<std::vector<RegisterName>, 2> pieces;
  for (const std::size_t side : both_sides) {
    const Scenario& scenario = *programs[side];
    std::string problem;
    const auto name = loader::find_settable_register(spec.name, scenario.program.generation(),
                                                     loader::allocated_registers(scenario.initial), problem);
    if (!name) return wrong(option, text, std::string(side == 0 ? "A: " : "B: ") + problem);
    if (is_input && name->is_pc()) return wrong(option, text, "the PC cannot be varied");
    pieces[side] = loader::pieces_of(*name);
  }
  if (pieces[0].size() != pieces[1].size() || pieces[0][0].width != pieces[1][0].width) {
    return wrong(option, text, "its width differs in A and B");
  }
  std::vector<Input> inputs;
  for (std::size_t i = 0; i < pieces[0].size(); ++i) {
    const RegisterName& piece = pieces[0][i];
    Input input;
    input.place.name = pieces[0].size() == 1 ? spec.name
                       : piece.is_vector()   ? isa::vector_register_name(piece.index, 1)
                                             : file_register_name(programs[0]->program.generation(), piece);
    input.place.registers = {piece, pieces[1][i]};
    input.bits = piece.width;
    inputs.push_back(std::move(input));
  }
  if (spec.size) {
    if (inputs.size() > 1 || *spec.size > inputs[0].bits) {
      return wrong(option, text, fmt::format("`{}` does not have {} bits that can be selected", spec.name, *spec.size));
    }
    inputs[0].bits = static_cast<u32>(*spec.size);
  }
  return inputs;
}

Result<std::vector<Input>> find_places(const Spec& spec, std::string_view text, const std::string& option,
                                       const Programs& programs, bool is_input) {
  if (!spec.problem.empty()) return wrong(option, text, spec.problem);
  if (spec.name.starts_with(memory_prefix)) return named_memory(spec, text, option, programs, is_input);
  if (spec.name.starts_with(arguments_prefix)) return named_argument(spec, text, option, programs);
  if (spec.name.starts_with(buffers_prefix)) return named_buffer(spec, text, option, programs, is_input);
  return named_register(spec, text, option, programs, is_input);
}

/// The registers of A that are compared so far, to reject duplicates.
class ComparedRegisters {
 public:
  /// Adds a register; false if it or a part of it was added before.
  bool add(const RegisterName& name) {
    const Location location = name.location();
    const u32 mask = name.width < 32 ? static_cast<u32>(low_bits(name.width) << name.low_bit) : ~u32{0};
    bool is_new = true;
    for (u32 i = 0; i < location.dwords; ++i) {
      u32& bits = bits_[location.index + i];
      is_new = is_new && (bits & mask) == 0;
      bits |= mask;
    }
    return is_new;
  }

 private:
  std::unordered_map<u32, u32> bits_;  ///< by index
};

}  // namespace

bool share_bits(const Place& left, const Place& right) {
  if (left.is_memory != right.is_memory) return false;
  return std::ranges::any_of(both_sides, [&](std::size_t side) {
    if (!left.is_memory) return share_bits(left.registers[side], right.registers[side]);
    return left.addresses[side] < right.addresses[side] + right.size_bytes &&
           right.addresses[side] < left.addresses[side] + left.size_bytes;
  });
}

std::vector<FixedRegister> parse_fixed(const std::vector<std::string>& texts, const Programs& programs) {
  std::vector<FixedRegister> fixed;
  for (const std::string& text : texts) {
    for (const std::size_t side : both_sides) {
      const auto name = find_in(*programs[side], text.substr(0, text.find('=')));
      if (!name) continue;
      for (const RegisterName& piece : loader::pieces_of(*name)) fixed.push_back({text, side, piece});
    }
  }
  return fixed;
}

const std::string* find_fixed(const std::vector<FixedRegister>& fixed, const Place& place) {
  if (place.is_memory) return nullptr;
  const auto found = std::ranges::find_if(
      fixed, [&](const FixedRegister& one) { return share_bits(one.name, place.registers[one.side]); });
  return found == fixed.end() ? nullptr : &found->text;
}

const KernelArgumentPlace* find_argument(const Scenario& scenario, std::string_view name) {
  const auto found = std::ranges::find(scenario.arguments, name, &KernelArgumentPlace::name);
  return found == scenario.arguments.end() ? nullptr : &*found;
}

std::string Input::describe() const {
  std::string text = place.name;
  const bool is_part = !place.is_memory && bits < place.registers[0].width;
  if (is_part) text += fmt::format(" ({} bits)", bits);
  if (!is_whole()) text += fmt::format(" from {} to {}", hex(first), hex((first + span) & low_bits(bits)));
  return text;
}

Result<std::vector<Input>> parse_inputs(std::string_view text, const std::string& option, const Programs& programs) {
  const Spec spec = read_spec(text);
  Result<std::vector<Input>> found = find_places(spec, text, option, programs, true);
  if (!found) return found;
  if (option == "--exhaustive" && (!spec.range || found->size() != 1)) {
    return wrong(option, text, "expected a range of one register or argument, as in s0=0..65535");
  }
  for (Input& input : *found) {
    const std::string problem = set_range(input, spec.range);
    if (!problem.empty()) return wrong(option, text, problem);
  }
  return found;
}

Result<OutputChoice> parse_outputs(const std::vector<std::string>& texts, const Programs& programs, u64 ulps) {
  const std::string option = "--outputs";
  OutputChoice choice;
  ComparedRegisters compared;
  for (const std::string& text : texts) {
    std::string_view plain = text;
    auto floats = take_float_suffix(plain);
    if (floats && plain.size() + float_format_name(floats->format).size() + 1 == text.size()) floats->ulps = ulps;
    if (plain == "memory") {
      choice.all_memory = true;
      choice.memory_floats = floats;
      continue;
    }
    choice.stop = choice.stop || text == "stop";
    if (text == "stop") continue;
    const Spec spec = read_spec(plain);
    if (spec.range) return wrong(option, text, "an output cannot have a range");
    const Result<std::vector<Input>> places = find_places(spec, text, option, programs, false);
    if (!places) return places.error();
    for (const Input& place : *places) {
      if (!place.place.is_memory && !compared.add(place.place.registers[0]))
        return wrong(option, text, "`" + place.place.name + "` is already compared");
      const u64 bits = place.place.is_memory ? place.place.size_bytes * 8 : place.bits;
      if (floats && bits % float_bits(floats->format) != 0) {
        return wrong(option, text,
                     fmt::format("`{}` has {}, and {} has {}", place.place.name, support::counted(bits, "bit"),
                                 float_format_name(floats->format), float_bits(floats->format)));
      }
      choice.outputs.push_back({place.place, low_bits(place.bits), false, floats});
    }
  }
  return choice;
}

std::optional<RegisterName> find_in(const Scenario& other, const std::string& name) {
  std::string ignored;
  return loader::find_settable_register(name, other.program.generation(), loader::allocated_registers(other.initial),
                                        ignored);
}

std::optional<Place> file_place(const Programs& programs, std::size_t side, u32 code, u32 dwords) {
  const Generation generation = programs[side]->program.generation();
  Place place;
  place.name = isa::register_name(generation, code, dwords);
  if (place.name.empty()) return std::nullopt;
  for (const std::size_t i : both_sides) {
    const auto name = find_in(*programs[i], place.name);
    if (!name) return std::nullopt;
    place.registers[i] = *name;
  }
  return place;
}

std::vector<Place> lane_places(const Programs& programs, u32 number, u64 lanes) {
  const u32 first = RegisterName::in_vectors(number).index;
  const std::string name = isa::vector_register_name(first, state_index::lanes);
  std::vector<Place> places;
  for (const Scenario* const program : programs) {
    if (!find_in(*program, name)) return places;
  }
  for (u32 lane = 0; lane < state_index::lanes; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    const RegisterName dword{first + lane};
    places.push_back({isa::vector_register_name(dword.index, 1), false, {dword, dword}, {}, 0});
  }
  return places;
}

std::vector<Input> argument_inputs(const Programs& programs, bool buffers, std::vector<std::string>& left_out) {
  std::vector<Input> inputs;
  bool has_hidden = false;
  for (const KernelArgumentPlace& argument : programs[0]->arguments) {
    const std::string name = std::string(arguments_prefix) + argument.name;
    const KernelArgumentPlace* other = find_argument(*programs[1], argument.name);
    std::vector<Input> found;
    if (argument.name.starts_with("hidden_")) {
      has_hidden = true;
    } else if (other == nullptr || other->size_bytes != argument.size_bytes) {
      left_out.push_back(name + ": B does not have an argument of that name and size");
    } else if (argument.is_preloaded || other->is_preloaded) {
      left_out.push_back(name + ": preloaded into SGPRs");
    } else if (argument.by_value) {
      found = cut_memory(name, {argument.address, other->address}, argument.size_bytes, piece_bytes);
    } else {
      if (buffers) found = buffer_inputs(programs, {&argument, other});
      if (found.empty()) left_out.push_back(name + ": not passed by value");
    }
    std::ranges::move(found, std::back_inserter(inputs));
  }
  if (has_hidden) left_out.emplace_back("hidden arguments: set by the dispatch");
  return inputs;
}

u64 read_bytes(const Memory& memory, u64 address, u64 size_bytes) {
  std::array<u8, piece_bytes> bytes{};
  memory.read(address, std::span(bytes).first(static_cast<std::size_t>(std::min(size_bytes, piece_bytes))));
  u64 value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) value |= u64{bytes[i]} << (8 * i);
  return value;
}

}  // namespace salu::equiv
