#ifndef ICCFLIEH
#define ICCFLIEH
#include "iccfileh.hpp"
class IccFileIterator : public IccResource {
public:
    IccFileIterator(IccFile *file, IccRecordIndex *index, IccFile::SearchCriterion search = IccFile::gteqToKey);
    virtual ~IccFileIterator();
    const IccBuf &readNextRecord(IccFile::ReadMode mode = IccFile::normal, unsigned long *updateToken = 0);
    const IccBuf &readPreviousRecord(IccFile::ReadMode mode = IccFile::normal, unsigned long *updateToken = 0);
    void reset(IccRecordIndex *index, IccFile::SearchCriterion search = IccFile::gteqToKey);
private:
    IccFile *file;
    IccRecordIndex *index;
    IccBuf record;
    unsigned short browse;
    bool started;
    void position(bool isReset, IccFile::SearchCriterion search, const char *method);
    const IccBuf &read(bool isNext, IccFile::ReadMode mode, unsigned long *updateToken, const char *method);
};
#endif
