/* What the parts of the run time that throw and catch exceptions share. */
#define REGENT_REGISTERS 17
/* In the numbers of DWARF: rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8 to r15, the return address; and the bytes of arguments on the stack. */
struct regent_registers { unsigned long long of[REGENT_REGISTERS]; unsigned long arguments; };
/* Before the object that is thrown. */
struct regent_exception {
    const void *type;
    void (*destructor)(void *);
    /* The object as its handler sees it. */
    void *adjusted;
    /* The exception caught before this one, and the handlers that are in this one. */
    struct regent_exception *outer;
    int handlers;
    int is_rethrown;
} __attribute__((aligned(16)));
#ifdef __cplusplus
extern "C" {
#endif
/* Looks for a handler, and enters the landing pads on the way to it. */
void regent_throw(struct regent_exception *exception, struct regent_registers *registers) __attribute__((noreturn));
/* Goes on behind a landing pad. */
void regent_unwind(struct regent_exception *exception, struct regent_registers *registers) __attribute__((noreturn));
void regent_land(struct regent_registers *registers) __attribute__((noreturn));
/* Nobody takes the exception. */
void regent_uncaught(struct regent_exception *exception) __attribute__((noreturn));
/* Whether a handler of a type takes an object of another; the object becomes the part that the handler sees. */
int regent_catches(const void *handler, const void *thrown, void **object);
#ifdef __cplusplus
}
#endif
