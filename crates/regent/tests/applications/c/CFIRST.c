#pragma options(XPLINK)
#include <string.h>
#include <stdio.h>
#include "CAREA.h"
#include "dfhaid.h"

/* Says what it finds, then gives control to COBOL when the input asks for it. */
int main(void)
{
    char line[80], input[12];
    short length = sizeof input;
    int resp, resp2;
    struct area area;

    EXEC CICS ADDRESS EIB(dfheiptr);
    memset(input, ' ', sizeof input);
    EXEC CICS RECEIVE INTO(input) LENGTH(length) RESP(resp);
    if (memcmp(input + 5, "XCTL", 4) == 0) {
        memset(&area, 0, sizeof area);
        memcpy(area.name, "TRANSFER", 8);
        EXEC CICS XCTL PROGRAM("COBBACK") COMMAREA(&area);
    }
    if (memcmp(input + 5, "ABND", 4) == 0)
        EXEC CICS ABEND ABCODE("CMIN");
    EXEC CICS READQ TS QUEUE("NOQUEUE") INTO(line) ITEM(1) RESP(resp) RESP2(resp2);
    /* Without RESP, control comes back all the same. */
    EXEC CICS LINK PROGRAM("NOWHERE");
    sprintf(line, "%.4s AID %d QIDERR %d %d LINK %d PTR %u LONG %u", dfheiptr->eibtrnid, dfheiptr->eibaid == DFHENTER,
            resp == DFHRESP(QIDERR), resp2, dfheiptr->eibresp == DFHRESP(PGMIDERR), (unsigned)sizeof(char *), (unsigned)sizeof(long));
    EXEC CICS SEND TEXT FROM(line) LENGTH(strlen(line)) ERASE FREEKB;
    EXEC CICS RETURN;
}
