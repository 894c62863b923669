#pragma once

#include <salu/program.hpp>

#include <string>

#include "observe/why/why.hpp"

namespace salu::debug {

/// What a graph says, link after link, the last one first, in lines that mostly fit in 80 columns. `more`: what shows
/// more where it was cut.
std::string why_text(const observe::WhyGraph& graph, const Program& program, std::string_view more);
/// The instructions of a graph alone, in the order in which they were executed.
std::string slice_text(const observe::WhyGraph& graph, const Program& program);

}  // namespace salu::debug
