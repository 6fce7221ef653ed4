#ifndef REGENT_SETJMP_H
#define REGENT_SETJMP_H
typedef unsigned long long jmp_buf[8];
int setjmp(jmp_buf place) __attribute__((returns_twice));
void longjmp(jmp_buf place, int value) __attribute__((noreturn));
#endif
