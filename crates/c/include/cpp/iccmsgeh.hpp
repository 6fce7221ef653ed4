#ifndef ICCMSGEH
#define ICCMSGEH
#include "iccbaseh.hpp"
class IccMessage : public IccBase {
public:
    IccMessage(unsigned short number, const char *text, const char *className = 0, const char *methodName = 0);
    IccMessage(const IccMessage &message);
    virtual ~IccMessage();
    IccMessage &operator=(const IccMessage &message);
    const char *className() const { return ofClass; }
    const char *methodName() const { return ofMethod; }
    unsigned short number() const { return messageNumber; }
    const char *summary();
    const char *text() const { return messageText; }
private:
    unsigned short messageNumber;
    char *messageText, *ofClass, *ofMethod, *whole;
    void copy(const IccMessage &message);
    void clear();
};
#endif
