#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace salu::conformance {

/// A table with a header line: each row by column name. Throws if the file does not exist or a row has a different
/// number of columns.
std::vector<std::map<std::string, std::string>> read_tsv(std::string_view name);

}  // namespace salu::conformance
