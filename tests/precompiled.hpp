#pragma once

/// Headers that most tests include, precompiled if SALU_PRECOMPILE_TESTS is on. A test still includes the headers that
/// it uses: it must compile without the option.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <salu/program.hpp>
#include <salu/run.hpp>
#include <salu/scenario.hpp>
#include <salu/state.hpp>
#include <salu/suite.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
