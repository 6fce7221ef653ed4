#pragma options(XPLINK)
#include <string.h>
#include <stdlib.h>
#include <assert.h>
#include <math.h>
#include <setjmp.h>

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

/* Words 6 and 7 are the stack and the place to continue at. */
static void jump(int word, unsigned long long value)
{
    static jmp_buf place;
    if (setjmp(place) == 0) {
        ((unsigned long long *)place)[word] = value;
        longjmp(place, 1);
    }
}

/* What the run time goes by. */
extern char regent_link[40];

/* Tells where its stack is, and waits. */
static void wait_for_damage(void)
{
    unsigned address;
    address = (unsigned)&address;
    EXEC CICS WRITEQ TS QUEUE("CSTACK") FROM(address) LENGTH(sizeof address);
    EXEC CICS DELAY FOR SECONDS(3);
}

static void damage(void)
{
    unsigned address;
    short length = sizeof address;
    int resp;
    do {
        EXEC CICS DELAY FOR MILLISECS(100);
        EXEC CICS READQ TS QUEUE("CSTACK") INTO(address) LENGTH(length) ITEM(1) RESP(resp);
    } while (resp == DFHRESP(QIDERR));
    memset((char *)address - 20000, 0xFF, 40000);
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
    case 'J':
        jump(6, 0xFFFFFFFFFFFFFFFF);
        break;
    case 'K':
        jump(7, 0xFFFFFFFFFFFFFFFF);
        break;
    case 'O':
        /* a stack of somebody else */
        jump(6, (unsigned)&input - (1 << 20));
        break;
    case 'B':
        memset(regent_link, 0x40, sizeof regent_link);
        break;
    case 'W':
        wait_for_damage();
        break;
    case 'X':
        damage();
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
