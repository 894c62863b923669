#pragma once

#include <salu/integer.hpp>
#include <salu/memory.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace salu::assembler {

/// A contiguous part of the result.
struct Section {
  enum class Kind : u8 {
    code,      ///< all sections of code, in the order of the text, combined in one section, number 0
    data,      ///< loaded in addition to the code
    left_out,  ///< not visible to a program: debugging information, notes
  };
  Kind kind = Kind::code;
  std::string name;
  Access access = Access::read;
  bool is_zero = false;     ///< does not have contents in an object (@nobits): initialised with zeros
  u64 alignment_bytes = 1;  ///< a power of two
  u64 base = 0;             ///< for data 0 until all sections are placed
  std::vector<u8> bytes{};
};

/// The sections of a text and the current one.
class Sections {
 public:
  /// `base`: address of the code; `most_bytes`: of all sections together.
  Sections(u64 base, u64 most_bytes);

  [[nodiscard]] const Section& current() const { return sections_[current_]; }
  [[nodiscard]] u32 current_number() const { return current_; }
  [[nodiscard]] bool is_code() const { return current().kind == Section::Kind::code; }
  /// True if the contents of the current section are part of the result.
  [[nodiscard]] bool is_assembled() const { return current().kind != Section::Kind::left_out; }
  /// The address of the next byte; in a section of data, the offset from its beginning.
  [[nodiscard]] u64 location() const { return current().base + current().bytes.size(); }
  [[nodiscard]] Section& at(u32 number) { return sections_[number]; }
  [[nodiscard]] const std::vector<Section>& all() const { return sections_; }

  /// Switches to a section. Its name determines its kind if `flags` (of ELF: `ax`) and `type` (`nobits`) do not.
  void enter(std::string_view name, std::optional<std::string_view> flags = {}, std::string_view type = {});
  /// Like `enter`, until `leave` or `enter_previous`.
  void push();
  /// `.popsection`; false without an open `.pushsection`.
  [[nodiscard]] bool pop();
  /// `.previous`; false if there was no other section before.
  [[nodiscard]] bool enter_previous();
  void align(u64 alignment_bytes);

  /// Appends to the current section; false if the limit is exceeded.
  [[nodiscard]] bool append(std::span<const u8> bytes);
  /// Overwrites bytes with the low bytes of a number.
  void patch(u32 section, u64 offset, u64 number, u32 bytes);
  [[nodiscard]] u32 read_dword(u32 section, u64 offset) const;

  /// Places the sections of data after the code, each at a multiple of its alignment.
  void place();

 private:
  std::vector<Section> sections_;
  std::unordered_map<std::string, u32> numbers_;  ///< by name
  u64 bytes_left_;
  u32 current_ = 0;
  std::optional<u32> previous_;
  std::vector<std::pair<u32, std::optional<u32>>> outer_;  ///< current and previous section of each `.pushsection`
};

}  // namespace salu::assembler
