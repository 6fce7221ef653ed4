#ifndef ICCSYSEH
#define ICCSYSEH
#include "iccclkeh.hpp"
#include "iccfileh.hpp"
class IccSystem : public IccResource {
public:
    enum ResourceType {
        autoInstallModel, connection, dataQueue, exitProgram, externalDataSet, file, journal, modename, partner, profile, program, requestId,
        systemDumpCode, tempStore, terminal, transactionDumpCode, transaction, transactionClass
    };
    enum { below = 1, userDataKey = 2, CICSDataKey = 4, noSuspend = 8, shared = 16 };
    static IccSystem *instance();
    const char *applName();
    void beginBrowse(ResourceType resource, const IccResourceId *resId = 0);
    void beginBrowse(ResourceType resource, const char *resName);
    const char *dateFormat();
    void endBrowse(ResourceType resource);
    void freeStorage(void *pStorage);
    IccFile *getFile(const IccFileId &id);
    IccFile *getFile(const char *fileName);
    IccFile *getNextFile();
    void *getStorage(unsigned long size, char initByte = -1, unsigned long storageOpts = 0);
    char operatingSystem();
    unsigned short operatingSystemLevel();
    unsigned long release();
    const char *releaseText();
    IccSysId &sysId();
    const IccBuf &workArea();
private:
    enum { TEXT_MAX = 8 };
    IccSystem();
    char appl[TEXT_MAX + 1], format[TEXT_MAX + 1], text[TEXT_MAX + 1];
    IccSysId system;
    IccBuf area;
    void browse(int command, ResourceType resource, const char *name, const char *method);
};
#endif
