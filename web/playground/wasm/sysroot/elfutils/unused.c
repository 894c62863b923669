#include <stdlib.h>

// glibc's, which elfutils calls where a program has no handler for the lack of memory; salu has one.
void error(int status, int number, const char* format, ...) {
  (void)status;
  (void)number;
  (void)format;
  abort();
}

// What frames of calls need, which nobody reads.
void __libdw_destroy_frame_cache(void* cache) { (void)cache; }
