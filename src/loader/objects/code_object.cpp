#include "loader/objects/code_object.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "loader/number.hpp"
#include "loader/objects/entry_function.hpp"
#include "loader/objects/kernel_code_header.hpp"
#include "loader/objects/scratch_memory.hpp"
#include "loader/rejection.hpp"

namespace salu::loader {
namespace {

constexpr u64 got_entry_bytes = 8;

/// A part of memory that the object occupies.
struct Part {
  std::string name;  ///< for messages
  u64 base = 0;
  u64 size_bytes = 0;
  std::vector<u8> bytes;  ///< the rest is zero
  Access access = Access::read;
  bool is_code = false;

  [[nodiscard]] u64 end() const { return base + size_bytes; }
};

class Placer {
 public:
  Placer(const ElfImage& image, u64 base, u64 address_space_end, u64 most_bytes, const CodeInput& input)
      : image_(image), base_(base), address_space_end_(address_space_end), most_bytes_(most_bytes), input_(input) {}

  PlacedObject place() {
    next_ = base_;
    if (image_.relocatable) {
      place_sections();
      place_commons();
      place_got();
    } else {
      place_segments();
    }
    std::ranges::sort(parts_, {}, &Part::base);
    find_headers();
    take_headers_out();
    collect_symbols();
    for (const ElfRelocation& relocation : image_.relocations) apply(relocation);
    std::ranges::sort(placed_.missing, {}, &MissingSymbol::address);
    std::ranges::sort(placed_.references, {}, &Reference::address);
    std::ranges::sort(placed_.relocations, {}, &PlacedRelocation::address);
    finish();
    return std::move(placed_);
  }

 private:
  [[noreturn]] void fail(std::string message) const {
    reject(ErrorCode::elf, input_.where, std::move(message), input_.source_line);
  }

  // ---- layout ----

  void check_range(const std::string& what, u64 address, u64 size_bytes) const {
    if (address <= address_space_end_ && size_bytes <= address_space_end_ - address) return;
    fail(fmt::format("{} is outside of the address space of {} bits", what, std::bit_width(address_space_end_) - 1));
  }

  /// Adds a part; empty parts only advance `next_`.
  void add(Part part, std::string_view contents) {
    check_range(part.name, part.base, part.size_bytes);
    if (part.is_code && part.base % 4 != 0) fail(part.name + " is not dword aligned");
    const u64 content_bytes = part.is_code ? part.size_bytes : contents.size();
    content_bytes_ += content_bytes;
    if (content_bytes > most_bytes_ || content_bytes_ > most_bytes_)
      fail(fmt::format("more than {} MiB of code and data", most_bytes_ >> 20));
    next_ = std::max(next_, part.end());
    if (part.size_bytes == 0) return;
    part.bytes.assign(contents.begin(), contents.end());
    parts_.push_back(std::move(part));
  }

  void place_sections() {
    for (const ElfSection& section : image_.sections) {
      const u64 address = align_up(next_, section.alignment_bytes);
      placed_.section_addresses.push_back(address);
      add({"section `" + section.name + "`", address, section.size_bytes, {}, section.access, section.is_code},
          section.bytes);
    }
  }

  void place_commons() {
    for (const ElfSymbol& symbol : image_.symbols) {
      if (symbol.kind != ElfSymbol::Kind::common || commons_.contains(symbol.name)) continue;
      const u64 address = align_up(next_, symbol.value);
      commons_.emplace(symbol.name, address);
      add({"the common symbol `" + symbol.name + "`", address, symbol.size_bytes, {}, Access::read_write, false}, {});
    }
  }

  /// Adds one entry for each symbol that a relocation needs one for.
  void place_got() {
    u64 address = align_up(next_, got_entry_bytes);
    std::string contents;
    const u64 start = address;
    for (const ElfRelocation& relocation : image_.relocations) {
      const auto type = find_relocation_type(relocation.type);
      if (!type || !needs_got_entry(*type) || !relocation.symbol) continue;
      const auto value = address_of(*relocation.symbol);
      if (!value || !got_.try_emplace(key_of(*relocation.symbol), address).second) continue;
      for (u32 i = 0; i < got_entry_bytes; ++i) contents += static_cast<char>(*value >> (8 * i));
      address += got_entry_bytes;
    }
    if (!contents.empty()) add({"the global offset table", start, contents.size(), {}, Access::read, false}, contents);
  }

