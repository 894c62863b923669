#include "loader/launch/private_memory.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "isa/decode.hpp"
#include "loader/objects/scratch_memory.hpp"

namespace salu::loader {
namespace {

constexpr u8 os_amdpal = 65;
constexpr u8 os_mesa3d = 66;
constexpr u32 stack_pointer = 32;

bool is_buffer_access(const isa::Instruction& instruction) { return instruction.vector == isa::VectorFormat::mubuf; }

bool is_scratch_access(const isa::Instruction& instruction) {
  constexpr u32 scratch_segment = 1;
  return instruction.vector == isa::VectorFormat::flat && (instruction.vector_words[0] >> 14 & 3) == scratch_segment;
}

/// True for an access that a function may use for private memory: by a descriptor, or by a flat address.
bool is_buffer_or_flat_access(const isa::Instruction& instruction) {
  return is_buffer_access(instruction) || instruction.vector == isa::VectorFormat::flat;
}

/// True if the code has a vector instruction of a kind. May have to decode all code.
template <class IsOfKind>
bool has_vector(const Program& program, const IsOfKind& is_of_kind) {
  for (const CodeBlock& block : program.code) {
    const std::span<const u32> words = block.words;
    for (std::size_t i = 0; i < words.size();) {
      const isa::Instruction instruction = isa::decode(program.generation(), words.subspan(i));
      if (instruction.encoding == isa::EncodingClass::vector && is_of_kind(instruction)) return true;
      i += instruction.dwords;
    }
  }
  return false;
}

/// The number of the first SGPR of a buffer access's descriptor.
u32 descriptor_of(const isa::Instruction& access) { return (access.vector_words[1] >> 16 & 0x1f) * 4; }

bool is_descriptor(const Program& program, u32 sgpr) {
  return has_vector(program, [sgpr](const isa::Instruction& instruction) {
    return is_buffer_access(instruction) && descriptor_of(instruction) == sgpr;
  });
}

/// Finds the SGPR that LLVM's prologue adds to a descriptor: the offset of the wave's part in the memory of all waves.
/// Its number depends on the arguments before it.
std::optional<u32> find_wave_offset(const Program& program) {
  const CodeBlock* const block = program.find_block(program.entry);
  if (block == nullptr) return std::nullopt;
  const auto is_low_sum = [&](const isa::Instruction& sum) {
    return sum.insn == isa::Insn::s_add_u32 && sum.sdst == sum.ssrc0 && sum.sdst % 4 == 0 &&
           sum.sdst < sgpr_limit(program.generation()) && sum.ssrc1 < sgpr_limit(program.generation());
  };
  const auto is_high_sum = [](const isa::Instruction& sum, const isa::Instruction& low) {
    return sum.insn == isa::Insn::s_addc_u32 && sum.sdst == low.sdst + 1 && sum.ssrc0 == sum.sdst;
  };
  const std::span<const u32> words = block->words;
  std::optional<isa::Instruction> low;
  for (std::size_t i = (program.entry - block->base) / 4; i < words.size();) {
    const isa::Instruction instruction = isa::decode(program.generation(), words.subspan(i));
    i += instruction.dwords;
    if (instruction.encoding == isa::EncodingClass::vector) continue;
    if (instruction.encoding != isa::EncodingClass::scalar) break;
    if (isa::info(instruction.insn).flow != isa::Flow::next) break;
    if (low && is_high_sum(instruction, *low) && is_descriptor(program, low->sdst)) return low->ssrc1;
    if (is_low_sum(instruction)) low = instruction;
  }
  return std::nullopt;
}

bool is_for(const BuiltProgram& built, u8 os_abi) {
  return std::ranges::find(built.objects, os_abi, &LoadedObject::os_abi) != built.objects.end();
}

bool names_descriptor(const BuiltProgram& built) {
  return std::ranges::any_of(built.references,
                             [](const Reference& each) { return each.text.starts_with("SCRATCH_RSRC_DWORD"); });
}

class Provider {
 public:
  explicit Provider(Scenario& scenario) : scenario_(scenario), generation_(scenario.program.generation()) {}

