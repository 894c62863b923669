#pragma once

#include <salu/program.hpp>

#include <string>

#include "observe/why/why.hpp"

namespace salu::debug {

/// The links of a graph as text, last instruction first, in lines of mostly up to 80 columns. `more`: how to show more,
/// printed if the graph is cut.
std::string why_text(const observe::WhyGraph& graph, const Program& program, std::string_view more);
/// The instructions of a graph in execution order.
std::string slice_text(const observe::WhyGraph& graph, const Program& program);

}  // namespace salu::debug
