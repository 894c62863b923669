#include <gtest/gtest.h>

#include "semantics/vector_files.hpp"

// Runs every vector of tests/data/vectors on the machine: on each generation, with operands in every place that can
// hold the values. The whole state is compared, so a change of any other register is also a failure.
namespace salu::test {
namespace {

class AluVectors : public testing::TestWithParam<std::string> {};

TEST_P(AluVectors, HoldWhereverTheOperandsAre) {
  std::size_t runs = 0;
  for (const AluVector& vector : read_alu_vectors(GetParam())) {
    for (const AluCase& alu_case : vector.cases) {
      const std::vector<Placement> placements = all_placements(alu_case);
      runs += placements.size();
      for (const Placement& placement : placements) {
        const std::string problem = run_placement(alu_case, placement);
        ASSERT_EQ(problem, "") << vector.where;
      }
    }
  }
  RecordProperty("runs", static_cast<int>(runs));
}

INSTANTIATE_TEST_SUITE_P(Files, AluVectors, testing::ValuesIn(alu_vector_files),
                         [](const auto& file) { return file.param.substr(0, file.param.find('.')); });

// The vectors and the independent model are two interpretations of the same documents; they must agree.
TEST(AluVectors, AgreeWithTheReferenceModel) {
  for (const std::string& file : alu_vector_files) {
    for (const AluVector& vector : read_alu_vectors(file)) {
      for (const AluCase& each : vector.cases) {
        const AluModel* const model = find_alu_model(each.generation, each.mnemonic);
        ASSERT_NE(model, nullptr) << vector.where;
        const AluResult result = (*model)(each.in);
        EXPECT_EQ(result.d, each.out.d) << vector.where;
        EXPECT_EQ(result.scc, each.out.scc) << vector.where;
        EXPECT_EQ(result.exec, each.out.exec) << vector.where;
        EXPECT_EQ(result.unspecified, each.out.unspecified) << vector.where;
      }
    }
  }
}

}  // namespace
}  // namespace salu::test
