#include "icccommand.hpp"
#include "iccflieh.hpp"
#include "iccsyseh.hpp"
#include <string.h>

/* --- what identifies a record --- */

IccKey::IccKey(const char *initValue, Kind kind) : IccRecordIndex(key, 0), keyKind(kind), whole(0) {
    assign((unsigned short)strlen(initValue), initValue);
    whole = indexLength;
}
IccKey::IccKey(unsigned short completeLength, Kind kind)
    : IccRecordIndex(key, completeLength < KEY_MAX ? completeLength : (unsigned short)KEY_MAX), keyKind(kind), whole(indexLength) {
    memset(bytes, 0, sizeof bytes);
}
IccKey::IccKey(const IccKey &key) : IccRecordIndex(IccRecordIndex::key, key.indexLength), keyKind(key.keyKind), whole(key.whole) {
    memcpy(bytes, key.bytes, sizeof bytes);
}
void IccKey::assign(unsigned short length, const void *dataArea) {
    if (length > KEY_MAX) length = KEY_MAX;
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, dataArea, length);
    indexLength = length;
    if (whole < length) whole = length;
}
IccKey &IccKey::operator=(const IccKey &key) { assign(key.indexLength, key.bytes); return *this; }
IccKey &IccKey::operator=(const IccBuf &buffer) { assign((unsigned short)buffer.dataLength(), buffer.dataArea()); return *this; }
IccKey &IccKey::operator=(const char *value) { assign((unsigned short)strlen(value), value); return *this; }
Icc::Bool IccKey::is(unsigned long length, const void *area) const {
    return length == indexLength && memcmp(bytes, area, length) == 0 ? Icc::yes : Icc::no;
}
Icc::Bool IccKey::operator==(const IccKey &key) const { return is(key.indexLength, key.bytes); }
Icc::Bool IccKey::operator==(const IccBuf &text) const { return is(text.dataLength(), text.dataArea()); }
Icc::Bool IccKey::operator==(const char *text) const { return is(strlen(text), text); }
Icc::Bool IccKey::operator!=(const IccKey &key) const { return *this == key ? Icc::no : Icc::yes; }
Icc::Bool IccKey::operator!=(const IccBuf &text) const { return *this == text ? Icc::no : Icc::yes; }
Icc::Bool IccKey::operator!=(const char *text) const { return *this == text ? Icc::no : Icc::yes; }

/* --- files --- */

IccFile::IccFile(const IccFileId &id, IccRecordIndex *index) : IccResource(cFile, new IccFileId(id)), index(index), inserting(false), known(false) {}
IccFile::IccFile(const char *fileName, IccRecordIndex *index)
    : IccResource(cFile, new IccFileId(fileName)), index(index), inserting(false), known(false) {}

IccRecordIndex &IccFile::needIndex(const char *method) {
    if (index == 0) refuse(method, IccException::invalidMethodCall, "no record index is registered");
    return *index;
}

static void add_kind(IccCommand &command, IccRecordIndex &index) {
    if (index.type() == IccRecordIndex::RBA) command.flag(O_RBA);
    if (index.type() == IccRecordIndex::RRN) command.flag(O_RRN);
}

void IccFile::addIndex(IccCommand &command, const char *method) {
    IccRecordIndex &at = needIndex(method);
    command.area(O_RIDFLD, at.field(), at.length());
    add_kind(command, at);
}

static bool is_generic(const IccRecordIndex &index) {
    return index.type() == IccRecordIndex::key && static_cast<const IccKey &>(index).kind() == IccKey::generic;
}

/* The length of a key goes with it: the record may lie in another region, or the key be generic. */
static void add_length(IccCommand &command, const IccRecordIndex &index) {
    if (index.type() == IccRecordIndex::key && is_generic(index)) command.number(O_KEYLENGTH, index.length()).flag(O_GENERIC);
}

static void add_token(IccCommand &command, unsigned long &token) {
    if (token != 0) command.area(O_TOKEN, &token, sizeof token);
}

void IccFile::setting(IccCommand &command, const char *method) {
    issue(command, method);
    known = false;
}

