// The one thread ends with everything else: what is thread_local needs no end of its own.
extern "C" int __cxa_thread_atexit(void (*)(void*), void*, void*) { return 0; }
