#include "loader/objects/line_table_padding.hpp"

#include <gtest/gtest.h>

#include <string>

namespace salu::loader {
namespace {

using namespace std::string_literals;

const std::string in_32_bits = "\x03\0\0\0abc"s;
const std::string in_64_bits = "\xff\xff\xff\xff\x05\0\0\0\0\0\0\0defgh"s;
const std::string in_64_bits_and_padded = "\xff\xff\xff\xff\x09\0\0\0\0\0\0\0defgh\0\x02\x80\0"s;

TEST(LineTablePadding, OnlyTablesIn64BitsGrow) {
  EXPECT_EQ(pad_line_tables(in_32_bits + in_64_bits + in_32_bits + in_64_bits).bytes,
            in_32_bits + in_64_bits_and_padded + in_32_bits + in_64_bits_and_padded);
  EXPECT_TRUE(pad_line_tables(in_32_bits + in_32_bits).bytes.empty());
  EXPECT_TRUE(pad_line_tables("").bytes.empty());
}

TEST(LineTablePadding, TablesAfterThemMove) {
  const PaddedLineTables padded = pad_line_tables(in_64_bits + in_32_bits + in_64_bits + in_32_bits);
  EXPECT_EQ(padded.moved(0), 0U);
  EXPECT_EQ(padded.moved(in_64_bits.size()), in_64_bits.size() + 4);
  EXPECT_EQ(padded.moved(in_64_bits.size() + in_32_bits.size()), in_64_bits.size() + in_32_bits.size() + 4);
  EXPECT_EQ(padded.moved(2 * in_64_bits.size() + in_32_bits.size()), 2 * in_64_bits.size() + in_32_bits.size() + 8);
}

TEST(LineTablePadding, DamagedTablesStayAsTheyAre) {
  for (std::size_t size = 0; size < in_64_bits.size(); ++size) {
    const std::string cut = in_64_bits.substr(0, size);
    EXPECT_TRUE(pad_line_tables(cut).bytes.empty());
    EXPECT_EQ(pad_line_tables(in_64_bits + cut).bytes, in_64_bits_and_padded + cut);
  }
  const std::string too_long = "\xff\xff\xff\xff"s + std::string(8, '\xff') + "defgh";
  EXPECT_EQ(pad_line_tables(in_64_bits + too_long).bytes, in_64_bits_and_padded + too_long);
}

}  // namespace
}  // namespace salu::loader
