#include "icccommand.hpp"
#include "iccsrqeh.hpp"
#include <dfheiblk.h>
#include <string.h>

extern void icc_add_time(IccCommand &command, const IccTime &time);
extern DFHEIBLK *icc_eib();
static IccStartRequestQ *requests;

IccStartRequestQ::IccStartRequestQ()
    : IccResource(cStartRequestQ), passed(&own), term(""), trans(""), protection(none), checking(check) {
    queue[0] = '\0';
}

IccStartRequestQ *IccStartRequestQ::instance() {
    if (requests == 0) requests = new IccStartRequestQ;
    return requests;
}

void IccStartRequestQ::cancel(const IccRequestId &reqId, const IccTransId *transId) {
    IccCommand command(C_CANCEL);
    command.name(O_REQID, reqId.name());
    if (transId != 0) command.name(O_TRANSID, transId->name());
    issueRouted(command, "cancel");
}

void IccStartRequestQ::clearData() {
    own = "";
    passed = &own;
}
void IccStartRequestQ::registerData(const IccBuf *buffer) { passed = buffer; }
void IccStartRequestQ::setData(const IccBuf &buf) {
    own = buf;
    passed = &own;
}
void IccStartRequestQ::setQueueName(const char *queueName) {
    if (strlen(queueName) > QUEUE_MAX) refuse("setQueueName", IccException::invalidArgument, "the name is too long");
    strcpy(queue, queueName);
}
void IccStartRequestQ::reset() {
    clearData();
    queue[0] = '\0';
    term = "";
    trans = "";
    protection = none;
    checking = check;
}

static void trim(char *name, unsigned length) {
    name[length] = '\0';
    while (length > 0 && name[length - 1] == ' ') name[--length] = '\0';
}

/* ENVDEFERR: the requester has not given one of the four; the others are there all the same. */
void IccStartRequestQ::retrieveData(RetrieveOpt option) {
    IccCommand command(C_RETRIEVE);
    char termName[5] = "", transName[5] = "";
    queue[0] = '\0';
    command.number(O_SET).number(O_LENGTH).area(O_RTRANSID, transName, 4).area(O_RTERMID, termName, 4).area(O_QUEUE, queue, QUEUE_MAX);
    if (option == wait) command.flag(O_WAIT);
    issue(command, "retrieveData");
    if (condition() != IccCondition::NORMAL && condition() != IccCondition::ENVDEFERR) return;
    own.assign(command.has(O_LENGTH) ? (unsigned long)command.result(O_LENGTH) : 0, (const void *)(unsigned long)command.result(O_SET));
    passed = &own;
    trim(termName, 4);
    trim(transName, 4);
    trim(queue, QUEUE_MAX);
    term = termName;
    trans = transName;
}

const IccRequestId &IccStartRequestQ::start(IccCommand &command, const IccTransId &transId, const IccTime *time, const IccRequestId *reqId) {
    command.name(O_TRANSID, transId.name()).name(O_RTERMID, term.name()).name(O_RTRANSID, trans.name()).name(O_QUEUE, queue);
    if (time != 0) icc_add_time(command, *time);
    if (reqId != 0) command.name(O_REQID, reqId->name());
    if (passed != 0 && passed->dataLength() > 0) command.data(O_FROM, O_LENGTH, *passed);
    if (protection == protect) command.flag(O_PROTECT);
    if (checking == noCheck) command.flag(O_NOCHECK);
    bool isNormal = issueRouted(command, "start");
    DFHEIBLK *eib = icc_eib();
    char name[sizeof eib->eibreqid + 1];
    memcpy(name, eib->eibreqid, sizeof eib->eibreqid);
    trim(name, sizeof eib->eibreqid);
    request = reqId != 0 ? reqId->name() : isNormal ? name : "";
    return request;
}

const IccRequestId &IccStartRequestQ::start(const IccTransId &transId, const IccTermId *termId, const IccTime *time, const IccRequestId *reqId) {
    IccCommand command(C_START);
    if (termId != 0) command.name(O_TERMID, termId->name());
    return start(command, transId, time, reqId);
}
const IccRequestId &IccStartRequestQ::start(const IccTransId &transId, const IccUserId *userId, const IccTime *time, const IccRequestId *reqId) {
    IccCommand command(C_START);
    if (userId != 0) command.name(O_USERID, userId->name());
    return start(command, transId, time, reqId);
}
const IccRequestId &IccStartRequestQ::start(const IccTransId &transId, const IccTime *time, const IccRequestId *reqId) {
    IccCommand command(C_START);
    return start(command, transId, time, reqId);
}
