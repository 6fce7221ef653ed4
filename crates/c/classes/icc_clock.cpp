#include "icccommand.hpp"
#include "iccclkeh.hpp"
#include "iccsemeh.hpp"
#include "iccusreh.hpp"
#include <string.h>

enum { SECONDS_OF_HOUR = 3600, SECONDS_OF_MINUTE = 60, MILLISECONDS_OF_SECOND = 1000, HOURS_MAX = 99, PARTS_MAX = 59 };

IccTime::IccTime(Type type, unsigned long hours, unsigned long minutes, unsigned long seconds)
    : IccBase(cTime), ofHours(hours), ofMinutes(minutes), ofSeconds(seconds), kind(type) {}
void IccTime::setParts(unsigned long hours, unsigned long minutes, unsigned long seconds) {
    ofHours = hours;
    ofMinutes = minutes;
    ofSeconds = seconds;
}
unsigned long IccTime::timeInSeconds() { return ofHours * SECONDS_OF_HOUR + ofMinutes * SECONDS_OF_MINUTE + ofSeconds; }
unsigned long IccTime::timeInMinutes() { return timeInSeconds() / SECONDS_OF_MINUTE; }
unsigned long IccTime::timeInHours() { return timeInSeconds() / SECONDS_OF_HOUR; }

/* --- absolute time --- */

IccAbsTime::IccAbsTime(const char *absTime) : IccTime(absTime == 0 ? IccTime::absTime : IccTime::absTime) { memcpy(packed, absTime, sizeof packed); }
IccAbsTime::IccAbsTime(const IccAbsTime &time) : IccTime(IccTime::absTime) { memcpy(packed, time.packed, sizeof packed); }
IccAbsTime &IccAbsTime::operator=(const IccAbsTime &time) {
    memcpy(packed, time.packed, sizeof packed);
    return *this;
}

long double IccAbsTime::milliSeconds() { return regent_packed(packed, sizeof packed); }

unsigned long IccAbsTime::part(int option) const {
    IccCommand command(C_FORMATTIME);
    command.number(O_ABSTIME, regent_packed(packed, sizeof packed)).number((RegentOption)option).run(true);
    return (unsigned long)command.result((RegentOption)option);
}

unsigned long IccAbsTime::dayOfMonth() { return part(O_DAYOFMONTH); }
IccClock::DayOfWeek IccAbsTime::dayOfWeek() { return (IccClock::DayOfWeek)part(O_DAYOFWEEK); }
unsigned long IccAbsTime::daysSince1900() { return part(O_DAYCOUNT); }
IccClock::MonthOfYear IccAbsTime::monthOfYear() { return (IccClock::MonthOfYear)part(O_MONTHOFYEAR); }
unsigned long IccAbsTime::year() { return part(O_YEAR); }

/* Since midnight. */
static unsigned long seconds_of_day(const char *packed, unsigned bytes) {
    char digits[6];
    IccCommand command(C_FORMATTIME);
    command.number(O_ABSTIME, regent_packed(packed, bytes)).area(O_TIME, digits, sizeof digits).run(true);
    unsigned long parts[3];
    for (unsigned at = 0; at < 3; at++) parts[at] = (digits[2 * at] - '0') * 10 + (digits[2 * at + 1] - '0');
    return parts[0] * SECONDS_OF_HOUR + parts[1] * SECONDS_OF_MINUTE + parts[2];
}

unsigned long IccAbsTime::hours() const { return seconds_of_day(packed, sizeof packed) / SECONDS_OF_HOUR; }
unsigned long IccAbsTime::minutes() const { return seconds_of_day(packed, sizeof packed) / SECONDS_OF_MINUTE % 60; }
unsigned long IccAbsTime::seconds() const { return seconds_of_day(packed, sizeof packed) % 60; }
/* Since the beginning of 1900. */
unsigned long IccAbsTime::timeInSeconds() { return (unsigned long)(regent_packed(packed, sizeof packed) / MILLISECONDS_OF_SECOND); }
unsigned long IccAbsTime::timeInMinutes() {
    return (unsigned long)(regent_packed(packed, sizeof packed) / MILLISECONDS_OF_SECOND / SECONDS_OF_MINUTE);
}
unsigned long IccAbsTime::timeInHours() {
    return (unsigned long)(regent_packed(packed, sizeof packed) / MILLISECONDS_OF_SECOND / SECONDS_OF_HOUR);
}

