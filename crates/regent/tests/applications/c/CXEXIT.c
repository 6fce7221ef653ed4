/* A global user exit program at XEIIN: it counts commands in its work area, and bypasses WRITEQ TS. */
#include "dfhuexit.h"

struct work { int commands; } __attribute__((packed, scalar_storage_order("big-endian")));
struct addresses { unsigned eid; } __attribute__((packed, scalar_storage_order("big-endian")));

int main(void)
{
    XEIIN_PAR *parameters;
    struct addresses *list;
    DFHUEEID *descriptor;

    EXEC CICS ADDRESS COMMAREA(parameters);
    if (*UEP_AT(unsigned char, parameters->uepexn) != UEX_XEIIN)
        EXEC CICS ABEND ABCODE("CXPT");
    UEP_AT(struct work, parameters->uepgaa)->commands++;
    list = UEP_AT(struct addresses, parameters->ueparg);
    descriptor = UEP_AT(DFHUEEID, list->eid);
    return descriptor->eid_group == 0x0A && descriptor->eid_funct == 0x02 ? UERCBYP : UERCNORM;
}
