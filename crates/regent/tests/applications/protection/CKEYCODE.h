/* What CKEYUSER and CKEYCICS do, which differ in their EXECKEY only. The last two characters of the transaction say what is tried. A
   program that is LINKed to stores where the communication area says. */
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char kept[64] = "STATIC";
static jmp_buf place;

struct where { char *address; };

static void show(const char *text)
{
    EXEC CICS SEND TEXT FROM(text) LENGTH(strlen(text)) ERASE FREEKB;
    EXEC CICS RETURN;
}

static void store_through_a_link(char *address)
{
    struct where where;
    where.address = address;
    EXEC CICS LINK PROGRAM("CKEYUSER") COMMAREA(where);
}

static void store_in_cwa(void)
{
    char *cwa;
    EXEC CICS ADDRESS CWA(cwa);
    cwa[0] = 'W';
}

static void store_in_cics_storage(void)
{
    char *area;
    EXEC CICS GETMAIN SET(area) FLENGTH(64) CICSDATAKEY;
    area[63] = 'W';
}

static void command_output_in_cwa(void)
{
    char *cwa;
    EXEC CICS ADDRESS CWA(cwa);
    EXEC CICS ASSIGN APPLID(cwa);
}

/* Everything a program does without meaning to write elsewhere: static, stack, heap, the library, commands. */
static void behave_well(void)
{
    char line[80], *area, *heap = malloc(3000);
    int round;
    for (round = 0; round < 20; round++) {
        memset(heap, round, 3000);
        sprintf(line, "ROUND %d %.3f %s", round, pow(1.5, round), kept);
        strcpy(kept, "STILL STATIC");
        EXEC CICS GETMAIN SET(area) FLENGTH(80);
        strcpy(area, line);
        EXEC CICS WRITEQ TS QUEUE("CKEYQ") FROM(area) LENGTH(80);
        EXEC CICS FREEMAIN DATAPOINTER(area);
        EXEC CICS DELETEQ TS QUEUE("CKEYQ");
        EXEC CICS ASKTIME;
    }
    if (setjmp(place) == 0) longjmp(place, 1);
    printf("%s\n", line);
    free(heap);
}

static void show_tcb(void)
{
    int tcb;
    EXEC CICS INQUIRE TASK(dfheiptr->eibtaskn) TCB(tcb);
    show(tcb == DFHVALUE(CKOPEN) ? "CAME TO ITS END ON X8" : tcb == DFHVALUE(UKOPEN) ? "CAME TO ITS END ON X9" : "ON NO OPEN TCB");
}

int main(void)
{
    struct where *where;
    char local[64];

    EXEC CICS ADDRESS EIB(dfheiptr) COMMAREA(where);
    if (dfheiptr->eibcalen > 0) {
        *(volatile char *)where->address = 'W';
        return 0;
    }
    switch (dfheiptr->eibtrnid[3]) {
    case '1': store_in_cwa(); break;
    case '2': store_in_cics_storage(); break;
    case '3': command_output_in_cwa(); break;
    case '4': store_through_a_link(kept); break;
    case '5': store_through_a_link(local); break;
    case '6': *(volatile char *)main = 'W'; break;
    case '7': behave_well(); break;
    case '8': show_tcb(); break;
    }
    show("CAME TO ITS END");
}
