/* The run time of C programs: entry, the way to the region, storage, standard output. It is compiled with the program's own execution
   character set, so that its character constants are those of the program. REGENT_SLOT_EXEC and REGENT_SLOT_SERVICE are offsets in
   the slot table, REGENT_SERVICE_... the numbers of program::requests::service. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <errno.h>
#include <regent.h>
#include "runtime.h"

/* Programs fetched at a time, and the bytes of a stub. */
#define FETCHED_MAX 64
#define STUB_BYTES 16

/* rununit::CLink */
struct { unsigned long long context, frame, stack, task_stack, check; } regent_link __attribute__((section(".data"))) = { 1, 1, 1, 1, 1 };

/* Stops the program if the link has been overwritten, before the run time goes by it. Changes r10. */
#define CHECK_LINK \
    "  mov $" REGENT_TEXT(REGENT_LINK_KEY) ", %r10d\n" \
    "  xor regent_link(%rip), %r10\n  xor 8+regent_link(%rip), %r10\n  xor 16+regent_link(%rip), %r10\n" \
    "  xor 24+regent_link(%rip), %r10\n  xor 32+regent_link(%rip), %r10\n  jne regent_damaged\n"

/* The entry has the signature of program::abi::Entry. It leaves the task's stack for the program's own; calls into the run time go
   back to the task's stack, which is deep enough for them and which recovery points lie on. */
