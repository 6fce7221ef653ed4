#include "icccommand.hpp"
#include "iccevteh.hpp"
#include "iccreseh.hpp"
#include "icctskeh.hpp"
#include <stdio.h>
#include <string.h>

/* "Severe error handling (abendTask)". */
static const char ABEND_OF_CONDITION[] = "ACL3";
/* In the order of IccResource::ActionOnCondition. */
static const char letters[] = "0HXA";

IccResource::IccResource(IccBase::ClassType type) : IccBase(type), resource(0), system(""), edf(Icc::isEDFOn()), major(0), minor(0) {
    memset(actions, noAction, sizeof actions);
}

IccResource::IccResource(IccBase::ClassType type, IccResourceId *id)
    : IccBase(type), resource(id), system(""), edf(Icc::isEDFOn()), major(0), minor(0) {
    memset(actions, noAction, sizeof actions);
}

IccResource::~IccResource() { delete resource; }

IccResource::ActionOnCondition IccResource::actionOnCondition(IccCondition::Codes condition) const {
    return (unsigned)condition > IccCondition::maxValue ? noAction : (ActionOnCondition)actions[condition];
}

char IccResource::actionOnConditionAsChar(IccCondition::Codes condition) const { return letters[actionOnCondition(condition)]; }

const char *IccResource::actionsOnConditionsText() {
    for (unsigned at = 0; at <= IccCondition::maxValue; at++) text[at] = letters[actions[at]];
    text[IccCondition::maxValue + 1] = '\0';
    return text;
}

void IccResource::setActionOnAnyCondition(ActionOnCondition action) {
    memset(actions, action, sizeof actions);
    actions[IccCondition::NORMAL] = noAction;
}

void IccResource::setActionOnCondition(ActionOnCondition action, IccCondition::Codes condition) {
    if ((unsigned)condition <= IccCondition::maxValue) actions[condition] = action;
}

void IccResource::setActionsOnConditions(const char *text) {
    if (text == 0) {
        memset(actions, noAction, sizeof actions);
        return;
    }
    for (unsigned at = 0; at <= IccCondition::maxValue && text[at] != '\0'; at++) {
        const char *letter = strchr(letters, text[at]);
        if (letter == 0) refuse("setActionsOnConditions", IccException::invalidArgument, "an action is one of 0, H, X and A");
        actions[at] = letter - letters;
    }
}

IccResource::HandleEventReturnOpt IccResource::handleEvent(IccEvent &) { return rContinue; }
void IccResource::clear() { refuse("clear", IccException::invalidMethodCall, "this class has no such method"); }
void IccResource::put(const IccBuf &) { refuse("put", IccException::invalidMethodCall, "this class has no such method"); }
const IccBuf &IccResource::get() {
    refuse("get", IccException::invalidMethodCall, "this class has no such method");
    return *(const IccBuf *)0;
}

void IccResource::refuse(const char *methodName, IccException::Type type, const char *text) const {
    IccResource *self = const_cast<IccResource *>(this);
    throw IccException(type, classType(), self->className(), methodName, new IccMessage(0, text, self->className(), methodName), self, 0);
}

bool IccResource::issue(IccCommand &command, const char *methodName) const {
    major = command.run(edf == Icc::yes);
    minor = command.resp2;
    if (major == IccCondition::NORMAL) return true;
    IccResource *self = const_cast<IccResource *>(this);
    ActionOnCondition action = actionOnCondition((IccCondition::Codes)major);
    if (action == callHandleEvent) {
        IccEvent event(this, methodName);
        HandleEventReturnOpt next = self->handleEvent(event);
        action = next == rThrowException ? throwException : next == rAbendTask ? abendTask : noAction;
    }
    if (action == throwException) {
        char text[64];
        snprintf(text, sizeof text, "CICS returned the '%s' condition", conditionText());
        throw IccException(IccException::CICSCondition, classType(), self->className(), methodName,
                           new IccMessage((unsigned short)major, text, self->className(), methodName), self, (unsigned short)major);
    }
    if (action == abendTask) IccTask::instance()->abend(ABEND_OF_CONDITION);
    return false;
}

bool IccResource::issueRouted(IccCommand &command, const char *methodName) const {
    command.name(O_SYSID, system.name());
    return issue(command, methodName);
}
