#ifndef ICCEH
#define ICCEH
/* The CICS foundation classes. */
#include "iccabdeh.hpp"
#include "iccclkeh.hpp"
#include "iccconeh.hpp"
#include "iccctleh.hpp"
#include "iccdateh.hpp"
#include "iccevteh.hpp"
#include "iccflieh.hpp"
#include "iccjrneh.hpp"
#include "iccprgeh.hpp"
#include "iccsemeh.hpp"
#include "iccseseh.hpp"
#include "iccsrqeh.hpp"
#include "iccsyseh.hpp"
#include "icctmpeh.hpp"
#include "icctrmeh.hpp"
#include "icctskeh.hpp"
#include "iccusreh.hpp"
#endif
