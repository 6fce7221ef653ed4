/* EXECKEY(CICS): may write storage of both keys. */
#pragma options(XPLINK)
#include "CKEYCODE.h"
