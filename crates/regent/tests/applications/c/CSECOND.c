#pragma options(XPLINK)
#include <string.h>
#include <stdio.h>
#include "CAREA.h"

static int uses = 0;

int main(int argc, char *argv[])
{
    struct area *area;
    int resp;

    EXEC CICS ADDRESS EIB(dfheiptr) COMMAREA(area);
    uses++;
    if (dfheiptr->eibcalen == 0) {
        char input[8], output[12];
        int length = sizeof input;
        EXEC CICS GET CONTAINER("IN") INTO(input) FLENGTH(length) RESP(resp);
        if (resp != DFHRESP(NORMAL))
            EXEC CICS ABEND ABCODE("CGET");
        memset(output, ' ', sizeof output);
        memcpy(output, "C:", 2);
        memcpy(output + 2, input, 8);
        EXEC CICS PUT CONTAINER("OUT") FROM(output) FLENGTH(sizeof output);
        EXEC CICS RETURN;
    }
    printf("CSECOND of %s, use %d, number %d\n", argv[0], uses, area->number);
    area->number += 1;
    area->doubleword *= 2;
    memcpy(area->name, "CCCC", 4);
    EXEC CICS LINK PROGRAM("COBBACK") COMMAREA(area) LENGTH(dfheiptr->eibcalen) RESP(resp);
    if (resp != DFHRESP(NORMAL))
        EXEC CICS ABEND ABCODE("CLNK");
    return 42;
}
