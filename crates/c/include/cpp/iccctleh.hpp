#ifndef ICCCTLEH
#define ICCCTLEH
#include "iccreseh.hpp"
class IccConsole;
class IccSession;
class IccStartRequestQ;
class IccSystem;
class IccTask;
class IccTerminal;
class IccControl : public IccResource {
public:
    IccControl();
    virtual ~IccControl();
    static IccControl *instance();
    static Icc::Bool isCreated();
    const IccProgramId &callingProgramId();
    void cancelAbendHandler();
    const IccBuf &commArea();
    IccConsole *console();
    const IccBuf &initData();
    const IccProgramId &programId();
    void resetAbendHandler();
    const IccProgramId &returnProgramId();
    virtual void run() = 0;
    IccSession *session() ICC_NO_SESSION;
    void setAbendHandler(const IccProgramId &programId);
    void setAbendHandler(const char *programName);
    IccStartRequestQ *startRequestQ();
    IccSystem *system();
    IccTask *task();
    IccTerminal *terminal();
private:
    IccProgramId caller, self, returning;
    IccBuf communication, input;
};
#endif