  void place_segments() {
    for (const ElfSection& section : image_.sections) placed_.section_addresses.push_back(base_ + section.address);
    for (const ElfSegment& segment : image_.segments) {
      const std::string name = "the segment at " + hex(segment.address);
      check_range(name, segment.address, 0);
      check_range(name, base_ + segment.address, segment.size_bytes);
      u64 done = 0;  // bytes of the segment placed so far
      const auto add_rest = [&](u64 end, bool is_code) {
        const u64 in_file = std::min<u64>(end, segment.bytes.size());
        const std::string_view contents =
            in_file > done ? segment.bytes.substr(done, in_file - done) : std::string_view();
        add({name, base_ + segment.address + done, end - done, {}, segment.access, is_code}, contents);
        done = end;
      };
      for (const ElfSection* section : code_sections_of(segment)) {
        const u64 start = section->address - segment.address;
        if (start < done) fail("section `" + section->name + "` overlaps another one");
        add_rest(start, false);
        add_rest(start + section->size_bytes, true);
      }
      // Without code sections, a whole executable segment is code.
      const bool is_code = done == 0 && segment.is_executable;
      add_rest(is_code ? align_up(segment.size_bytes, 4) : segment.size_bytes, is_code);
    }
  }

  /// Returns the code sections of a segment, by address.
  std::vector<const ElfSection*> code_sections_of(const ElfSegment& segment) const {
    std::vector<const ElfSection*> found;
    if (!segment.is_executable) return found;
    for (const ElfSection& section : image_.sections) {
      if (!section.is_code || section.address < segment.address) continue;
      const u64 start = section.address - segment.address;
      if (start <= segment.size_bytes && section.size_bytes <= segment.size_bytes - start) found.push_back(&section);
    }
    std::ranges::sort(found, {}, &ElfSection::address);
    return found;
  }

  [[nodiscard]] Part* find_part(u64 address) {
    const auto after = std::ranges::upper_bound(parts_, address, {}, &Part::base);
    if (after == parts_.begin()) return nullptr;
    Part& part = *std::prev(after);
    return address < part.end() ? &part : nullptr;
  }

  // ---- kernels with a header before their code ----

  void find_headers() {
    for (const ElfSymbol& symbol : image_.symbols) {
      const auto header = find_kernel_code_header(image_, symbol, input_.file);
      if (!header) continue;
      const u64 address = *address_of(symbol);
      if (address % 4 != 0) fail("the header of the kernel `" + symbol.name + "` is not dword aligned");
      headers_.emplace(address, address + static_cast<u64>(header->entry_offset));
    }
    u64 end = 0;  // end of the previous header
    for (const auto& [address, entry] : headers_) {
      if (address < end) fail("the headers of two kernels overlap at " + hex(address));
      end = address + KernelCodeHeader::size_bytes;
    }
  }

  /// Turns headers into data: they can be loaded, but are neither executed nor listed as instructions.
  void take_headers_out() {
    if (headers_.empty()) return;
    std::vector<Part> parts;
    for (Part& part : parts_) {
      u64 done = part.base;
      const auto cut = [&](u64 end, bool is_code) {
        if (end == done) return;
        const auto offset = [&](u64 address) {
          return static_cast<std::ptrdiff_t>(std::min<u64>(address - part.base, part.bytes.size()));
        };
        parts.push_back({part.name,
                         done,
                         end - done,
                         {part.bytes.begin() + offset(done), part.bytes.begin() + offset(end)},
                         part.access,
                         is_code});
        done = end;
      };
      const auto first = headers_.lower_bound(part.base);
      const auto last = part.is_code ? headers_.lower_bound(part.end()) : first;
      if (first == last) {
        parts.push_back(std::move(part));
        continue;
      }
      for (auto header = first; header != last; ++header) {
        if (part.end() - header->first < KernelCodeHeader::size_bytes)
          fail("the header of the kernel at " + hex(header->first) + " (amd_kernel_code_t) reaches beyond " +
               part.name);
        cut(header->first, true);
        cut(header->first + KernelCodeHeader::size_bytes, false);
      }
      cut(part.end(), true);
    }
    parts_ = std::move(parts);
  }

