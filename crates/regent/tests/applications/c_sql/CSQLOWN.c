/* Without SQLCA: variables of the program say how statements end. */
#include <stdio.h>
#include <string.h>
EXEC SQL BEGIN DECLARE SECTION;
long SQLCODE = 1;
char SQLSTATE[6] = "?????";
EXEC SQL END DECLARE SECTION;
#include "CSQL.h"

extern int TOWNS(int *count);

int main(void)
{
    int count = -1;
    EXEC SQL SELECT COUNT(*) INTO :count FROM TOWN;
    CHECK(SQLCODE == 0 && strcmp(SQLSTATE, "00000") == 0 && count >= 0);
    EXEC SQL SELECT NUMBER INTO :count FROM TOWN WHERE NUMBER = -1;
    CHECK(SQLCODE == 100 && strcmp(SQLSTATE, "02000") == 0);
    /* Statements of another source of the program. */
    CHECK(TOWNS(&count) == 0 && count >= 0);
    LAST("CSQLOWN");
    return failures;
}
