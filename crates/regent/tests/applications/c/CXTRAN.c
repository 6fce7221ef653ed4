/* Makes CXEXIT an exit program, and shows what it has done. */
#include <stdio.h>
#include <string.h>

struct work { int commands; } __attribute__((packed, scalar_storage_order("big-endian")));

int main(void)
{
    struct work *work;
    char item[4] = "ITEM", line[80];
    short length = 0, read = 4;
    int enabled, written, commands, missing, again;

    EXEC CICS ENABLE PROGRAM("CXEXIT") EXIT("XEIIN") GALENGTH(4) START RESP(enabled);
    EXEC CICS WRITEQ TS QUEUE("CXQUEUE") FROM(item) LENGTH(4) RESP(written);
    EXEC CICS EXTRACT EXIT PROGRAM("CXEXIT") GASET(work) GALENGTH(length);
    commands = work->commands;
    EXEC CICS DISABLE PROGRAM("CXEXIT") EXITALL;
    EXEC CICS READQ TS QUEUE("CXQUEUE") INTO(item) LENGTH(read) RESP(missing);
    EXEC CICS EXTRACT EXIT PROGRAM("CXEXIT") GASET(work) GALENGTH(length) RESP(again);
    sprintf(line, "CC20 ENABLED %d WRITTEN %d COMMANDS %d LENGTH %d MISSING %d AGAIN %d", enabled, written, commands, length, missing, again);
    EXEC CICS SEND TEXT FROM(line) LENGTH(strlen(line)) ERASE FREEKB;
    EXEC CICS RETURN;
}
