/* Fetches C and COBOL programs and calls them; the fourth letter of the transaction says what is to go wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct account { char name[8]; int balance; short rate; };
struct pair { int first, second; };
struct wide { char text[12]; int numbers[4]; };

typedef long long (*native)(char *, int *, struct pair, struct wide, short, unsigned char, long long, int, int);
typedef int ADDER(struct account *account, int *number, short *small, const char *kind);
#pragma linkage(ADDER, COBOL)
typedef int SUBPROG(struct account *account, char *text);
#pragma linkage(SUBPROG, OS)

static int own(struct account *account, char *text) { return account->balance + text[0]; }

int main(void)
{
    struct account account = { "MARY", 1000, 5 };
    struct pair pair = { 40, -41 };
    struct wide wide = { "WIDE", { 1, 2, 3, 77777 } };
    char text[100], other[9] = "", line[300];
    int number = 2, sum = 100000, value, rounds;
    short small = -3;
    native fetched;
    ADDER *adder, *none;
    SUBPROG *sub = NULL;

    EXEC CICS ADDRESS EIB(dfheiptr);
    char kind = dfheiptr->eibtrnid[3];
    fetched = (native)fetch("CFETCHED");
    adder = (ADDER *)fetch("CBLADD");
    none = (ADDER *)fetch("NOSUCHPG");
    sub = (SUBPROG *)__fetch("CSUB");
    if (fetched == NULL || adder == NULL || none != NULL || sub == NULL) return 1;
    if (kind == 'C') ((int (*)(int))adder)(5);
    if (kind == 'M') ((int (*)(void))fetch("CPLAIN"))();
    if (kind == 'R') { release((void (*)())adder); adder(&account, &sum, &small, "ADD"); }
    if (kind == 'L') { sub = (SUBPROG *)own; sub(&account, other); }
    if (kind == 'S') fetched(text, &number, pair, wide, -7, 200, 1, -1, 8);
    if (kind != '4') return 2;
    /* C to C: as any function of C. */
    long long result = fetched(text, &number, pair, wide, -7, 200, 3000000000000LL, 70000, -8);
    sprintf(line, "%s = %lld %d.", text, result, number);
    /* COBOL, by reference and by content. */
    value = adder(&account, &sum,
                  &small, "ADD");
    sprintf(line + strlen(line), " %.8s %d %d %d RC %d.", account.name, account.balance, sum, small, value);
    /* C by the linkage of COBOL, both ways to write it. */
    value = sub(&account, other) + (*sub)(&account, other);
    sprintf(line + strlen(line), " C %d %d %s.", value, account.balance, other);
    /* Released and fetched again: its static is new; with another pointer left it is not. */
    native again = (native)fetch("CFETCHED");
    value = release((void (*)())fetched);
    again(text, &number, pair, wide, 0, 0, 0, 0, 0);
    sprintf(line + strlen(line), " USE %c", text[10]);
    value += release((void (*)())again);
    again = (native)fetch("CFETCHED");
    again(text, &number, pair, wide, 0, 0, 0, 0, 0);
    sprintf(line + strlen(line), "%c %d %d.", text[10], value, release((void (*)())own) != 0);
    /* As many as there is room for. */
    for (rounds = 0; fetch("CSUB") != NULL && rounds < 1000;) rounds++;
    sprintf(line + strlen(line), " %d MORE", rounds);
    EXEC CICS SEND TEXT FROM(line) LENGTH(strlen(line)) ERASE FREEKB;
    return 0;
}
