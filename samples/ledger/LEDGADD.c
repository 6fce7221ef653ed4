/* LEDGADD: the stub through which applications call the ledger, as CALL 'LEDGADD' USING LEDGER-ENTRY. */
#include "dfhuexit.h"
#pragma linkage(LEDGADD, COBOL)
#pragma linkage(dfhrmcal, OS)

struct entry { char account[8]; int amount; int balance; };

extern int dfhrmcal(DFHRMCAL *operands, struct entry *entry);

int LEDGADD(struct entry *entry)
{
    DFHRMCAL operands = { "LEDGER  ", RMCAL_RTNABND_NO, RMCAL_SUPPEDF_NO };

    return dfhrmcal(&operands, entry);
}
