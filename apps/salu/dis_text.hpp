#pragma once

#include <salu/program.hpp>

#include <span>
#include <string>

#include "debug/source_files.hpp"
#include "loader/objects/listing.hpp"
#include "observe/hazards/hazard_walk.hpp"

/// Listed code as text and as JSON.
namespace salu::app {

/// Writes a listing: one instruction per line, after its address and words, below its labels.
class ListingText {
 public:
  struct Options {
    bool source = false;       ///< the text of source lines, where their files can be read
    bool relocations = false;  ///< below the instructions that they patch
  };
  ListingText(const Program& program, const Options& options) : program_(program), options_(options) {}

  /// The lines of an instruction.
  std::string write(const loader::ListedInstruction& instruction, std::span<const observe::PathHazard> hazards);

 private:
  [[nodiscard]] std::string source_line(const LineEntry& entry);

  const Program& program_;
  Options options_;
  debug::SourceFiles files_;
  std::string last_place_;  ///< in the source
};

/// An instruction as one line of JSON Lines.
std::string listing_json(const Program& program, const loader::ListedInstruction& instruction,
                         std::span<const observe::PathHazard> hazards);

}  // namespace salu::app
