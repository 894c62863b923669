#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <array>
#include <optional>
#include <vector>

#include "loader/objects/kernel_metadata.hpp"
#include "loader/yaml/yaml_tree.hpp"

/// The dimensions of a dispatch, and the work-group and wave that run.
namespace salu::loader {

struct Dispatch {
  std::array<u32, 3> workgroup_id{};
  std::array<u32, 3> workgroup_size{1, 1, 1};  ///< work-items of a whole work-group
  std::array<u32, 3> grid_size{1, 1, 1};       ///< work-items
  u32 dimensions = 1;
  u32 wave = 0;  ///< number within the work-group
  u32 wave_size = 64;
  u64 id = 0;  ///< dispatch id

  /// The number of work-items of this work-group: fewer than `workgroup_size` at the end of a grid that is not a
  /// multiple of it.
  [[nodiscard]] u32 workgroup_items() const;
  /// The number of work-groups of the grid.
  [[nodiscard]] u64 workgroups() const;
  /// Returns the same dispatch with another work-group of its grid, by number; x is the fastest dimension.
  [[nodiscard]] Dispatch workgroup(u64 number) const;
  /// The number of waves of this work-group.
  [[nodiscard]] u32 waves() const { return (workgroup_items() + wave_size - 1) / wave_size; }
  /// The lanes of the wave that have a work-item.
  [[nodiscard]] u64 exec() const;
  /// The work-item ids of the wave within its work-group, by lane.
  [[nodiscard]] std::vector<std::array<u32, 3>> work_items() const;
  /// The number of work-groups along each axis, incomplete ones included.
  [[nodiscard]] std::array<u32, 3> workgroups_along() const;

 private:
  /// The number of work-items of this work-group along each axis.
  [[nodiscard]] std::array<u32, 3> workgroup_extent() const;
};

/// Keys of `kernel:` that `read_dispatch` reads.
inline constexpr std::array<std::string_view, 5> dispatch_keys = {"workgroup_id", "workgroup_size", "grid_size", "wave",
                                                                  "dispatch_id"};

/// Reads the sizes in a `kernel:` block. Rejects sizes that the kernel was not compiled for, and a work-group or wave
/// outside of the grid.
Dispatch read_dispatch(const Document& document, const Node& block, const KernelMetadata& kernel, u32 wave_size);

/// Addresses and sizes for hidden arguments.
struct HiddenSources {
  u64 queue_ptr = 0;
  u32 dynamic_group_bytes = 0;
  u32 private_base_hi = 0;  ///< aperture of the private segment, upper half
  u32 shared_base_hi = 0;
};

/// Returns the value of a hidden argument by its kind; 0 for arguments that are not modelled (buffers of printf, malloc
/// and the host).
u64 hidden_value(std::string_view kind, const Dispatch& dispatch, const HiddenSources& sources);

}  // namespace salu::loader
