#pragma options(XPLINK)
#include <stdio.h>
#include <string.h>

/* The TCB it runs on: an open one of the XP pool, also after a command that needs QR. */
int main(void)
{
    char line[80];
    int before, after, pool = 0, limit = 0, runtime, deduced, resp;

    EXEC CICS ADDRESS EIB(dfheiptr);
    EXEC CICS INQUIRE TASK(dfheiptr->eibtaskn) TCB(before);
    EXEC CICS DELAY FOR MILLISECS(1);
    EXEC CICS INQUIRE TASK(dfheiptr->eibtaskn) TCB(after);
    EXEC CICS INQUIRE DISPATCHER ACTXPTCBS(pool) MAXXPTCBS(limit);
    EXEC CICS INQUIRE PROGRAM("CMODE") RUNTIME(runtime) LANGDEDUCED(deduced) RESP(resp);
    sprintf(line, "TCB %d %d POOL %d OF %d RUNTIME %d %d", before == DFHVALUE(CKOPEN) || before == DFHVALUE(UKOPEN), after == before, pool,
            limit > 0, runtime == DFHVALUE(XPLINK), deduced == DFHVALUE(LE370));
    EXEC CICS SEND TEXT FROM(line) LENGTH(strlen(line)) ERASE FREEKB;
    EXEC CICS RETURN;
}
