#include "semantics/memory_vectors.hpp"

#include <map>
#include <stdexcept>
#include <utility>

namespace salu::test {
namespace {

using Cells = std::vector<std::pair<std::string, std::string>>;

// mode=any: the sum of base and offset is 0x20080.
constexpr u64 data_base = 0x20000;
constexpr u32 distance = 0x80;
constexpr u32 buffer_bytes = 0x1000;
constexpr u32 base_register = 4;
constexpr u32 offset_register = 20;

void add_region(Memory& memory, u64 address, u64 size_bytes, Access access) {
  if (!memory.add_region({address, size_bytes, access})) throw std::runtime_error("regions overlap");
  for (u64 at = address; at < address + size_bytes; at += 4) memory.write_dword(at, static_cast<u32>(at));
}

/// The memory that the head of memory.txt describes.
Memory make_memory(Generation generation, bool holes) {
  constexpr u64 page = 4096;
  Memory memory;
  const auto add_page = [&](u64 address, Access access) {
    add_region(memory, address, page / 2, access);
    const u64 hole = holes ? 16 : 0;
    add_region(memory, address + page / 2 + hole, page / 2 - hole, access);
  };
  add_page(0, Access::read_write);
  add_page(cut_address(generation, 0 - page), Access::read_write);
  add_page(0x20000, Access::read_write);
  add_page(0x21000, Access::read_write);
  add_page(0x22000, Access::read);
  return memory;
}

/// Copies share their pages, so a case uses memory only for the pages that it writes.
const Memory& described_memory(Generation generation, bool holes) {
  static std::map<std::pair<bool, bool>, Memory> made;
  const std::pair<bool, bool> kind{is_gfx9(generation), holes};
  if (!made.contains(kind)) made.emplace(kind, make_memory(generation, holes));
  return made.at(kind);
}

void assign_all(WaveState& state, Memory& memory, Generation generation, const Cells& cells) {
  for (const auto& [name, value] : cells) {
    if (!name.starts_with('[')) {
      assign(state, generation, name, value);
      continue;
    }
    u64 address = value_of(name.substr(1, name.size() - 2));
    for (const std::string& dword : split(value, ',')) {
      if (!memory.is_mapped(address, 4)) throw std::runtime_error(name + " is not mapped");
      memory.write_dword(address, static_cast<u32>(value_of(dword)));
      address += 4;
    }
  }
}

MemoryFields encoded_fields(const StateVector& vector, Generation generation) {
  MemoryFields fields;
  for (const auto& [name, value] : vector.fields) {
    const auto register_code = [&] { return Operand{operand_code(generation, value)}; };
    if (name == "sdata") {
      fields.sdata = register_code();
    } else if (name == "sbase") {
      fields.sbase = register_code();
    } else if (name == "offset") {
      fields.offset = static_cast<i64>(parse_value(value));
    } else if (name == "offset_register") {
      fields.offset_register = register_code();
    } else if (name == "soffset") {
      fields.soffset = register_code();
    } else if (name == "literal") {
      fields.literal = static_cast<u32>(parse_value(value));
    } else if (name == "glc") {
      fields.glc = value == "1";
    } else if (name != "mode") {
      throw std::runtime_error("unknown field " + name);
    }
  }
  return fields;
}

/// The mode that explicit fields correspond to.
MemoryMode mode_of(const MemoryFields& fields, const OpcodeRow& row) {
  if (row.src0_dwords == 0) return "none";
  if (fields.literal) return "literal";
  const bool negative = fields.offset.value_or(0) < 0;
  if (fields.offset && fields.soffset) return negative ? "both_negative" : "both";
  if (fields.offset) return negative ? "negative" : "immediate";
  return fields.soffset ? "soffset" : "register";
}

/// Sets the offset fields for a mode, and the registers that they need.
void lay_out(const MemoryMode& mode, const OpcodeRow& row, Generation generation, MemoryFields& fields,
             WaveState& state) {
  const bool smrd = row.format == "SMRD";
  const bool is_scratch = row.mnemonic.starts_with("s_scratch");
  const auto set = [&](u32 sgpr, u32 value) {
    assign(state, generation, "s" + std::to_string(sgpr), std::to_string(value));
  };
  const auto set_offset = [&](u32 bytes) { set(offset_register, is_scratch ? bytes / 64 : bytes); };
  u64 start = data_base;
  fields.sbase = s(base_register);
  if (mode == "immediate") {
    fields.offset = smrd ? distance / 4 : distance;
  } else if (mode == "literal") {
    fields.literal = distance / 4;
  } else if (mode == "register") {
    fields.offset_register = s(offset_register);
    set_offset(distance);
  } else if (mode == "soffset") {
    fields.soffset = s(offset_register);
    set_offset(distance);
  } else if (mode == "both") {
    fields.offset = distance / 2;
    fields.soffset = s(offset_register);
    set_offset(distance / 2);
  } else if (mode == "negative") {
    fields.offset = -i64{distance};
    start += 2 * distance;
  } else {
    fields.offset = -i64{distance};
    fields.soffset = s(offset_register);
    set_offset(2 * distance);
  }
  set(base_register, static_cast<u32>(start));
  set(base_register + 1, 0);
  if (row.src0_dwords != 4) return;
  set(base_register + 2, buffer_bytes);
  set(base_register + 3, 0);
}

MemoryCase make_case(const StateVector& vector, Generation generation, bool holes, const MemoryMode& mode,
                     bool lays_out) {
  const OpcodeRow& row = opcode_row(generation, vector.mnemonic);
  MemoryCase result{mode,
                    encoded_fields(vector, generation),
                    initial_state(generation),
                    described_memory(generation, holes),
                    {},
                    {},
                    Code(generation, here)};
  if (lays_out) lay_out(mode, row, generation, result.fields, result.initial);
  result.code.memory(vector.mnemonic, result.fields);
  const u64 next = result.code.here();
  result.code.end();
  if (!place_code(program_of({&result.code}), result.memory))
    throw std::runtime_error("the code does not fit into memory");
  assign_all(result.initial, result.memory, generation, vector.given);
  result.initial.pc = here;
  result.expected = result.initial;
  result.expected.pc = next;
  result.expected_memory = result.memory;
  assign_all(result.expected, result.expected_memory, generation, vector.then);
  return result;
}

}  // namespace

std::vector<MemoryMode> memory_modes(Generation generation, const OpcodeRow& row) {
  if (row.src0_dwords == 0) return {"none"};
  if (generation == Generation::gcn1_1) return {"immediate", "register", "literal"};
  if (!is_gfx9(generation)) return {"immediate", "register"};
  if (row.src0_dwords == 4) return {"immediate", "register", "soffset", "both", "both_negative"};
  return {"immediate", "negative", "register", "soffset", "both", "both_negative"};
}

std::vector<MemoryCase> memory_cases(const StateVector& vector, Generation generation, bool holes) {
  const OpcodeRow& row = opcode_row(generation, vector.mnemonic);
  std::vector<MemoryCase> cases;
  if (!vector.fields.contains("mode")) {
    const MemoryMode mode = mode_of(encoded_fields(vector, generation), row);
    cases.push_back(make_case(vector, generation, holes, mode, false));
    return cases;
  }
  for (const MemoryMode& mode : memory_modes(generation, row)) {
    cases.push_back(make_case(vector, generation, holes, mode, true));
  }
  return cases;
}

}  // namespace salu::test
