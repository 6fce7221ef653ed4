/* The first time sends a map, then receives what the operator typed and shows it in the other lines and in a based map. */
#include <stdio.h>
#include <string.h>
#include "dfhaid.h"
#include "dfhbmsca.h"
#include "cmaps.h"
#include <CBASED>

static void fill(char *area, unsigned length, const char *text)
{
    memset(area, ' ', length);
    memcpy(area, text, strlen(text) < length ? strlen(text) : length);
}

static void greet(void)
{
    memset(&ask, 0, sizeof ask);
    fill(ask.asko.nameo, sizeof ask.asko.nameo, "YOUR NAME");
    ask.asko.namec = DFHYELLO;
    ask.asko.nameh = DFHUNDLN;
    ask.asko.namea = DFHBMFSE;
    ask.aski.namel = -1;
    fill(ask.asko.dfhms1[1].lineo, 20, "SECOND LINE");
    ask.asko.dfhms1[1].linea = DFHBMPRF;
    fill(ask.asko.date.yearo, 4, "1999");
    fill(ask.asko.date.montho, 2, "12");
    EXEC CICS SEND MAP("ASK") MAPSET("CMAPS") FROM(ask.asko) ERASE CURSOR;
    EXEC CICS RETURN TRANSID("CC07") COMMAREA(ask) LENGTH(1);
}

int main(void)
{
    int resp;
    char text[80];

    EXEC CICS ADDRESS EIB(dfheiptr);
    if (dfheiptr->eibcalen == 0) greet();
    EXEC CICS RECEIVE MAP("ASK") MAPSET("CMAPS") INTO(ask.aski) RESP(resp);
    if (resp == DFHRESP(MAPFAIL)) {
        EXEC CICS SEND TEXT FROM("MAPFAIL") ERASE FREEKB;
        return 0;
    }
    sprintf(text, "%d %.10s", ask.aski.namel, ask.aski.namei);
    ask.aski.namel = 0;
    fill(ask.asko.dfhms1[0].lineo, 20, text);
    sprintf(text, "%c %.4s-%.2s %d", dfheiptr->eibaid == DFHPF5 ? '5' : '?', ask.aski.date.yeari, ask.aski.date.monthi, ask.aski.date.yearl);
    fill(ask.asko.dfhms1[2].lineo, 20, text);
    EXEC CICS SEND MAP("ASK") MAPSET("CMAPS") FROM(&ask.asko) DATAONLY;
    EXEC CICS GETMAIN SET(SHOW) FLENGTH(sizeof *SHOW) INITIMG(0);
    fill(SHOW->SHOWO.TEXTO, sizeof SHOW->SHOWO.TEXTO, "BASED ON BMSMAPBR");
    EXEC CICS SEND MAP("SHOW") MAPSET("CBASED") FROM(SHOW->SHOWO);
    return 0;
}
