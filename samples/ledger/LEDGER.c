/* LEDGER: the task-related user exit of the ledger, a resource manager that is another process (samples/ledgerd).
 *
 * Requests and replies of the ledger are lines of text. A change belongs to the unit of work that the request names; it is made when the
 * ledger is told to commit. The ledger keeps what it has prepared over a failure, and asks by RESYNC (LEDGINIT) how it ended.
 */
#include <stdio.h>
#include <string.h>
#include "dfhuexit.h"

#pragma linkage(dfhrmxch, OS)
extern int dfhrmxch(DFHRMXCH *operands, char *request, char *reply);

/* The parameter list of the caller. */
typedef struct __attribute__((packed, scalar_storage_order("big-endian"))) { unsigned parameter[10]; } CALLER_LIST;
/* The schedule flag word, and a unit of work as the ledger knows it. */
typedef struct __attribute__((packed, scalar_storage_order("big-endian"))) { unsigned flags; } SCHEDULE;
/* The request of an application: LEDGADD.cpy. */
typedef struct __attribute__((packed, scalar_storage_order("big-endian"))) { char account[8]; int amount; int balance; } ENTRY;

/* A line of a display of EDF. */
typedef struct __attribute__((packed, scalar_storage_order("big-endian"))) { unsigned attribute, line; } EDF_LINE;

/* The local work area: what the ledger has answered last, and what EDF displays. */
typedef struct { char reply[64]; EDF_LINE lines[2]; char line[70]; char attribute[1]; } WORK;

static int ask(WORK *work, const char *verb, const char *unit, const char *rest)
{
    DFHRMXCH operands;
    char request[64];

    snprintf(request, sizeof request, "%s %s %s", verb, unit, rest);
    memcpy(operands.rmxch_name, "ledger          ", sizeof operands.rmxch_name);
    operands.rmxch_request_length = strlen(request);
    operands.rmxch_reply_length = sizeof work->reply - 1;
    memset(work->reply, 0, sizeof work->reply);
    return dfhrmxch(&operands, request, work->reply) == 0 && memcmp(work->reply, "OK", 2) == 0;
}

/* A change for the application: the ledger takes part in the unit of work from here on. */
static int application(DFHUERM *parameters, WORK *work, const char *unit, CALLER_LIST *list)
{
    ENTRY *entry = UEP_AT(ENTRY, list->parameter[0]);
    char rest[32];
    int balance = 0;

    snprintf(rest, sizeof rest, "%.8s %d", entry->account, entry->amount);
    if (!ask(work, "ADD", unit, rest))
        return 8;
    sscanf(work->reply, "OK %d", &balance);
    entry->balance = balance;
    UEP_AT(SCHEDULE, parameters->uepflags)->flags |= UEFMSYNC;
    *UEP_AT(unsigned char, parameters->uepsynca) |= UEPSUPDR;
    return 0;
}

/* A call of the syncpoint manager. */
static int syncpoint(WORK *work, const char *unit, CALLER_LIST *list)
{
    unsigned char first = *UEP_AT(unsigned char, list->parameter[0]);
    unsigned char second = *UEP_AT(unsigned char, list->parameter[9]);

    if (second & UERTONLY)
        return ask(work, "COMMIT", unit, "") ? UERFOK : UERFBOUT;
    if (first & UERTPREP)
        return ask(work, "PREPARE", unit, "") ? UERFPREP : UERFBACK;
    if (first & UERTCOMM)
        return ask(work, "COMMIT", unit, "") ? UERFDONE : UERFHOLD;
    if (first & (UERTBACK | UERTDGCS))
        return ask(work, "BACKOUT", unit, "") ? UERFDONE : UERFHOLD;
    return UERFDONE;
}

/* EDF displays a request: one line. */
static void format(WORK *work, UEPEDFRM *form)
{
    CALLER_LIST *list = UEP_AT(CALLER_LIST, form->uepedfr1);
    ENTRY *entry = UEP_AT(ENTRY, list->parameter[0]);
    char text[71];

    snprintf(text, sizeof text, "ADD %d TO ACCOUNT %.8s", entry->amount, entry->account);
    memset(work->line, ' ', sizeof work->line);
    memcpy(work->line, text, strlen(text));
    work->lines[0].attribute = (unsigned)work->attribute;
    work->lines[0].line = (unsigned)work->line;
    work->lines[1].attribute = work->lines[1].line = 0;
    form->uepedfpa = (unsigned)work->lines;
}

int main(void)
{
    DFHUERM *parameters;

    EXEC CICS ADDRESS COMMAREA(parameters);
    DFHUERTR *definition = UEP_AT(DFHUERTR, parameters->uepexn);
    DFHUEHSA *caller = UEP_AT(DFHUEHSA, parameters->uephmsa);
    CALLER_LIST *list = UEP_AT(CALLER_LIST, caller->hsa_r1);
    WORK *work = UEP_AT(WORK, parameters->ueptaa);
    unsigned char *identifier = UEP_AT(unsigned char, parameters->uepurid);
    char unit[17];

    for (int at = 0; at < 8; at++)
        snprintf(unit + 2 * at, 3, "%02X", identifier[at]);
    switch (definition->uertfid) {
    case UERTAPPL:
        caller->hsa_r15 = application(parameters, work, unit, list);
        return 0;
    case UERTSYNC:
        return syncpoint(work, unit, list);
    case UERTFEDF:
        format(work, UEP_AT(UEPEDFRM, caller->hsa_r1));
        return 0;
    case UERTSPI:
        *UEP_AT(unsigned char, list->parameter[0]) = ask(work, "PING", unit, "") ? UERTCONN : UERTNCONN;
        return 0;
    }
    return 0;
}
