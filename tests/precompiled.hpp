#pragma once

/// What most tests include, compiled once for all of them where SALU_PRECOMPILE_TESTS is on. A file still names what it
/// uses: without the option it stands alone.
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