__asm__(
    ".text\n"
    ".globl regent_entry\n.type regent_entry, @function\n"
    "regent_entry:\n"
    "  push %rbp\n  push %rbx\n  push %r12\n  push %r13\n  push %r14\n  push %r15\n  sub $8, %rsp\n"
    "  mov %rsp, %r10\n  xor 24+regent_link(%rip), %r10\n  xor %r10, 32+regent_link(%rip)\n  mov %rsp, 24+regent_link(%rip)\n"
    CHECK_LINK
    "  mov 16+regent_link(%rip), %rsp\n"
    "  xor %ebp, %ebp\n"
    /* The entry label: 0, or the registers of a caller in C. */
    "  mov %edx, %edi\n"
    "  call regent_start\n"
    ".globl regent_leave\n"
    /* void regent_leave(unsigned completion) */
    "regent_leave:\n"
    "  call regent_settle\n  fninit\n"
    CHECK_LINK
    "  mov 24+regent_link(%rip), %rsp\n"
    "  add $8, %rsp\n  pop %r15\n  pop %r14\n  pop %r13\n  pop %r12\n  pop %rbx\n  pop %rbp\n"
    "  mov %edi, %eax\n  ret\n"
    /* long long regent_service(unsigned number, const unsigned long long *words, unsigned count) */
    ".globl regent_service\n.type regent_service, @function\n"
    "regent_service:\n"
    "  push %rbp\n  mov %rsp, %rbp\n  call regent_settle\n"
    "  mov %edx, %r8d\n  mov %esi, %ecx\n  mov %edi, %edx\n"
    "  mov $" REGENT_TEXT(REGENT_SLOT_SERVICE) ", %eax\n"
    "  jmp 1f\n"
    /* int regent_exec(struct regent_block *block) */
    ".globl regent_exec\n.type regent_exec, @function\n"
    "regent_exec:\n"
    "  push %rbp\n  mov %rsp, %rbp\n  call regent_settle\n"
    "  mov %edi, %edx\n"
    "  mov $" REGENT_TEXT(REGENT_SLOT_EXEC) ", %eax\n"
    "  jmp 1f\n"
    /* unsigned regent_sql(struct regent_sql_request *request) */
    ".globl regent_sql\n.type regent_sql, @function\n"
    "regent_sql:\n"
    "  push %rbp\n  mov %rsp, %rbp\n  call regent_settle\n"
    "  mov %edi, %edx\n"
    "  mov $" REGENT_TEXT(REGENT_SLOT_SQL) ", %eax\n"
    "1:\n" CHECK_LINK
    "  mov regent_link(%rip), %rdi\n"
    "  mov 8+regent_link(%rip), %rsi\n"
    "  add (%rdi), %rax\n"
    "  mov 24+regent_link(%rip), %rsp\n"
    "  and $-16, %rsp\n"
    "  call *(%rax)\n"
    "  mov %rbp, %rsp\n  pop %rbp\n  ret\n"
    /* unsigned regent_enter(struct regent_call *call): the run unit finds the program, it is entered, and ended. */
    ".globl regent_enter\n.type regent_enter, @function\n"
    "regent_enter:\n"
    "  push %rbp\n  mov %rsp, %rbp\n  push %rbx\n  push %r12\n  call regent_settle\n"
    "  mov %edi, %ebx\n"
    CHECK_LINK
    "  mov regent_link(%rip), %rdi\n"
    "  mov 8+regent_link(%rip), %rsi\n"
    "  mov %rbx, %rdx\n"
    "  mov 24+regent_link(%rip), %rsp\n"
    "  and $-16, %rsp\n"
    "  mov (%rdi), %rax\n"
    "  call *" REGENT_TEXT(REGENT_SLOT_CALL) "(%rax)\n"
    "  test %rax, %rax\n  je 1f\n"
    "  mov %rax, %r12\n"
    "  mov regent_link(%rip), %rdi\n"
    "  mov %rax, %rsi\n"
    "  mov " REGENT_TEXT(REGENT_CALL_ENTRY_LABEL) "(%rbx), %edx\n"
    "  call *" REGENT_TEXT(REGENT_CALL_ENTRY) "(%rbx)\n"
    "  mov %eax, %ebx\n"
    CHECK_LINK
    "  mov regent_link(%rip), %rdi\n"
    "  mov 8+regent_link(%rip), %rsi\n"
    "  mov %r12, %rdx\n"
    "  mov (%rdi), %rax\n"
    "  call *" REGENT_TEXT(REGENT_SLOT_CALL_RETURN) "(%rax)\n"
    "  mov %ebx, %eax\n"
    "1: lea -16(%rbp), %rsp\n  pop %r12\n  pop %rbx\n  pop %rbp\n  ret\n"
    /* What fetch answers: functions that are called like any other, each with its number. */
    ".p2align 4\n"
    ".globl regent_stubs\n.type regent_stubs, @function\n"
    "regent_stubs:\n"
    ".set regent_number, 0\n"
    ".rept " REGENT_TEXT(FETCHED_MAX) "\n"
    "  .p2align 4\n"
    "  mov $regent_number, %r11d\n  jmp regent_fetched\n"
    "  .set regent_number, regent_number + 1\n"
    ".endr\n"
    /* The members of struct regent_native in their order. */
    "regent_fetched:\n"
    "  push %rbp\n  mov %rsp, %rbp\n  sub $176, %rsp\n"
    "  mov %rdi, (%rsp)\n  mov %rsi, 8(%rsp)\n  mov %rdx, 16(%rsp)\n  mov %rcx, 24(%rsp)\n  mov %r8, 32(%rsp)\n  mov %r9, 40(%rsp)\n"
    "  movq %xmm0, 48(%rsp)\n  movq %xmm1, 56(%rsp)\n  movq %xmm2, 64(%rsp)\n  movq %xmm3, 72(%rsp)\n"
    "  movq %xmm4, 80(%rsp)\n  movq %xmm5, 88(%rsp)\n  movq %xmm6, 96(%rsp)\n  movq %xmm7, 104(%rsp)\n"
    "  movzbl %al, %eax\n  mov %rax, 112(%rsp)\n"
    "  lea 16(%rbp), %rax\n  mov %rax, 120(%rsp)\n"
    "  mov 16+regent_link(%rip), %rcx\n  sub %rax, %rcx\n  shr $3, %rcx\n  mov %rcx, 128(%rsp)\n"
    "  mov %r11d, %edi\n  mov %esp, %esi\n  call regent_call_fetched\n"
    "  mov 136(%rsp), %rax\n  mov 144(%rsp), %rdx\n  movq 152(%rsp), %xmm0\n  movq 160(%rsp), %xmm1\n"
    "  leave\n  ret\n"
    /* void regent_native(struct regent_native *native, void (*function)(), unsigned words) */
    ".globl regent_native\n.type regent_native, @function\n"
    "regent_native:\n"
    "  push %rbp\n  mov %rsp, %rbp\n  push %rbx\n  push %r12\n"
    "  mov %edi, %ebx\n  mov %esi, %r11d\n  mov %edx, %edx\n"
    "  mov 128(%rbx), %rcx\n  cmp %rdx, %rcx\n  cmova %rdx, %rcx\n"
    "  lea 1(%rcx), %rax\n  and $-2, %rax\n  shl $3, %rax\n  sub %rax, %rsp\n"
    "  mov %rsp, %rdi\n  mov 120(%rbx), %rsi\n  rep movsq\n"
    "  movq 48(%rbx), %xmm0\n  movq 56(%rbx), %xmm1\n  movq 64(%rbx), %xmm2\n  movq 72(%rbx), %xmm3\n"
    "  movq 80(%rbx), %xmm4\n  movq 88(%rbx), %xmm5\n  movq 96(%rbx), %xmm6\n  movq 104(%rbx), %xmm7\n"
    "  mov (%rbx), %rdi\n  mov 8(%rbx), %rsi\n  mov 16(%rbx), %rdx\n  mov 24(%rbx), %rcx\n  mov 32(%rbx), %r8\n  mov 40(%rbx), %r9\n"
    "  mov 112(%rbx), %rax\n"
    "  call *%r11\n"
    "  mov %rax, 136(%rbx)\n  mov %rdx, 144(%rbx)\n  movq %xmm0, 152(%rbx)\n  movq %xmm1, 160(%rbx)\n"
    "  lea -16(%rbp), %rsp\n  pop %r12\n  pop %rbx\n  pop %rbp\n  ret\n"
    /* Before the run time gets control: the state of the processor that the calling convention wants at a call, which a wild branch may
       have changed (System V ABI, AMD64 supplement, 3.2.1): no direction flag and no alignment check, the floating-point units with
       rounding to nearest and without exceptions. Changes r11 only. */
    ".type regent_settle, @function\n"
    "regent_settle:\n"
    "  cld\n  pushfq\n  testb $4, 2(%rsp)\n  jne 1f\n"
    "  stmxcsr (%rsp)\n  mov (%rsp), %r11d\n  and $0xFFC0, %r11d\n  cmp $0x1F80, %r11d\n  jne 1f\n"
    "  fnstcw (%rsp)\n  cmpw $0x37F, (%rsp)\n  jne 1f\n"
    "  pop %r11\n  ret\n"
    "1: fninit\n  movl $0x1F80, (%rsp)\n  ldmxcsr (%rsp)\n  movq $0x202, (%rsp)\n  popfq\n  ret\n"
    "regent_damaged:\n  ud2\n"
    /* setjmp and longjmp, which leads into the program's own stack, or nowhere. */
    ".globl setjmp\n.type setjmp, @function\n"
    "setjmp:\n"
    "  mov %edi, %edi\n"
    "  mov %rbx, (%rdi)\n  mov %rbp, 8(%rdi)\n  mov %r12, 16(%rdi)\n  mov %r13, 24(%rdi)\n  mov %r14, 32(%rdi)\n  mov %r15, 40(%rdi)\n"
    "  lea 8(%rsp), %rax\n  mov %rax, 48(%rdi)\n  mov (%rsp), %rax\n  mov %rax, 56(%rdi)\n"
    "  xor %eax, %eax\n  ret\n"
    ".globl longjmp\n.type longjmp, @function\n"
    "longjmp:\n"
    "  mov %edi, %edi\n"
    "  mov %esi, %eax\n  test %eax, %eax\n  jne 1f\n  inc %eax\n1:\n"
    "  mov (%rdi), %rbx\n  mov 8(%rdi), %rbp\n  mov 16(%rdi), %r12\n  mov 24(%rdi), %r13\n  mov 32(%rdi), %r14\n  mov 40(%rdi), %r15\n"
    "  mov 16+regent_link(%rip), %r10\n  sub 48(%rdi), %r10\n  cmp $" REGENT_TEXT(REGENT_STACK_LENGTH) ", %r10\n  ja regent_damaged\n"
    "  cmpl $0, 60(%rdi)\n  jne regent_damaged\n"
    "  mov 48(%rdi), %rsp\n  jmp *56(%rdi)\n");

