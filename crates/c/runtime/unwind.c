/* C++ exceptions on the stack of the program: finds the frames' descriptions in .eh_frame, restores the registers of callers, and enters
   the landing pads that the compiler's tables name (System V ABI, AMD64 supplement, 4.2.4; DWARF 4, 6.4; Itanium C++ ABI, exception
   handling). Nothing is registered anywhere: the tables lie in the module itself, between the symbols of cpp_begin.c and cpp_end.c, and all
   addresses in them are relative. */
#include <stddef.h>
#include <string.h>
#include "runtime.h"
#include "unwind.h"

#define RBX 3
#define RBP 6
#define RSP 7
#define R12 12
#define RETURN_ADDRESS 16
#define REMEMBERED_MAX 8

/* Pointer encodings of the tables (LSB core specification, DWARF extensions). */
#define ENCODING_OMITTED 0xFF
#define ENCODING_FORM 0x0F
#define ENCODING_RELATIVE 0x70
#define ENCODING_PC_RELATIVE 0x10
#define ENCODING_INDIRECT 0x80

typedef unsigned char byte;
typedef unsigned long long word;
enum rule { UNCHANGED, AT_OFFSET };
struct rules { unsigned base; long offset; byte rule[REGENT_REGISTERS]; long at[REGENT_REGISTERS]; };
struct description { const byte *code, *end, *initial, *initial_end, *tables; unsigned long from, length; long data_align; unsigned code_align; };

extern const byte regent_eh_frames[];

static unsigned long unsigned_number(const byte **at) {
    unsigned long value = 0;
    for (unsigned shift = 0;; shift += 7) {
        byte next = *(*at)++;
        value |= (unsigned long)(next & 0x7F) << shift;
        if (!(next & 0x80)) return value;
    }
}

static long signed_number(const byte **at) {
    unsigned long value = 0;
    for (unsigned shift = 0;;) {
        byte next = *(*at)++;
        value |= (unsigned long)(next & 0x7F) << shift;
        shift += 7;
        if (next & 0x80) continue;
        if (next & 0x40 && shift < sizeof value * 8) value |= -1UL << shift;
        return (long)value;
    }
}

/* The value at *at; 0: there is none. */
static unsigned long encoded(byte encoding, const byte **at) {
    unsigned long place = (unsigned long)*at, value;
    int fixed;
    switch (encoding & ENCODING_FORM) {
    case 0x00: memcpy(&value, *at, sizeof value); *at += sizeof value; break;
    case 0x01: value = unsigned_number(at); break;
    case 0x09: value = (unsigned long)signed_number(at); break;
    case 0x03: case 0x0B: memcpy(&fixed, *at, 4); *at += 4; value = (unsigned long)(long)fixed; break;
    default: regent_give_up("the exception tables of the program have a form that is not known"); return 0;
    }
    if (value == 0) return 0;
    if ((encoding & ENCODING_RELATIVE) == ENCODING_PC_RELATIVE) value += place;
    if (encoding & ENCODING_INDIRECT) value = *(const unsigned long *)value;
    return value;
}

static unsigned length_of(const byte *entry) {
    unsigned length;
    memcpy(&length, entry, 4);
    return length;
}

/* What the common entry of a frame description says. Answers the encodings of addresses and of the pointer to the tables. */
static void common(const byte *entry, struct description *found, byte *addresses, byte *tables) {
    const byte *end = entry + 4 + length_of(entry), *at = entry + 9;
    const char *kinds = (const char *)at;
    *addresses = 0;
    *tables = ENCODING_OMITTED;
    at += strlen(kinds) + 1;
    found->code_align = (unsigned)unsigned_number(&at);
    found->data_align = signed_number(&at);
    unsigned_number(&at);
    if (kinds[0] == 0x7A) { /* z */
        unsigned long length = unsigned_number(&at);
        const byte *behind = at + length;
        for (const char *kind = kinds + 1; *kind != 0; kind++) {
            if (*kind == 0x52) *addresses = *at++; /* R */
            else if (*kind == 0x4C) *tables = *at++; /* L */
            else if (*kind == 0x50) { byte encoding = *at++; encoded(encoding & ~ENCODING_INDIRECT, &at); } /* P */
        }
        at = behind;
    }
    found->initial = at;
    found->initial_end = end;
}

/* The description of the function at this address; 0: there is none, the stack ends for exceptions. */
static int describe(unsigned long address, struct description *found) {
    const byte *entry = regent_eh_frames;
    for (unsigned length; (length = length_of(entry)) != 0; entry += 4 + length) {
        unsigned back = length_of(entry + 4);
        byte addresses, tables;
        if (back == 0) continue;
        common(entry + 4 - back, found, &addresses, &tables);
        const byte *at = entry + 8;
        found->from = encoded(addresses, &at);
        found->length = encoded(addresses & ENCODING_FORM, &at);
        if (address - found->from >= found->length) continue;
        unsigned long more = unsigned_number(&at);
        const byte *tables_at = at;
        found->tables = tables == ENCODING_OMITTED ? NULL : (const byte *)encoded(tables, &tables_at);
        found->code = at + more;
        found->end = entry + 4 + length;
        return 1;
    }
    return 0;
}

