/* What elfutils' configure would find out of wasm32-wasi. */
#define HAVE_DECL_MEMPCPY 0
#define HAVE_DECL_MEMRCHR 0
#define HAVE_DECL_RAWMEMCHR 0
#define HAVE_DECL_POWEROF2 0
#define HAVE_DECL_REALLOCARRAY 1
#define HAVE_ERR_H 1
#define HAVE_FALLTHROUGH 1
#define HAVE_GCC_STRUCT 0
#define HAVE_VISIBILITY 1
#define PACKAGE_NAME "elfutils"
#define PACKAGE_VERSION "0.188"
#define _(text) text
#define N_(text) text
#include <eu-config.h>
/* There are no links. */
#define realpath(path, result) strdup(path)
