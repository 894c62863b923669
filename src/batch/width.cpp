#include "batch/width.hpp"

namespace salu::batch {
namespace {

std::vector<Width> find_widths() {
  std::vector<Width> found{Width::baseline};
#if defined(SALU_BATCH_HAS_WIDE)
  if (__builtin_cpu_supports("x86-64-v3")) found.push_back(Width::avx2);
  if (__builtin_cpu_supports("x86-64-v4")) found.push_back(Width::avx512);
#endif
  return found;
}

}  // namespace

std::string_view width_name(Width width) {
  switch (width) {
    case Width::baseline:
      return "baseline";
    case Width::avx2:
      return "avx2";
    case Width::avx512:
      return "avx512";
  }
  return "";
}

const std::vector<Width>& widths() {
  static const auto& found = *new const std::vector<Width>(find_widths());
  return found;
}

const RowLoopTable& loops_for(Width width) {
#if defined(SALU_BATCH_HAS_WIDE)
  if (width == Width::avx512) return salu_avx512::batch::wide_loops();
  if (width == Width::avx2) return salu_avx2::batch::wide_loops();
#else
  static_cast<void>(width);
#endif
  return baseline_loops();
}

}  // namespace salu::batch