  void map() {
    // Memory that the scenario maps there has precedence.
    if (scenario_.memory.add_region(region)) scenario_.private_memory = region;
  }

  /// Two dwords from which mesa3d's shaders make a descriptor.
  void tell_mesa3d() {
    const std::array<u32, 4> descriptor = scratch_descriptor(generation_, scratch_start, 0);
    set(0, 2, write_table({descriptor.data(), 2}));
  }

  /// Complete descriptors: that of compute shaders after those of other stages.
  void tell_amdpal() {
    const std::array<u32, 4> one = scratch_descriptor(generation_, scratch_start, ~u64{0});
    std::array<u32, 8> both{};
    std::ranges::copy(one, both.begin());
    std::ranges::copy(one, both.begin() + 4);
    set(0, 1, write_table(both) & 0xffff'ffff);
  }

  void set_flat_scratch() {
    const GenerationInfo& generation = generation_info(generation_);
    // On other generations: the size for a lane, and the offset from the beginning of all private memory.
    const u64 value = generation.flat_scratch_init_is_address ? scratch_start : entered_item_bytes;
    if (generation.flat_scratch != 0) set(generation.flat_scratch, 2, value);
  }

  /// The state that a function expects from its caller; kernels set it up in their prologue.
  void tell_function() {
    const std::array<u32, 4> words = scratch_descriptor(generation_, scratch_start, region.size_bytes);
    for (u32 i = 0; i < words.size(); ++i) set(i, 1, words[i]);
    set_flat_scratch();
  }

  void set_stack_pointer() { set(stack_pointer, 1, 0); }

  /// Sets the offset that hardware passes to a shader after its arguments.
  void set_wave_offset() {
    if (const std::optional<u32> sgpr = find_wave_offset(scenario_.program)) set(*sgpr, 1, 0);
  }

 private:
  static constexpr MemoryRegion region{scratch_start, u64{entered_item_bytes} * 64, Access::read_write};

  /// Maps the table in the 4 GiB of the code and returns its address.
  u64 write_table(std::span<const u32> words) {
    const u64 upper_half = scenario_.program.entry >> 32 << 32;
    const u64 address = upper_half | shader_table_start;
    if (!scenario_.memory.add_region({address, words.size_bytes(), Access::read})) return address;
    for (std::size_t i = 0; i < words.size(); ++i) {
      std::array<u8, 4> bytes{};
      for (u32 k = 0; k < 4; ++k) bytes[k] = static_cast<u8>(words[i] >> (8 * k));
      scenario_.memory.write(address + 4 * i, bytes);
    }
    return address;
  }

  void set(u32 first, u32 dwords, u64 value) {
    const bool is_sgpr = first < sgpr_limit(generation_);
    if (is_sgpr && first + dwords > scenario_.initial.sgprs) return;
    write_register(scenario_.initial, generation_, RegisterName::in_file(first, dwords), value);
  }

  Scenario& scenario_;
  Generation generation_;
};

}  // namespace

void provide_private_memory(const BuiltProgram& built, Scenario& scenario) {
  if (built.objects.empty()) return;
  const GenerationInfo& generation = generation_info(scenario.program.generation());
  const bool is_function = built.entered.returns_by_register;
  const bool is_mesa3d = is_for(built, os_mesa3d);
  Provider provider(scenario);
  if (generation.has_architected_flat_scratch) {
    if (!has_vector(scenario.program, is_scratch_access)) return;
    provider.map();
    provider.set_flat_scratch();
    if (is_function) provider.set_stack_pointer();
  } else if (is_function) {
    if (!has_vector(scenario.program, is_buffer_or_flat_access)) return;
    provider.map();
    provider.tell_function();
    provider.set_stack_pointer();
  } else if (names_descriptor(built)) {
    provider.map();
    provider.set_wave_offset();
  } else if ((is_mesa3d || is_for(built, os_amdpal)) && has_vector(scenario.program, is_buffer_access)) {
    provider.map();
    if (is_mesa3d) {
      provider.tell_mesa3d();
    } else {
      provider.tell_amdpal();
    }
    provider.set_wave_offset();
  }
}

}  // namespace salu::loader
