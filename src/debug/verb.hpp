#pragma once

#include <salu/error.hpp>
#include <salu/integer.hpp>

#include <span>
#include <string_view>
#include <vector>

namespace salu::debug {

struct ConsoleContext;

/// Whether an empty line does a command again.
enum class Repeats : bool { no, yes };

/// The words that may stand behind a verb, for whoever completes what is typed.
enum class Words : u8 { expressions, places, code, breakpoints, displays, topics, verbs, warnings, none };

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
  Words words = Words::expressions;
};

/// A word behind `info`.
struct InfoTopic {
  std::string_view name;
  std::string_view arguments;  ///< empty: it takes none
  VerbAction run;
  Words words = Words::none;
};

/// What one file adds to the console.
struct VerbGroup {
  std::span<const Verb> verbs;
  std::span<const InfoTopic> topics{};
  std::string_view name = "others";  ///< of the group of help that they belong to
  std::string_view title = "what belongs nowhere else";
};

VerbGroup moving_verbs();
VerbGroup breakpoint_verbs();
VerbGroup info_verbs();
VerbGroup value_verbs();
VerbGroup state_verbs();
VerbGroup program_verbs();
VerbGroup lane_verbs();
VerbGroup history_verbs();
VerbGroup script_verbs();
VerbGroup help_verbs();

/// Those of all groups, in the order in which help lists them.
std::span<const Verb> all_verbs();
/// A group of help.
struct HelpGroup {
  std::string_view name;
  std::string_view title;
  std::vector<const Verb*> verbs;
};
std::span<const HelpGroup> help_groups();
/// Those of all groups, by name.
std::span<const InfoTopic> all_topics();
/// The verb that a word means: its name, its abbreviation, or the beginning of one name alone.
Result<const Verb*> find_verb(std::string_view word);

}  // namespace salu::debug