_Static_assert(offsetof(struct regent_native, reals_used) == 112 && offsetof(struct regent_native, results) == 136
    && sizeof(struct regent_native) <= 176, "the entries above know it");

extern int regent_exec(struct regent_block *block);
extern unsigned regent_enter(struct regent_call *call);
extern const char regent_stubs[];

int errno;

/* --- start and end --- */

#define EXITS_MAX 32
static void (*exits[EXITS_MAX])(void);
static unsigned exit_count;

int atexit(void (*function)(void)) {
    /* What CALLs a function goes on when that ends. */
    if (exit_count == EXITS_MAX || regent_exit_completion != 0) return -1;
    exits[exit_count++] = function;
    return 0;
}

void regent_finish(int value, unsigned completion) {
    unsigned long long words[1] = { (unsigned long long)(long long)value };
    fflush(NULL);
    regent_service(REGENT_SERVICE_C_RETURN_CODE, words, 1);
    regent_leave(completion);
}

void exit(int value) {
    while (exit_count > 0) exits[--exit_count]();
    regent_finish(value, regent_exit_completion);
}

void regent_give_up(const char *text) {
    unsigned long long words[2] = { (unsigned)text, strlen(text) };
    regent_service(REGENT_SERVICE_C_ABORT, words, 2);
    for (;;) { }
}

