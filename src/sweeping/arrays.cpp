#include "sweeping/arrays.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace salu::sweeping {
namespace {

Error wrong_array(const std::string& name, std::string message) {
  return {ErrorCode::usage, {name}, std::move(message), {}};
}

/// Calls `work` with a value of the array's number type.
template <class Work>
void with_type(const SweepArray& array, const Work& work) {
  switch (array.size_bytes) {
    case 1:
      return array.is_signed ? work(i8{}) : work(u8{});
    case 2:
      return array.is_signed ? work(i16{}) : work(u16{});
    case 4:
      return array.is_signed ? work(i32{}) : work(u32{});
    default:
      return array.is_signed ? work(i64{}) : work(u64{});
  }
}

/// The distance of a number from the first one; may be negative.
i64 offset_of(const SweepArray& array, u64 number) {
  return static_cast<i64>(static_cast<u64>(array.stride_bytes) * number);
}

/// Writes numbers; `value(i)` is the new number `first + i`.
template <class ValueAt>
void write_array(const SweepArray& array, void* data, u64 first, std::size_t count, const ValueAt& value) {
  with_type(array, [&](auto kind) {
    using Number = decltype(kind);
    unsigned char* at = static_cast<unsigned char*>(data) + offset_of(array, first);
    // A constant stride lets the compiler vectorise the loop over contiguous numbers.
    const auto write = [&](i64 stride) {
      for (std::size_t i = 0; i < count; ++i) {
        const auto number = static_cast<Number>(value(i));
        std::memcpy(at + static_cast<i64>(i) * stride, &number, sizeof number);
      }
    };
    array.stride_bytes == i64{sizeof(Number)} ? write(sizeof(Number)) : write(array.stride_bytes);
  });
}

/// The memory range of a column.
struct Extent {
  std::uintptr_t first;  ///< address of the lowest number
  std::uintptr_t end;    ///< end of the highest number
  u64 stride;            ///< absolute distance of two numbers; 0: one number for all
  u32 size;

  static Extent of(const SweepArray& array, const void* data, u64 count) {
    const auto start = reinterpret_cast<std::uintptr_t>(data);
    const auto last = start + static_cast<std::uintptr_t>(offset_of(array, count - 1));
    const bool is_backward = array.stride_bytes < 0;
    const u64 stride = static_cast<u64>(array.stride_bytes);
    return {is_backward ? last : start, (is_backward ? start : last) + array.size_bytes,
            is_backward ? u64{0} - stride : stride, array.size_bytes};
  }

  [[nodiscard]] bool shares_bytes_with(const Extent& other) const {
    if (end <= other.first || other.end <= first) return false;
    if (stride != other.stride || stride == 0) return true;
    // With the same stride the columns may be interleaved.
    const u64 distance =
        first <= other.first ? (other.first - first) % stride : (stride - (first - other.first) % stride) % stride;
    return distance < size || stride - distance < other.size;
  }
};

}  // namespace

std::optional<Error> find_overlap(const SweepOptions& options, u64 states) {
  if (states == 0) return std::nullopt;
  for (std::size_t i = 0; i < options.results.size(); ++i) {
    const SweepResult& result = options.results[i];
    const Extent written = Extent::of(result.array, result.data, states);
    if (states > 1 && written.stride < written.size) return wrong_array(result.name, "its numbers overlap each other");
    const auto problem = [&](const std::string& other) {
      return wrong_array(result.name, "its numbers overlap those of `" + other + "`");
    };
    for (const SweepInput& input : options.inputs) {
      if (Extent::of(input.array, input.data, options.input_rows).shares_bytes_with(written))
        return problem(input.name);
    }
    for (std::size_t k = 0; k < i; ++k) {
      const SweepResult& other = options.results[k];
      if (Extent::of(other.array, other.data, states).shares_bytes_with(written)) return problem(other.name);
    }
  }
  return std::nullopt;
}

std::optional<Error> find_problem(const SweepArray& array, const void* data, const std::string& name) {
  if (data == nullptr) return wrong_array(name, "data is a null pointer");
  const u32 size = array.size_bytes;
  if (size != 1 && size != 2 && size != 4 && size != 8)
    return wrong_array(name, fmt::format("numbers have 1, 2, 4 or 8 bytes, not {}", size));
  return std::nullopt;
}

void read_array(const SweepArray& array, const void* data, u64 first, std::span<u64> values) {
  with_type(array, [&](auto kind) {
    using Number = decltype(kind);
    const unsigned char* at = static_cast<const unsigned char*>(data) + offset_of(array, first);
    const auto read = [&](i64 stride) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        Number number{};
        std::memcpy(&number, at + static_cast<i64>(i) * stride, sizeof number);
        // Through a signed type, which sign-extends signed numbers.
        values[i] = static_cast<u64>(static_cast<i64>(number));
      }
    };
    array.stride_bytes == i64{sizeof(Number)} ? read(sizeof(Number)) : read(array.stride_bytes);
  });
}

Result<ResultArrays> ResultArrays::make(const std::vector<SweepResult>& results, const Outputs& outputs) {
  ResultArrays arrays;
  for (const SweepResult& result : results) {
    if (auto problem = find_problem(result.array, result.data, result.name)) return *std::move(problem);
    Column column{Column::Kind::output, 0, &result};
    u32 bits = 0;
    if (result.name == "steps") {
      column.kind = Column::Kind::steps;
    } else if (result.name == "stop") {
      column.kind = Column::Kind::stop;
    } else {
      const auto found = std::ranges::find(outputs.places, result.name, &CasePlace::name);
      if (found == outputs.places.end())
        return wrong_array(result.name, "it has more than one number; name a lane of a vector register (v0[3])");
      column.output = static_cast<std::size_t>(found - outputs.places.begin());
      bits = found->bits;
    }
    if (result.array.size_bytes * 8 < bits) {
      return wrong_array(
          result.name,
          fmt::format("its {} bits do not fit into numbers of {}", bits,
                      result.array.size_bytes == 1 ? "one byte" : std::to_string(result.array.size_bytes) + " bytes"));
    }
    arrays.columns_.push_back(column);
  }
  return arrays;
}

void ResultArrays::write(const Block& block) const {
  for (const Column& column : columns_) {
    const SweepArray& array = column.result->array;
    void* const data = column.result->data;
    switch (column.kind) {
      case Column::Kind::output: {
        const std::vector<u64>& values = block.results[column.output];
        write_array(array, data, block.first, block.count, [&](std::size_t i) { return values[i]; });
        break;
      }
      case Column::Kind::steps:
        write_array(array, data, block.first, block.count, [&](std::size_t i) { return block.steps[i]; });
        break;
      case Column::Kind::stop:
        write_array(array, data, block.first, block.count, [&](std::size_t i) { return block.ends[i].code; });
        break;
    }
  }
}

}  // namespace salu::sweeping
