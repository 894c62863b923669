#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <array>
#include <optional>
#include <vector>

#include "loader/objects/kernel_metadata.hpp"
#include "loader/yaml/yaml_tree.hpp"

/// The shape of a dispatch: grid, work-groups, and the one wave of them that runs.
namespace salu::loader {

struct Dispatch {
  std::array<u32, 3> workgroup_id{};
  std::array<u32, 3> workgroup_size{1, 1, 1};  ///< work-items of a whole work-group
  std::array<u32, 3> grid_size{1, 1, 1};       ///< work-items
  u32 dimensions = 1;
  u32 wave = 0;  ///< in the work-group
  u32 wave_size = 64;
  u64 id = 0;  ///< dispatch id

  /// Work-items of this work-group: fewer than `workgroup_size` at the end of a grid that is no multiple of it.
  [[nodiscard]] u32 workgroup_items() const;
  /// How many work-groups the grid has.
  [[nodiscard]] u64 workgroups() const;
  /// The same dispatch with another work-group of its grid, by number: x counts first.
  [[nodiscard]] Dispatch workgroup(u64 number) const;
  /// Waves of this work-group.
  [[nodiscard]] u32 waves() const { return (workgroup_items() + wave_size - 1) / wave_size; }
  /// Lanes of the wave that hold a work-item.
  [[nodiscard]] u64 exec() const;
  /// The ids of its work-items in the work-group, by lane.
  [[nodiscard]] std::vector<std::array<u32, 3>> work_items() const;
  /// Work-groups of the grid along each axis, those that are not whole included.
  [[nodiscard]] std::array<u32, 3> workgroups_along() const;

 private:
  /// Work-items of this work-group along each axis.
  [[nodiscard]] std::array<u32, 3> workgroup_extent() const;
};

/// Keys of `kernel:` that `read_dispatch` reads.
inline constexpr std::array<std::string_view, 5> dispatch_keys = {"workgroup_id", "workgroup_size", "grid_size", "wave",
                                                                  "dispatch_id"};

/// Reads the sizes in a `kernel:` block. Rejects what the kernel was not compiled for, and a work-group or wave that
/// the grid does not have.
Dispatch read_dispatch(const Document& document, const Node& block, const KernelMetadata& kernel, u32 wave_size);

/// Addresses and sizes that hidden arguments hold.
struct HiddenSources {
  u64 queue_ptr = 0;
  u32 dynamic_group_bytes = 0;
  u32 private_base_hi = 0;  ///< aperture of the private segment, upper half
  u32 shared_base_hi = 0;
};

/// The value of a hidden argument by its kind; 0 for what is not modelled (buffers of printf, malloc and the host).
u64 hidden_value(std::string_view kind, const Dispatch& dispatch, const HiddenSources& sources);

}  // namespace salu::loader
