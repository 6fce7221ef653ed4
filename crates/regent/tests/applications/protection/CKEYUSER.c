/* EXECKEY(USER): may write user-key storage only. */
#pragma options(XPLINK)
#include "CKEYCODE.h"
