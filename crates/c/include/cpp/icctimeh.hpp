#ifndef ICCTIMEH
#define ICCTIMEH
#include "iccbaseh.hpp"
class IccTime : public IccBase {
public:
    enum Type { absTime, timeInterval, timeOfDay };
    virtual unsigned long hours() const { return ofHours; }
    virtual unsigned long minutes() const { return ofMinutes; }
    virtual unsigned long seconds() const { return ofSeconds; }
    virtual unsigned long timeInHours();
    virtual unsigned long timeInMinutes();
    virtual unsigned long timeInSeconds();
    Type type() const { return kind; }
protected:
    IccTime(Type type, unsigned long hours = 0, unsigned long minutes = 0, unsigned long seconds = 0);
    void setParts(unsigned long hours, unsigned long minutes, unsigned long seconds);
    unsigned long ofHours, ofMinutes, ofSeconds;
private:
    Type kind;
};
class IccTimeInterval : public IccTime {
public:
    IccTimeInterval(unsigned long hours = 0, unsigned long minutes = 0, unsigned long seconds = 0) : IccTime(timeInterval, hours, minutes, seconds) {}
    IccTimeInterval(const IccTimeInterval &time) : IccTime(timeInterval, time.ofHours, time.ofMinutes, time.ofSeconds) {}
    IccTimeInterval &operator=(const IccTimeInterval &time) { setParts(time.ofHours, time.ofMinutes, time.ofSeconds); return *this; }
    void set(unsigned long hours, unsigned long minutes, unsigned long seconds) { setParts(hours, minutes, seconds); }
};
class IccTimeOfDay : public IccTime {
public:
    IccTimeOfDay(unsigned long hours = 0, unsigned long minutes = 0, unsigned long seconds = 0) : IccTime(timeOfDay, hours, minutes, seconds) {}
    IccTimeOfDay(const IccTimeOfDay &time) : IccTime(timeOfDay, time.ofHours, time.ofMinutes, time.ofSeconds) {}
    IccTimeOfDay &operator=(const IccTimeOfDay &time) { setParts(time.ofHours, time.ofMinutes, time.ofSeconds); return *this; }
    void set(unsigned long hours, unsigned long minutes, unsigned long seconds) { setParts(hours, minutes, seconds); }
};
#endif
