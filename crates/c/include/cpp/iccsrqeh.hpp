#ifndef ICCSRQEH
#define ICCSRQEH
#include "iccreseh.hpp"
#include "icctimeh.hpp"
class IccStartRequestQ : public IccResource {
public:
    enum RetrieveOpt { noWait, wait };
    enum ProtectOpt { none, protect };
    enum CheckOpt { check, noCheck };
    static IccStartRequestQ *instance();
    void cancel(const IccRequestId &reqId, const IccTransId *transId = 0);
    void clearData();
    const IccBuf &data() const { return *passed; }
    const char *queueName() const { return queue; }
    void registerData(const IccBuf *buffer);
    void reset();
    void retrieveData(RetrieveOpt option = noWait);
    const IccTermId &returnTermId() const { return term; }
    const IccTransId &returnTransId() const { return trans; }
    void setData(const IccBuf &buf);
    void setQueueName(const char *queueName);
    void setReturnTermId(const IccTermId &termId) { term = termId; }
    void setReturnTermId(const char *termName) { term = termName; }
    void setReturnTransId(const IccTransId &transId) { trans = transId; }
    void setReturnTransId(const char *transName) { trans = transName; }
    void setStartOpts(ProtectOpt popt = none, CheckOpt copt = check) { protection = popt; checking = copt; }
    const IccRequestId &start(const IccTransId &transId, const IccTermId *termId, const IccTime *time = 0, const IccRequestId *reqId = 0);
    const IccRequestId &start(const IccTransId &transId, const IccUserId *userId, const IccTime *time = 0, const IccRequestId *reqId = 0);
    const IccRequestId &start(const IccTransId &transId, const IccTime *time = 0, const IccRequestId *reqId = 0);
private:
    enum { QUEUE_MAX = 8 };
    IccStartRequestQ();
    IccBuf own;
    const IccBuf *passed;
    char queue[QUEUE_MAX + 1];
    IccTermId term;
    IccTransId trans;
    IccRequestId request;
    ProtectOpt protection;
    CheckOpt checking;
    const IccRequestId &start(IccCommand &command, const IccTransId &transId, const IccTime *time, const IccRequestId *reqId);
};
#endif
