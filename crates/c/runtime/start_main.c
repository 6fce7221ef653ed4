/* The start of a program with a main function: LINKed to, or the first program of its task. */
#include <stdlib.h>
#include "runtime.h"

extern int main(int count, char **arguments);

/* exit ends the program like the return of main. */
const unsigned regent_exit_completion = 0;

void regent_start(struct regent_native *native) {
    (void)native;
    static char name[9];
    static char *arguments[2];
    unsigned long long words[2] = { (unsigned)name, sizeof name - 1 };
    regent_service(REGENT_SERVICE_C_ARGUMENT, words, 2);
    arguments[0] = name;
    exit(main(1, arguments));
}
