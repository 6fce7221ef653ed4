#ifndef ICCUSREH
#define ICCUSREH
#include "iccclkeh.hpp"
class IccUser : public IccResource {
public:
    IccUser(const IccUserId &id, const IccGroupId *gid = 0);
    IccUser(const char *userName, const char *groupName = 0);
    void changePassword(const char *password, const char *newPassword) ICC_NO_SECURITY;
    unsigned short daysUntilPasswordExpires() const ICC_NO_SECURITY;
    unsigned long ESMReason() const ICC_NO_SECURITY;
    unsigned long ESMResponse() const ICC_NO_SECURITY;
    const IccGroupId &groupId() const { return group; }
    unsigned long invalidPasswordAttempts() const ICC_NO_SECURITY;
    const char *language() const { return national; }
    const IccAbsTime &lastPasswordChange() const ICC_NO_SECURITY;
    const IccAbsTime &lastUseTime() const ICC_NO_SECURITY;
    const IccAbsTime &passwordExpiration() const ICC_NO_SECURITY;
    void setLanguage(const char *language);
    void verifyPassword(const char *password) ICC_NO_SECURITY;
private:
    enum { LANGUAGE_LENGTH = 3 };
    IccGroupId group;
    char national[LANGUAGE_LENGTH + 1];
};
#endif
