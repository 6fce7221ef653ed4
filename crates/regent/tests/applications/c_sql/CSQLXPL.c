#pragma options(XPLINK)
#include "CSQL.h"
EXEC SQL INCLUDE SQLCA;

/* An XPLINK program is on a TCB of the XP pool. Each statement goes to a TCB of the OPEN pool and comes back. */
int main(void)
{
    EXEC SQL BEGIN DECLARE SECTION;
    int towns = -1;
    EXEC SQL END DECLARE SECTION;
    int before, after, statement, xp = 0, open = -1;

    EXEC CICS ADDRESS EIB(dfheiptr);
    EXEC CICS INQUIRE TASK(dfheiptr->eibtaskn) TCB(before);
    EXEC CICS INQUIRE DISPATCHER ACTXPTCBS(xp) ACTOPENTCBS(open);
    CHECK(xp == 1 && open == 0);
    CHECK(before == DFHVALUE(CKOPEN) || before == DFHVALUE(UKOPEN));
    for (statement = 0; statement < 5; statement++) {
        EXEC SQL SELECT COUNT(*) INTO :towns FROM TOWN;
        CHECK(SQLCODE == 0 && towns >= 0);
    }
    EXEC CICS INQUIRE TASK(dfheiptr->eibtaskn) TCB(after);
    EXEC CICS INQUIRE DISPATCHER ACTXPTCBS(xp) ACTOPENTCBS(open);
    CHECK(xp == 1 && open == 1);
    CHECK(after == before);
    LAST("CSQLXPL");
    EXEC CICS RETURN;
}