const IccBuf &IccFile::readRecord(ReadMode mode, unsigned long *updateToken) {
    IccCommand command(C_READ);
    command.name(O_FILE, name()).number(O_SET).number(O_LENGTH);
    addIndex(command, "readRecord");
    add_length(command, *index);
    if (mode == update) command.flag(O_UPDATE);
    if (mode == update && updateToken != 0) command.area(O_TOKEN, updateToken, sizeof *updateToken);
    if (issueRouted(command, "readRecord"))
        record.assign((unsigned long)command.result(O_LENGTH), (const void *)(unsigned long)command.result(O_SET));
    return record;
}

void IccFile::writeRecord(const IccBuf &buffer) {
    IccCommand command(C_WRITE);
    command.name(O_FILE, name()).data(O_FROM, O_LENGTH, buffer);
    addIndex(command, "writeRecord");
    if (inserting) command.flag(O_MASSINSERT);
    issueRouted(command, "writeRecord");
}

void IccFile::rewriteRecord(const IccBuf &buffer, unsigned long updateToken) {
    IccCommand command(C_REWRITE);
    command.name(O_FILE, name()).data(O_FROM, O_LENGTH, buffer);
    add_token(command, updateToken);
    issueRouted(command, "rewriteRecord");
}

void IccFile::deleteLockedRecord(unsigned long updateToken) {
    IccCommand command(C_DELETE);
    command.name(O_FILE, name());
    add_token(command, updateToken);
    issueRouted(command, "deleteLockedRecord");
}

unsigned short IccFile::remove(bool isGeneric, const char *method) {
    IccCommand command(C_DELETE);
    command.name(O_FILE, name());
    addIndex(command, method);
    if (isGeneric) {
        add_length(command, *index);
        command.number(O_NUMREC);
    }
    if (!issueRouted(command, method)) return 0;
    return isGeneric ? (unsigned short)command.result(O_NUMREC) : 1;
}
unsigned short IccFile::deleteRecord() { return remove(is_generic(needIndex("deleteRecord")), "deleteRecord"); }
unsigned short IccFile::deleteRecordGroup() { return remove(true, "deleteRecordGroup"); }

void IccFile::unlockRecord(unsigned long updateToken) {
    IccCommand command(C_UNLOCK);
    command.name(O_FILE, name());
    add_token(command, updateToken);
    issueRouted(command, "unlockRecord");
}

void IccFile::endInsert() {
    inserting = false;
    IccCommand command(C_UNLOCK);
    command.name(O_FILE, name());
    issueRouted(command, "endInsert");
}

const IccFile::Attributes &IccFile::inquired(Icc::GetOpt opt) {
    if (known && opt == Icc::object) return attributes;
    static const RegentOption options[] = {
        O_ADD, O_BROWSE, O_DELETE, O_EMPTYSTATUS, O_READ, O_RECOVSTATUS, O_UPDATE, O_KEYLENGTH, O_KEYPOSITION, O_OPENSTATUS, O_RECORDFORMAT,
        O_RECORDSIZE, O_TYPE, O_ACCESSMETHOD, O_ENABLESTATUS
    };
    IccCommand command(C_INQUIRE_FILE);
    command.name(O_FILE, name());
    for (RegentOption option : options) command.number(option);
    known = issue(command, "inquire");
    long long *value = &attributes.add;
    for (RegentOption option : options) *value++ = command.result(option);
    return attributes;
}

unsigned long IccFile::access(Icc::GetOpt opt) {
    inquired(opt);
    return (isReadable() ? readable : notReadable) | (isBrowsable() ? browsable : notBrowsable) | (isAddable() ? addable : notAddable)
        | (isUpdatable() ? updatable : notUpdatable) | (isDeletable() ? deletable : notDeletable);
}
IccValue::CVDA IccFile::accessMethod(Icc::GetOpt opt) { return (IccValue::CVDA)inquired(opt).method; }
IccValue::CVDA IccFile::enableStatus(Icc::GetOpt opt) { return (IccValue::CVDA)inquired(opt).enableStatus; }

