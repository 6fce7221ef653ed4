#ifndef ICCBASEH
#define ICCBASEH
#include <regent.hpp>
#include <stddef.h>
#include <new>
#include "iccglbeh.hpp"
class IccBase {
public:
    enum ClassType {
        cAbendData, cAlarmRequestId, cBuf, cClock, cConsole, cControl, cConvId, cCUSTOM, cDataQueue, cDataQueueId, cEvent, cException, cFile,
        cFileId, cFileIterator, cGroupId, cJournal, cJournalId, cJournalTypeId, cLockId, cMessage, cPartnerId, cProgram, cProgramId,
        cRecordIndex, cRequestId, cSemaphore, cSession, cStartRequestQ, cSysId, cSystem, cTask, cTempStore, cTempStoreId, cTermId, cTerminal,
        cTerminalData, cTime, cTPNameId, cTransId, cUser, cUserId
    };
    enum NameOpt { base, complete };
    virtual ~IccBase() {}
    ClassType classType() const { return kind; }
    const char *className(NameOpt opt = complete);
    unsigned short customClassNum() const { return number; }
    void *operator new(size_t size) { return ::operator new(size); }
    void *operator new(size_t, void *place) { return place; }
    void operator delete(void *object) { ::operator delete(object); }
protected:
    IccBase(ClassType type) : kind(type), number(0), custom(0) {}
    void setClassName(const char *className) { custom = className; }
    void setCustomClassNum(unsigned short number) { this->number = number; kind = cCUSTOM; }
private:
    ClassType kind;
    unsigned short number;
    const char *custom;
};
#endif
