#pragma once

#include <salu/program.hpp>

#include <string>
#include <string_view>

#include "observe/why/why.hpp"

namespace salu::app {

/// One object per line: the question, each link, and the end (docs/reference/output-formats.md).
std::string why_json(const observe::WhyGraph& graph, const Program& program, std::string_view place);
/// The graph for Graphviz.
std::string why_dot(const observe::WhyGraph& graph, const Program& program);

}  // namespace salu::app
