#pragma once

#include <salu/program.hpp>

#include <string>

#include "debug/expression.hpp"
#include "debug/texts.hpp"

/// How values and places read.
namespace salu::dap {

using debug::address_text;
using debug::lanes_do;
using debug::lanes_picture;
using debug::lanes_text;
using debug::value_text;
using debug::watch_text;

/// A value with what a reader may want to know beside it: `0x0000042f (1071)`, `0x0000000000001014 <then>`.
std::string explained(const debug::Expression& expression, const debug::Value& value, const Program& program);
/// `end_program at 0x1038 <outer_join+0x8> after 17 instructions`.
std::string stop_text(const Stop& stop, u64 position, const Program& program);

}  // namespace salu::dap
