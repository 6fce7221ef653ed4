/* Fetched by C: arguments and a result that only C has, more of them than there are registers, and static. */
#pragma linkage(CFETCHED, FETCHABLE)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair { int first, second; };
struct wide { char text[12]; int numbers[4]; };

static int uses;

long long CFETCHED(char *text, int *number, struct pair pair, struct wide wide, short small, unsigned char byte, long long large, int seventh, int eighth)
{
    if (seventh < 0) exit(9);
    EXEC CICS ADDRESS EIB(dfheiptr);
    uses++;
    sprintf(text, "%.4s %s %d %d %d %d %d %d %d", dfheiptr->eibtrnid, wide.text, uses, pair.second, wide.numbers[3], small, byte, seventh, eighth);
    *number += pair.first;
    printf("FETCHED %d\n", uses);
    return large * 2;
}
