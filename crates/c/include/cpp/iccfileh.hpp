#ifndef ICCFILEH
#define ICCFILEH
#include "iccreceh.hpp"
#include "iccreseh.hpp"
class IccFile : public IccResource {
public:
    enum Access {
        readable = 1, notReadable = 2, browsable = 4, notBrowsable = 8, addable = 16, notAddable = 32, updatable = 64, notUpdatable = 128,
        deletable = 256, notDeletable = 512, fullAccess = readable + browsable + addable + updatable + deletable,
        noAccess = notReadable + notBrowsable + notAddable + notUpdatable + notDeletable
    };
    enum ReadMode { normal, update };
    enum SearchCriterion { equalToKey, gteqToKey };
    enum Status { open, closed, enabled, disabled };
    IccFile(const IccFileId &id, IccRecordIndex *index = 0);
    IccFile(const char *fileName, IccRecordIndex *index = 0);
    unsigned long access(Icc::GetOpt opt = Icc::object);
    IccValue::CVDA accessMethod(Icc::GetOpt opt = Icc::object);
    void beginInsert() { inserting = true; }
    void deleteLockedRecord(unsigned long updateToken = 0);
    unsigned short deleteRecord();
    unsigned short deleteRecordGroup();
    IccValue::CVDA enableStatus(Icc::GetOpt opt = Icc::object);
    void endInsert();
    Icc::Bool isAddable(Icc::GetOpt opt = Icc::object) { return inquired(opt).add == IccValue::ADDABLE ? Icc::yes : Icc::no; }
    Icc::Bool isBrowsable(Icc::GetOpt opt = Icc::object) { return inquired(opt).browse == IccValue::BROWSABLE ? Icc::yes : Icc::no; }
    Icc::Bool isDeletable(Icc::GetOpt opt = Icc::object) { return inquired(opt).erase == IccValue::DELETABLE ? Icc::yes : Icc::no; }
    Icc::Bool isEmptyOnOpen(Icc::GetOpt opt = Icc::object) { return inquired(opt).empty == IccValue::EMPTYREQ ? Icc::yes : Icc::no; }
    Icc::Bool isReadable(Icc::GetOpt opt = Icc::object) { return inquired(opt).read == IccValue::READABLE ? Icc::yes : Icc::no; }
    Icc::Bool isRecoverable(Icc::GetOpt opt = Icc::object) { return inquired(opt).recovery == IccValue::RECOVERABLE ? Icc::yes : Icc::no; }
    Icc::Bool isUpdatable(Icc::GetOpt opt = Icc::object) { return inquired(opt).change == IccValue::UPDATABLE ? Icc::yes : Icc::no; }
    unsigned long keyLength(Icc::GetOpt opt = Icc::object) { return inquired(opt).keyLength; }
    unsigned long keyPosition(Icc::GetOpt opt = Icc::object) { return inquired(opt).keyPosition; }
    IccValue::CVDA openStatus(Icc::GetOpt opt = Icc::object) { return (IccValue::CVDA)inquired(opt).openStatus; }
    const IccBuf &readRecord(ReadMode mode = normal, unsigned long *updateToken = 0);
    IccValue::CVDA recordFormat(Icc::GetOpt opt = Icc::object) { return (IccValue::CVDA)inquired(opt).format; }
    IccRecordIndex *recordIndex() const { return index; }
    unsigned long recordLength(Icc::GetOpt opt = Icc::object) { return inquired(opt).recordLength; }
    void registerRecordIndex(IccRecordIndex *index) { this->index = index; }
    void rewriteRecord(const IccBuf &buffer, unsigned long updateToken = 0);
    void setAccess(unsigned long access);
    void setEmptyOnOpen(Icc::Bool trueFalse);
    void setStatus(Status status);
    IccValue::CVDA type(Icc::GetOpt opt = Icc::object) { return (IccValue::CVDA)inquired(opt).type; }
    void unlockRecord(unsigned long updateToken = 0);
    void writeRecord(const IccBuf &buffer);
private:
    friend class IccFileIterator;
    struct Attributes {
        long long add, browse, erase, empty, read, recovery, change, keyLength, keyPosition, openStatus, format, recordLength, type, method, enableStatus;
    };
    IccRecordIndex *index;
    IccBuf record;
    bool inserting, known;
    Attributes attributes;
    const Attributes &inquired(Icc::GetOpt opt);
    IccRecordIndex &needIndex(const char *method);
    void addIndex(IccCommand &command, const char *method);
    void setting(IccCommand &command, const char *method);
    unsigned short remove(bool isGeneric, const char *method);
};
#endif
