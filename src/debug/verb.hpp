#pragma once

#include <salu/error.hpp>
#include <salu/integer.hpp>

#include <span>
#include <string_view>
#include <vector>

namespace salu::debug {

struct ConsoleContext;

/// The effect of an empty line after a command.
enum class Repeats : bool { no, yes };

/// The kind of words that completion offers after a verb.
enum class Words : u8 { expressions, places, code, breakpoints, displays, topics, verbs, warnings, none };

/// The action of a verb; `arguments` is the text after the name. Returns false after printing an error.
using VerbAction = bool (*)(ConsoleContext& console, std::string_view arguments);

/// A verb of the console: its help and its action.
struct Verb {
  std::string_view name;
  std::string_view short_name;  ///< the abbreviation in help; any unambiguous prefix is accepted
  std::string_view arguments;   ///< as help shows them; empty: it takes no arguments
  Repeats repeats;
  std::string_view help;  ///< sentences
  VerbAction run;
  Words words = Words::expressions;
};

/// A word after `info`.
struct InfoTopic {
  std::string_view name;
  std::string_view arguments;  ///< empty: it takes no arguments
  VerbAction run;
  Words words = Words::none;
};

/// The verbs and topics of one file.
struct VerbGroup {
  std::span<const Verb> verbs;
  std::span<const InfoTopic> topics{};
  std::string_view name = "others";  ///< the group of help for these verbs
  std::string_view title = "other commands";
};

VerbGroup moving_verbs();
VerbGroup breakpoint_verbs();
VerbGroup info_verbs();
VerbGroup value_verbs();
VerbGroup state_verbs();
VerbGroup program_verbs();
VerbGroup lane_verbs();
VerbGroup wave_verbs();
VerbGroup history_verbs();
VerbGroup script_verbs();
VerbGroup help_verbs();

/// The verbs of all groups, in the order of help.
std::span<const Verb> all_verbs();
/// A group of help.
struct HelpGroup {
  std::string_view name;
  std::string_view title;
  std::vector<const Verb*> verbs;
};
std::span<const HelpGroup> help_groups();
/// The topics of all groups, by name.
std::span<const InfoTopic> all_topics();
/// Finds a verb by its name, its abbreviation, or an unambiguous prefix.
Result<const Verb*> find_verb(std::string_view word);

}  // namespace salu::debug
