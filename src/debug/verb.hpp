#pragma once

#include <salu/error.hpp>

#include <span>
#include <string_view>

namespace salu::debug {

struct ConsoleContext;

/// A verb of the console: all that there is to say of it, and what it does.
struct Verb {
  std::string_view name;
  std::string_view short_name{};  ///< the abbreviation that help shows; any unambiguous beginning will do
  std::string_view arguments{};   ///< as help shows them; empty: it takes none
  std::string_view help;          ///< sentences
  bool repeats = false;           ///< an empty line does it again
  /// Gets what stands behind the name. False: an error has been printed.
  bool (*run)(ConsoleContext& console, std::string_view arguments);
};

/// A word behind `info`.
struct InfoTopic {
  std::string_view name;
  bool takes_arguments = false;
  bool (*run)(ConsoleContext& console, std::string_view arguments);
};

/// What one file adds to the console.
struct VerbGroup {
  std::span<const Verb> verbs;
  std::span<const InfoTopic> topics{};
};

VerbGroup moving_verbs();
VerbGroup breakpoint_verbs();
VerbGroup info_verbs();
VerbGroup value_verbs();
VerbGroup state_verbs();
VerbGroup program_verbs();
VerbGroup lane_verbs();
VerbGroup history_verbs();
VerbGroup help_verbs();

/// Those of all groups, in the order in which help lists them.
std::span<const Verb> all_verbs();
/// Those of all groups, by name.
std::span<const InfoTopic> all_topics();
/// The verb that a word means: its name, its abbreviation, or the beginning of one name alone.
Result<const Verb*> find_verb(std::string_view word);

}  // namespace salu::debug
