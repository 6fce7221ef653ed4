/* The start of a program without a main function: CALLed with the addresses of its arguments. regent_called is generated from the
   function that #pragma linkage names. */
#include "runtime.h"

extern int regent_called(const unsigned *arguments);

/* exit ends the run unit, as STOP RUN does. */
const unsigned regent_exit_completion = 1;

void regent_start(void) {
    unsigned arguments[REGENT_ARGUMENTS_MAX] = { 0 };
    unsigned long long words[2] = { (unsigned)arguments, REGENT_ARGUMENTS_MAX };
    regent_service(REGENT_SERVICE_C_ARGUMENTS, words, 2);
    regent_finish(regent_called(arguments), 0);
}
