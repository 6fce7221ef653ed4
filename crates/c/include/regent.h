/* What the translated form of EXEC CICS uses. Every program begins with it; the layouts are those of exec::block. */
#ifndef REGENT_H
#define REGENT_H
#define __IBMC__ 41050
#define __MVS__ 1
/* A double-byte character of SQL. */
typedef unsigned short sqldbchar;
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
/* requests::CallRequest */
struct regent_call {
    unsigned long long cache, name, arguments;
    unsigned int name_length, argument_count, flags, program, outcome, entry_label;
    unsigned long long entry;
};
/* requests::SqlVariable, requests::SqlRequest */
struct regent_sql_variable { unsigned long long address, indicator; };
struct regent_sql_request {
    unsigned int statement, variable_count;
    unsigned long long variables, sqlca, sqlcode, sqlstate;
    unsigned int line, number;
};
/* SQLCODE and SQLSTATE of a program without SQLCA. */
struct regent_sql_result { char code[4] __attribute__((aligned(4))); char state[5]; };
#pragma scalar_storage_order default
#define REGENT_IS_POINTER(class) ((class) == 5)
#define REGENT_IS_NUMBER(class) ((class) == 1 || (class) == 2 || (class) == 3 || (class) == 4)
static long long regent_ignored __attribute__((unused));
static void *regent_ignored_pointer __attribute__((unused));
/* CALL of a program: its name in ASCII, the addresses of the arguments; answers its return code. */
int regent_call(const char *name, unsigned length, const unsigned *arguments, unsigned count);
/* The same for a program that fetch has found. */
int regent_call_pointer(void (*pointer)(), const unsigned *arguments, unsigned count);
/* A call of a function of this program as another C program has made it. */
void regent_native(void *native, void (*function)(), unsigned words);
/* Whether other languages can have what the pointer leads to: no address and no floating-point number in the form of the machine. */
#define REGENT_SHARED(pointer) \
    _Generic((pointer), void **: 0, char **: 0, default: \
        !REGENT_IS_REAL(REGENT_TARGET(pointer)))
/* Whether the pointer leads to a number that is turned round on its way. */
#define REGENT_TURNS(pointer) (REGENT_IS_NUMBER(REGENT_TARGET(pointer)) && sizeof(*(pointer)) > 1)
#define REGENT_TARGET(pointer) \
    __builtin_classify_type(*_Generic((pointer), void *: (char *)0, const void *: (char *)0, default: (pointer)))
#define REGENT_IS_REAL(class) ((class) == 8)
/* A pointer and no array. */
#define REGENT_DECAYED(place) __builtin_choose_expr(REGENT_IS_POINTER(__builtin_classify_type(place)), (place), (char *)0)
#define REGENT_IS_ADDRESS(place) \
    (REGENT_IS_POINTER(__builtin_classify_type(place)) && __builtin_types_compatible_p(__typeof__(place), __typeof__(REGENT_DECAYED(place) + 0)))
void regent_execute(unsigned command, unsigned flags, unsigned line, unsigned statement, struct regent_argument *arguments, unsigned count);
/* Executes an SQL statement; the result is a requests::SqlOutcome. */
unsigned regent_sql(struct regent_sql_request *request);
/* SQLSTATE in an area of the program: with a binary zero at its end if there is room. */
void regent_state(char *area, unsigned length, const char *state);
/* The length of a name: to its end, a binary zero or the length of the option. */
unsigned regent_name_length(const void *name, unsigned room);
/* Packed decimal areas, as ABSTIME has. */
long long regent_packed(const void *area, unsigned bytes);
void regent_set_packed(void *area, unsigned bytes, long long value);
/* A binary area of the program in the order of its bytes that everybody else has. */
unsigned long long regent_reversed(unsigned long long value, unsigned bytes);
/* So many numbers of so many bytes, each with its bytes in the other order. */
void regent_turn(void *to, const void *from, unsigned bytes, unsigned count);
#endif
