/* What a C program relies on without saying it: static initializers, floating point, variable arguments, the ends of a program. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*operation)(int, int);
static int plus(int a, int b) { return a + b; }
static int minus(int a, int b) { return a - b; }

/* Addresses are initial values of structures in the order of the machine only. */
#pragma scalar_storage_order little-endian
struct entry { const char *name; operation call; int arguments[2]; short expected; };
#pragma scalar_storage_order default
static struct entry table[] = { { "plus", plus, { 70000, 1 }, 1 }, { "minus", minus, { 5, 7 }, -2 }, { .name = "last" } };
static struct entry *const last = &table[2];
static const char *const words[] = { "zero", "one", [3] = "three" };
static double constants[] = { 1.5, -2.25e10, 1.0 / 3.0 };
static struct mixed { float real; double wide; long long whole; bool flag; uint8_t byte; } mixed = { 0.5f, 1e-5, -1234567890123LL, true, 200 };
static char text[] = "text" " and " "more";
static int zero[100];

static int failures, checks;
static char first[40];

static void check(int holds, const char *what)
{
    checks++;
    if (!holds && failures++ == 0) strncpy(first, what, sizeof first - 1);
}

static void initializers(void)
{
    check(table[0].call(table[0].arguments[0], table[0].arguments[1]) == 70001, "a function in a table");
    check(table[1].call(table[1].arguments[0], table[1].arguments[1]) == table[1].expected, "numbers in a table");
    check(last == table + 2 && strcmp(last->name, "last") == 0 && last->call == NULL, "addresses");
    check(words[2] == NULL && strcmp(words[3], "three") == 0, "designators");
    check(constants[1] == -22500000000.0 && constants[2] * 3 == 1.0, "doubles");
    check(mixed.real == 0.5f && mixed.wide == 1e-5 && mixed.whole == -1234567890123LL && mixed.flag && mixed.byte == 200, "members");
    check(sizeof text == 14 && zero[99] == 0, "strings and zeros");
    check(((unsigned char *)&mixed)[0] == 0x3F && ((unsigned char *)&mixed)[offsetof(struct mixed, whole)] == 0xFF, "the most significant byte is first");
}

static double sum(int count, ...)
{
    va_list list;
    double total = 0;
    va_start(list, count);
    for (; count > 0; count--) total += count % 2 ? va_arg(list, int) : va_arg(list, double);
    va_end(list);
    return total;
}

static void numbers(void)
{
    float half = 0.5f;
    volatile double tiny = DBL_MIN, none = 0;
    long double extended = 1.0L / 3;
    unsigned wrap = UINT_MAX;
    int i;
    double series = 0;
    check(sum(4, 1.5, 2, 2.5, 3) == 9.0, "variable arguments");
    check(half * 3 == 1.5f && (int)(half * 9.99) == 4 && (int)-2.7 == -2, "conversions");
    check(isinf(1 / none) && isnan(none / none) && tiny / 2 < tiny, "infinities");
    check((double)extended > 0.3333 && wrap + 1 == 0 && INT_MIN < 0 && CHAR_MAX == 255, "limits");
    for (i = 1; i < 1000; i++) series += 1.0 / ((double)i * i);
    check(fabs(series - (acos(-1.0) * acos(-1.0) / 6)) < 0.0011, "a series");
    check(((long long)1 << 40) / 3 == 366503875925LL && -7 / 2 == -3 && -7 % 2 == -1 && (-8 >> 1) == -4, "integers");
    check(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(size_t) == 4 && offsetof(struct entry, arguments) == 8, "sizes");
}

static jmp_buf outer, inner;
static int unwound;

static void deep(int depth)
{
    char fill[200];
    memset(fill, depth, sizeof fill);
    if (depth > 0) deep(depth - 1);
    else longjmp(inner, 7);
    unwound += fill[0];
}

static void jumps(void)
{
    volatile int rounds = 0;
    int value;
    if (setjmp(outer) == 0) {
        value = setjmp(inner);
        if (value == 0) deep(50);
        check(value == 7 && unwound == 0, "longjmp");
        rounds++;
        longjmp(outer, 0);
    }
    check(rounds == 1, "longjmp with 0 is 1");
}

static void streams(void)
{
    char line[20];
    int number = -1;
    check(getchar() == EOF && fgets(line, sizeof line, stdin) == NULL && feof(stdin), "standard input is empty");
    check(printf("NUMBER %d\n", 5) == 9 && fprintf(stderr, "ERROR %s\n", "TEXT") == 11, "printf counts");
    check(sscanf("17", "%d", &number) == 1 && number == 17, "sscanf");
}

static void storage(void)
{
    char *areas[200];
    int i, good = 1;
    for (i = 0; i < 200; i++) areas[i] = memset(malloc(i * 7 + 1), i, i * 7 + 1);
    for (i = 0; i < 200; i++) good &= areas[i][i * 7] == i;
    for (i = 0; i < 200; i += 2) free(areas[i]);
    areas[1] = realloc(areas[1], 20000);
    check(good && areas[1][0] == 1 && ((unsigned long)areas[1] & 7) == 0, "malloc");
}

static void at_end(void) { printf("AT EXIT SECOND\n"); }
static void before_end(void) { printf("AT EXIT FIRST\n"); }

int main(void)
{
    char line[80];
    EXEC CICS ADDRESS EIB(dfheiptr);
    initializers();
    numbers();
    jumps();
    streams();
    storage();
    atexit(at_end);
    atexit(before_end);
    sprintf(line, "CRUN %d CHECKS %d FAILURES %s", checks, failures, first);
    EXEC CICS SEND TEXT FROM(line) LENGTH(strlen(line)) ERASE FREEKB;
    return 0;
}
