#include "loader/launch/kernel_arguments.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

#include "loader/launch/argument_list.hpp"
#include "loader/number.hpp"
#include "loader/rejection.hpp"
#include "support/numbers.hpp"

namespace salu::loader {
namespace {

constexpr std::array<std::string_view, 12> buffer_keys = {"buffer", "words", "bytes", "qwords", "f16",    "f32",
                                                          "f64",    "text",  "file",  "size",   "access", "at"};

bool is_group_pointer(const KernelArgument& argument) { return argument.value_kind == "dynamic_shared_pointer"; }

std::string dwords_text(u64 count) { return support::counted(count, "dword"); }
std::string bytes_text(u64 count) { return support::counted(count, "byte"); }

/// Describes the accepted values of an argument, for messages.
std::string expected_form(const KernelArgument& argument) {
  if (argument.is_pointer()) return "a buffer ({buffer: 4096}, {words: [1, 2]}) or an address";
  if (is_group_pointer(argument)) return "an amount of LDS ({buffer: 256}) or an address in it";
  std::string form = "an integer";
  if (argument.size_bytes == 4) form += ", {f32: 1.5}";
  if (argument.size_bytes == 8) form += ", {f64: 1.5}";
  if (argument.size_bytes % 4 == 0) form += ", a list of " + dwords_text(argument.size_bytes / 4);
  return form + " or {bytes: [...]}";
}

std::string describe_argument(const KernelArgument& argument, const std::string& name) {
  std::string type = argument.type_name.empty() ? std::string() : "`" + argument.type_name.substr(0, 40) + "`, ";
  return fmt::format("argument `{}` ({}{}, {})", name.substr(0, 80), type, argument.value_kind,
                     bytes_text(argument.size_bytes));
}

class ArgumentReader {
 public:
  ArgumentReader(const ArgumentSources& sources, Memory& memory)
      : sources_(sources),
        document_(sources.document),
        memory_(memory),
        names_(argument_names(sources.kernel)),
        group_bytes_(sources.kernel.group_segment_bytes) {
    segment_.bytes.resize(sources.kernel.kernarg_size_bytes);
    segment_.given.resize(sources.kernel.arguments.size());
  }

  KernargSegment read(const Node& block, const Node* arguments) {
    if (arguments != nullptr && arguments->is_sequence()) {
      read_list(*arguments);
    } else if (arguments != nullptr) {
      read_map(*arguments);
    }
    check_missing(arguments == nullptr ? block : *arguments);
    place_buffers();
    segment_.dynamic_group_bytes = static_cast<u32>(group_bytes_ - sources_.kernel.group_segment_bytes);
    return std::move(segment_);
  }

 private:
  struct Buffer {
    std::size_t argument = 0;
    const Node* node = nullptr;
    const Node* at = nullptr;
    MemoryRegion region;
    std::vector<u8> content;
  };

  [[nodiscard]] const std::vector<KernelArgument>& arguments() const { return sources_.kernel.arguments; }
  [[nodiscard]] std::string kernel_text() const { return "the kernel `" + sources_.kernel.name.substr(0, 80) + "`"; }

  /// `it has a, b and c`: the arguments without hidden ones.
  [[nodiscard]] std::string list_of_arguments() const {
    std::vector<std::string_view> shown;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (!arguments()[i].is_hidden()) shown.push_back(names_[i]);
    }
    return shown.empty() ? "it does not take arguments" : "it has " + support::first_names(shown);
  }

  void read_map(const Node& map) {
    if (!map.is_map()) {
      document_.fail(map,
                     "`args:` must be a map (`n: 5`) or a list in the order of the arguments, found " + describe(map));
    }
    std::unordered_map<std::string_view, std::size_t> numbers;
    for (std::size_t i = 0; i < names_.size(); ++i) numbers.emplace(names_[i], i);
    for (std::size_t i = 0; i + 1 < map.children.size(); i += 2) {
      const Node& key = *map.children[i];
      const auto found = numbers.find(key.text);
      if (found == numbers.end()) {
        const std::vector<std::string_view> known(names_.begin(), names_.end());
        const std::string hint = did_you_mean(key.text, known);
        document_.fail(key, fmt::format("{} does not have an argument `{}`{}", kernel_text(), key.text.substr(0, 80),
                                        hint.empty() ? "; " + list_of_arguments() : hint));
      }
      read_argument(found->second, *map.children[i + 1]);
    }
  }

