/* The start of a program with a main function: LINKed to, or the first program of its task or job step. */
#include <stdlib.h>
#include "runtime.h"

extern int main(int count, char **arguments);

/* exit ends the program like the return of main. */
const unsigned regent_exit_completion = 0;

/* The whole length of an argument, of which `room` bytes are copied; negative: there is none. */
static int argument(unsigned number, char *text, unsigned room) {
    unsigned long long words[3] = { (unsigned)text, room, number };
    return (int)regent_service(REGENT_SERVICE_C_ARGUMENT, words, 3);
}

void regent_start(struct regent_native *native) {
    (void)native;
#ifdef REGENT_CPP
    regent_construct();
#endif
    static char name[9];
    static char *only[2];
    char **arguments = only;
    int count = 1;
    argument(0, name, sizeof name - 1);
    /* Under CICS there are no others, and nothing is allocated. */
    while (argument(count, name, 0) >= 0) count++;
    if (count > 1 && (arguments = calloc(count + 1, sizeof *arguments)) == NULL) abort();
    arguments[0] = name;
    for (int number = 1; number < count; number++) {
        int length = argument(number, name, 0);
        if ((arguments[number] = calloc(length + 1, 1)) == NULL) abort();
        argument(number, arguments[number], length);
    }
    exit(main(count, arguments));
}
