#ifndef ICCCONEH
#define ICCCONEH
#include "iccreseh.hpp"
#include "icctimeh.hpp"
class IccConsole : public IccResource {
public:
    enum SeverityOpt { none, warning, error, severe };
    static IccConsole *instance();
    virtual void put(const IccBuf &send);
    unsigned long replyTimeout() const { return timeout; }
    void resetRouteCodes() { routes = 0; }
    void setAllRouteCodes();
    void setReplyTimeout(IccTimeInterval &interval) { timeout = interval.timeInSeconds(); }
    void setReplyTimeout(unsigned long seconds) { timeout = seconds; }
    void setRouteCodes(unsigned short numRoutes, ...);
    void write(const IccBuf &send, SeverityOpt opt = none);
    const IccBuf &writeAndGetReply(const IccBuf &send, SeverityOpt opt = none);
private:
    enum { ROUTES_MAX = 28, REPLY_MAX = 119 };
    IccConsole();
    unsigned long timeout;
    unsigned short routes;
    char codes[ROUTES_MAX];
    IccBuf reply;
    void send(const IccBuf &send, SeverityOpt opt, bool hasReply, const char *method);
};
#endif
