// Is LINKed to by COBOL: the communication area, and who it comes from.
#include "icceh.hpp"
#include "iccmain.hpp"
#include "CPAREA.hpp"
#include <string.h>

void IccUserControl::run()
{
    const IccBuf &communication = commArea();
    if (communication.dataLength() < sizeof(area))
        task()->abend("CPLN");
    area *shared = (area *)communication.dataArea();
    shared->number += shared->rows[1];
    shared->number *= 2;
    memcpy(shared->name, callingProgramId().name(), 4);
    shared->end = strcmp(programId().name(), "CPCALLED") == 0 ? 'Y' : 'N';
}
