#ifndef ICCDATEH
#define ICCDATEH
#include "iccreseh.hpp"
class IccDataQueue : public IccResource {
public:
    IccDataQueue(const IccDataQueueId &id);
    IccDataQueue(const char *queueName);
    virtual void clear();
    void empty();
    virtual const IccBuf &get();
    virtual void put(const IccBuf &buffer);
    const IccBuf &readItem();
    void writeItem(const IccBuf &item);
    void writeItem(const char *text);
private:
    IccBuf item;
};
#endif
