#include "capi/objects.hpp"

namespace salu::capi {

extern "C" {

const char* salu_version(void) { return SALU_VERSION; }
size_t salu_live_handles(void) { return Handles::all().count(); }

const char* salu_text_data(const salu_text* text) {
  const char* data = nullptr;
  guarded([&] { data = object_of<TextObject>(text)->text.c_str(); });
  return data;
}

size_t salu_text_size(const salu_text* text) {
  size_t size = 0;
  guarded([&] { size = object_of<TextObject>(text)->text.size(); });
  return size;
}

salu_status salu_text_free(salu_text* text) { return free_handle<TextObject>(text); }
}

}  // namespace salu::capi
