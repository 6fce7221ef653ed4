/* A load module of two sources: the functions of CPART.c, which has no main function, are linked to it. */
#include <stdio.h>
#include <string.h>
#include "CPART.h"

int uses;

int main(void)
{
    char line[60];
    EXEC CICS ADDRESS EIB(dfheiptr);
    name_of_transaction(line);
    sprintf(line + 4, " FROM TWO SOURCES %d", uses);
    EXEC CICS SEND TEXT FROM(line) LENGTH(strlen(line)) ERASE FREEKB;
    return 0;
}
