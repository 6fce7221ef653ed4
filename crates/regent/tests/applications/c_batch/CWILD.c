/* What a program does that goes wrong: the letter of its argument chooses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "PLACE.h"

static volatile int zero;
static int (*volatile nowhere)(void);

static int endless(volatile int depth)
{
    volatile char room[200];
    room[0] = (char)depth;
    return endless(depth + 1) + room[0];
}

int main(int argc, char *argv[])
{
    printf("begins\n");
    switch (argc > 1 ? argv[1][0] : '-') {
    case 'W': *(volatile int *)0x7FFFF000 = 1; break;
    case 'R': return *(volatile char *)16;
    case 'N': return nowhere();
    case 'S': strcpy((char *)16, "x"); break;
    case 'E': return endless(1);
    case 'D': zero = 10 / zero; break;
    case 'A': abort();
    case 'C': EXEC CICS SYNCPOINT; break;
    case 'P': return in_header(0);
    case 'L': memset((char *)&argc - 4000, 0xFF, 8000); break;
    }
    printf("ends\n");
    return 4;
}
