/* Translated with NOEDF: its commands are not shown. */
#pragma XOPTS(NOEDF)
#include <string.h>

int main(void)
{
    char text[8];
    memcpy(text, "C WORKED", 8);
    EXEC CICS LINK PROGRAM("EDFY");
    EXEC CICS SEND TEXT FROM(text) LENGTH(8) ERASE FREEKB;
    EXEC CICS RETURN;
}
