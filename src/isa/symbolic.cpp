#include "isa/symbolic.hpp"

#include <algorithm>

#include "support/names.hpp"
#include "support/numbers.hpp"

namespace salu::isa {
namespace {

using generations::from;
using generations::up_to;
using enum Generation;

constexpr u32 gs_message = 2;
constexpr u32 gs_done_message = 3;
constexpr u32 sysmsg_message = 15;

constexpr std::array<MessageName, 13> messages = {{
    {"interrupt", 1},
    {"gs", gs_message},
    {"gs_done", gs_done_message},
    {"savewave", 4, from(gcn1_2)},
    {"stall_wave_gen", 5, from(gcn1_4)},
    {"halt_waves", 6, from(gcn1_4)},
    {"ordered_ps_done", 7, from(gcn1_4)},
    {"early_prim_dealloc", 8, from(gcn1_4)},
    {"gs_alloc_req", 9, from(gcn1_4)},
    {"get_doorbell", 10, from(gcn1_4)},
    {"sysmsg", sysmsg_message},
    {"system", sysmsg_message},
    {"save_wave", 4, from(gcn1_2)},
}};

constexpr std::array<MessageName, 4> gs_operations = {{
    {"nop", 0},
    {"cut", 1},
    {"emit", 2},
    {"emit_cut", 3},
}};

constexpr std::array<MessageName, 4> sysmsg_operations = {{
    {"ecc_err_interrupt", 1},
    {"reg_rd", 2},
    {"host_trap_ack", 3, up_to(gcn1_2)},
    {"ttrace_pc", 4},
}};

constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

std::string upper_case(std::string_view prefix, std::string_view name) {
  std::string result(prefix);
  std::ranges::transform(name, std::back_inserter(result), upper);
  return result;
}

std::string_view without_prefix(std::string_view name, std::span<const std::string_view> prefixes) {
  for (const std::string_view prefix : prefixes) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return name;
}

std::span<const MessageName> operations_of(u32 message_id) {
  if (message_id == gs_message || message_id == gs_done_message) return gs_operations;
  if (message_id == sysmsg_message) return sysmsg_operations;
  return {};
}

template <class Range>
const MessageName* find_by_name(const Range& names, std::string_view name) {
  const auto found = std::ranges::find(names, name, &MessageName::name);
  return found == names.end() ? nullptr : &*found;
}

template <class Range>
const MessageName* find_by_id(const Range& names, Generation generation, u32 id) {
  const auto matches = [&](const MessageName& entry) { return entry.id == id && entry.exists_on(generation); };
  const auto found = std::ranges::find_if(names, matches);
  return found == names.end() ? nullptr : &*found;
}

}  // namespace

std::string hwreg_name(Generation generation, u32 id) {
  const HwregInfo* hwreg = find_hwreg(generation, id);
  return hwreg == nullptr || !hwreg->in_llvm ? std::string{} : "HW_REG_" + std::string(hwreg->name);
}

const HwregInfo* find_hwreg_spelling(Generation generation, std::string_view name) {
  constexpr std::array<std::string_view, 2> prefixes = {"hwreg_", "sq_shader_"};
  if (const HwregInfo* hwreg = find_hwreg(generation, name)) return hwreg;
  const std::string lower = support::lower_case(name);
  return find_hwreg(generation, without_prefix(lower, prefixes));
}

const MessageName* find_message(std::string_view name) {
  constexpr std::array<std::string_view, 1> prefixes = {"msg_"};
  const std::string wanted = support::lower_case(name);
  return find_by_name(messages, without_prefix(wanted, prefixes));
}

const MessageName* find_message_operation(u32 message_id, std::string_view name) {
  constexpr std::array<std::string_view, 2> gs_prefixes = {"gs_op_", "gs_"};
  constexpr std::array<std::string_view, 1> sysmsg_prefixes = {"sysmsg_op_"};
  const std::string wanted = support::lower_case(name);
  if (message_id == sysmsg_message) return find_by_name(sysmsg_operations, without_prefix(wanted, sysmsg_prefixes));
  return find_by_name(operations_of(message_id), without_prefix(wanted, gs_prefixes));
}

std::string message_name(Generation generation, u32 id) {
  const MessageName* found = find_by_id(messages, generation, id);
  return found == nullptr ? std::string{} : upper_case("MSG_", found->name);
}

std::string message_operation_name(Generation generation, u32 message_id, u32 operation) {
  if (message_id == gs_message && operation == 0) return {};
  const MessageName* found = find_by_id(operations_of(message_id), generation, operation);
  if (found == nullptr) return {};
  return upper_case(message_id == sysmsg_message ? "SYSMSG_OP_" : "GS_OP_", found->name);
}

bool is_named_message(Generation generation, const Message& message) {
  if (message_name(generation, message.id).empty()) return false;
  if (!message_needs_operation(message.id)) return message.operation == 0 && message.stream == 0;
  if (message_operation_name(generation, message.id, message.operation).empty()) return false;
  return message_has_stream(message.id, message.operation) || message.stream == 0;
}

std::string hwreg_text(Generation generation, u16 simm16) {
  const HwregFields fields = decode_hwreg(simm16);
  const std::string name = hwreg_name(generation, fields.id);
  std::string text = "hwreg(" + (name.empty() ? std::to_string(fields.id) : name);
  if (fields.offset != 0 || fields.size != 32) {
    text += ", " + std::to_string(fields.offset) + ", " + std::to_string(fields.size);
  }
  return text + ")";
}

std::string waitcnt_text(Generation generation, u16 simm16) {
  const WaitCounters counters = decode_waitcnt(generation, simm16);
  const WaitCounters limits = wait_limits(generation);
  const bool all = counters == limits;
  std::string text;
  const auto add = [&](std::string_view name, u32 value, u32 limit) {
    if (value == limit && !all) return;
    if (!text.empty()) text += ' ';
    text += std::string(name) + "(" + std::to_string(value) + ")";
  };
  add("vmcnt", counters.vmcnt, limits.vmcnt);
  add("expcnt", counters.expcnt, limits.expcnt);
  add("lgkmcnt", counters.lgkmcnt, limits.lgkmcnt);
  return text;
}

std::string sendmsg_text(Generation generation, u16 simm16) {
  const Message message = decode_message(simm16);
  if (is_named_message(generation, message)) {
    std::string text = "sendmsg(" + message_name(generation, message.id);
    if (message_needs_operation(message.id)) {
      text += ", " + message_operation_name(generation, message.id, message.operation);
    }
    if (message_has_stream(message.id, message.operation)) text += ", " + std::to_string(message.stream);
    return text + ")";
  }
  if (encode_message(message) != simm16) return std::to_string(simm16);
  return "sendmsg(" + std::to_string(message.id) + ", " + std::to_string(message.operation) + ", " +
         std::to_string(message.stream) + ")";
}

std::string gpr_idx_text(u32 value) {
  if (value > 15) return support::hex(value);
  std::string text;
  for (u32 bit = 0; bit < gpr_idx_names.size(); ++bit) {
    if ((value >> bit & 1) == 0) continue;
    if (!text.empty()) text += ',';
    text += gpr_idx_names[bit];
  }
  return "gpr_idx(" + text + ")";
}

std::string immediate_text(u32 value) {
  const auto as_signed = static_cast<i32>(value);
  return as_signed >= -16 && as_signed <= 64 ? std::to_string(as_signed) : support::hex(value);
}

}  // namespace salu::isa
