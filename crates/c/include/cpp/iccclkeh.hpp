#ifndef ICCCLKEH
#define ICCCLKEH
#include "iccreseh.hpp"
#include "icctimeh.hpp"
class IccAbsTime;
class IccClock : public IccResource {
public:
    enum DateFormat { defaultFormat, DDMMYY, MMDDYY, YYDDD, YYDDMM, YYMMDD, DDMMYYYY, MMDDYYYY, YYYYDDD, YYYYDDMM, YYYYMMDD };
    enum DayOfWeek { sunday, monday, tuesday, wednesday, thursday, friday, saturday };
    enum MonthOfYear { january = 1, february, march, april, may, june, july, august, september, october, november, december };
    enum UpdateMode { manual, automatic };
    IccClock(UpdateMode update = manual);
    virtual ~IccClock();
    IccAbsTime &absTime();
    void cancelAlarm(const IccRequestId *reqId = 0);
    const char *date(DateFormat format = defaultFormat, char dateSeparator = '\0');
    unsigned long dayOfMonth();
    DayOfWeek dayOfWeek();
    unsigned long daysSince1900();
    long double milliSeconds();
    MonthOfYear monthOfYear();
    const IccAlarmRequestId &setAlarm(const IccTime &time, const IccRequestId *reqId = 0);
    const char *time(char timeSeparator = '\0');
    void update();
    unsigned long year();
private:
    UpdateMode mode;
    IccAbsTime *now;
    IccAlarmRequestId alarm;
    IccAbsTime &current();
};
class IccAbsTime : public IccTime {
public:
    IccAbsTime(const char *absTime);
    IccAbsTime(const IccAbsTime &time);
    IccAbsTime &operator=(const IccAbsTime &time);
    const char *date(IccClock::DateFormat format = IccClock::defaultFormat, char dateSeparator = '\0');
    unsigned long dayOfMonth();
    IccClock::DayOfWeek dayOfWeek();
    unsigned long daysSince1900();
    virtual unsigned long hours() const;
    long double milliSeconds();
    virtual unsigned long minutes() const;
    IccClock::MonthOfYear monthOfYear();
    const char *packedDecimal() const { return packed; }
    virtual unsigned long seconds() const;
    const char *time(char timeSeparator = '\0');
    virtual unsigned long timeInHours();
    virtual unsigned long timeInMinutes();
    virtual unsigned long timeInSeconds();
    unsigned long year();
private:
    enum { PACKED_LENGTH = 8, TEXT_LENGTH = 11 };
    char packed[PACKED_LENGTH], dateText[TEXT_LENGTH + 1], timeText[TEXT_LENGTH + 1];
    unsigned long part(int option) const;
};
#endif