void IccFile::setAccess(unsigned long access) {
    IccCommand command(C_SET_FILE);
    command.name(O_FILE, name());
    static const struct { unsigned long yes, no; RegentOption option; int if_yes, if_no; } kinds[] = {
        { readable, notReadable, O_READ, IccValue::READABLE, IccValue::NOTREADABLE },
        { browsable, notBrowsable, O_BROWSE, IccValue::BROWSABLE, IccValue::NOTBRWBLE },
        { addable, notAddable, O_ADD, IccValue::ADDABLE, IccValue::NOTADDABLE },
        { updatable, notUpdatable, O_UPDATE, IccValue::UPDATABLE, IccValue::NOTUPDBLE },
        { deletable, notDeletable, O_DELETE, IccValue::DELETABLE, IccValue::NOTDELBLE }
    };
    for (const auto &kind : kinds)
        if (access & (kind.yes | kind.no)) command.number(kind.option, access & kind.yes ? kind.if_yes : kind.if_no);
    setting(command, "setAccess");
}

void IccFile::setEmptyOnOpen(Icc::Bool trueFalse) {
    IccCommand command(C_SET_FILE);
    command.name(O_FILE, name()).number(O_EMPTYSTATUS, trueFalse == Icc::yes ? IccValue::EMPTYREQ : IccValue::NOEMPTYREQ);
    setting(command, "setEmptyOnOpen");
}

void IccFile::setStatus(Status status) {
    static const struct { RegentOption option; int value; } settings[] = {
        { O_OPENSTATUS, IccValue::OPEN }, { O_OPENSTATUS, IccValue::CLOSED }, { O_ENABLESTATUS, IccValue::ENABLED },
        { O_ENABLESTATUS, IccValue::DISABLED }
    };
    IccCommand command(C_SET_FILE);
    command.name(O_FILE, name()).number(settings[status].option, settings[status].value);
    setting(command, "setStatus");
}

/* --- browses: each has a number of its own --- */

static unsigned short browses;

IccFileIterator::IccFileIterator(IccFile *file, IccRecordIndex *index, IccFile::SearchCriterion search)
    : IccResource(cFileIterator), file(file), index(index), browse(browses++), started(false) {
    position(false, search, "IccFileIterator");
}

IccFileIterator::~IccFileIterator() {
    if (!started) return;
    IccCommand command(C_ENDBR);
    command.name(O_FILE, file->name()).number(O_REQID, browse).name(O_SYSID, file->routeOption().name());
    command.run(true);
}

void IccFileIterator::position(bool isReset, IccFile::SearchCriterion search, const char *method) {
    IccCommand command(isReset ? C_RESETBR : C_STARTBR);
    command.name(O_FILE, file->name()).number(O_REQID, browse).area(O_RIDFLD, index->field(), index->length());
    command.name(O_SYSID, file->routeOption().name());
    add_kind(command, *index);
    add_length(command, *index);
    command.flag(search == IccFile::equalToKey ? O_EQUAL : O_GTEQ);
    started = issue(command, method) || (isReset && started);
}

void IccFileIterator::reset(IccRecordIndex *index, IccFile::SearchCriterion search) {
    this->index = index;
    position(started, search, "reset");
}

const IccBuf &IccFileIterator::read(bool isNext, IccFile::ReadMode mode, unsigned long *updateToken, const char *method) {
    IccCommand command(isNext ? C_READNEXT : C_READPREV);
    unsigned long token = 0;
    /* The whole key of the record comes back, of a generic one too. */
    unsigned short length = index->type() == IccRecordIndex::key ? static_cast<IccKey *>(index)->completeLength() : index->length();
    command.name(O_FILE, file->name()).number(O_REQID, browse).area(O_RIDFLD, index->field(), length);
    command.name(O_SYSID, file->routeOption().name()).number(O_SET).number(O_LENGTH);
    add_kind(command, *index);
    if (mode == IccFile::update) command.flag(O_UPDATE).area(O_TOKEN, updateToken == 0 ? &token : updateToken, sizeof token);
    if (issue(command, method))
        record.assign((unsigned long)command.result(O_LENGTH), (const void *)(unsigned long)command.result(O_SET));
    return record;
}
const IccBuf &IccFileIterator::readNextRecord(IccFile::ReadMode mode, unsigned long *updateToken) {
    return read(true, mode, updateToken, "readNextRecord");
}
const IccBuf &IccFileIterator::readPreviousRecord(IccFile::ReadMode mode, unsigned long *updateToken) {
    return read(false, mode, updateToken, "readPreviousRecord");
}