  void read_list(const Node& list) {
    std::size_t next = 0;
    for (const Node* value : list.children) {
      while (next < arguments().size() && arguments()[next].is_hidden()) ++next;
      if (next == arguments().size())
        document_.fail(*value, kernel_text() + " has fewer arguments; " + list_of_arguments());
      read_argument(next++, *value);
    }
  }

  void read_argument(std::size_t index, const Node& node) {
    const KernelArgument& argument = arguments()[index];
    const std::string what = describe_argument(argument, names_[index]);
    segment_.given[index] = true;
    try {
      if (argument.is_pointer()) {
        read_pointer(index, node, what);
      } else if (is_group_pointer(argument)) {
        read_group_pointer(argument, node, what);
      } else {
        read_by_value(argument, node, what);
      }
    } catch (Rejection& rejection) {
      // Errors from the readers of numbers and contents do not name the argument.
      Error error = std::move(rejection).take();
      if (!error.message.starts_with(what)) error.message = what + ": " + error.message;
      throw Rejection(std::move(error));
    }
  }

  [[noreturn]] void fail_form(const KernelArgument& argument, const Node& node, const std::string& what,
                              const std::string& found) const {
    document_.fail(node, fmt::format("{}: expected {}, found {}", what, expected_form(argument), found));
  }

  u64 read_integer(const KernelArgument& argument, const Node& node, const std::string& what) const {
    const u32 bits = static_cast<u32>(std::min<u64>(argument.size_bytes, 8)) * 8;
    return read_number(document_, node, what, bits, {&sources_.symbols, false});
  }

  void read_pointer(std::size_t index, const Node& node, const std::string& what) {
    const KernelArgument& argument = arguments()[index];
    if (node.is_map()) {
      buffers_.push_back(read_buffer(index, node, what));
    } else if (node.is_scalar()) {
      segment_.set(argument, read_integer(argument, node, what));
    } else {
      fail_form(argument, node, what, describe(node));
    }
  }

  Buffer read_buffer(std::size_t index, const Node& node, const std::string& what) {
    const MapReader map(document_, node, "a buffer", buffer_keys);
    Buffer buffer;
    buffer.argument = index;
    buffer.node = &node;
    const Node* content = nullptr;
    for (const std::string_view key : memory_content_keys) {
      const Node* found = map.find(key);
      if (found == nullptr) continue;
      if (content != nullptr)
        document_.fail(*found, what + ": a buffer has more than one of " + name_list(memory_content_keys, "and"));
      content = found;
      buffer.content = sources_.contents.read_content(*found, key);
    }
    const Node* size = map.find("buffer");
    if (const Node* other = map.find("size")) {
      if (size != nullptr) document_.fail(*other, what + ": the size is already given by `buffer:`");
      size = other;
    }
    if (content == nullptr && size == nullptr)
      document_.fail(node, fmt::format("{}: a buffer needs a size ({{buffer: 4096}}) or contents ({})", what,
                                       name_list(memory_content_keys)));
    buffer.region.size_bytes =
        size == nullptr ? buffer.content.size() : read_size(document_, *size, what + ": its size");
    if (buffer.region.size_bytes == 0) document_.fail(size == nullptr ? node : *size, what + ": the buffer is empty");
    if (buffer.content.size() > buffer.region.size_bytes) {
      document_.fail(*content, fmt::format("{}: the contents of {} are larger than the buffer ({})", what,
                                           bytes_text(buffer.content.size()), buffer.region.size_bytes));
    }
    if (const Node* access = map.find("access")) {
      const std::string& text = read_text(document_, *access, what + ": `access:`");
      if (text != "r" && text != "rw") document_.fail(*access, what + ": `access:` must be `r` or `rw`");
      buffer.region.access = text == "r" ? Access::read : Access::read_write;
    }
    if ((buffer.at = map.find("at")) != nullptr)
      buffer.region.base = read_unsigned(document_, *buffer.at, what + ": `at:`", 64);
    return buffer;
  }

