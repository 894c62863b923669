#include "isa/vector/buffer_format.hpp"

#include "isa/generations.hpp"

namespace salu::isa::vector {
namespace {

constexpr std::array<std::string_view, 16> data_format_names = {
    "BUF_DATA_FORMAT_INVALID",     "BUF_DATA_FORMAT_8",        "BUF_DATA_FORMAT_16",
    "BUF_DATA_FORMAT_8_8",         "BUF_DATA_FORMAT_32",       "BUF_DATA_FORMAT_16_16",
    "BUF_DATA_FORMAT_10_11_11",    "BUF_DATA_FORMAT_11_11_10", "BUF_DATA_FORMAT_10_10_10_2",
    "BUF_DATA_FORMAT_2_10_10_10",  "BUF_DATA_FORMAT_8_8_8_8",  "BUF_DATA_FORMAT_32_32",
    "BUF_DATA_FORMAT_16_16_16_16", "BUF_DATA_FORMAT_32_32_32", "BUF_DATA_FORMAT_32_32_32_32",
    "BUF_DATA_FORMAT_RESERVED_15"};
constexpr std::array<std::string_view, 8> number_format_names = {
    "BUF_NUM_FORMAT_UNORM", "BUF_NUM_FORMAT_SNORM", "BUF_NUM_FORMAT_USCALED",    "BUF_NUM_FORMAT_SSCALED",
    "BUF_NUM_FORMAT_UINT",  "BUF_NUM_FORMAT_SINT",  "BUF_NUM_FORMAT_RESERVED_6", "BUF_NUM_FORMAT_FLOAT"};

}  // namespace

std::string_view data_format_name(u32 data_format) { return data_format_names[data_format & 15]; }

std::string_view number_format_name(Generation generation, u32 number_format) {
  constexpr u32 reserved = 6;
  const bool is_old = generation_info(generation).vector_encoding == VectorEncoding::gfx6;
  return is_old && number_format == reserved ? "BUF_NUM_FORMAT_SNORM_OGL" : number_format_names[number_format & 7];
}

std::optional<NamedFormat> find_format_name(Generation generation, std::string_view name) {
  for (u32 i = 0; i < data_format_names.size(); ++i) {
    if (data_format_name(i) == name) return NamedFormat{false, i};
  }
  for (u32 i = 0; i < number_format_names.size(); ++i) {
    if (number_format_name(generation, i) == name) return NamedFormat{true, i};
  }
  return std::nullopt;
}

}  // namespace salu::isa::vector
