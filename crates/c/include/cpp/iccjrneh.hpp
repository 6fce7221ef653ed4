#ifndef ICCJRNEH
#define ICCJRNEH
#include "iccreseh.hpp"
class IccJournal : public IccResource {
public:
    enum Options { startIO = 1, noSuspend = 2, synchronous = 4 };
    IccJournal(const IccJournalId &id, unsigned long options = 0);
    IccJournal(unsigned short journalNum, unsigned long options = 0);
    void clearPrefix() { prefix = 0; }
    const IccJournalTypeId &journalTypeId() const { return kind; }
    virtual void put(const IccBuf &buffer);
    void registerPrefix(const IccBuf *prefix) { this->prefix = prefix; }
    void setJournalTypeId(const IccJournalTypeId &id) { kind = id; }
    void setJournalTypeId(const char *jtypeid) { kind = jtypeid; }
    void setPrefix(const IccBuf &prefix) { ownPrefix = prefix; this->prefix = &ownPrefix; }
    void setPrefix(const char *prefix) { ownPrefix = prefix; this->prefix = &ownPrefix; }
    void wait(const IccRequestId *reqId = 0, unsigned long option = 0);
    const IccRequestId &writeRecord(const IccBuf &record, const IccRequestId *reqId = 0);
    const IccRequestId &writeRecord(const char *record, const IccRequestId *reqId = 0);
private:
    unsigned long options;
    IccJournalTypeId kind;
    IccBuf ownPrefix;
    const IccBuf *prefix;
    IccRequestId request;
};
#endif
