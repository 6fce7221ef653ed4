#ifndef ICCPRGEH
#define ICCPRGEH
#include "iccreseh.hpp"
class IccProgram : public IccResource {
public:
    enum CommitOpt { noCommitOnReturn, commitOnReturn };
    enum LoadOpt { releaseAtTaskEnd, hold };
    IccProgram(const IccProgramId &id);
    IccProgram(const char *progName);
    const void *address() const { return place; }
    virtual void clear();
    const void *entryPoint() const { return entry; }
    unsigned long length() const { return bytes; }
    void link(const IccBuf *commArea = 0, const IccTransId *transId = 0, CommitOpt opt = noCommitOnReturn);
    void load(LoadOpt opt = releaseAtTaskEnd);
    void registerInputMessage(const IccBuf &msg) { input = &msg; }
    void setInputMessage(const IccBuf &msg) { ownInput = msg; input = &ownInput; }
    void unload();
private:
    const void *place, *entry;
    unsigned long bytes;
    const IccBuf *input;
    IccBuf ownInput;
};
#endif
