#include "assembler/sections.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace salu::assembler {
namespace {

struct KnownSection {
  std::string_view name;  ///< or its part before a point
  std::string_view flags;
};

/// Sections with well-known names (LLVM: ELFSectionDefaultFlags and those that compilers emit).
constexpr std::array<KnownSection, 12> known_sections = {{
    {".text", "ax"},
    {".hsatext", "ax"},
    {".init", "ax"},
    {".fini", "ax"},
    {".rodata", "a"},
    {".data.rel.ro", "aw"},
    {".data", "aw"},
    {".bss", "aw"},
    {".hsadata_global_agent", "aw"},
    {".hsadata_readonly_agent", "a"},
    {".init_array", "aw"},
    {".fini_array", "aw"},
}};

/// Both `.bss` and `.bss.x` match `.bss`.
bool is_called(std::string_view name, std::string_view known) {
  return name.starts_with(known) && (name.size() == known.size() || name[known.size()] == '.');
}

std::string_view flags_of(std::string_view name) {
  for (const KnownSection& known : known_sections) {
    if (is_called(name, known.name)) return known.flags;
  }
  return {};
}

}  // namespace

Sections::Sections(u64 base, u64 most_bytes) : bytes_left_(most_bytes) {
  Section& code = sections_.emplace_back();
  code.name = ".text";
  code.base = base;
  numbers_.emplace(code.name, 0);
}

void Sections::enter(std::string_view name, std::optional<std::string_view> flags, std::string_view type) {
  previous_ = current_;
  if (const auto known = numbers_.find(std::string(name)); known != numbers_.end()) {
    current_ = known->second;
    return;
  }
  const auto has = [letters = flags.value_or(flags_of(name))](char flag) {
    return letters.find(flag) != std::string_view::npos;
  };
  if (has('x')) {
    current_ = 0;
    return;
  }
  Section section;
  section.kind = has('a') ? Section::Kind::data : Section::Kind::left_out;
  section.name = name;
  section.access = has('w') ? Access::read_write : Access::read;
  section.is_zero = type.empty() ? is_called(name, ".bss") : type == "nobits";
  sections_.push_back(std::move(section));
  current_ = static_cast<u32>(sections_.size() - 1);
  numbers_.emplace(name, current_);
}

void Sections::push() { outer_.emplace_back(current_, previous_); }

bool Sections::pop() {
  if (outer_.empty()) return false;
  std::tie(current_, previous_) = outer_.back();
  outer_.pop_back();
  return true;
}

bool Sections::enter_previous() {
  if (!previous_) return false;
  previous_ = std::exchange(current_, *previous_);
  return true;
}

void Sections::align(u64 alignment_bytes) {
  u64& own = sections_[current_].alignment_bytes;
  own = std::max(own, alignment_bytes);
}

bool Sections::append(std::span<const u8> bytes) {
  if (bytes.size() > bytes_left_) return false;
  bytes_left_ -= bytes.size();
  std::vector<u8>& own = sections_[current_].bytes;
  own.insert(own.end(), bytes.begin(), bytes.end());
  return true;
}

void Sections::patch(u32 section, u64 offset, u64 number, u32 bytes) {
  for (u32 i = 0; i < bytes; ++i) sections_[section].bytes[offset + i] = static_cast<u8>(number >> (8 * i));
}

u32 Sections::read_dword(u32 section, u64 offset) const {
  u32 dword = 0;
  for (u32 i = 0; i < 4; ++i) dword |= u32{sections_[section].bytes[offset + i]} << (8 * i);
  return dword;
}

void Sections::place() {
  u64 next = sections_.front().base + sections_.front().bytes.size();
  for (Section& section : sections_) {
    if (section.kind != Section::Kind::data) continue;
    section.base = (next + section.alignment_bytes - 1) & ~(section.alignment_bytes - 1);
    next = section.base + section.bytes.size();
  }
}

}  // namespace salu::assembler