void abort(void) {
    fflush(NULL);
    regent_give_up("abort was called");
    regent_leave(1);
}

void regent_assert(const char *text, const char *file, int line) {
    char message[256];
    fflush(NULL);
    snprintf(message, sizeof message, "%s:%d: assertion failed: %s", file, line, text);
    regent_give_up(message);
    regent_leave(1);
}

char *getenv(const char *name) { (void)name; return NULL; }

/* --- EXEC CICS --- */

void regent_execute(unsigned command, unsigned flags, unsigned line, unsigned statement, struct regent_argument *arguments, unsigned count) {
    struct regent_block block;
    block.command = command;
    block.argument_count = count;
    block.flags = flags;
    block.reserved = 0;
    block.line = line;
    block.statement = statement;
    block.arguments = (unsigned)arguments;
    regent_exec(&block);
}

void regent_state(char *area, unsigned length, const char *state) {
    memcpy(area, state, 5);
    if (length > 5) area[5] = '\0';
}

/* --- CALL --- */

int regent_call(const char *name, unsigned length, const unsigned *arguments, unsigned count) {
    struct regent_call call = { .name = (unsigned)name, .arguments = (unsigned)arguments, .name_length = length, .argument_count = count };
    unsigned stopped = regent_enter(&call);
    int value = (int)regent_service(REGENT_SERVICE_C_CALLED_RETURN_CODE, NULL, 0);
    /* STOP RUN ends this program, too. */
    if (stopped) regent_finish(value, 1);
    return value;
}

/* --- fetch --- */

/* Procedure pointers, each reached by the stub of its number; 0: the stub is free. */
static unsigned fetched[FETCHED_MAX];

void (*fetch(const char *name))() {
    unsigned number = 0;
    while (number < FETCHED_MAX && fetched[number] != 0) number++;
    if (number == FETCHED_MAX) { errno = ENOMEM; return NULL; }
    unsigned long long words[2] = { (unsigned)name, strlen(name) };
    fetched[number] = (unsigned)regent_service(REGENT_SERVICE_C_FETCH, words, 2);
    if (fetched[number] == 0) return NULL;
    return (void (*)())(regent_stubs + number * STUB_BYTES);
}

void (*__fetch(const char *name))() { return fetch(name); }

