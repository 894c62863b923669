// The only thread ends with the process, so thread_local objects are not destroyed.
extern "C" int __cxa_thread_atexit(void (*)(void*), void*, void*) { return 0; }
