/* Numbers: conversion from text, arithmetic, sorting, random numbers. */
#include <stdlib.h>
#include <stdint.h>
#include <string.h>
#include <limits.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include "runtime.h"

static int digit_of(char character) {
    if (isdigit((unsigned char)character)) return character - '0';
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    const char *found = character == '\0' ? NULL : strchr(letters, tolower((unsigned char)character));
    return found == NULL ? INT_MAX : (int)(found - letters) + 10;
}

/* Sign and magnitude of a number, no greater than `greatest` plus one when it is negative and `is_signed`. */
static unsigned long long magnitude(const char *text, char **end, int base, int *negative, int *overflow) {
    const char *at = text;
    unsigned long long value = 0;
    int any = 0;
    while (isspace((unsigned char)*at)) at++;
    *negative = *at == '-';
    *overflow = 0;
    if (*at == '-' || *at == '+') at++;
    if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && digit_of(at[2]) < 16) { at += 2; base = 16; }
    if (base == 0) base = *at == '0' ? 8 : 10;
    for (; digit_of(*at) < base; at++, any = 1) {
        unsigned long long next;
        if (__builtin_mul_overflow(value, (unsigned long long)base, &next) || __builtin_add_overflow(next, (unsigned long long)digit_of(*at), &next)) *overflow = 1;
        else value = next;
    }
    if (end != NULL) *end = (char *)(any ? at : text);
    return value;
}

static long long bounded(const char *text, char **end, int base, long long least, long long greatest) {
    int negative, overflow;
    unsigned long long value = magnitude(text, end, base, &negative, &overflow);
    unsigned long long limit = (unsigned long long)greatest + negative;
    if (overflow || value > limit) { errno = ERANGE; return negative ? least : greatest; }
    return negative ? (long long)-value : (long long)value;
}

static unsigned long long bounded_unsigned(const char *text, char **end, int base, unsigned long long greatest) {
    int negative, overflow;
    unsigned long long value = magnitude(text, end, base, &negative, &overflow);
    if (overflow || value > greatest) { errno = ERANGE; return greatest; }
    return negative ? -value & greatest : value;
}

long strtol(const char *text, char **end, int base) { return (long)bounded(text, end, base, LONG_MIN, LONG_MAX); }
long long strtoll(const char *text, char **end, int base) { return bounded(text, end, base, LLONG_MIN, LLONG_MAX); }
unsigned long strtoul(const char *text, char **end, int base) { return (unsigned long)bounded_unsigned(text, end, base, ULONG_MAX); }
unsigned long long strtoull(const char *text, char **end, int base) { return bounded_unsigned(text, end, base, ULLONG_MAX); }
int atoi(const char *text) { return (int)strtol(text, NULL, 10); }
long atol(const char *text) { return strtol(text, NULL, 10); }
long long atoll(const char *text) { return strtoll(text, NULL, 10); }

/* The digits of a decimal number are handed on in ASCII. */
double strtod(const char *text, char **end) {
    char ascii[128];
    unsigned length = 0, digits = 0;
    const char *at = text;
    while (isspace((unsigned char)*at)) at++;
    if (*at == '-' || *at == '+') ascii[length++] = *at++ == '-' ? 0x2D : 0x2B;
    for (int point = 0; isdigit((unsigned char)*at) || (*at == '.' && !point); at++) {
        if (*at == '.') point = 1; else digits++;
        if (length < sizeof ascii - 8) ascii[length++] = *at == '.' ? 0x2E : (char)(0x30 + (*at - '0'));
    }
    if (digits == 0) { if (end != NULL) *end = (char *)text; return 0.0; }
    if (*at == 'e' || *at == 'E') {
        const char *exponent = at + 1 + (at[1] == '-' || at[1] == '+');
        if (isdigit((unsigned char)*exponent)) {
            ascii[length++] = 0x65;
            if (at[1] == '-') ascii[length++] = 0x2D;
            for (at = exponent; isdigit((unsigned char)*at); at++)
                if (length < sizeof ascii) ascii[length++] = (char)(0x30 + (*at - '0'));
        }
    }
    if (end != NULL) *end = (char *)at;
    unsigned long long words[2] = { (uintptr_t)ascii, length };
    union { long long bits; double value; } result = { regent_service(REGENT_SERVICE_C_PARSE, words, 2) };
    return result.value;
}

