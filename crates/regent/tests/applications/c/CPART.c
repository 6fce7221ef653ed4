#include <string.h>
#include "CPART.h"

void name_of_transaction(char *text)
{
    char terminal[4];
    EXEC CICS ASSIGN FACILITY(terminal);
    uses += terminal[0] != ' ';
    memcpy(text, dfheiptr->eibtrnid, 4);
}
