#pragma once

#include <salu/sweep.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sweeping/block.hpp"
#include "sweeping/outputs.hpp"

/// Columns in the caller's arrays.
namespace salu::sweeping {

/// Returns an error if the layout of an array is invalid.
std::optional<Error> find_problem(const SweepArray& array, const void* data, const std::string& name);

/// Returns an error if memory of the caller would be written twice, or written while it is read. Interleaved columns of
/// one array are allowed.
std::optional<Error> find_overlap(const SweepOptions& options, u64 states);

/// Reads the numbers of consecutive states; signed numbers are sign-extended.
void read_array(const SweepArray& array, const void* data, u64 first, std::span<u64> values);

/// The outputs that are stored in arrays of the caller.
class ResultArrays {
 public:
  /// Makes the columns; `results` must outlive them.
  static Result<ResultArrays> make(const std::vector<SweepResult>& results, const Outputs& outputs);

  [[nodiscard]] bool empty() const { return columns_.empty(); }
  /// Writes the states of a block. Several threads may write different blocks.
  void write(const Block& block) const;

 private:
  struct Column {
    enum class Kind : u8 { output, steps, stop };
    Kind kind = Kind::output;
    std::size_t output = 0;  ///< number of the output
    const SweepResult* result = nullptr;
  };
  std::vector<Column> columns_;
};

}  // namespace salu::sweeping
