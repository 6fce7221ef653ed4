#ifndef ICCSESEH
#define ICCSESEH
#include "iccreseh.hpp"
class IccSession : public IccResource {
public:
    IccSession(const IccPartnerId &id) ICC_NO_SESSION;
    IccSession(const IccSysId &sysId, const char *profile = 0) ICC_NO_SESSION;
    IccSession(const char *sysName, const char *profile = 0) ICC_NO_SESSION;
};
#endif
