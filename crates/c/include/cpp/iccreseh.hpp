#ifndef ICCRESEH
#define ICCRESEH
#include "iccbufeh.hpp"
#include "iccexceh.hpp"
#include "iccrideh.hpp"
class IccEvent;
class IccCommand;
class IccResource : public IccBase {
public:
    enum ActionOnCondition { noAction, callHandleEvent, throwException, abendTask };
    enum HandleEventReturnOpt { rContinue, rThrowException, rAbendTask };
    enum ConditionType { majorCode, minorCode };
    virtual ~IccResource();
    ActionOnCondition actionOnCondition(IccCondition::Codes condition) const;
    char actionOnConditionAsChar(IccCondition::Codes condition) const;
    const char *actionsOnConditionsText();
    virtual void clear();
    unsigned long condition(ConditionType type = majorCode) const { return type == majorCode ? major : minor; }
    const char *conditionText() const { return Icc::conditionText((IccCondition::Codes)major); }
    virtual const IccBuf &get();
    virtual HandleEventReturnOpt handleEvent(IccEvent &event);
    const IccResourceId *id() const { return resource; }
    Icc::Bool isEDFOn() const { return edf; }
    Icc::Bool isRouteOptionOn() const { return system.name()[0] == '\0' ? Icc::no : Icc::yes; }
    const char *name() const { return resource == 0 ? 0 : resource->name(); }
    virtual void put(const IccBuf &buffer);
    const IccSysId &routeOption() const { return system; }
    void setActionOnAnyCondition(ActionOnCondition action);
    void setActionOnCondition(ActionOnCondition action, IccCondition::Codes condition);
    void setActionsOnConditions(const char *actions = 0);
    void setEDF(Icc::Bool onOff) { edf = onOff; }
    void setRouteOption(const IccSysId &sysId) { system = sysId; }
    void setRouteOption(const char *sysName = 0) { system = sysName == 0 ? "" : sysName; }
protected:
    IccResource(IccBase::ClassType type);
    IccResource(IccBase::ClassType type, IccResourceId *id);
    /* Issues a command; a condition has its action. True: the command was normal. */
    bool issue(IccCommand &command, const char *methodName) const;
    /* The same for a command that has the option SYSID. */
    bool issueRouted(IccCommand &command, const char *methodName) const;
    void refuse(const char *methodName, IccException::Type type, const char *text) const;
private:
    IccResource(const IccResource &);
    IccResource &operator=(const IccResource &);
    IccResourceId *resource;
    IccSysId system;
    Icc::Bool edf;
    mutable unsigned long major, minor;
    unsigned char actions[IccCondition::maxValue + 1];
    char text[IccCondition::maxValue + 2];
};
#endif
