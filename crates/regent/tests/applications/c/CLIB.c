#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <ctype.h>
#include <math.h>
#include <time.h>
#include <setjmp.h>
#include <errno.h>

static int failures, checks;
static char first[60];

static void check(int holds, const char *what)
{
    checks++;
    if (!holds && failures++ == 0) strncpy(first, what, sizeof first - 1);
}

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void formats(void)
{
    char text[100];
    int a, b;
    double d;
    sprintf(text, "%5d|%-5d|%05d|%+d|%x|%X|%o|%c|%s|%%", 42, 42, 42, 42, 255, 255, 8, 'z', "str");
    check(strcmp(text, "   42|42   |00042|+42|ff|FF|10|z|str|%") == 0, "integers");
    sprintf(text, "%.2f|%8.3f|%e|%g|%G|%-8.1f|", 3.14159, -2.5, 12345.678, 0.0001, 1e20, 2.25);
    check(strcmp(text, "3.14|  -2.500|1.234568e+04|0.0001|1E+20|2.2     |") == 0, "floating point");
    sprintf(text, "%.3s|%10s|%-10s|%*d|%lld", "abcdef", "right", "left", 4, 7, -9000000000000000000ll);
    check(strcmp(text, "abc|     right|left      |   7|-9000000000000000000") == 0, "strings");
    check(snprintf(text, 4, "%s", "abcdef") == 6 && strcmp(text, "abc") == 0, "snprintf");
    check(sscanf("12 -7 3.5 word", "%d %d %lf %s", &a, &b, &d, text) == 4 && a == 12 && b == -7 && d == 3.5 && strcmp(text, "word") == 0, "sscanf");
    check(sscanf("ABC123", "%[A-Z]%d", text, &a) <= 2, "sscanf sets");
}

static void numbers(void)
{
    char *end;
    int values[5] = { 5, 3, 9, 1, 7 }, key = 7;
    check(strtol("  -123abc", &end, 10) == -123 && strcmp(end, "abc") == 0, "strtol");
    check(strtoul("ff", NULL, 16) == 255 && strtol("010", NULL, 0) == 8 && strtol("0x1f", NULL, 0) == 31, "bases");
    errno = 0;
    check(strtol("99999999999", NULL, 10) == 2147483647 && errno == ERANGE, "overflow");
    check(strtod("-1.25e2x", &end) == -125.0 && *end == 'x' && atof("0.1") == 0.1, "strtod");
    qsort(values, 5, sizeof(int), ascending);
    check(values[0] == 1 && values[2] == 5 && values[4] == 9, "qsort");
    check(bsearch(&key, values, 5, sizeof(int), ascending) == &values[3], "bsearch");
    check(fabs(sin(1.0) - 0.8414709848) < 1e-9 && pow(2, 10) == 1024 && sqrt(2.25) == 1.5 && floor(-1.5) == -2 && fmod(7, 3) == 1, "math");
    check(div(-7, 2).quot == -3 && div(-7, 2).rem == -1 && abs(-5) == 5, "div");
}

static void strings(void)
{
    char text[40] = "one,two;three", *part, *rest;
    check(strcmp(part = strtok(text, ",;"), "one") == 0 && strcmp(strtok(NULL, ",;"), "two") == 0, "strtok");
    check(strcmp(strtok(NULL, ",;"), "three") == 0 && strtok(NULL, ",;") == NULL, "strtok end");
    check(strcmp(strstr("haystack", "st"), "stack") == 0 && strchr("abc", 'b')[1] == 'c' && strrchr("aba", 'a')[1] == '\0', "searches");
    check(strcasecmp("MiXeD", "mixed") == 0 && strcmp("A", "B") < 0 && strncmp("abcd", "abxx", 2) == 0, "comparisons");
    check(isalpha('i') && isalpha('J') && isdigit('9') && !isalpha('1') && isspace(' ') && ispunct('!') && isxdigit('f') && !islower('Z'), "classes");
    check(toupper('r') == 'R' && tolower('S') == 's' && toupper('1') == '1', "letters");
    memmove(text + 1, text, 5);
    rest = realloc(strcpy(malloc(10), "heap"), 5000);
    check(strcmp(rest, "heap") == 0 && calloc(3, 4) != NULL && malloc(0x7FFFFFFF) == NULL, "heap");
    free(rest);
}

static void times(void)
{
    time_t moment = 951782400;
    struct tm *parts = gmtime(&moment);
    char text[60];
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %B %j", parts);
    check(strcmp(text, "2000-02-29 00:00:00 Tue February 060") == 0, "calendar");
    check(time(NULL) > 1700000000, "time");
}

static jmp_buf place;
static void jumps(int value) { longjmp(place, value); }

int main(int argc, char *argv[])
{
    char line[100];
    volatile int jumped;
    formats();
    numbers();
    strings();
    times();
    jumped = setjmp(place);
    if (jumped == 0) jumps(3);
    check(jumped == 3, "setjmp");
    check(argc == 1 && strcmp(argv[0], "CC05") == 0, "main");
    fprintf(stderr, "TO CESE\n");
    sprintf(line, "CLIB %d CHECKS %d FAILURES %s", checks, failures, first);
    EXEC CICS SEND TEXT FROM(line) LENGTH(strlen(line)) ERASE FREEKB;
    exit(0);
}
