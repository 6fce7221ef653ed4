#include "iccevteh.hpp"
#include "iccexceh.hpp"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the order of IccException::Type. */
static const char *const types[] = {
    "objectCreationError", "invalidArgument", "invalidMethodCall", "CICSCondition", "platformError", "familyConformanceError", "internalError"
};

static char *copied(const char *text) { return text == 0 ? 0 : strdup(text); }

static char *formatted(char *before, const char *format, const char *a, const char *b, const char *c, const char *d) {
    free(before);
    unsigned room = strlen(format) + strlen(a) + strlen(b) + strlen(c) + strlen(d) + 1;
    char *text = (char *)malloc(room);
    if (text == 0) throw std::bad_alloc();
    snprintf(text, room, format, a, b, c, d);
    return text;
}

void IccMessage::copy(const IccMessage &message) {
    messageNumber = message.messageNumber;
    messageText = copied(message.messageText);
    ofClass = copied(message.ofClass);
    ofMethod = copied(message.ofMethod);
    whole = 0;
}

void IccMessage::clear() {
    free(messageText);
    free(ofClass);
    free(ofMethod);
    free(whole);
}

IccMessage::IccMessage(unsigned short number, const char *text, const char *className, const char *methodName)
    : IccBase(cMessage), messageNumber(number), messageText(copied(text)), ofClass(copied(className)), ofMethod(copied(methodName)), whole(0) {}
IccMessage::IccMessage(const IccMessage &message) : IccBase(cMessage) { copy(message); }
IccMessage::~IccMessage() { clear(); }
IccMessage &IccMessage::operator=(const IccMessage &message) {
    if (&message != this) {
        clear();
        copy(message);
    }
    return *this;
}

const char *IccMessage::summary() {
    char digits[6];
    sprintf(digits, "%03u", (unsigned)messageNumber);
    return whole = formatted(whole, ofClass == 0 ? "%s%s%s %s" : "%s %s::%s %s", digits, ofClass == 0 ? "" : ofClass,
                             ofMethod == 0 ? "" : ofMethod, messageText == 0 ? "" : messageText);
}

IccException::IccException(Type exceptionType, IccBase::ClassType classType, const char *className, const char *methodName, IccMessage *message,
                           IccBase *object, unsigned short exceptionNum)
    : IccBase(cException), exceptionType(exceptionType), ofType(classType), ofClass(className), ofMethod(methodName), about(message),
      object(object), exceptionNumber(exceptionNum), whole(0) {}

IccException::IccException(const IccException &exception)
    : IccBase(cException), exceptionType(exception.exceptionType), ofType(exception.ofType), ofClass(exception.ofClass),
      ofMethod(exception.ofMethod), about(exception.about == 0 ? 0 : new IccMessage(*exception.about)), object(exception.object),
      exceptionNumber(exception.exceptionNumber), whole(0) {}

IccException &IccException::operator=(const IccException &exception) {
    if (&exception == this) return *this;
    this->~IccException();
    return *new (this) IccException(exception);
}

IccException::~IccException() {
    delete about;
    free(whole);
}

const char *IccException::typeText() const { return types[exceptionType]; }

const char *IccException::summary() {
    char digits[6];
    sprintf(digits, "%03u", (unsigned)exceptionNumber);
    char *place = formatted(0, "%s %s::%s type=%s", digits, ofClass == 0 ? "" : ofClass, ofMethod == 0 ? "" : ofMethod, typeText());
    whole = formatted(whole, "%s %s%s%s", place, about == 0 ? "" : about->text(), "", "");
    free(place);
    return whole;
}

IccEvent::IccEvent(const IccResource *object, const char *methodName) : IccBase(cEvent), object(object), method(methodName), whole(0) {}
IccEvent::~IccEvent() { free(whole); }
const char *IccEvent::className() const { return const_cast<IccResource *>(object)->className(); }
IccBase::ClassType IccEvent::classType() const { return object->classType(); }
IccCondition::Codes IccEvent::condition(IccResource::ConditionType type) const { return (IccCondition::Codes)object->condition(type); }
const char *IccEvent::conditionText() const { return object->conditionText(); }

const char *IccEvent::summary() {
    char digits[12];
    sprintf(digits, "%lu", object->condition(IccResource::minorCode));
    return whole = formatted(whole, "CICS event summary: %s::%s condition=%s minor=%s", className(), method, conditionText(), digits);
}
