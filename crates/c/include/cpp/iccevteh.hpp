#ifndef ICCEVTEH
#define ICCEVTEH
#include "iccreseh.hpp"
class IccEvent : public IccBase {
public:
    IccEvent(const IccResource *object, const char *methodName);
    virtual ~IccEvent();
    const char *className() const;
    IccBase::ClassType classType() const;
    IccCondition::Codes condition(IccResource::ConditionType type = IccResource::majorCode) const;
    const char *conditionText() const;
    const char *methodName() const { return method; }
    const char *summary();
private:
    const IccResource *object;
    const char *method;
    char *whole;
};
#endif