  void read_group_pointer(const KernelArgument& argument, const Node& node, const std::string& what) {
    static constexpr std::array<std::string_view, 1> keys = {"buffer"};
    if (node.is_scalar()) {
      segment_.set(argument, read_integer(argument, node, what));
      return;
    }
    if (!node.is_map()) fail_form(argument, node, what, describe(node));
    const MapReader map(document_, node, "an amount of LDS", keys);
    const Node& size = map.require("buffer");
    const u64 bytes = read_size(document_, size, what + ": its size");
    const u64 address = align_up(group_bytes_, argument.pointee_align);
    if (address + bytes > 0xffffffffU) document_.fail(size, what + ": more LDS than 32-bit addresses reach");
    segment_.set(argument, address);
    group_bytes_ = address + bytes;
  }

  void read_by_value(const KernelArgument& argument, const Node& node, const std::string& what) {
    if (node.is_map()) {
      read_value_map(argument, node, what);
    } else if (node.is_sequence()) {
      if (node.children.size() != argument.size_bytes / 4 || argument.size_bytes % 4 != 0) {
        fail_form(
            argument, node, what,
            fmt::format("a list of {} ({})", dwords_text(node.children.size()), bytes_text(node.children.size() * 4)));
      }
      copy(argument, sources_.contents.read_content(node, "words"));
    } else if (node.is_scalar() && argument.size_bytes * 8 <= Number::most_bits) {
      check_not_float(argument, node, what);
      const u32 bits = static_cast<u32>(argument.size_bytes) * 8;
      if (bits == 0) document_.fail(node, what + ": its size is 0, so it cannot have a value");
      const auto dwords = read_value(document_, node, what, bits, {&sources_.symbols, false}).twos_complement();
      std::vector<u8> bytes;
      for (u64 i = 0; i < argument.size_bytes; ++i) bytes.push_back(static_cast<u8>(dwords[i / 4] >> (8 * (i % 4))));
      copy(argument, bytes);
    } else {
      fail_form(argument, node, what, describe(node));
    }
  }

  /// Rejects an integer such as 2 for a float argument: its bits would be a tiny number, a mistake that is hard to see.
  void check_not_float(const KernelArgument& argument, const Node& node, const std::string& what) const {
    const std::string_view key = argument.type_name == "float" ? "f32" : argument.type_name == "double" ? "f64" : "";
    const bool is_decimal =
        node.text.find_first_of("0123456789+-.") == 0 && node.text.find_first_of("xX") == std::string::npos;
    if (key.empty() || !is_decimal) return;
    const std::string shown = node.text.substr(0, 40);
    document_.fail(node, fmt::format("{}: found the number {}; expected {{{}: {}}}, or the bits in hexadecimal (0x...)",
                                     what, shown, key, shown));
  }

  void read_value_map(const KernelArgument& argument, const Node& node, const std::string& what) {
    const std::string key = node.children.empty() ? std::string() : node.children[0]->text;
    if (node.children.size() != 2 || std::ranges::find(memory_content_keys, key) == memory_content_keys.end()) {
      fail_form(argument, node, what, key == "buffer" ? "a buffer" : "a map");
    }
    const std::optional<FloatNode> floats = find_floats(node);
    if (floats && !floats->numbers->is_sequence()) {
      const u64 size = float_bits(floats->format) / 8;
      if (argument.size_bytes != size)
        fail_form(argument, node, what, fmt::format("{{{}: ...}} of {}", key, bytes_text(size)));
      segment_.set(argument, read_number(document_, node, what, static_cast<u32>(size) * 8, {nullptr, true}));
      return;
    }
    const std::vector<u8> content = sources_.contents.read_content(*node.children[1], key);
    if (content.size() != argument.size_bytes) fail_form(argument, node, what, bytes_text(content.size()));
    copy(argument, content);
  }

  void copy(const KernelArgument& argument, const std::vector<u8>& content) {
    std::ranges::copy(content, segment_.bytes.begin() + static_cast<std::ptrdiff_t>(argument.offset));
  }

