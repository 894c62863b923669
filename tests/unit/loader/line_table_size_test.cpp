#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "loader/objects/line_table_size.hpp"

// Tables written by hand, according to the DWARF standard (version 4 and 5, section 6.2).
namespace salu::loader {
namespace {

using namespace std::string_literals;

std::string little_endian(u64 value, u32 bytes) {
  std::string text;
  for (u32 i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 255);
  return text;
}

/// A table of a version: its header after the length of the header, and its program.
std::string table(u16 version, const std::string& header, const std::string& program, u32 offset_bytes = 4) {
  std::string body = little_endian(version, 2);
  if (version == 5) body += "\x08\x00"s;
  body += little_endian(header.size(), offset_bytes) + header + program;
  return (offset_bytes == 8 ? "\xff\xff\xff\xff"s : ""s) + little_endian(body.size(), offset_bytes) + body;
}

// minimum_instruction_length to line_range, of version 4 and 5; opcode_base 13 and the operands of opcodes 1 to 12.
const std::string start = "\x04\x01\x01\xfb\x0e"s + "\x0d\x00\x01\x01\x01\x01\x00\x00\x00\x01\x00\x00\x01"s;
const std::string folders_and_files =
    "/usr/include\0lib\0\0"s
    "a.c\0\x00\x00\x00"s
    "head.h\0\x02\x81\x01\x00\0"s;
// DW_LNE_set_address, two special opcodes, advance_pc 300, advance_line -1, fixed_advance_pc, copy, end_sequence.
const std::string line_program = "\0\x09\x02\0\0\0\0\0\0\0\0"s + "\x13\x20"s + "\x02\xac\x02"s + "\x03\x7f"s +
                                 "\x09\x04\x01"s + "\x01"s + "\0\x01\x01"s;

TEST(LineTableSize, RowsAndNamesAreCounted) {
  const LineTableSize size = measure_line_tables(table(4, start + folders_and_files, line_program), "", "");
  EXPECT_EQ(size.rows, 4U);
  EXPECT_EQ(size.name_bytes, 3U + (6 + 3));
  EXPECT_EQ(size.files, 2U);
  EXPECT_TRUE(size.is_known);
}

TEST(LineTableSize, FilesMayBeDefinedOnTheWay) {
  const std::string file = "\0\x09\x03wxyz\0\x01\x00\x00"s;
  const LineTableSize size =
      measure_line_tables(table(4, start + folders_and_files, file + file + line_program), "", "");
  EXPECT_EQ(size.rows, 4U);
  EXPECT_EQ(size.name_bytes, 3U + (6 + 3) + 2 * (4 + 12));
  EXPECT_EQ(size.files, 4U);
}

// Each folder: one text. Each file: a text in another section, the number of its folder, and 16 bytes of checksum.
TEST(LineTableSize, NamesOfVersion5DependOnTheirForms) {
  for (const u32 offset_bytes : {4U, 8U}) {
    const std::string names = "\x01\x01\x08\x02/work\0sub\0"s + "\x03\x01\x1f\x02\x0b\x05\x1e\x02"s +
                              little_endian(0, offset_bytes) + "\x00"s + std::string(16, '\7') +
                              little_endian(4, offset_bytes) + "\x01"s + std::string(16, '\7');
    const std::string one = table(5, start + names, line_program, offset_bytes);
    const LineTableSize size = measure_line_tables(one + one, "abc\0longer\0"s, "");
    EXPECT_EQ(size.rows, 8U);
    EXPECT_EQ(size.name_bytes, 2 * ((3U + 5 + 5) + (6 + 3 + 5)));
    EXPECT_EQ(size.files, 4U);
    EXPECT_TRUE(size.is_known);
  }
}

TEST(LineTableSize, UnknownFormsAreErrors) {
  // DW_FORM_strx1, and a path that is too long.
  EXPECT_FALSE(measure_line_tables(table(5, start + "\x01\x01\x25\x01\x00\x00\x00"s, ""), "", "").is_known);
  const std::string offset = "\x01\x01\x1f\x01"s + little_endian(0, 4) + "\x00\x00"s;
  EXPECT_FALSE(measure_line_tables(table(5, start + offset, ""), std::string(4097, 'x'), "").is_known);
  EXPECT_TRUE(measure_line_tables(table(5, start + offset, ""), std::string(4096, 'x') + '\0', "").is_known);
}

TEST(LineTableSize, DamageEnds) {
  const std::string whole =
      table(4, start + folders_and_files, line_program) + table(5, start + "\x01\x01\x08\x01/\0\0\0"s, line_program);
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    EXPECT_LE(measure_line_tables(whole.substr(0, size), "", "").rows, 8U);
    for (const char value : {'\0', '\x7f', '\x80', '\xff'}) {
      std::string damaged = whole;
      damaged[size % whole.size()] = value;
      EXPECT_LE(measure_line_tables(damaged, "", "").rows, whole.size());
    }
  }
  // Very many entries of size 0.
  const std::string most = "\xff\xff\xff\xff\xff\xff\xff\xff\x7f"s;
  EXPECT_EQ(measure_line_tables(table(5, start + "\0"s + most + "\0"s + most, line_program), "", "").rows, 4U);
}

}  // namespace
}  // namespace salu::loader
