#include "iccrideh.hpp"
#include "iccexceh.hpp"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the order of IccBase::ClassType. */
static const char *const classes[] = {
    "IccAbendData", "IccAlarmRequestId", "IccBuf", "IccClock", "IccConsole", "IccControl", "IccConvId", "", "IccDataQueue", "IccDataQueueId",
    "IccEvent", "IccException", "IccFile", "IccFileId", "IccFileIterator", "IccGroupId", "IccJournal", "IccJournalId", "IccJournalTypeId",
    "IccLockId", "IccMessage", "IccPartnerId", "IccProgram", "IccProgramId", "IccRecordIndex", "IccRequestId", "IccSemaphore", "IccSession",
    "IccStartRequestQ", "IccSysId", "IccSystem", "IccTask", "IccTempStore", "IccTempStoreId", "IccTermId", "IccTerminal", "IccTerminalData",
    "IccTime", "IccTPNameId", "IccTransId", "IccUser", "IccUserId"
};

const char *IccBase::className(NameOpt opt) {
    if (opt == complete && custom != 0) return custom;
    return classes[kind];
}

IccResourceId::IccResourceId(IccBase::ClassType type, unsigned short longest, const char *name) : IccBase(type), longest(longest) { set(name); }

IccResourceId::IccResourceId(const IccResourceId &id) : IccBase(id.classType()), longest(id.longest) { strcpy(text, id.text); }

IccResourceId &IccResourceId::operator=(const IccResourceId &id) {
    if (id.classType() != classType())
        throw IccException(IccException::invalidArgument, classType(), className(), "operator=",
                           new IccMessage(1, "the identifier is that of another type of resource"), this, 1);
    strcpy(text, id.text);
    return *this;
}

void IccResourceId::set(const char *name) {
    if (name == 0 || strlen(name) > longest)
        throw IccException(IccException::invalidArgument, classType(), className(), "operator=",
                           new IccMessage(2, "the name is too long"), this, 2);
    strcpy(text, name);
}

static const char *decimal(unsigned short number) {
    static char digits[6];
    sprintf(digits, "%u", (unsigned)number);
    return digits;
}

IccJournalId::IccJournalId(unsigned short journalNum) : IccResourceId(cJournalId, 8, decimal(journalNum)), journal(journalNum) {}

IccJournalId &IccJournalId::operator=(unsigned short journalNum) {
    journal = journalNum;
    set(decimal(journalNum));
    return *this;
}

/* The first byte of the third word of a timer event control area is posted when the time is over. */
Icc::Bool IccAlarmRequestId::isExpired() const {
    return area != 0 && ((const unsigned char *)area)[2] == 0x80 ? Icc::yes : Icc::no;
}