static void set_rule(struct rules *rules, unsigned long number, byte rule, long at) {
    if (number >= REGENT_REGISTERS) return;
    rules->rule[number] = rule;
    rules->at[number] = at;
}

/* The rules in force at an address: runs instructions up to it. */
static void run_rules(const struct description *found, const byte *at, const byte *end, unsigned long address, struct rules *rules,
                      const struct rules *initial, struct regent_registers *registers) {
    struct rules remembered[REMEMBERED_MAX];
    unsigned depth = 0;
    unsigned long here = found->from;
    while (at < end && here <= address) {
        byte code = *at++;
        unsigned long number = code & 0x3F;
        if (code >> 6 == 1) { here += number * found->code_align; continue; }
        if (code >> 6 == 2) { set_rule(rules, number, AT_OFFSET, (long)unsigned_number(&at) * found->data_align); continue; }
        if (code >> 6 == 3) { set_rule(rules, number, initial->rule[number % REGENT_REGISTERS], initial->at[number % REGENT_REGISTERS]); continue; }
        unsigned short two;
        switch (code) {
        case 0x00: break;
        case 0x02: here += *at++ * found->code_align; break;
        case 0x03: memcpy(&two, at, 2); at += 2; here += two * found->code_align; break;
        case 0x04: here += length_of(at) * found->code_align; at += 4; break;
        case 0x05: number = unsigned_number(&at); set_rule(rules, number, AT_OFFSET, (long)unsigned_number(&at) * found->data_align); break;
        case 0x06: number = unsigned_number(&at); set_rule(rules, number, UNCHANGED, 0); break;
        case 0x07: case 0x08: number = unsigned_number(&at); set_rule(rules, number, UNCHANGED, 0); break;
        case 0x0A: if (depth < REMEMBERED_MAX) remembered[depth++] = *rules; break;
        case 0x0B: if (depth > 0) *rules = remembered[--depth]; break;
        case 0x0C: rules->base = (unsigned)unsigned_number(&at); rules->offset = (long)unsigned_number(&at); break;
        case 0x0D: rules->base = (unsigned)unsigned_number(&at); break;
        case 0x0E: rules->offset = (long)unsigned_number(&at); break;
        case 0x11: number = unsigned_number(&at); set_rule(rules, number, AT_OFFSET, signed_number(&at) * found->data_align); break;
        case 0x12: rules->base = (unsigned)unsigned_number(&at); rules->offset = signed_number(&at) * found->data_align; break;
        case 0x13: rules->offset = signed_number(&at) * found->data_align; break;
        case 0x2E: registers->arguments = unsigned_number(&at); break;
        default: regent_give_up("an exception is thrown through a function whose frame is not described in a known form");
        }
    }
}

/* The registers of the caller. */
static void step(const struct description *found, struct regent_registers *registers) {
    struct rules rules, initial;
    memset(&rules, 0, sizeof rules);
    memset(&initial, 0, sizeof initial);
    unsigned long address = (unsigned long)registers->of[RETURN_ADDRESS] - 1;
    run_rules(found, found->initial, found->initial_end, found->from, &rules, &initial, registers);
    initial = rules;
    registers->arguments = 0;
    run_rules(found, found->code, found->end, address, &rules, &initial, registers);
    word frame = registers->of[rules.base % REGENT_REGISTERS] + (word)(long long)rules.offset;
    for (unsigned number = 0; number < REGENT_REGISTERS; number++)
        if (rules.rule[number] == AT_OFFSET)
            registers->of[number] = *(const word *)(unsigned long)(frame + (word)(long long)rules.at[number]);
    registers->of[RSP] = frame;
}

/* The bytes of arguments that the function has on the stack at the call: below what its landing pad expects. */
static unsigned long pushed(const struct description *found, const struct regent_registers *registers) {
    struct regent_registers copy = *registers;
    step(found, &copy);
    return copy.arguments;
}

/* What the tables say of one function at an address. */
struct place { unsigned long landing; int selector; void *adjusted; };
enum finding { NOTHING, CLEANUP, HANDLER, NO_EXCEPTIONS };

/* An exception specification: no type of the list is thrown. */
static int unexpected(const byte *types, byte encoding, long filter, struct regent_exception *exception) {
    const byte *at = types + (-filter - 1);
    for (unsigned long number; (number = unsigned_number(&at)) != 0;) {
        const byte *entry = types - number * ((encoding & ENCODING_FORM) == 0 ? sizeof(unsigned long) : 4);
        void *object = exception + 1;
        if (regent_catches((const void *)encoded(encoding, &entry), exception->type, &object)) return 0;
    }
    return 1;
}