/* The number of a stub, FETCHED_MAX for other functions. */
static unsigned stub_number(void (*pointer)()) {
    unsigned distance = (unsigned)pointer - (unsigned)regent_stubs;
    return distance % STUB_BYTES == 0 && distance / STUB_BYTES < FETCHED_MAX ? distance / STUB_BYTES : FETCHED_MAX;
}

int release(void (*pointer)()) {
    unsigned number = stub_number(pointer);
    if (number == FETCHED_MAX || fetched[number] == 0) { errno = EINVAL; return -1; }
    unsigned long long words[1] = { fetched[number] };
    fetched[number] = 0;
    regent_service(REGENT_SERVICE_C_RELEASE, words, 1);
    return 0;
}

int __rlse(void (*pointer)()) { return release(pointer); }

/* Of a released program: there is no procedure at address 0. STOP RUN ends this program, too. */
static void enter_fetched(unsigned number, unsigned arguments, unsigned count, unsigned flags) {
    unsigned pointer = __builtin_bswap32(fetched[number]);
    struct regent_call call = { .name = (unsigned)&pointer, .arguments = arguments, .argument_count = count, .flags = REGENT_CALL_POINTER | flags };
    if (regent_enter(&call)) regent_finish((int)regent_service(REGENT_SERVICE_C_CALLED_RETURN_CODE, NULL, 0), 1);
}

void regent_call_fetched(unsigned number, struct regent_native *native) {
    enter_fetched(number, (unsigned)native, 0, REGENT_CALL_NATIVE);
}

int regent_call_pointer(void (*pointer)(), const unsigned *arguments, unsigned count) {
    unsigned number = stub_number(pointer);
    if (number == FETCHED_MAX) regent_give_up("a function type with #pragma linkage is called through a pointer that fetch has not given");
    enter_fetched(number, (unsigned)arguments, count, 0);
    return (int)regent_service(REGENT_SERVICE_C_CALLED_RETURN_CODE, NULL, 0);
}

unsigned regent_name_length(const void *name, unsigned room) { return strnlen(name, room); }

long long regent_packed(const void *area, unsigned bytes) {
    const unsigned char *digits = area;
    long long value = 0;
    for (unsigned at = 0; at < bytes; at++) {
        value = value * 10 + (digits[at] >> 4);
        if (at + 1 < bytes) value = value * 10 + (digits[at] & 15);
    }
    unsigned sign = digits[bytes - 1] & 15;
    return sign == 0xD || sign == 0xB ? -value : value;
}

void regent_set_packed(void *area, unsigned bytes, long long value) {
    unsigned char *digits = area;
    unsigned char sign = value < 0 ? 0xD : 0xC;
    unsigned long long rest = value < 0 ? -(unsigned long long)value : (unsigned long long)value;
    for (unsigned at = bytes; at-- > 0;) {
        unsigned char low = sign;
        if (at + 1 < bytes) { low = rest % 10; rest /= 10; }
        digits[at] = (unsigned char)(rest % 10 << 4 | low);
        rest /= 10;
    }
}

unsigned long long regent_reversed(unsigned long long value, unsigned bytes) {
    return __builtin_bswap64(value) >> (64 - 8 * bytes);
}

void regent_turn(void *to, const void *from, unsigned bytes, unsigned count) {
    unsigned char *target = to;
    const unsigned char *source = from;
    for (; count > 0; count--, target += bytes, source += bytes)
        for (unsigned at = 0; at < bytes; at++) target[at] = source[bytes - 1 - at];
}

/* --- storage --- */

/* Before each area lie its length and the mark of one that is allocated. */
struct head { unsigned length, mark, unused[2]; };
#define MARK 0x7A11C0DEu

void *malloc(size_t bytes) {
    unsigned long long words[1] = { (unsigned long long)bytes + sizeof(struct head) };
    if (bytes > 0x7F000000u) { errno = ENOMEM; return NULL; }
    struct head *head = (struct head *)(unsigned)regent_service(REGENT_SERVICE_ALLOCATE, words, 1);
    if (head == NULL) { errno = ENOMEM; return NULL; }
    head->length = bytes;
    head->mark = MARK;
    return head + 1;
}

