/* What the parts of the run time share. */
#define REGENT_TEXT_OF(x) #x
#define REGENT_TEXT(x) REGENT_TEXT_OF(x)
long long regent_service(unsigned number, const unsigned long long *words, unsigned count);
/* Writes what is left of the output, leaves the return code and goes back to whoever entered the program: with 1, the run unit ends. */
void regent_finish(int value, unsigned completion) __attribute__((noreturn));
extern const unsigned regent_exit_completion;
