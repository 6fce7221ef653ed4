#ifndef ICCUSREH
#define ICCUSREH
#include "iccclkeh.hpp"
class IccUser : public IccResource {
public:
    IccUser(const IccUserId &id, const IccGroupId *gid = 0);
    IccUser(const char *userName, const char *groupName = 0);
    void changePassword(const char *password, const char *newPassword);
    unsigned short daysUntilPasswordExpires() const { return days; }
    unsigned long ESMReason() const { return reason; }
    unsigned long ESMResponse() const { return response; }
    const IccGroupId &groupId() const { return group; }
    unsigned long invalidPasswordAttempts() const { return attempts; }
    const char *language() const { return national; }
    const IccAbsTime &lastPasswordChange() const { return changed; }
    const IccAbsTime &lastUseTime() const { return used; }
    const IccAbsTime &passwordExpiration() const { return expires; }
    void setLanguage(const char *language);
    void verifyPassword(const char *password);
private:
    friend class IccTerminal;
    enum { LANGUAGE_LENGTH = 3 };
    IccGroupId group;
    char national[LANGUAGE_LENGTH + 1];
    unsigned short days;
    unsigned long reason, response, attempts;
    IccAbsTime changed, used, expires;
    static void ask(IccCommand &command);
    void note(const IccCommand &command);
};
#endif
