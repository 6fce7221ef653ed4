#ifndef ICCRIDEH
#define ICCRIDEH
#include "iccbaseh.hpp"
class IccResourceId : public IccBase {
public:
    const char *name() const { return text; }
    unsigned short nameLength() const { return longest; }
    IccResourceId &operator=(const IccResourceId &id);
protected:
    IccResourceId(IccBase::ClassType type, unsigned short longest, const char *name);
    IccResourceId(const IccResourceId &id);
    void set(const char *name);
private:
    enum { NAME_MAX = 64 };
    unsigned short longest;
    char text[NAME_MAX + 1];
};
#define ICC_RESOURCE_ID(NAME, LENGTH) \
    class Icc##NAME : public IccResourceId { \
    public: \
        Icc##NAME(const char *name) : IccResourceId(c##NAME, LENGTH, name) {} \
        Icc##NAME(const Icc##NAME &id) : IccResourceId(id) {} \
        Icc##NAME &operator=(const char *name) { set(name); return *this; } \
        Icc##NAME &operator=(const Icc##NAME &id) { set(id.name()); return *this; } \
    };
ICC_RESOURCE_ID(ConvId, 4)
ICC_RESOURCE_ID(DataQueueId, 4)
ICC_RESOURCE_ID(FileId, 8)
ICC_RESOURCE_ID(GroupId, 8)
ICC_RESOURCE_ID(JournalTypeId, 2)
ICC_RESOURCE_ID(LockId, 8)
ICC_RESOURCE_ID(PartnerId, 8)
ICC_RESOURCE_ID(ProgramId, 8)
ICC_RESOURCE_ID(SysId, 4)
ICC_RESOURCE_ID(TempStoreId, 16)
ICC_RESOURCE_ID(TermId, 4)
ICC_RESOURCE_ID(TPNameId, 64)
ICC_RESOURCE_ID(TransId, 4)
ICC_RESOURCE_ID(UserId, 8)
#undef ICC_RESOURCE_ID
class IccJournalId : public IccResourceId {
public:
    IccJournalId(unsigned short journalNum);
    IccJournalId(const IccJournalId &id) : IccResourceId(id), journal(id.journal) {}
    unsigned short number() const { return journal; }
    IccJournalId &operator=(unsigned short journalNum);
    IccJournalId &operator=(const IccJournalId &id) { return *this = id.journal; }
private:
    unsigned short journal;
};
class IccRequestId : public IccResourceId {
public:
    IccRequestId() : IccResourceId(cRequestId, 8, "") {}
    IccRequestId(const char *requestName) : IccResourceId(cRequestId, 8, requestName) {}
    IccRequestId(const IccRequestId &id) : IccResourceId(id) {}
    IccRequestId &operator=(const IccRequestId &id) { set(id.name()); return *this; }
    IccRequestId &operator=(const char *requestName) { set(requestName); return *this; }
};
class IccAlarmRequestId : public IccRequestId {
public:
    IccAlarmRequestId() : area(0) {}
    IccAlarmRequestId(const char *name, const void *timerECA) : IccRequestId(name), area(timerECA) {}
    IccAlarmRequestId(const IccAlarmRequestId &id) : IccRequestId(id), area(id.area) {}
    Icc::Bool isExpired() const;
    IccAlarmRequestId &operator=(const IccRequestId &id) { set(id.name()); return *this; }
    IccAlarmRequestId &operator=(const IccAlarmRequestId &id) { set(id.name()); area = id.area; return *this; }
    IccAlarmRequestId &operator=(const char *requestName) { set(requestName); return *this; }
    void setTimerECA(const void *timerECA) { area = timerECA; }
    const void *timerECA() const { return area; }
private:
    const void *area;
};
#endif
