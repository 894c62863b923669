#include "loader/objects/kernel_metadata.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "loader/objects/metadata_yaml.hpp"
#include "loader/rejection.hpp"
#include "support/numbers.hpp"
#include "support/printable.hpp"

namespace salu::loader {

bool KernelArgument::is_pointer() const {
  static constexpr std::array<std::string_view, 5> kinds = {"global_buffer", "image", "sampler", "pipe", "queue"};
  return std::ranges::find(kinds, value_kind) != kinds.end() || (is_hidden() && size_bytes == 8);
}

namespace {

using Json = nlohmann::json;

/// Checks the limits of MessagePack without storing its values: the parser recurses, and its values are many times
/// larger than the bytes.
class LimitCheck : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return count(); }
  bool boolean(bool) override { return count(); }
  bool number_integer(number_integer_t) override { return count(); }
  bool number_unsigned(number_unsigned_t) override { return count(); }
  bool number_float(number_float_t, const string_t&) override { return count(); }
  bool string(string_t&) override { return count(); }
  bool binary(binary_t&) override { return count(); }
  bool start_object(std::size_t) override { return enter(); }
  bool key(string_t&) override { return count(); }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_array() override { return leave(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

  [[nodiscard]] bool is_beyond() const { return values_ > most_metadata_values || depth_ > deepest_metadata; }

 private:
  bool count() { return ++values_ <= most_metadata_values; }
  bool enter() { return ++depth_ <= deepest_metadata && count(); }
  bool leave() {
    --depth_;
    return true;
  }

  std::size_t values_ = 0;
  std::size_t depth_ = 0;
};

class MetadataReader {
 public:
  MetadataReader(const ElfNote& note, const std::string& file) : note_(note), file_(file) {}

  std::vector<KernelMetadata> read() const {
    const Json root = note_.type == metadata_note_type_v2 ? read_yaml() : read_message_pack();
    const auto kernels = root.find("amdhsa.kernels");
    std::vector<KernelMetadata> result;
    if (kernels == root.end()) return result;
    if (!kernels->is_array()) fail("`amdhsa.kernels` is not a list");
    for (const Json& kernel : *kernels) result.push_back(read_kernel(kernel));
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    const char* const type = note_.type == metadata_note_type_v2 ? "NT_AMD_HSA_METADATA" : "NT_AMDGPU_METADATA";
    reject(ErrorCode::elf, {file_}, fmt::format("the metadata of the kernels ({}) cannot be used: {}", type, what));
  }

  [[nodiscard]] Json read_message_pack() const {
    const std::string& bytes = note_.bytes;
    LimitCheck limits;
    const bool is_good = Json::sax_parse(bytes, &limits, Json::input_format_t::msgpack);
    if (limits.is_beyond()) fail(metadata_limits_text());
    Json root = is_good ? Json::from_msgpack(bytes, true, false) : Json(Json::value_t::discarded);
    if (root.is_discarded() || !root.is_object()) fail("it is truncated or not a MessagePack map");
    return root;
  }

  [[nodiscard]] Json read_yaml() const {
    const std::size_t end = note_.bytes.find_last_not_of('\0');
    const Result<Json> root = parse_metadata_yaml(std::string_view(note_.bytes).substr(0, end + 1), file_);
    if (!root) fail(root.error().message);
    if (!root->is_object()) fail("it is truncated or not a YAML map");
    return upgrade_metadata(*root);
  }

  [[nodiscard]] const Json* find(const Json& map, const char* key) const {
    const auto found = map.find(key);
    return found == map.end() ? nullptr : &*found;
  }

  std::string text(const Json& map, const char* key, const std::string& owner, bool required) const {
    const Json* value = find(map, key);
    if (value == nullptr && !required) return {};
    if (value == nullptr || !value->is_string()) fail(fmt::format("`{}` of {} is missing or not a string", key, owner));
    // Escaped, as names of symbols are.
    return support::printable(value->get<std::string>());
  }

  u64 number(const Json& map, const char* key, const std::string& owner, u64 most, std::optional<u64> absent) const {
    const Json* value = find(map, key);
    if (value == nullptr && absent) return *absent;
    if (value == nullptr || !value->is_number_unsigned())
      fail(fmt::format("`{}` of {} is missing or not an unsigned integer", key, owner));
    const auto result = value->get<u64>();
    if (result > most) fail(fmt::format("`{}` of {} is {}", key, owner, result));
    return result;
  }

  u64 power_of_two(const Json& map, const char* key, const std::string& owner) const {
    const u64 value = number(map, key, owner, most_kernarg_bytes, 1);
    if (!std::has_single_bit(value)) {
      fail(fmt::format("`{}` of {} is {}, which is not a power of two", key, owner, value));
    }
    return value;
  }

  KernelMetadata read_kernel(const Json& map) const {
    constexpr u64 most = std::numeric_limits<u32>::max();
    if (!map.is_object()) fail("a kernel is not a map");
    KernelMetadata kernel;
    kernel.name = text(map, ".name", "a kernel", true);
    const std::string owner = "the kernel `" + kernel.name.substr(0, 80) + "`";
    kernel.descriptor_symbol = text(map, ".symbol", owner, true);
    kernel.kernarg_size_bytes = number(map, ".kernarg_segment_size", owner, most_kernarg_bytes, std::nullopt);
    kernel.kernarg_alignment = power_of_two(map, ".kernarg_segment_align", owner);
    kernel.group_segment_bytes = static_cast<u32>(number(map, ".group_segment_fixed_size", owner, most, 0));
    kernel.private_segment_bytes = static_cast<u32>(number(map, ".private_segment_fixed_size", owner, most, 0));
    kernel.max_workgroup_size = static_cast<u32>(number(map, ".max_flat_workgroup_size", owner, 1U << 20, 1024));
    kernel.uniform_workgroups = number(map, ".uniform_work_group_size", owner, most, 0) != 0;
    if (number(map, ".wavefront_size", owner, most, 64) != 64) fail(owner + " is not for wavefronts of 64 work-items");
    read_required_size(map, owner, kernel);
    const auto count = [&](const char* key) -> std::optional<u32> {
      if (find(map, key) == nullptr) return std::nullopt;
      return static_cast<u32>(number(map, key, owner, most, 0));
    };
    kernel.sgpr_count = count(".sgpr_count");
    kernel.vgpr_count = count(".vgpr_count");
    kernel.agpr_count = count(".agpr_count");
    if (const Json* arguments = find(map, ".args")) {
      if (!arguments->is_array()) fail("`.args` of " + owner + " is not a list");
      for (const Json& argument : *arguments) kernel.arguments.push_back(read_argument(argument, owner, kernel));
    }
    return kernel;
  }

  void read_required_size(const Json& map, const std::string& owner, KernelMetadata& kernel) const {
    const Json* sizes = find(map, ".reqd_workgroup_size");
    if (sizes == nullptr) return;
    const auto is_size = [](const Json& size) { return size.is_number_unsigned() && size.get<u64>() <= 0xffff; };
    if (!sizes->is_array() || sizes->size() != 3 || !std::ranges::all_of(*sizes, is_size)) {
      fail("`.reqd_workgroup_size` of " + owner + " is not a list of three sizes");
    }
    for (std::size_t i = 0; i < 3; ++i) kernel.required_workgroup_size[i] = (*sizes)[i].get<u32>();
    if (std::ranges::count(kernel.required_workgroup_size, 0U) % 3 != 0) {
      fail("`.reqd_workgroup_size` of " + owner + " contains a zero");
    }
  }

  KernelArgument read_argument(const Json& map, const std::string& kernel_name, const KernelMetadata& kernel) const {
    const std::string owner = fmt::format("argument {} of {}", kernel.arguments.size(), kernel_name);
    if (!map.is_object()) fail(owner + " is not a map");
    KernelArgument argument;
    argument.name = text(map, ".name", owner, false);
    argument.value_kind = text(map, ".value_kind", owner, true);
    argument.type_name = text(map, ".type_name", owner, false);
    argument.offset = number(map, ".offset", owner, most_kernarg_bytes, std::nullopt);
    argument.size_bytes = number(map, ".size", owner, most_kernarg_bytes, std::nullopt);
    argument.pointee_align = power_of_two(map, ".pointee_align", owner);
    if (argument.offset + argument.size_bytes > kernel.kernarg_size_bytes) {
      fail(fmt::format("{} extends beyond the kernarg segment of {} bytes", owner, kernel.kernarg_size_bytes));
    }
    return argument;
  }

  const ElfNote& note_;
  const std::string& file_;
};

}  // namespace

std::string metadata_limits_text() {
  return fmt::format("it has more than {}, or more than {} levels", support::counted(most_metadata_values, "value"),
                     deepest_metadata);
}

const ElfNote* find_metadata_note(const std::vector<ElfNote>& notes) {
  const auto find = [&](std::string_view name, u32 type) -> const ElfNote* {
    const auto found =
        std::ranges::find_if(notes, [&](const ElfNote& note) { return note.type == type && note.name == name; });
    return found == notes.end() ? nullptr : &*found;
  };
  const ElfNote* const note = find("AMDGPU", metadata_note_type);
  return note != nullptr ? note : find("AMD", metadata_note_type_v2);
}

std::vector<KernelMetadata> parse_kernel_metadata(const std::vector<ElfNote>& notes, const std::string& file) {
  const ElfNote* const first = find_metadata_note(notes);
  std::vector<KernelMetadata> kernels;
  std::unordered_set<std::string> known;
  // A linker concatenates the notes of its objects.
  for (const ElfNote& note : notes) {
    if (first == nullptr || note.type != first->type || note.name != first->name) continue;
    for (KernelMetadata& kernel : MetadataReader(note, file).read()) {
      if (known.insert(kernel.name).second) kernels.push_back(std::move(kernel));
    }
  }
  return kernels;
}

}  // namespace salu::loader