  /// Adds the symbol of a kernel at its code, and that of its header with the name of a descriptor.
  void add_kernel(const ElfSymbol& symbol, u64 header, u64 entry) {
    placed_.symbols.push_back({symbol.name + std::string(descriptor_suffix), header, KernelCodeHeader::size_bytes});
    const Part* const part = find_part(entry);
    if (entry % 4 != 0 || part == nullptr || !part->is_code) {
      fail(fmt::format("the header of the kernel `{}` (amd_kernel_code_t) has the entry {}, which is not in code",
                       symbol.name.substr(0, 80), hex(entry)));
    }
    const u64 before = entry - header;
    const u64 size_bytes = symbol.size_bytes > before ? symbol.size_bytes - before : 0;
    const Symbol kernel{symbol.name, entry, std::min(size_bytes, part->end() - entry)};
    placed_.functions.push_back(kernel);
    placed_.symbols.push_back(kernel);
  }

  // ---- symbols ----

  /// The identity of a symbol; local symbols may have the same name.
  using SymbolKey = std::tuple<std::string, ElfSymbol::Kind, std::size_t, u64>;
  static SymbolKey key_of(const ElfSymbol& symbol) { return {symbol.name, symbol.kind, symbol.section, symbol.value}; }

  /// Returns the address of a symbol; nothing for an undefined one.
  [[nodiscard]] std::optional<u64> address_of(const ElfSymbol& symbol) const {
    switch (symbol.kind) {
      case ElfSymbol::Kind::absolute:
        return symbol.value;
      case ElfSymbol::Kind::common: {
        const auto found = commons_.find(symbol.name);
        if (found != commons_.end()) return found->second;
        return std::nullopt;
      }
      case ElfSymbol::Kind::defined:
        return (image_.relocatable ? placed_.section_addresses[symbol.section] : base_) + symbol.value;
      case ElfSymbol::Kind::undefined:
        break;
    }
    if (const auto value = scratch_symbol_value(symbol.name)) return *value;
    if (symbol.is_weak) return 0;
    return std::nullopt;
  }

  void collect_symbols() {
    for (const ElfSymbol& symbol : image_.symbols) {
      const auto address = address_of(symbol);
      if (!address) continue;
      if (const auto header = headers_.find(*address); header != headers_.end() && symbol.is_kernel_header) {
        add_kernel(symbol, *address, header->second);
        continue;
      }
      Symbol added{symbol.name, *address, symbol.size_bytes};
      const Part* part = find_part(*address);
      if (part != nullptr && part->is_code && symbol.is_function) {
        added.size_bytes = std::min(added.size_bytes, part->end() - *address);
        placed_.functions.push_back(added);
      }
      placed_.symbols.push_back(std::move(added));
    }
    const auto by_place = [](const Symbol& left, const Symbol& right) {
      return std::tie(left.address, left.name) < std::tie(right.address, right.name);
    };
    std::ranges::sort(placed_.functions, by_place);
    std::ranges::sort(placed_.symbols, by_place);
  }

  // ---- relocations ----

  void apply(const ElfRelocation& relocation) {
    const auto type = find_relocation_type(relocation.type);
    const u64 start = relocation.section ? placed_.section_addresses[*relocation.section] : base_;
    const auto where = [&] {
      return fmt::format("{} at {}{}", relocation_name(relocation.type),
                         relocation.section ? image_.sections[*relocation.section].name + "+" : "",
                         hex(relocation.offset));
    };
    if (!type) fail("the object has an unknown relocation: " + where());
    if (*type == RelocationType::none) return;
    if (!image_.relocatable && needs_got_entry(*type)) fail(where() + " is not supported in a shared object");

    const u64 place = start + relocation.offset;
    const u32 size_bytes = patched_bytes(*type);
    const bool in_section = !relocation.section || relocation.offset < image_.sections[*relocation.section].size_bytes;
    Part* part = in_section ? find_part(place) : nullptr;
    if (part == nullptr || part->bytes.size() < size_bytes || place - part->base > part->bytes.size() - size_bytes)
      fail("the ELF file is damaged: the relocation " + where() + " is outside of the contents of the object");

    if (part->is_code) {
      placed_.relocations.push_back({place, relocation_name(relocation.type),
                                     relocation.symbol ? relocation.symbol->name : std::string(), relocation.addend});
    }
    RelocationOperands operands{0, relocation.addend, place, base_};
    if (relocation.symbol) {
      const auto address = address_of(*relocation.symbol);
      if (!address) {
        placed_.missing.push_back({place, *type, relocation.symbol->name});
        if (part->is_code) add_reference(place, *type, relocation, 0);
        return;
      }
      operands.symbol = needs_got_entry(*type) ? got_.at(key_of(*relocation.symbol)) : *address;
      if (part->is_code && *type != RelocationType::rel16) add_reference(place, *type, relocation, *address);
    } else if (needs_got_entry(*type)) {
      fail("the ELF file is damaged: the relocation " + where() + " names no symbol");
    }
    const auto value = relocation_value(*type, operands);
    if (!value) {
      fail(fmt::format("the relocation {} against `{}` is out of range: the value does not fit into {} bits", where(),
                       relocation.symbol ? relocation.symbol->name : "", size_bytes * 8));
    }
    if (input_.as_in_file) return;
    for (u32 i = 0; i < size_bytes; ++i) part->bytes[place - part->base + i] = static_cast<u8>(*value >> (8 * i));
  }

