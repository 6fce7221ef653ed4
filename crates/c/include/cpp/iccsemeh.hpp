#ifndef ICCSEMEH
#define ICCSEMEH
#include "iccreseh.hpp"
class IccSemaphore : public IccResource {
public:
    enum LifeTime { UOW, task };
    enum LockType { byAddress, byValue };
    IccSemaphore(const char *resource, LockType type = byValue, LifeTime life = UOW);
    IccSemaphore(const IccLockId &id, LifeTime life = UOW);
    LifeTime lifeTime() const { return life; }
    void lock();
    Icc::Bool tryLock();
    LockType type() const { return kind; }
    void unlock();
private:
    LifeTime life;
    LockType kind;
    const char *resource;
    void add(IccCommand &command);
};
#endif
