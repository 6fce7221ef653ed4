#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
void regent_assert(const char *text, const char *file, int line) __attribute__((noreturn));
#define assert(condition) ((condition) ? (void)0 : regent_assert(#condition, __FILE__, __LINE__))
#endif
