#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "assembler/text_assembly.hpp"
#include "support/printable.hpp"

/// Fields that depend on labels; filled in after the whole text has been read.
namespace salu::assembler {
namespace {

constexpr i64 lowest_distance = -32768;
constexpr i64 highest_distance = 32767;
constexpr u32 simm16_mask = 0xffff;
constexpr u32 table_entry_bytes = 8;

constexpr const char* halves_advice = ": take the halves of an address with @abs32@lo and @abs32@hi";

}  // namespace

std::string describe_wrapped_distance(std::string_view written, i64 distance) {
  return fmt::format("the distance of a branch is sign-extended: {} becomes {}", describe_value(written, distance),
                     distance - i64{simm16_mask} - 1);
}

/// The value with its relocation applied; nothing if an address does not fit into its field. `place` is the address of
/// the dword that is filled in: relative addresses are relative to it, not to the instruction.
std::optional<i64> TextAssembly::related(const Fixup& fixup, const Value& value, u64 place) const {
  const auto address = static_cast<u64>(value.number);
  switch (fixup.expression.relocation) {
    case Relocation::none:
      return fits_dword(value.number) ? std::optional(value.number) : std::nullopt;
    case Relocation::abs32_lo:
      return static_cast<u32>(address);
    case Relocation::abs32_hi:
      return static_cast<u32>(address >> 32);
    case Relocation::rel32_lo:
      return static_cast<u32>(address - place);
    case Relocation::rel32_hi:
      return static_cast<u32>((address - place) >> 32);
  }
  return std::nullopt;
}

void TextAssembly::fill_branch(u32& word, const Fixup& fixup, const Value& value, u64 address) {
  const TextPosition& place = fixup.expression.place;
  i64 distance = value.number;
  if (value.addresses != 0) {
    const auto bytes = static_cast<i64>(static_cast<u64>(value.number) - (address + 4));
    if (bytes % 4 != 0) {
      fail(place, "the branch target is not at a multiple of four bytes");
      return;
    }
    distance = bytes / 4;
  }
  if (distance < lowest_distance || distance > (value.addresses != 0 ? highest_distance : i64{simm16_mask})) {
    fail(place, fmt::format("the target is {} dwords away: a branch reaches from -32768 to 32767 dwords", distance));
    return;
  }
  word |= static_cast<u32>(distance) & simm16_mask;
  if (distance > highest_distance) {
    diagnostics_.remark(place, describe_wrapped_distance(fixup.expression.text, distance));
  }
}

void TextAssembly::resolve_datum(const Pending& pending, const Value& value) {
  const TextPosition& place = pending.fixup.expression.place;
  std::optional<i64> number = value.number;
  if (pending.data_bytes == 4) {
    number = related(pending.fixup, value, sections_.at(pending.section).base + pending.offset);
  } else if (pending.data_bytes < 4 && (value.number < -(i64{1} << (8 * pending.data_bytes - 1)) ||
                                        value.number >> (8 * pending.data_bytes) > 0)) {
    number.reset();
  }
  if (!number) {
    fail(place, fmt::format("{} does not fit in {} bits{}", describe_value(pending.fixup.expression.text, value.number),
                            8 * pending.data_bytes, value.addresses == 0 ? "" : halves_advice));
    return;
  }
  const Section& section = sections_.at(pending.section);
  if (section.is_zero && (value.addresses != 0 || *number != 0)) {
    fail_not_zero(place, section);
    return;
  }
  sections_.patch(pending.section, pending.offset, static_cast<u64>(*number), pending.data_bytes);
}

/// True if the text describes an object: it declares functions or kernels.
bool TextAssembly::is_object() const {
  return !assembly_.object.kernels.empty() ||
         std::ranges::any_of(declared_, [](const auto& each) { return each.second.is_function; });
}

/// True if a relocated symbol would also be undefined in the object made from this text.
bool TextAssembly::leave_to_linker(const Pending& pending, u64 place) {
  const Expression& expression = pending.fixup.expression;
  if (!is_object() || expression.relocation == Relocation::none) return false;
  for (const ExpressionStep& step : expression.steps) {
    if (step.operation != Operation::symbol) continue;
    // An entry of the global offset table is replaced by its symbol.
    const u32 symbol = symbols_.at(step.symbol).entry_of.value_or(step.symbol);
    const SymbolTable::Entry& entry = symbols_.at(symbol);
    if (entry.kind != SymbolTable::Kind::undefined || entry.elsewhere || entry.name.empty()) continue;
    assembly_.unresolved.push_back({place, support::printable(entry.name)});
    return true;
  }
  return false;
}

void TextAssembly::resolve(const Pending& pending) {
  const Fixup& fixup = pending.fixup;
  const u64 place_of_value = sections_.at(pending.section).base + pending.offset + (pending.data_bytes == 0 ? 4 : 0);
  if (leave_to_linker(pending, place_of_value)) return;
  const bool has_external = std::ranges::any_of(fixup.expression.steps, [&](const ExpressionStep& step) {
    return step.operation == Operation::symbol && symbols_.at(step.symbol).external;
  });
  if (has_external || fixup.expression.relocation != Relocation::none) {
    assembly_.references.push_back({place_of_value, std::string(fixup.expression.text)});
  }
  const auto value = evaluate(fixup.expression, symbols_, diagnostics_);
  if (!value) return;
  if (pending.data_bytes != 0) {
    resolve_datum(pending, *value);
    return;
  }
  const TextPosition& place = fixup.expression.place;
  const u64 address = sections_.at(pending.section).base + pending.offset;
  u32 word = sections_.read_dword(pending.section, pending.offset);
  if (fixup.kind == Fixup::Kind::branch) {
    fill_branch(word, fixup, *value, address);
    sections_.patch(pending.section, pending.offset, word, 4);
    return;
  }
  if (fixup.kind != Fixup::Kind::literal) {
    const bool is_unsigned = fixup.kind == Fixup::Kind::uimm16;
    if (value->number < (is_unsigned ? 0 : lowest_distance) || value->number > simm16_mask) {
      fail(place, describe_value(fixup.expression.text, value->number) + " does not fit in 16 bits");
      return;
    }
    sections_.patch(pending.section, pending.offset, word | (static_cast<u32>(value->number) & simm16_mask), 4);
    return;
  }
  const auto dword = related(fixup, *value, address + 4);
  if (!dword) {
    fail(place, describe_value(fixup.expression.text, value->number) + " does not fit in 32 bits" +
                    (value->addresses == 0 ? "" : halves_advice));
    return;
  }
  sections_.patch(pending.section, pending.offset + 4, static_cast<u32>(*dword), 4);
  if (fixup.operand_dwords != 2 || fixup.expression.relocation != Relocation::none) return;
  std::string warning = describe_extension(fixup.expression.text, value->number, fixup.is_signed);
  if (!warning.empty()) diagnostics_.remark(place, std::move(warning));
}

/// Gives every section its address, including the global offset table.
void TextAssembly::place_sections() {
  symbols_.settle_weak();
  if (!symbols_.table_entries().empty()) {
    sections_.enter(".got", "a");
    sections_.align(table_entry_bytes);
    for (const auto& [symbol, entry] : symbols_.table_entries()) {
      if (is_object() && symbols_.at(symbol).kind == SymbolTable::Kind::undefined) continue;
      SymbolTable::Entry& place = symbols_.at(entry);
      place.kind = SymbolTable::Kind::label;
      place.value = location();
      const TextPosition used_at = symbols_.at(symbol).used_at;
      Expression address;
      address.steps.push_back({Operation::symbol, symbol, {}, used_at});
      address.place = used_at;
      pending_.push_back({sections_.current_number(), sections_.current().bytes.size(), table_entry_bytes,
                          Fixup{Fixup::Kind::literal, 1, false, std::move(address)}});
      if (!emit(0, table_entry_bytes, used_at)) return;
    }
  }
  sections_.place();
  std::vector<u64> bases;
  for (const Section& section : sections_.all()) bases.push_back(section.base);
  symbols_.place(std::move(bases));
}

void TextAssembly::resolve() {
  for (const Pending& pending : pending_) {
    if (diagnostics_.full()) return;
    if (symbols_.is_exhausted()) return fail_for_work(pending.fixup.expression.place);
    resolve(pending);
  }
}

/// An unused definition may lack a value because of undefined names, but not because it refers to itself.
void TextAssembly::check_definitions() {
  // Used definitions have been reported already.
  if (diagnostics_.error_count() != 0) return;
  for (const SymbolTable::Entry& entry : symbols_.entries()) {
    if (diagnostics_.full()) return;
    if (symbols_.is_exhausted()) return fail_for_work(entry.place);
    if (entry.kind == SymbolTable::Kind::deferred)
      evaluate(entry.expression, symbols_, diagnostics_, Reported::divisions);
  }
}

/// The result, without errors and remarks.
void TextAssembly::hand_out() {
  for (const Section& section : sections_.all()) {
    if (section.kind == Section::Kind::data && !section.bytes.empty())
      assembly_.data.push_back({section.base, section.bytes, section.access});
  }
  const std::vector<u8>& code = sections_.all().front().bytes;
  if (unfinished_) fail(*unfinished_, "code is made of whole dwords: the one that begins here is incomplete");
  assembly_.words.reserve(code.size() / 4);
  for (u64 offset = 0; offset + 4 <= code.size(); offset += 4)
    assembly_.words.push_back(sections_.read_dword(0, offset));
  const auto has_header = [&](u64 address) {
    return std::ranges::any_of(headers_,
                               [&](const PendingHeader& each) { return options_.base + each.offset == address; });
  };
  for (const u32 symbol : labels_) {
    const SymbolTable::Entry& entry = symbols_.at(symbol);
    Symbol label{support::printable(entry.name), static_cast<u64>(entry.value.number), 0};
    if (const auto declared = declared_.find(symbol); declared != declared_.end()) {
      if (declared->second.size) {
        const auto size = evaluate(*declared->second.size, symbols_, diagnostics_);
        if (size) label.size_bytes = static_cast<u64>(size->number);
      }
      if (declared->second.is_function) assembly_.functions.push_back(label);
      if (has_header(label.address) && declared->second.has_header)
        assembly_.headers.push_back({label.name, label.address});
    }
    assembly_.labels.push_back(std::move(label));
  }
  const auto by_place = [](const Symbol& one, const Symbol& other) {
    return std::tie(one.address, one.name) < std::tie(other.address, other.name);
  };
  std::ranges::sort(assembly_.labels, by_place);
  std::ranges::sort(assembly_.functions, by_place);
  std::ranges::sort(assembly_.headers, {}, &KernelWithHeader::address);
  std::ranges::sort(assembly_.unresolved, {}, &SymbolUse::address);
  std::ranges::sort(assembly_.references, {}, &SymbolUse::address);
}

}  // namespace salu::assembler
