#include "loader/launch/kernel_dispatch.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <string>

#include "loader/yaml/reader.hpp"
#include "support/numbers.hpp"

namespace salu::loader {
namespace {

constexpr std::array<u32, 3> default_workgroup_size = {64, 1, 1};
constexpr std::string_view axes = "xyz";

struct Triple {
  std::array<u32, 3> values{};
  u32 given = 0;
  const Node* node = nullptr;
};

/// Reads a number or a list of up to three; missing ones are `rest`.
std::optional<Triple> read_triple(const Document& document, const Node& block, std::string_view key, u32 bits,
                                  u32 least, u32 rest) {
  const Node* node = nullptr;
  for (std::size_t i = 0; i + 1 < block.children.size(); i += 2) {
    if (block.children[i]->text == key) node = block.children[i + 1];
  }
  if (node == nullptr) return std::nullopt;
  const std::string what = "`" + std::string(key) + ":`";
  Triple triple{{rest, rest, rest}, 0, node};
  const auto read = [&](const Node& number) {
    const u64 value = read_unsigned(document, number, what, bits);
    if (value < least) document.fail(number, fmt::format("{} must be at least {}", what, least));
    triple.values[triple.given++] = static_cast<u32>(value);
  };
  if (node->is_scalar()) {
    read(*node);
    return triple;
  }
  if (!node->is_sequence() || node->children.empty() || node->children.size() > 3) {
    document.fail(*node, fmt::format("{} must be a list of one to three numbers (x, y, z), found {}", what,
                                     node->is_sequence() ? std::to_string(node->children.size()) : describe(*node)));
  }
  for (const Node* number : node->children) read(*number);
  return triple;
}

std::string size_text(const std::array<u32, 3>& size) { return fmt::format("[{}, {}, {}]", size[0], size[1], size[2]); }

u64 product(const std::array<u32, 3>& size) { return u64{size[0]} * size[1] * size[2]; }

void check_workgroup_size(const Document& document, const Node& node, const Dispatch& dispatch,
                          const KernelMetadata& kernel) {
  const bool required = kernel.required_workgroup_size[0] != 0;
  if (required && dispatch.workgroup_size != kernel.required_workgroup_size) {
    document.fail(node,
                  fmt::format("the kernel `{}` was compiled for a work-group of {} work-items, not {}", kernel.name,
                              size_text(kernel.required_workgroup_size), size_text(dispatch.workgroup_size)));
  }
  if (product(dispatch.workgroup_size) > kernel.max_workgroup_size) {
    document.fail(node, fmt::format("a work-group of {} has {} work-items; the kernel `{}` was compiled for at most {}",
                                    size_text(dispatch.workgroup_size), product(dispatch.workgroup_size), kernel.name,
                                    kernel.max_workgroup_size));
  }
}

void check_place(const Document& document, const Node& id_node, const Node& grid_node, const Dispatch& dispatch,
                 const KernelMetadata& kernel) {
  for (std::size_t i = 0; i < 3; ++i) {
    const u32 size = dispatch.workgroup_size[i];
    const u32 grid = dispatch.grid_size[i];
    if (kernel.uniform_workgroups && grid % size != 0) {
      document.fail(grid_node, fmt::format("the kernel `{}` needs a grid that is a multiple of the work-group; along "
                                           "{} the grid has {} work-items and the work-group {}",
                                           kernel.name, axes[i], grid, size));
    }
    const u64 groups = (u64{grid} + size - 1) / size;
    if (dispatch.workgroup_id[i] >= groups) {
      document.fail(id_node,
                    fmt::format("no work-group {} along {}: the grid has {} ({} work-items in work-groups of {})",
                                dispatch.workgroup_id[i], axes[i], groups, grid, size));
    }
  }
}

std::optional<std::size_t> axis_of(std::string_view kind, std::string_view stem) {
  if (!kind.starts_with(stem) || kind.size() != stem.size() + 1) return std::nullopt;
  const std::size_t axis = axes.find(kind.back());
  return axis == std::string_view::npos ? std::nullopt : std::optional(axis);
}

}  // namespace

std::array<u32, 3> Dispatch::workgroup_extent() const {
  std::array<u32, 3> extent{};
  for (std::size_t i = 0; i < 3; ++i) {
    const u64 before = u64{workgroup_id[i]} * workgroup_size[i];
    extent[i] = static_cast<u32>(std::min<u64>(workgroup_size[i], grid_size[i] - before));
  }
  return extent;
}

u64 Dispatch::workgroups() const {
  const auto along = workgroups_along();
  const u64 in_plane = u64{along[0]} * along[1];
  constexpr u64 most = std::numeric_limits<u64>::max();
  return in_plane > most / along[2] ? most : in_plane * along[2];
}

Dispatch Dispatch::workgroup(u64 number) const {
  const auto along = workgroups_along();
  Dispatch other = *this;
  other.workgroup_id = {static_cast<u32>(number % along[0]), static_cast<u32>(number / along[0] % along[1]),
                        static_cast<u32>(number / along[0] / along[1])};
  return other;
}

u32 Dispatch::workgroup_items() const { return static_cast<u32>(product(workgroup_extent())); }

std::array<u32, 3> Dispatch::workgroups_along() const {
  std::array<u32, 3> along{};
  for (std::size_t i = 0; i < 3; ++i)
    along[i] = static_cast<u32>((u64{grid_size[i]} + workgroup_size[i] - 1) / workgroup_size[i]);
  return along;
}

std::vector<std::array<u32, 3>> Dispatch::work_items() const {
  const auto extent = workgroup_extent();
  std::vector<std::array<u32, 3>> items;
  for (u32 item = wave * wave_size; item < std::min((wave + 1) * wave_size, workgroup_items()); ++item)
    items.push_back({item % extent[0], item / extent[0] % extent[1], item / (extent[0] * extent[1])});
  return items;
}

u64 Dispatch::exec() const { return lane_mask(std::min(wave_size, workgroup_items() - wave * wave_size)); }

Dispatch read_dispatch(const Document& document, const Node& block, const KernelMetadata& kernel, u32 wave_size) {
  Dispatch dispatch;
  dispatch.wave_size = wave_size;
  const auto size = read_triple(document, block, "workgroup_size", 16, 1, 1);
  const auto grid = read_triple(document, block, "grid_size", 32, 1, 1);
  const auto id = read_triple(document, block, "workgroup_id", 32, 0, 0);
  const bool required = kernel.required_workgroup_size[0] != 0;
  dispatch.workgroup_size = size ? size->values : required ? kernel.required_workgroup_size : default_workgroup_size;
  check_workgroup_size(document, size ? *size->node : block, dispatch, kernel);
  dispatch.grid_size = grid ? grid->values : dispatch.workgroup_size;
  dispatch.dimensions = std::max(size ? size->given : 0, grid ? grid->given : 0);
  if (dispatch.dimensions == 0) {
    dispatch.dimensions = dispatch.grid_size[2] > 1 ? 3 : dispatch.grid_size[1] > 1 ? 2 : 1;
  }
  if (id) dispatch.workgroup_id = id->values;
  check_place(document, id ? *id->node : block, grid ? *grid->node : block, dispatch, kernel);
  for (std::size_t i = 0; i + 1 < block.children.size(); i += 2) {
    const Node& value = *block.children[i + 1];
    if (block.children[i]->text == "dispatch_id") dispatch.id = read_unsigned(document, value, "`dispatch_id:`", 64);
    if (block.children[i]->text != "wave") continue;
    dispatch.wave = static_cast<u32>(read_unsigned(document, value, "`wave:`", 32));
    if (dispatch.wave >= dispatch.waves()) {
      document.fail(value, fmt::format("no wave {}: the work-group of {} work-items has {}", dispatch.wave,
                                       dispatch.workgroup_items(), support::counted(dispatch.waves(), "wave")));
    }
  }
  return dispatch;
}

u64 hidden_value(std::string_view kind, const Dispatch& dispatch, const HiddenSources& sources) {
  // Counts and sizes cover complete work-groups; the rest of the grid is the remainder.
  if (const auto axis = axis_of(kind, "hidden_block_count_"))
    return dispatch.grid_size[*axis] / dispatch.workgroup_size[*axis];
  if (const auto axis = axis_of(kind, "hidden_group_size_")) return dispatch.workgroup_size[*axis];
  if (const auto axis = axis_of(kind, "hidden_remainder_"))
    return dispatch.grid_size[*axis] % dispatch.workgroup_size[*axis];
  if (kind == "hidden_grid_dims") return dispatch.dimensions;
  if (kind == "hidden_queue_ptr") return sources.queue_ptr;
  if (kind == "hidden_dynamic_lds_size") return sources.dynamic_group_bytes;
  if (kind == "hidden_private_base") return sources.private_base_hi;
  if (kind == "hidden_shared_base") return sources.shared_base_hi;
  return 0;
}

}  // namespace salu::loader