void free(void *area) {
    if (area == NULL) return;
    struct head *head = (struct head *)area - 1;
    if (head->mark != MARK) return;
    head->mark = 0;
    unsigned long long words[1] = { (unsigned)head };
    regent_service(REGENT_SERVICE_FREE, words, 1);
}

void *calloc(size_t count, size_t bytes) {
    unsigned long long all = (unsigned long long)count * bytes;
    if (all > 0x7F000000u) { errno = ENOMEM; return NULL; }
    void *area = malloc(all);
    if (area != NULL) memset(area, 0, all);
    return area;
}

void *realloc(void *area, size_t bytes) {
    if (area == NULL) return malloc(bytes);
    if (bytes == 0) { free(area); return NULL; }
    size_t before = ((struct head *)area - 1)->length;
    void *larger = malloc(bytes);
    if (larger == NULL) return NULL;
    memcpy(larger, area, before < bytes ? before : bytes);
    free(area);
    return larger;
}

/* --- standard output and standard error: lines to transient data, or to DD names --- */

#define LINE_MAX 1024
struct regent_stream { unsigned target, length; char line[LINE_MAX]; };
static struct regent_stream streams[3] = { { 0 }, { REGENT_OUTPUT }, { REGENT_ERROR } };
FILE *const stdin = &streams[0], *const stdout = &streams[1], *const stderr = &streams[2];

static void write_line(FILE *stream) {
    unsigned long long words[3] = { stream->target, (unsigned)stream->line, stream->length };
    regent_service(REGENT_SERVICE_C_WRITE, words, 3);
    stream->length = 0;
}

int fflush(FILE *stream) {
    for (unsigned at = 1; at < 3; at++)
        if ((stream == NULL || stream == &streams[at]) && streams[at].length > 0) write_line(&streams[at]);
    return 0;
}

int fputc(int character, FILE *stream) {
    if (stream == NULL || stream == stdin) return EOF;
    if (character == '\n') { write_line(stream); return character; }
    stream->line[stream->length++] = (char)character;
    if (stream->length == LINE_MAX) write_line(stream);
    return (unsigned char)character;
}

int putc(int character, FILE *stream) { return fputc(character, stream); }
int putchar(int character) { return fputc(character, stdout); }

int fputs(const char *text, FILE *stream) {
    for (; *text != '\0'; text++)
        if (fputc((unsigned char)*text, stream) == EOF) return EOF;
    return 0;
}

int puts(const char *text) { return fputs(text, stdout) == EOF ? EOF : fputc('\n', stdout); }

size_t fwrite(const void *items, size_t size, size_t count, FILE *stream) {
    const char *bytes = items;
    for (size_t at = 0; at < size * count; at++)
        if (fputc((unsigned char)bytes[at], stream) == EOF) return at / size;
    return count;
}

/* --- standard input: under CICS at its end --- */

static int input_at, is_input_ended;

int getchar(void) {
    FILE *input = stdin;
    if (input_at == (int)input->length) {
        unsigned long long words[2] = { (unsigned)input->line, LINE_MAX };
        int length = is_input_ended ? -1 : (int)regent_service(REGENT_SERVICE_C_READ, words, 2);
        if (length <= 0) { is_input_ended = 1; return EOF; }
        input->length = length;
        input_at = 0;
    }
    return (unsigned char)input->line[input_at++];
}

int fgetc(FILE *stream) { return stream == stdin ? getchar() : EOF; }
int getc(FILE *stream) { return fgetc(stream); }

char *fgets(char *text, int room, FILE *stream) {
    int at = 0;
    while (at + 1 < room) {
        int character = fgetc(stream);
        if (character == EOF) break;
        text[at++] = (char)character;
        if (character == '\n') break;
    }
    if (at == 0) return NULL;
    text[at] = '\0';
    return text;
}

int feof(FILE *stream) { return stream == stdin && is_input_ended; }
int ferror(FILE *stream) { (void)stream; return 0; }
void perror(const char *text) { fprintf(stderr, "%s: %s\n", text, strerror(errno)); }
