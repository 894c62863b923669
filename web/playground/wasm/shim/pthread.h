// What elfutils and salu use of pthreads: wasi-libc has their types alone, and there is one thread.
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

// What a thread leaves behind when it ends: this one does not.
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
