#ifndef ICCEXCEH
#define ICCEXCEH
#include "iccmsgeh.hpp"
class IccException : public IccBase {
public:
    enum Type { objectCreationError, invalidArgument, invalidMethodCall, CICSCondition, platformError, familyConformanceError, internalError };
    IccException(Type exceptionType, IccBase::ClassType classType, const char *className, const char *methodName, IccMessage *message,
                 IccBase *object = 0, unsigned short exceptionNum = 0);
    IccException(const IccException &exception);
    IccException &operator=(const IccException &exception);
    virtual ~IccException();
    const char *className() const { return ofClass; }
    IccBase::ClassType classType() const { return ofType; }
    IccMessage *message() const { return about; }
    const char *methodName() const { return ofMethod; }
    unsigned short number() const { return exceptionNumber; }
    const char *summary();
    Type type() const { return exceptionType; }
    const char *typeText() const;
private:
    Type exceptionType;
    IccBase::ClassType ofType;
    const char *ofClass, *ofMethod;
    IccMessage *about;
    IccBase *object;
    unsigned short exceptionNumber;
    char *whole;
};
#endif