  void check_missing(const Node& node) const {
    std::vector<std::string_view> missing;
    std::size_t first = 0;
    for (std::size_t i = 0; i < arguments().size(); ++i) {
      const KernelArgument& argument = arguments()[i];
      if (segment_.given[i] || argument.is_hidden() || argument.size_bytes == 0) continue;
      if (missing.empty()) first = i;
      missing.push_back(names_[i]);
    }
    if (missing.empty()) return;
    const KernelArgument& argument = arguments()[first];
    std::string message = fmt::format("{} needs the {}: expected {}", kernel_text(),
                                      describe_argument(argument, names_[first]), expected_form(argument));
    if (missing.size() > 1) {
      missing.erase(missing.begin());
      message += fmt::format("; {} {} also missing", support::first_names(missing), missing.size() == 1 ? "is" : "are");
    }
    document_.fail(node, message);
  }

  void place_buffers() {
    for (Buffer& buffer : buffers_) {
      if (buffer.at != nullptr) map_buffer(buffer);
    }
    u64 next = buffers_start;
    for (Buffer& buffer : buffers_) {
      if (buffer.at != nullptr) continue;
      // A byte on either side stays unmapped, so that an access beyond a buffer does not hit the next buffer.
      const u64 size = buffer.region.size_bytes;
      const auto free = size > Memory::end_address
                            ? std::nullopt
                            : find_free_address(memory_, next, size + 1, buffer_alignment_bytes, sources_.generation);
      if (!free) fail_buffer(buffer, "no free address range for a buffer of " + bytes_text(size));
      buffer.region.base = *free;
      next = *free + size + 1;
      map_buffer(buffer);
    }
  }

  [[noreturn]] void fail_buffer(const Buffer& buffer, const std::string& problem) const {
    document_.fail(buffer.at == nullptr ? *buffer.node : *buffer.at,
                   describe_argument(arguments()[buffer.argument], names_[buffer.argument]) + ": " + problem);
  }

  void map_buffer(const Buffer& buffer) {
    const MemoryRegion& region = buffer.region;
    const u64 space = u64{1} << address_bits(sources_.generation);
    if (region.base >= space || region.size_bytes > space - region.base) {
      fail_buffer(buffer, fmt::format("the buffer does not fit in the address space of {} bits",
                                      address_bits(sources_.generation)));
    }
    if (!memory_.add_region(region)) {
      const auto other = std::ranges::find_if(memory_.regions(), [&](const MemoryRegion& known) {
        return region.base < known.end() && known.base < region.end();
      });
      std::string message = "the buffer at " + range_text(region.base, region.end()) + " overlaps ";
      message +=
          other == memory_.regions().end() ? "other memory" : "the memory at " + range_text(other->base, other->end());
      fail_buffer(buffer, message);
    }
    memory_.write(region.base, buffer.content);
    segment_.set(arguments()[buffer.argument], region.base);
  }

  const ArgumentSources& sources_;
  const Document& document_;
  Memory& memory_;
  std::vector<std::string> names_;
  KernargSegment segment_;
  std::vector<Buffer> buffers_;
  u64 group_bytes_ = 0;
};

}  // namespace

std::optional<u64> find_free_address(const Memory& memory, u64 start, u64 size_bytes, u64 alignment,
                                     Generation generation) {
  const u64 end = u64{1} << address_bits(generation);
  u64 address = align_up(start, alignment);
  // Regions are sorted, so one pass is enough.
  for (const MemoryRegion& region : memory.regions()) {
    if (address >= end || size_bytes > end - address) return std::nullopt;
    if (region.base < address + size_bytes && address < region.end()) address = align_up(region.end() + 1, alignment);
  }
  if (address >= end || size_bytes > end - address) return std::nullopt;
  return address;
}

void KernargSegment::set(const KernelArgument& argument, u64 value) {
  for (u64 i = 0; i < std::min<u64>(argument.size_bytes, 8); ++i)
    bytes[argument.offset + i] = static_cast<u8>(value >> (8 * i));
}

KernargSegment read_kernel_arguments(const ArgumentSources& sources, const Node& block, const Node* arguments,
                                     Memory& memory) {
  return ArgumentReader(sources, memory).read(block, arguments);
}

}  // namespace salu::loader
