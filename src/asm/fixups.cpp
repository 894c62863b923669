#include <fmt/core.h>

#include <string>
#include <utility>

#include "asm/text_assembly.hpp"

/// Fields that depend on labels: filled in when the whole text has been read.
namespace salu::assembler {
namespace {

constexpr i64 lowest_distance = -32768;
constexpr i64 highest_distance = 32767;
constexpr u32 simm16_mask = 0xffff;

}  // namespace

std::string describe_wrapped_distance(std::string_view written, i64 distance) {
  return fmt::format("the distance of a branch is sign-extended: {} becomes {}", describe_value(written, distance),
                     distance - i64{simm16_mask} - 1);
}

/// The value with its relocation applied; nothing when an address is too large for what should hold it.
std::optional<i64> TextAssembly::related(const Fixup& fixup, const Value& value, std::size_t word) const {
  const auto address = static_cast<u64>(value.number);
  // The dword that is filled in: a relative address counts from there, not from the instruction.
  const u64 place = address_of(word);
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
    fail(place, fmt::format("the target is {} dwords away: a branch goes -32768 to 32767 dwords far", distance));
    return;
  }
  word |= static_cast<u32>(distance) & simm16_mask;
  if (distance > highest_distance) {
    diagnostics_.remark(place, describe_wrapped_distance(fixup.expression.text, distance));
  }
}

void TextAssembly::resolve(Pending& pending) {
  const Fixup& fixup = pending.fixup;
  const auto value = evaluate(fixup.expression, symbols_, diagnostics_);
  if (!value) return;
  const TextPosition& place = fixup.expression.place;
  std::vector<u32>& words = assembly_.words;
  if (pending.is_quad) {
    words[pending.word] = static_cast<u32>(value->number);
    words[pending.word + 1] = static_cast<u32>(static_cast<u64>(value->number) >> 32);
    return;
  }
  if (fixup.kind == Fixup::Kind::branch) {
    fill_branch(words[pending.word], fixup, *value, address_of(pending.word));
    return;
  }
  if (fixup.kind != Fixup::Kind::literal) {
    const bool is_unsigned = fixup.kind == Fixup::Kind::uimm16;
    if (value->number < (is_unsigned ? 0 : lowest_distance) || value->number > simm16_mask) {
      fail(place, describe_value(fixup.expression.text, value->number) + " does not fit in 16 bits");
      return;
    }
    words[pending.word] |= static_cast<u32>(value->number) & simm16_mask;
    return;
  }
  const std::size_t word = pending.is_data ? pending.word : pending.word + 1;
  const auto dword = related(fixup, *value, word);
  if (!dword) {
    fail(place, describe_value(fixup.expression.text, value->number) + " does not fit in 32 bits" +
                    (value->addresses == 0 ? "" : ": take the halves of an address with @abs32@lo and @abs32@hi"));
    return;
  }
  words[word] = static_cast<u32>(*dword);
  if (fixup.operand_dwords != 2 || fixup.expression.relocation != Relocation::none) return;
  std::string warning = describe_extension(fixup.expression.text, value->number, fixup.is_signed);
  if (!warning.empty()) diagnostics_.remark(place, std::move(warning));
}

void TextAssembly::resolve() {
  for (Pending& pending : pending_) {
    if (diagnostics_.full()) return;
    resolve(pending);
  }
}

}  // namespace salu::assembler
