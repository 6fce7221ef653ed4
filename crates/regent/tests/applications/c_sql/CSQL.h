/* What the programs of these tests share: each check that fails is a line, and the last line counts them. */
#ifndef CSQL_H
#define CSQL_H
#include <stdio.h>
#include <string.h>
static int checks, failures;
#define CHECK(condition) \
    (checks++, (condition) ? (void)0 : (failures++, (void)printf("FAILED line %d: %s, SQLCODE %ld\n", __LINE__, #condition, (long)SQLCODE)))
#define LAST(name) printf("%s: %d checks, %d failures\n", name, checks, failures)
#endif