static enum finding by_action(const byte *action, const byte *types, byte encoding, struct regent_exception *exception, struct place *place) {
    int is_cleanup = 0;
    for (;;) {
        long filter = signed_number(&action);
        const byte *next = action;
        long distance = signed_number(&action);
        void *object = exception + 1;
        if (filter == 0) is_cleanup = 1;
        else if (filter > 0) {
            const byte *entry = types - (unsigned long)filter * ((encoding & ENCODING_FORM) == 0 ? sizeof(unsigned long) : 4);
            const void *type = (const void *)encoded(encoding, &entry);
            if (type == NULL || regent_catches(type, exception->type, &object)) {
                place->selector = (int)filter;
                place->adjusted = object;
                return HANDLER;
            }
        } else if (unexpected(types, encoding, filter, exception)) {
            place->selector = (int)filter;
            place->adjusted = object;
            return HANDLER;
        }
        if (distance == 0) return is_cleanup ? CLEANUP : NOTHING;
        action = next + distance;
    }
}

static enum finding look_up(const struct description *found, unsigned long address, struct regent_exception *exception, struct place *place) {
    const byte *at = found->tables, *types = NULL;
    if (at == NULL) return NOTHING;
    unsigned long start = found->from;
    byte encoding = *at++;
    if (encoding != ENCODING_OMITTED) start = encoded(encoding, &at);
    byte type_encoding = *at++;
    if (type_encoding != ENCODING_OMITTED) {
        unsigned long distance = unsigned_number(&at);
        types = at + distance;
    }
    byte call_encoding = *at++;
    unsigned long length = unsigned_number(&at);
    const byte *actions = at + length;
    while (at < actions) {
        unsigned long from = encoded(call_encoding, &at), bytes = encoded(call_encoding, &at), landing = encoded(call_encoding, &at);
        unsigned long action = unsigned_number(&at);
        if (address - found->from - from >= bytes) continue;
        if (landing == 0) return NOTHING;
        place->landing = start + landing;
        place->selector = 0;
        return action == 0 ? CLEANUP : by_action(actions + action - 1, types, type_encoding, exception, place);
    }
    /* A call in a function that throws nothing. */
    return NO_EXCEPTIONS;
}

/* Whether a function up the stack takes the exception; the stack is unchanged. */
static int is_caught(struct regent_exception *exception, struct regent_registers registers) {
    struct description found;
    struct place place;
    while (describe((unsigned long)registers.of[RETURN_ADDRESS] - 1, &found)) {
        enum finding finding = look_up(&found, (unsigned long)registers.of[RETURN_ADDRESS] - 1, exception, &place);
        if (finding == HANDLER) return 1;
        if (finding == NO_EXCEPTIONS) return 0;
        step(&found, &registers);
    }
    return 0;
}

void regent_unwind(struct regent_exception *exception, struct regent_registers *registers) {
    struct description found;
    struct place place;
    while (describe((unsigned long)registers->of[RETURN_ADDRESS] - 1, &found)) {
        enum finding finding = look_up(&found, (unsigned long)registers->of[RETURN_ADDRESS] - 1, exception, &place);
        if (finding == NO_EXCEPTIONS) break;
        if (finding != NOTHING) {
            if (finding == HANDLER) exception->adjusted = place.adjusted;
            registers->of[RSP] += pushed(&found, registers);
            registers->of[0] = (unsigned long)exception;
            registers->of[1] = (unsigned)place.selector;
            registers->of[RETURN_ADDRESS] = place.landing;
            regent_land(registers);
        }
        step(&found, registers);
    }
    regent_uncaught(exception);
}

void regent_throw(struct regent_exception *exception, struct regent_registers *registers) {
    if (!is_caught(exception, *registers)) regent_uncaught(exception);
    regent_unwind(exception, registers);
}

/* The functions that the compiler calls, with the registers as they are at the call, and the way to a landing pad. */
#define SAVED(target) \
    "  lea 8(%rsp), %rax\n  mov (%rsp), %r10\n  sub $152, %rsp\n" \
    "  mov %rbx, 24(%rsp)\n  mov %rbp, 48(%rsp)\n  mov %rax, 56(%rsp)\n  mov %r12, 96(%rsp)\n  mov %r13, 104(%rsp)\n" \
    "  mov %r14, 112(%rsp)\n  mov %r15, 120(%rsp)\n  mov %r10, 128(%rsp)\n  mov %rsp, %rcx\n  call " target "\n  ud2\n"
__asm__(
    ".text\n"
    ".globl __cxa_throw\n.type __cxa_throw, @function\n__cxa_throw:\n" SAVED("regent_cxa_throw")
    ".globl __cxa_rethrow\n.type __cxa_rethrow, @function\n__cxa_rethrow:\n" SAVED("regent_cxa_rethrow")
    ".globl _Unwind_Resume\n.type _Unwind_Resume, @function\n_Unwind_Resume:\n" SAVED("regent_cxa_resume")
    ".globl regent_land\n.type regent_land, @function\n"
    "regent_land:\n"
    "  mov (%rdi), %rax\n  mov 8(%rdi), %rdx\n  mov 24(%rdi), %rbx\n  mov 48(%rdi), %rbp\n  mov 96(%rdi), %r12\n  mov 104(%rdi), %r13\n"
    "  mov 112(%rdi), %r14\n  mov 120(%rdi), %r15\n  mov 128(%rdi), %rcx\n  mov 56(%rdi), %rsp\n  jmp *%rcx\n");