/* In the order of IccClock::DateFormat, with the length without separators and how many of these there are. */
static const struct { RegentOption option; unsigned length, separators; } formats[] = {
    { O_DATE, 6, 2 }, { O_DDMMYY, 6, 2 }, { O_MMDDYY, 6, 2 }, { O_YYDDD, 5, 1 }, { O_YYDDMM, 6, 2 }, { O_YYMMDD, 6, 2 }, { O_DDMMYYYY, 8, 2 },
    { O_MMDDYYYY, 8, 2 }, { O_YYYYDDD, 7, 1 }, { O_YYYYDDMM, 8, 2 }, { O_YYYYMMDD, 8, 2 }
};

const char *IccAbsTime::date(IccClock::DateFormat format, char dateSeparator) {
    IccCommand command(C_FORMATTIME);
    memset(dateText, 0, sizeof dateText);
    unsigned length = formats[format].length + (dateSeparator == '\0' ? 0 : formats[format].separators);
    command.number(O_ABSTIME, regent_packed(packed, sizeof packed)).area(formats[format].option, dateText, length);
    if (dateSeparator != '\0') command.area(O_DATESEP, &dateSeparator, 1);
    command.run(true);
    return dateText;
}

const char *IccAbsTime::time(char timeSeparator) {
    IccCommand command(C_FORMATTIME);
    memset(timeText, 0, sizeof timeText);
    command.number(O_ABSTIME, regent_packed(packed, sizeof packed)).area(O_TIME, timeText, timeSeparator == '\0' ? 6 : 8);
    if (timeSeparator != '\0') command.area(O_TIMESEP, &timeSeparator, 1);
    command.run(true);
    return timeText;
}

/* --- clock --- */

IccClock::IccClock(UpdateMode update) : IccResource(cClock), mode(update), now(0) { this->update(); }
IccClock::~IccClock() { delete now; }

void IccClock::update() {
    IccCommand command(C_ASKTIME);
    command.number(O_ABSTIME);
    issue(command, "update");
    char packed[8];
    regent_set_packed(packed, sizeof packed, command.result(O_ABSTIME));
    IccAbsTime time(packed);
    if (now == 0) now = new IccAbsTime(time);
    else *now = time;
}

IccAbsTime &IccClock::current() {
    if (mode == automatic) update();
    return *now;
}

IccAbsTime &IccClock::absTime() { return current(); }
const char *IccClock::date(DateFormat format, char dateSeparator) { return current().date(format, dateSeparator); }
unsigned long IccClock::dayOfMonth() { return current().dayOfMonth(); }
IccClock::DayOfWeek IccClock::dayOfWeek() { return current().dayOfWeek(); }
unsigned long IccClock::daysSince1900() { return current().daysSince1900(); }
long double IccClock::milliSeconds() { return current().milliSeconds(); }
IccClock::MonthOfYear IccClock::monthOfYear() { return current().monthOfYear(); }
const char *IccClock::time(char timeSeparator) { return current().time(timeSeparator); }
unsigned long IccClock::year() { return current().year(); }

void icc_add_time(IccCommand &command, const IccTime &time) {
    bool isInterval = time.type() == IccTime::timeInterval;
    command.flag(isInterval ? O_AFTER : O_AT).number(O_HOURS, time.hours()).number(O_MINUTES, time.minutes()).number(O_SECONDS, time.seconds());
}

const IccAlarmRequestId &IccClock::setAlarm(const IccTime &time, const IccRequestId *reqId) {
    IccCommand command(C_POST);
    icc_add_time(command, time);
    command.number(O_SET).name(O_REQID, reqId == 0 ? 0 : reqId->name());
    alarm = reqId == 0 ? "" : reqId->name();
    alarm.setTimerECA(0);
    if (issue(command, "setAlarm")) alarm.setTimerECA((const void *)(unsigned long)command.result(O_SET));
    return alarm;
}

