#ifndef ICCTSKEH
#define ICCTSKEH
#include "iccabdeh.hpp"
#include "iccclkeh.hpp"
class IccTask : public IccResource {
public:
    enum AbendHandlerOpt { respectAbendHandler, ignoreAbendHandler };
    enum AbendDumpOpt { createDump, suppressDump };
    enum DumpOpts {
        dDefault = 0, dComplete = 1, dTask = 2, dStorage = 4, dProgram = 8, dTerminal = 16, dTables = 32, dDCT = 64, dFCT = 128, dPCT = 256,
        dPPT = 512, dSIT = 1024, dTCT = 2048, dTRT = 4096
    };
    enum FacilityType { none, terminal, dataQueue };
    enum StartType { DPL, dataQueueTrigger, startRequest, FEPIRequest, terminalInput, userRequest };
    enum StorageOpts { ifSOSReturnCondition = 1, below = 2, userDataKey = 4, CICSDataKey = 8 };
    enum TraceOpt { normal, exception };
    enum WaitPostType { MVSPost, handPost };
    enum WaitPurgeability { purgeable, notPurgeable };
    static IccTask *instance();
    void abend(const char *abendCode = 0, AbendHandlerOpt opt1 = respectAbendHandler, AbendDumpOpt opt2 = createDump);
    IccAbendData *abendData();
    void commitUOW();
    void delay(const IccTime &time, const IccRequestId *reqId = 0);
    const char *dump(const char *dumpCode, const IccBuf *buf = 0);
    void enterTrace(unsigned short traceNum, const char *resource = 0, IccBuf *data = 0, TraceOpt opt = normal);
    FacilityType facilityType();
    void freeStorage(void *pStorage);
    void *getStorage(unsigned long size, char initByte = -1, unsigned short storageOpts = 0);
    Icc::Bool isCommandSecurityOn();
    Icc::Bool isCommitSupported();
    Icc::Bool isResourceSecurityOn();
    Icc::Bool isRestarted();
    Icc::Bool isStartDataAvailable();
    unsigned long number();
    IccSysId &principalSysId(Icc::GetOpt opt = Icc::object);
    unsigned short priority(Icc::GetOpt opt = Icc::object);
    void rollBackUOW();
    void setDumpOpts(unsigned long opts = dDefault) { dumpOptions = opts; }
    void setPriority(unsigned short pri);
    void setWaitText(const char *name);
    StartType startType();
    void suspend();
    const IccTransId &transId();
    const IccDataQueueId &triggerDataQueueId();
    const IccUserId &userId(Icc::GetOpt opt = Icc::object);
    void waitExternal(long **ECBList, unsigned long numEvents, WaitPurgeability opt = purgeable, WaitPostType type = MVSPost);
    void waitOnAlarm(const IccAlarmRequestId &id);
    IccBuf &workArea();
private:
    enum { DUMP_ID_LENGTH = 9, WAIT_NAME_LENGTH = 8 };
    IccTask();
    IccAbendData *abended;
    unsigned long dumpOptions;
    char dumpId[DUMP_ID_LENGTH + 1], waitName[WAIT_NAME_LENGTH + 1];
    IccSysId system;
    IccTransId transaction;
    IccDataQueueId queue;
    IccUserId user;
    IccBuf area;
    char startCode();
    bool assigned(int option, const char *method);
};
#endif
