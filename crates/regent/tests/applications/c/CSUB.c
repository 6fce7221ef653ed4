/* CALLed: adds, and shows that its static lasts and that it may use commands. What it returns comes to RETURN-CODE. */
#pragma linkage(CSUB, COBOL)
#include <stdlib.h>
#include <string.h>

struct account {
    char name[8];
    int balance;
    short rate;
};

static int uses;

int CSUB(struct account *account, char text[8])
{
    if (memcmp(account->name, "EXIT", 4) == 0) exit(5);
    EXEC CICS ADDRESS EIB(dfheiptr);
    uses++;
    account->balance += account->rate;
    memcpy(text, dfheiptr->eibtrnid, 4);
    text[4] = '0' + uses;
    return 7;
}
