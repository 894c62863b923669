// The pthread functions that elfutils and salu use. wasi-libc has only their types, and there is a single thread.
#ifndef SALU_SHIM_PTHREAD_H
#define SALU_SHIM_PTHREAD_H

#include <sys/types.h>

// clang-format off
#define PTHREAD_RWLOCK_INITIALIZER {{{0}}}
// clang-format on
#define pthread_rwlock_init(lock, attributes) ((void)(lock), 0)
#define pthread_rwlock_destroy(lock) ((void)(lock), 0)
#define pthread_rwlock_rdlock(lock) ((void)(lock), 0)
#define pthread_rwlock_tryrdlock(lock) ((void)(lock), 0)
#define pthread_rwlock_wrlock(lock) ((void)(lock), 0)
#define pthread_rwlock_trywrlock(lock) ((void)(lock), 0)
#define pthread_rwlock_unlock(lock) ((void)(lock), 0)

// Destructors at the end of a thread: the only thread does not end.
static inline int pthread_key_create(pthread_key_t* key, void (*drop)(void*)) {
  *key = drop != 0;
  return 0;
}
static inline int pthread_setspecific(pthread_key_t key, const void* value) {
  (void)key;
  (void)value;
  return 0;
}

#endif
