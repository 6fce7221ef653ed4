#pragma options(XPLINK)
#include <string.h>
#include <stdlib.h>
#include <assert.h>

static volatile int zero;

static int endless(volatile int depth)
{
    volatile char room[200];
    room[0] = (char)depth;
    return endless(depth + 1) + room[0];
}

int main(void)
{
    char input[16];
    short length = sizeof input;
    int resp;

    memset(input, ' ', sizeof input);
    EXEC CICS RECEIVE INTO(input) LENGTH(length) RESP(resp);
    if (input[5] == 'E')
        EXEC CICS HANDLE ABEND PROGRAM("COBEXIT");
    switch (input[6]) {
    case 'P':
        *(volatile int *)0x7FFFF000 = 1;
        break;
    case 'D':
        zero = 10 / zero;
        break;
    case 'R':
        return endless(1);
    case 'L':
        for (;;) { }
    case 'S':
        strcpy((char *)16, "x");
        break;
    case 'A':
        assert(zero == 1);
        break;
    }
    EXEC CICS SEND TEXT FROM("CTRAP CAME TO ITS END") ERASE FREEKB;
    return 0;
}
