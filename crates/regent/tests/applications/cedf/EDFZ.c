/* Variables of each storage class, and storage above the bar. */
#include <string.h>

static char fixed[16] = "STATIC STORAGE";

int main(void)
{
    char automatic[16], *pointer = automatic, *above;
    int resp;
    memcpy(automatic, "AUTOMATIC       ", 16);
    EXEC CICS WRITEQ TS QUEUE("EDFZ") FROM(pointer) LENGTH(16) RESP(resp);
    EXEC CICS WRITEQ TS QUEUE("EDFZ") FROM(fixed) LENGTH(16) RESP(resp);
    EXEC CICS DELETEQ TS QUEUE("EDFZ") RESP(resp);
    EXEC CICS GETMAIN64 SET(above) FLENGTH(100) RESP(resp);
    EXEC CICS SEND TEXT FROM(fixed) LENGTH(16) ERASE FREEKB;
    EXEC CICS RETURN;
}
