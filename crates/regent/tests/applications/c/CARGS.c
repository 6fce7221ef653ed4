/* Each kind of argument of a command, written in each way C has. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOST DFHRESP(QIDERR)

enum { ITEM_FIRST = 1 };
struct record { short length; int number; char text[10]; double real; };
union both { struct record record; char bytes[40]; };
static const char queue[] = "CARGSQ";
static struct record records[3];
static int failures, checks;
static char first[40];

static void check(int holds, const char *what)
{
    checks++;
    if (!holds && failures++ == 0) strncpy(first, what, sizeof first - 1);
}

static void queues(const char *name)
{
    union both out, in;
    union both *there = &in;
    short length = sizeof out;
    int items, item = 5;
    long resp, resp2;
    char *set;
    struct { short half; int full; long word; long long wide; unsigned short item; } numbers;

    EXEC CICS DELETEQ TS QUEUE(queue) RESP(resp);
    check(resp == LOST || resp == DFHRESP(NORMAL), "DELETEQ");
    memset(&out, 0, sizeof out);
    out.record.number = -77;
    memcpy(out.record.text, "0123456789", 10);
    EXEC CICS WRITEQ TS QUEUE(name) FROM(&out) LENGTH(length) RESP(numbers.word);
    check(numbers.word == 0, "const char * name, RESP in a structure");
    EXEC CICS WRITEQ TS QNAME("CARGSQ") FROM(out.bytes) NUMITEMS(items) MAIN RESP(resp);
    check(resp == 0 && items == 2, "NUMITEMS");
    EXEC CICS READQ TS QUEUE(queue) INTO(there) ITEM(ITEM_FIRST) RESP(resp) RESP2(resp2);
    check(resp == 0 && in.record.number == -77 && memcmp(there->bytes, &out, sizeof out) == 0, "INTO a pointer, ITEM of an enumeration");
    EXEC CICS READQ TS QUEUE(queue) SET(set) LENGTH(numbers.half) ITEM(items) NUMITEMS(numbers.full);
    check(numbers.half == sizeof out && numbers.full == 2 && memcmp(set, &out, sizeof out) == 0, "SET, LENGTH in a structure");
    EXEC CICS READQ TS QUEUE(queue) INTO(out) ITEM(item++) RESP(resp);
    check(resp == DFHRESP(ITEMERR) && item == 6, "an argument is evaluated once");
    length = 10;
    EXEC CICS READQ TS QUEUE(queue) INTO(in.bytes) LENGTH(length) ITEM(1) RESP(resp);
    check(resp == DFHRESP(LENGERR) && length == sizeof out, "LENGERR");
    EXEC CICS WRITEQ TS QUEUE(queue) FROM("REWRITTEN") LENGTH(9) ITEM(item - 5) REWRITE RESP(resp);
    check(resp == 0, "REWRITE");
    EXEC CICS WRITEQ TS QUEUE(queue) FROM(records[1]) RESP(resp);
    EXEC CICS READQ TS QUEUE(queue) INTO(records[0].text) LENGTH(sizeof(records[0].text) - 1) ITEM(1) RESP(resp);
    check(memcmp(records[0].text, "REWRITTEN", 9) == 0, "an expression as LENGTH");
    EXEC CICS DELETEQ TS QUEUE(queue);
}

static void system_commands(void)
{
    char applid[8], userid[9] = "", date[11] = "", clock[9] = "", packed[8];
    short screen_height;
    int cvda = -1, year, status;
    long long moment, other;
    unsigned char *cwa;
    void *area;

    EXEC CICS ASSIGN APPLID(applid) USERID(userid) SCRNHT(screen_height);
    check(memcmp(applid, "CTESTS  ", 8) == 0 && screen_height == 24, "ASSIGN");
    EXEC CICS INQUIRE PROGRAM("CARGS") EXECKEY(cvda) STATUS(status);
    check(cvda == DFHVALUE(USEREXECKEY) && status == DFHVALUE(ENABLED), "CVDA");
    EXEC CICS ASKTIME ABSTIME(moment);
    EXEC CICS ASKTIME ABSTIME(packed);
    EXEC CICS FORMATTIME ABSTIME(moment) YYYYMMDD(date) DATESEP('-') TIME(clock) TIMESEP YEAR(year);
    check(date[4] == '-' && clock[2] == ':' && year == atoi(date), "FORMATTIME");
    EXEC CICS CONVERTTIME DATESTRING("Thu, 01 Jan 2026 00:00:00 GMT") ABSTIME(other);
    check(other % 1000 == 0 && other > 3900000000000ll, "CONVERTTIME");
    EXEC CICS ADDRESS CWA(cwa);
    EXEC CICS GETMAIN SET(area) FLENGTH(16) INITIMG('*');
    check(*(char *)area == '*' && ((char *)area)[15] == '*', "INITIMG of a character");
    EXEC CICS FREEMAIN DATAPOINTER(area);
    EXEC CICS DELAY FOR MILLISECS(1);
    EXEC CICS DELAY INTERVAL(0);
    EXEC CICS ENQ RESOURCE(area) NOSUSPEND NOHANDLE;
    EXEC CICS DEQ RESOURCE(area);
    EXEC CICS PUT CONTAINER("LOW") CHANNEL("CHAN") FROM(records) FLENGTH(sizeof records) BIT;
    EXEC CICS GET CONTAINER("LOW") CHANNEL("CHAN") SET(area) FLENGTH(year);
    check(year == sizeof records, "containers");
    EXEC CICS SET PROGRAM("CRUN") STATUS(DFHVALUE(ENABLED));
}

/* What CICS made is passed back as it is, binary zeros too. */
static void tokens(void)
{
    char child[16], again[16], zero = 0, *area;
    int resp, status;

    EXEC CICS RUN TRANSID("CC02") CHILD(child);
    EXEC CICS FETCH CHILD(child) COMPSTATUS(status) RESP(resp);
    check(resp == 0, "a token with binary zeros");
    memcpy(again, child, sizeof again);
    again[15] ^= 1;
    EXEC CICS FREE CHILD(again) RESP(resp);
    check(resp == DFHRESP(INVREQ), "the token of no child");
    EXEC CICS FREE CHILD(&child) RESP(resp);
    check(resp == 0, "FREE CHILD");
    EXEC CICS GETMAIN SET(area) FLENGTH(16) INITIMG("\0") RESP(resp);
    check(resp == 0 && area[0] == 0 && area[15] == 0, "INITIMG of a string");
    memset(area, 1, 16);
    EXEC CICS FREEMAIN DATAPOINTER(area);
    EXEC CICS GETMAIN SET(area) FLENGTH(16) INITIMG(zero) RESP(resp);
    check(resp == 0 && area[0] == 0 && area[15] == 0, "INITIMG of a binary zero");
}

int main(void)
{
    char line[80];
    EXEC CICS ADDRESS EIB(dfheiptr);
    queues(queue);
    check(memcmp(dfheiptr->eibrsrce, "CARGSQ  ", 8) == 0 && dfheiptr->eibfn[0] == 0x0A, "EIB");
    check(dfheiptr->eibresp == 0 && dfheiptr->eibresp2 == 0 && dfheiptr->eibtaskn[3] % 16 == 12, "EIB numbers");
    system_commands();
    tokens();
    sprintf(line, "CARGS %d CHECKS %d FAILURES %s", checks, failures, first);
    EXEC CICS SEND TEXT FROM(line) LENGTH(strlen(line)) ERASE FREEKB;
    EXEC CICS RETURN;
}