  void add_reference(u64 place, RelocationType type, const ElfRelocation& relocation, u64 symbol_address) {
    std::string name = relocation.symbol->name;
    i64 addend = relocation.addend;
    if (relocation.symbol->is_section) {
      // A relocation against a local symbol uses its section and an offset, which may include the distance from the
      // result of S_GETPC_B64 to the place of the relocation.
      i64 distance = 0;
      if (type == RelocationType::rel32_lo || type == RelocationType::gotpcrel32_lo) distance = 4;
      if (type == RelocationType::rel32_hi || type == RelocationType::gotpcrel32_hi) distance = 12;
      const u64 target = symbol_address + static_cast<u64>(addend) - static_cast<u64>(distance);
      const auto found = std::ranges::lower_bound(placed_.symbols, target, {}, &Symbol::address);
      if (found != placed_.symbols.end() && found->address == target) {
        name = found->name;
        addend = distance;
      }
    }
    name += relocation_modifier(type);
    if (addend > 0) name += fmt::format("+{}", addend);
    if (addend < 0) name += std::to_string(addend);
    placed_.references.push_back({place, std::move(name)});
  }

  // ---- result ----

  void finish() {
    auto missing = placed_.missing.begin();
    for (Part& part : parts_) {
      if (part.is_code) {
        part.bytes.resize(part.size_bytes);
        CodeBlock block{part.base, std::vector<u32>(part.bytes.size() / 4), part.access};
        for (std::size_t i = 0; i < part.bytes.size(); ++i) block.words[i / 4] |= u32{part.bytes[i]} << (8 * (i % 4));
        placed_.code.push_back(std::move(block));
        continue;
      }
      u64 start = part.base;
      for (; missing != placed_.missing.end() && missing->address < part.end(); ++missing) {
        if (missing->address < start) continue;
        add_data(part, start, missing->address);
        start = missing->address + patched_bytes(missing->type);
      }
      add_data(part, start, part.end());
    }
    placed_.end = next_;
  }

  void add_data(const Part& part, u64 start, u64 end) {
    if (start >= end) return;
    DataBlock block;
    block.base = start;
    block.size_bytes = end - start;
    block.access = part.access;
    const u64 from = std::min<u64>(start - part.base, part.bytes.size());
    const u64 to = std::min<u64>(end - part.base, part.bytes.size());
    block.bytes.assign(part.bytes.begin() + static_cast<std::ptrdiff_t>(from),
                       part.bytes.begin() + static_cast<std::ptrdiff_t>(to));
    placed_.data.push_back(std::move(block));
  }

  const ElfImage& image_;
  u64 base_;
  u64 address_space_end_;
  u64 most_bytes_;
  const CodeInput& input_;
  PlacedObject placed_;
  std::vector<Part> parts_;
  std::map<std::string, u64> commons_;
  std::map<u64, u64> headers_;  ///< from the address of a header to that of its kernel's first instruction
  std::map<SymbolKey, u64> got_;
  u64 next_ = 0;
  u64 content_bytes_ = 0;
};

}  // namespace

PlacedObject place_object(const ElfImage& image, u64 base, u64 address_space_end, u64 most_bytes,
                          const CodeInput& input) {
  return Placer(image, base, address_space_end, most_bytes, input).place();
}

}  // namespace salu::loader