float strtof(const char *text, char **end) { return (float)strtod(text, end); }
double atof(const char *text) { return strtod(text, NULL); }

int abs(int value) { return value < 0 ? -value : value; }
long labs(long value) { return value < 0 ? -value : value; }
long long llabs(long long value) { return value < 0 ? -value : value; }
div_t div(int dividend, int divisor) { div_t result = { dividend / divisor, dividend % divisor }; return result; }
ldiv_t ldiv(long dividend, long divisor) { ldiv_t result = { dividend / divisor, dividend % divisor }; return result; }
lldiv_t lldiv(long long dividend, long long divisor) { lldiv_t result = { dividend / divisor, dividend % divisor }; return result; }

/* The generator the C standard gives as its example. */
static unsigned long seed = 1;
void srand(unsigned start) { seed = start; }
int rand(void) { seed = seed * 1103515245u + 12345u; return (int)(seed / 65536u) % 32768; }

static void exchange(char *left, char *right, size_t size) {
    for (; size > 0; size--, left++, right++) { char kept = *left; *left = *right; *right = kept; }
}

static void sift(char *base, size_t root, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= count) return;
        if (child + 1 < count && compare(base + child * size, base + (child + 1) * size) < 0) child++;
        if (compare(base + root * size, base + child * size) >= 0) return;
        exchange(base + root * size, base + child * size, size);
        root = child;
    }
}

/* Heapsort: no recursion, no storage. */
void qsort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    char *base = items;
    for (size_t root = count / 2; root-- > 0;) sift(base, root, count, size, compare);
    for (size_t last = count; last-- > 1;) {
        exchange(base, base + last * size, size);
        sift(base, 0, last, size, compare);
    }
}

void *bsearch(const void *key, const void *items, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    const char *base = items;
    while (count > 0) {
        const char *middle = base + count / 2 * size;
        int order = compare(key, middle);
        if (order == 0) return (void *)middle;
        if (order > 0) { base = middle + size; count--; }
        count /= 2;
    }
    return NULL;
}

static double function_of(unsigned number, double x, double y) {
    union { double value; unsigned long long bits; } a = { x }, b = { y };
    unsigned long long words[3] = { number, a.bits, b.bits };
    union { long long bits; double value; } result = { regent_service(REGENT_SERVICE_C_MATH, words, 3) };
    return result.value;
}

/* In the order of the table in program::rununit::c. */
#define FUNCTION(name, number) double name(double x) { return function_of(number, x, 0); }
#define FUNCTION_OF_TWO(name, number) double name(double x, double y) { return function_of(number, x, y); }
FUNCTION(sin, 0) FUNCTION(cos, 1) FUNCTION(tan, 2) FUNCTION(asin, 3) FUNCTION(acos, 4) FUNCTION(atan, 5) FUNCTION_OF_TWO(atan2, 6)
FUNCTION(sinh, 7) FUNCTION(cosh, 8) FUNCTION(tanh, 9) FUNCTION(exp, 10) FUNCTION(log, 11) FUNCTION(log10, 12) FUNCTION_OF_TWO(pow, 13)
FUNCTION(sqrt, 14) FUNCTION(ceil, 15) FUNCTION(floor, 16) FUNCTION_OF_TWO(fmod, 17) FUNCTION(round, 18) FUNCTION(trunc, 19)
FUNCTION_OF_TWO(hypot, 20)
double fabs(double x) { return x < 0 ? -x : x == 0 ? 0 : x; }
double modf(double x, double *whole) { *whole = trunc(x); return x - *whole; }
double ldexp(double x, int exponent) { return x * pow(2, exponent); }

double frexp(double x, int *exponent) {
    *exponent = 0;
    if (x == 0 || isnan(x) || isinf(x)) return x;
    while (fabs(x) >= 1) { x /= 2; ++*exponent; }
    while (fabs(x) < 0.5) { x *= 2; --*exponent; }
    return x;
}
