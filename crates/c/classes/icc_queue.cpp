#include "icccommand.hpp"
#include "iccdateh.hpp"
#include "iccjrneh.hpp"
#include "icctmpeh.hpp"
#include <string.h>

/* What a command has read: storage of CICS, copied. */
static void take(IccBuf &buffer, const IccCommand &command) {
    buffer.assign((unsigned long)command.result(O_LENGTH), (const void *)(unsigned long)command.result(O_SET));
}

/* --- transient data --- */

IccDataQueue::IccDataQueue(const IccDataQueueId &id) : IccResource(cDataQueue, new IccDataQueueId(id)) {}
IccDataQueue::IccDataQueue(const char *queueName) : IccResource(cDataQueue, new IccDataQueueId(queueName)) {}

void IccDataQueue::empty() {
    IccCommand command(C_DELETEQ_TD);
    command.name(O_QUEUE, name());
    issueRouted(command, "empty");
}
void IccDataQueue::clear() { empty(); }
const IccBuf &IccDataQueue::get() { return readItem(); }
void IccDataQueue::put(const IccBuf &buffer) { writeItem(buffer); }

const IccBuf &IccDataQueue::readItem() {
    IccCommand command(C_READQ_TD);
    command.name(O_QUEUE, name()).number(O_SET).number(O_LENGTH);
    if (issueRouted(command, "readItem")) take(item, command);
    return item;
}

void IccDataQueue::writeItem(const IccBuf &buffer) {
    IccCommand command(C_WRITEQ_TD);
    command.name(O_QUEUE, name()).data(O_FROM, O_LENGTH, buffer);
    issueRouted(command, "writeItem");
}
void IccDataQueue::writeItem(const char *text) { writeItem(IccBuf(text)); }

/* --- temporary storage --- */

IccTempStore::IccTempStore(const IccTempStoreId &id, Location loc) : IccResource(cTempStore, new IccTempStoreId(id)), location(loc), items(0) {}
IccTempStore::IccTempStore(const char *storeName, Location loc) : IccResource(cTempStore, new IccTempStoreId(storeName)), location(loc), items(0) {}

void IccTempStore::empty() {
    IccCommand command(C_DELETEQ_TS);
    command.name(O_QNAME, name());
    issueRouted(command, "empty");
}
void IccTempStore::clear() { empty(); }
const IccBuf &IccTempStore::get() { return readNextItem(); }
void IccTempStore::put(const IccBuf &buffer) { writeItem(buffer); }
unsigned short IccTempStore::numberOfItems() { return items; }

const IccBuf &IccTempStore::read(unsigned short number, const char *method) {
    IccCommand command(C_READQ_TS);
    command.name(O_QNAME, name()).number(O_SET).number(O_LENGTH).number(O_NUMITEMS);
    if (number == 0) command.flag(O_NEXT);
    else command.number(O_ITEM, number);
    if (issueRouted(command, method)) {
        items = (unsigned short)command.result(O_NUMITEMS);
        take(item, command);
    }
    return item;
}
const IccBuf &IccTempStore::readItem(unsigned short itemNum) { return read(itemNum, "readItem"); }
const IccBuf &IccTempStore::readNextItem() { return read(0, "readNextItem"); }

unsigned short IccTempStore::write(unsigned short number, const IccBuf &buffer, NoSpaceOpt opt, const char *method) {
    IccCommand command(C_WRITEQ_TS);
    command.name(O_QNAME, name()).data(O_FROM, O_LENGTH, buffer).number(O_ITEM, number);
    if (number != 0) command.flag(O_REWRITE);
    else command.number(O_NUMITEMS);
    if (location == memory) command.flag(O_MAIN);
    if (opt == returnCondition) command.flag(O_NOSUSPEND);
    if (!issueRouted(command, method)) return 0;
    if (number == 0) items = (unsigned short)command.result(O_NUMITEMS);
    return (unsigned short)command.result(O_ITEM);
}
void IccTempStore::rewriteItem(unsigned short itemNum, const IccBuf &buffer, NoSpaceOpt opt) { write(itemNum, buffer, opt, "rewriteItem"); }
unsigned short IccTempStore::writeItem(const IccBuf &buffer, NoSpaceOpt opt) { return write(0, buffer, opt, "writeItem"); }
unsigned short IccTempStore::writeItem(const char *text, NoSpaceOpt opt) { return write(0, IccBuf(text), opt, "writeItem"); }

/* --- journals --- */

IccJournal::IccJournal(const IccJournalId &id, unsigned long options)
    : IccResource(cJournal, new IccJournalId(id)), options(options), kind(""), prefix(0) {}
IccJournal::IccJournal(unsigned short journalNum, unsigned long options)
    : IccResource(cJournal, new IccJournalId(journalNum)), options(options), kind(""), prefix(0) {}

static unsigned short number_of(const IccResourceId *id) { return static_cast<const IccJournalId *>(id)->number(); }

void IccJournal::put(const IccBuf &buffer) { writeRecord(buffer); }

/* The identifier of the request is a number that a fullword of its name keeps. */
const IccRequestId &IccJournal::writeRecord(const IccBuf &record, const IccRequestId *) {
    IccCommand command(C_WRITE_JOURNALNUM);
    command.number(O_JOURNALNUM, number_of(id())).data(O_FROM, O_FLENGTH, record).name(O_JTYPEID, kind.name()).number(O_REQID);
    if (prefix != 0) command.data(O_PREFIX, O_PFXLENG, *prefix);
    if (options & synchronous) command.flag(O_WAIT);
    if (options & noSuspend) command.flag(O_NOSUSPEND);
    if (issue(command, "writeRecord")) {
        IccBuf text;
        text << (unsigned long)command.result(O_REQID);
        request = text.dataLength() > 8 ? (const char *)text.dataArea(text.dataLength() - 8) : (const char *)text;
    }
    return request;
}
const IccRequestId &IccJournal::writeRecord(const char *record, const IccRequestId *reqId) { return writeRecord(IccBuf(record), reqId); }

void IccJournal::wait(const IccRequestId *reqId, unsigned long) {
    IccCommand command(C_WAIT_JOURNALNUM);
    command.number(O_JOURNALNUM, number_of(id()));
    if (reqId != 0) {
        unsigned long number = 0;
        for (const char *digit = reqId->name(); *digit != '\0'; digit++) number = number * 10 + (*digit - '0');
        command.number(O_REQID, number);
    }
    issue(command, "wait");
}
