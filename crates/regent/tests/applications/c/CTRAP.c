#pragma options(XPLINK)
#include <string.h>
#include <stdlib.h>
#include <assert.h>
#include <math.h>

static volatile int zero;

static int endless(volatile int depth)
{
    volatile char room[200];
    room[0] = (char)depth;
    return endless(depth + 1) + room[0];
}

/* Instructions in the operand of another one, where a wild branch may come to them. */
#define OPERAND(name, bytes) static __attribute__((noinline)) unsigned long long name(void) { return bytes; }
OPERAND(int3, 0xC3C3C3C3C3C3C3CC)
OPERAND(int1, 0xC3C3C3C3C3C3C3F1)
/* push %rdi; popf */
OPERAND(set_flags, 0xC3C3C3C3C3C39D57)
OPERAND(set_direction, 0xC3C3C3C3C3C3C3FD)
/* ldmxcsr (%rdi); fldcw (%rdi) */
OPERAND(set_control, 0xC3C3C32FD917AE0F)
/* mov %edi, %eax; syscall */
OPERAND(call_system, 0xC3C3C3C3050FF889)
/* sysenter: the system returns to 32-bit code */
OPERAND(enter_system, 0xC3C3C3C3C3C3340F)
OPERAND(halt, 0xC3C3C3C3C3C3C3F4)

static void branch(unsigned long long (*operand)(void), unsigned long long argument)
{
    unsigned long long bytes = operand();
    const char *at = (const char *)operand;
    while (memcmp(at, &bytes, sizeof bytes) != 0)
        at++;
    ((void (*)(unsigned long long))at)(argument);
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
    case '3':
        branch(int3, 0);
        break;
    case '1':
        branch(int1, 0);
        break;
    case 'T':
        /* trap flag */
        branch(set_flags, 0x302);
        break;
    case 'Y':
        /* exit_group */
        branch(call_system, 231);
        break;
    case 'N':
        branch(enter_system, 0);
        break;
    case 'H':
        branch(halt, 0);
        break;
    case 'U':
        /* alignment check */
        branch(set_flags, 0x40202);
        zero = *(volatile int *)(input + 1);
        zero = *(volatile int *)(input + 2);
        zero = *(volatile int *)(input + 3);
        break;
    case 'C':
        branch(set_flags, 0x40202);
        break;
    case 'F':
        branch(set_direction, 0);
        break;
    case 'M':
        branch(set_control, (unsigned)&zero);
        if (exp(1.0) < 2.7)
            return 8;
        branch(set_control, (unsigned)&zero);
        break;
    }
    EXEC CICS SEND TEXT FROM("CTRAP CAME TO ITS END") ERASE FREEKB;
    return 0;
}
