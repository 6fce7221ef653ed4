#ifndef ICCGLBEH
#define ICCGLBEH
#include "icccndeh.hpp"
#include "iccvaleh.hpp"
/* On what is not there: the compiler refuses the call. */
#define ICC_NO_SESSION __attribute__((error("APPC conversations (IccSession) are not supported; use IccTerminal, IccProgram::link or IccStartRequestQ")))
class IccException;
struct Icc {
    enum Bool { no, yes };
    enum BoolSet { off, on };
    enum ClassMemoryMgmt { cmmDefault, cmmNonCICS, cmmCICS };
    enum FamilySubset { fsDefault, fsEnforce, fsAllowPlatformVariance };
    enum GetOpt { makeNew, object };
    enum Platforms { OS2, UNIX, MVS };
    static const char *boolText(Bool test, BoolSet set = off);
    static void catchException(IccException &exception);
    static const char *conditionText(IccCondition::Codes condition);
    static void initializeEnvironment(ClassMemoryMgmt mem = cmmDefault, FamilySubset fam = fsDefault, Bool EDF = no);
    static Bool isClassMemoryMgmtOn();
    static Bool isEDFOn();
    static Bool isFamilySubsetEnforcementOn();
    static void returnToCICS();
    static void setEDF(Bool onOff = yes);
    static void unknownException();
};
#endif
