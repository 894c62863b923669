#pragma once

#include <salu/sweep.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sweeping/block.hpp"
#include "sweeping/outputs.hpp"

/// Columns in the caller's memory.
namespace salu::sweeping {

/// What is wrong with where numbers are said to lie, or nothing.
std::optional<Error> find_problem(const SweepArray& array, const void* data, const std::string& name);

/// What of the caller's memory would be written twice, or written while it is read, or nothing. Columns beside each
/// other in one array are fine.
std::optional<Error> find_overlap(const SweepOptions& options, u64 states);

/// The numbers of states that follow each other, sign-extended where they have a sign.
void read_array(const SweepArray& array, const void* data, u64 first, std::span<u64> values);

/// The outputs that the caller wants as arrays.
class ResultArrays {
 public:
  /// `results` has to outlive it.
  static Result<ResultArrays> make(const std::vector<SweepResult>& results, const Outputs& outputs);

  [[nodiscard]] bool empty() const { return columns_.empty(); }
  /// The states of a block; several threads may write blocks of their own.
  void write(const Block& block) const;

 private:
  struct Column {
    enum class Kind : u8 { output, steps, stop };
    Kind kind = Kind::output;
    std::size_t output = 0;  ///< number of it
    const SweepResult* result = nullptr;
  };
  std::vector<Column> columns_;
};

}  // namespace salu::sweeping
