#ifndef ICCTMPEH
#define ICCTMPEH
#include "iccreseh.hpp"
class IccTempStore : public IccResource {
public:
    enum Location { auxStorage, memory };
    enum NoSpaceOpt { suspend, returnCondition };
    IccTempStore(const IccTempStoreId &id, Location loc = auxStorage);
    IccTempStore(const char *storeName, Location loc = auxStorage);
    virtual void clear();
    void empty();
    virtual const IccBuf &get();
    unsigned short numberOfItems();
    virtual void put(const IccBuf &buffer);
    const IccBuf &readItem(unsigned short itemNum);
    const IccBuf &readNextItem();
    void rewriteItem(unsigned short itemNum, const IccBuf &item, NoSpaceOpt opt = suspend);
    unsigned short writeItem(const IccBuf &item, NoSpaceOpt opt = suspend);
    unsigned short writeItem(const char *text, NoSpaceOpt opt = suspend);
private:
    Location location;
    unsigned short items;
    IccBuf item;
    const IccBuf &read(unsigned short number, const char *method);
    unsigned short write(unsigned short number, const IccBuf &item, NoSpaceOpt opt, const char *method);
};
#endif
