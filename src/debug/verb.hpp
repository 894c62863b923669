#pragma once

#include <salu/error.hpp>

#include <span>
#include <string_view>

namespace salu::debug {

struct ConsoleContext;

/// Whether an empty line does a command again.
enum class Repeats : bool { no, yes };

/// What a verb does; it gets what stands behind the name. False: an error has been printed.
using VerbAction = bool (*)(ConsoleContext& console, std::string_view arguments);

/// A verb of the console: all that there is to say of it, and what it does.
struct Verb {
  std::string_view name;
  std::string_view short_name;  ///< the abbreviation that help shows; any unambiguous beginning will do
  std::string_view arguments;   ///< as help shows them; empty: it takes none
  Repeats repeats;
  std::string_view help;  ///< sentences
  VerbAction run;
};

/// A word behind `info`.
struct InfoTopic {
  std::string_view name;
  std::string_view arguments;  ///< empty: it takes none
  VerbAction run;
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
