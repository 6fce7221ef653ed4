/* What the parts of the run time share. */
#ifdef __cplusplus
extern "C" {
#endif
#define REGENT_TEXT_OF(x) #x
#define REGENT_TEXT(x) REGENT_TEXT_OF(x)
long long regent_service(unsigned number, const unsigned long long *words, unsigned count);
/* Writes what is left of the output, leaves the return code and goes back to whoever entered the program: with 1, the run unit ends. */
void regent_finish(int value, unsigned completion) __attribute__((noreturn));
/* Ends the task or the job step with 4038 and a message. */
void regent_give_up(const char *text);
extern const unsigned regent_exit_completion;
void regent_leave(unsigned completion) __attribute__((noreturn));
/* A call as C makes it, on its way from one program to another: the registers of arguments, how many of the second kind there are, the
   arguments on the stack and the words that may be read there, and the registers of the result. */
struct regent_native {
    unsigned long long integers[6], reals[8], reals_used, stack, stack_words, results[2], real_results[2];
};
/* Runs the constructors of static objects. */
void regent_construct(void);
#ifdef __cplusplus
}
#endif

