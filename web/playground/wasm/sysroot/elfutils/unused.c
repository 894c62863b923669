#include <stdlib.h>

// A replacement for glibc's function, which elfutils calls if memory runs out and the program has not set a handler;
// salu sets one.
void error(int status, int number, const char* format, ...) {
  (void)status;
  (void)number;
  (void)format;
  abort();
}

// Used for call frames, which salu does not read.
void __libdw_destroy_frame_cache(void* cache) { (void)cache; }