void IccClock::cancelAlarm(const IccRequestId *reqId) {
    IccCommand command(C_CANCEL);
    command.name(O_REQID, reqId == 0 ? 0 : reqId->name());
    issue(command, "cancelAlarm");
}

/* --- semaphore --- */

IccSemaphore::IccSemaphore(const char *resource, LockType type, LifeTime life)
    : IccResource(cSemaphore, type == byValue && strlen(resource) <= 8 ? new IccLockId(resource) : 0), life(life), kind(type), resource(resource) {}
IccSemaphore::IccSemaphore(const IccLockId &id, LifeTime life)
    : IccResource(cSemaphore, new IccLockId(id)), life(life), kind(byValue), resource(name()) {}

/* By value, the characters are the resource; by address, the place where they stand. */
void IccSemaphore::add(IccCommand &command) {
    command.area(O_RESOURCE, resource, strlen(resource));
    if (kind == byValue) command.number(O_LENGTH, strlen(resource));
    command.flag(life == UOW ? O_UOW : O_TASK);
}

void IccSemaphore::lock() {
    IccCommand command(C_ENQ);
    add(command);
    issue(command, "lock");
}

Icc::Bool IccSemaphore::tryLock() {
    IccCommand command(C_ENQ);
    add(command);
    command.flag(O_NOSUSPEND);
    return issue(command, "tryLock") ? Icc::yes : Icc::no;
}

void IccSemaphore::unlock() {
    IccCommand command(C_DEQ);
    add(command);
    issue(command, "unlock");
}

/* --- user --- */

/* The beginning of 1900: no time is known. */
static const char unknown[] = { 0, 0, 0, 0, 0, 0, 0, 0x0C };

IccUser::IccUser(const IccUserId &id, const IccGroupId *gid)
    : IccResource(cUser, new IccUserId(id)), group(gid == 0 ? "" : gid->name()), days(0), reason(0), response(0), attempts(0), changed(unknown),
      used(unknown), expires(unknown) {
    national[0] = '\0';
}

IccUser::IccUser(const char *userName, const char *groupName)
    : IccResource(cUser, new IccUserId(userName)), group(groupName == 0 ? "" : groupName), days(0), reason(0), response(0), attempts(0),
      changed(unknown), used(unknown), expires(unknown) {
    national[0] = '\0';
}

void IccUser::setLanguage(const char *language) {
    if (strlen(language) > LANGUAGE_LENGTH) refuse("setLanguage", IccException::invalidArgument, "a language has 3 letters");
    strcpy(national, language);
}

/* What the security manager says of the user. */
void IccUser::ask(IccCommand &command) {
    command.number(O_ESMRESP).number(O_ESMREASON).number(O_CHANGETIME).number(O_LASTUSETIME).number(O_EXPIRYTIME).number(O_DAYSLEFT);
    command.number(O_INVALIDCOUNT);
}

static void take(IccAbsTime &time, const IccCommand &command, RegentOption option) {
    char packed[sizeof unknown];
    if (!command.has(option)) return;
    regent_set_packed(packed, sizeof packed, command.result(option));
    time = IccAbsTime(packed);
}

void IccUser::note(const IccCommand &command) {
    response = (unsigned long)command.result(O_ESMRESP);
    reason = (unsigned long)command.result(O_ESMREASON);
    days = (unsigned short)command.result(O_DAYSLEFT);
    attempts = (unsigned long)command.result(O_INVALIDCOUNT);
    take(changed, command, O_CHANGETIME);
    take(used, command, O_LASTUSETIME);
    take(expires, command, O_EXPIRYTIME);
}

void IccUser::verifyPassword(const char *password) {
    IccCommand command(C_VERIFY_PASSWORD);
    command.name(O_PASSWORD, password).name(O_USERID, name()).name(O_GROUPID, group.name());
    ask(command);
    issue(command, "verifyPassword");
    note(command);
}

void IccUser::changePassword(const char *password, const char *newPassword) {
    IccCommand command(C_CHANGE_PASSWORD);
    command.name(O_PASSWORD, password).name(O_NEWPASSWORD, newPassword).name(O_USERID, name());
    ask(command);
    issue(command, "changePassword");
    note(command);
}
