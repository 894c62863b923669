#pragma once

#include <salu/integer.hpp>

#include <elf.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "needs.hpp"
#include "unit/loader_helpers.hpp"

namespace salu::test {

/// Real objects, created by LLVM in a temporary folder.
class LlvmTools {
 public:
  /// Runs a command in the folder; returns its standard output.
  [[nodiscard]] std::string run(const std::string& command) const {
    const std::string full = "cd '" + folder_.path("") + "' && " + command + " >out.txt 2>err.txt </dev/null";
    EXPECT_EQ(std::system(full.c_str()), 0) << command << "\n" << read("err.txt");
    return read("out.txt");
  }
  /// Assembles to NAME; `options` for llvm-mc.
  [[nodiscard]] std::string assemble(const std::string& name, std::string_view text, const std::string& processor,
                                     const std::string& options = "", const std::string& llvm_mc = SALU_LLVM_MC) const {
    (void)folder_.write(name + ".s", text);
    (void)run(llvm_mc + " -triple=amdgcn-amd-amdhsa -mcpu=" + processor + " -filetype=obj " + options + " " + name +
              ".s -o " + name);
    return read(name);
  }
  /// Compiles C for OpenCL to NAME.
  [[nodiscard]] std::string compile(const std::string& name, std::string_view text, const std::string& processor,
                                    const std::string& options = "") const {
    (void)folder_.write(name + ".c", text);
    (void)run(std::string(SALU_CLANG) + " -x cl -cl-std=CL2.0 --target=amdgcn-amd-amdhsa -nogpulib -O1 -c -mcpu=" +
              processor + " " + options + " " + name + ".c -o " + name);
    return read(name);
  }
  [[nodiscard]] std::string link(const std::string& name, const std::string& options) const {
    (void)run(std::string(SALU_LLD) + " -flavor gnu " + options + " -o " + name);
    return read(name);
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream stream(folder_.path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  }
  [[nodiscard]] const TemporaryFolder& folder() const { return folder_; }

 private:
  TemporaryFolder folder_;
};

/// A section in a file that is known to be valid.
struct FileSection {
  Elf64_Shdr header{};
  std::string bytes;
};

/// The sections of a file by name.
inline std::map<std::string, FileSection> sections_of(const std::string& file) {
  Elf64_Ehdr header{};
  std::memcpy(&header, file.data(), sizeof header);
  std::vector<Elf64_Shdr> table(header.e_shnum);
  std::memcpy(table.data(), file.data() + header.e_shoff, table.size() * sizeof(Elf64_Shdr));
  std::map<std::string, FileSection> sections;
  for (const Elf64_Shdr& section : table) {
    const std::string name = file.data() + table[header.e_shstrndx].sh_offset + section.sh_name;
    FileSection& found = sections[name];
    found.header = section;
    if (section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL)
      found.bytes = file.substr(section.sh_offset, section.sh_size);
  }
  return sections;
}

}  // namespace salu::test
