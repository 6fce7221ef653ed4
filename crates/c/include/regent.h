/* What the translated form of EXEC CICS uses. Every program begins with it; the layouts are those of exec::block. */
#ifndef REGENT_H
#define REGENT_H
#define __IBMC__ 41050
#define __MVS__ 1
#pragma scalar_storage_order little-endian
struct regent_argument {
    unsigned short option;
    unsigned char representation;
    unsigned char flags;
    unsigned int length;
    unsigned long long address;
    long long value;
};
struct regent_block {
    unsigned short command, argument_count, flags, reserved;
    unsigned int line, statement;
    unsigned long long arguments;
};
#pragma scalar_storage_order default
#define REGENT_IS_POINTER(class) ((class) == 5)
#define REGENT_IS_NUMBER(class) ((class) == 1 || (class) == 2 || (class) == 3 || (class) == 4)
static long long regent_ignored __attribute__((unused));
static void *regent_ignored_pointer __attribute__((unused));
void regent_execute(unsigned command, unsigned flags, unsigned line, unsigned statement, struct regent_argument *arguments, unsigned count);
/* The length of a name: to its end, a binary zero or the length of the option. */
unsigned regent_name_length(const void *name, unsigned room);
/* Packed decimal areas, as ABSTIME has. */
long long regent_packed(const void *area, unsigned bytes);
void regent_set_packed(void *area, unsigned bytes, long long value);
/* A binary area of the program in the order of its bytes that everybody else has. */
unsigned long long regent_reversed(unsigned long long value, unsigned bytes);
#endif
