/* The start of a program without a main function: CALLed with the addresses of its arguments, or by C as functions of C are. regent_called
   and regent_called_native are generated from the function that #pragma linkage names. */
#include <stdio.h>
#include "runtime.h"

extern int regent_called(const unsigned *arguments);
extern void regent_called_native(void *native);

/* exit ends the run unit, as STOP RUN does. */
const unsigned regent_exit_completion = 1;

void regent_start(struct regent_native *native) {
    if (native != NULL) {
        regent_called_native(native);
        fflush(NULL);
        regent_leave(0);
    }
    unsigned arguments[REGENT_ARGUMENTS_MAX] = { 0 };
    unsigned long long words[2] = { (unsigned)arguments, REGENT_ARGUMENTS_MAX };
    regent_service(REGENT_SERVICE_C_ARGUMENTS, words, 2);
    regent_finish(regent_called(arguments), 0);
}
