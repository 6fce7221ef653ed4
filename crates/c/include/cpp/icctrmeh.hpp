#ifndef ICCTRMEH
#define ICCTRMEH
#include "icctmdeh.hpp"
#include "iccusreh.hpp"
class IccTerminal : public IccResource {
public:
    enum AIDVal {
        ENTER, CLEAR, PA1, PA2, PA3, PF1, PF2, PF3, PF4, PF5, PF6, PF7, PF8, PF9, PF10, PF11, PF12, PF13, PF14, PF15, PF16, PF17, PF18, PF19,
        PF20, PF21, PF22, PF23, PF24
    };
    enum Case { upper, mixed };
    enum Color { defaultColor, blue, red, pink, green, cyan, yellow, neutral };
    enum Highlight { defaultHighlight, blink, reverse, underscore };
    enum NextTransIdOpt { queue, immediate };
    static IccTerminal *instance();
    AIDVal AID();
    virtual void clear() { erase(); }
    unsigned short cursor();
    IccTerminalData *data();
    void erase();
    void freeKeyboard();
    virtual const IccBuf &get() { return receive(); }
    unsigned short height(Icc::GetOpt opt = Icc::object);
    unsigned short inputCursor();
    unsigned short line() const { return atLine; }
    const char *netName();
    IccTerminal &operator<<(Color color) { setColor(color); return *this; }
    IccTerminal &operator<<(Highlight highlight) { setHighlight(highlight); return *this; }
    IccTerminal &operator<<(const IccBuf &buffer);
    template <class T> IccTerminal &operator<<(const T &value) { IccBuf text; text << value; return *this << text; }
    IccTerminal &operator<<(IccTerminal &(*manipulator)(IccTerminal &)) { return manipulator(*this); }
    virtual void put(const IccBuf &buf) { sendLine(buf); }
    const IccBuf &receive(Case caseOpt = upper);
    const IccBuf &receive3270Data(Case caseOpt = upper);
    void send(const IccBuf &buffer);
    void send(const char *format, ...);
    void send(unsigned short row, unsigned short col, const IccBuf &buffer);
    void send(unsigned short row, unsigned short col, const char *format, ...);
    void send3270Data(const IccBuf &buffer);
    void send3270Data(const char *format, ...);
    void send3270Data(unsigned short row, unsigned short col, const IccBuf &buf);
    void send3270Data(unsigned short row, unsigned short col, const char *format, ...);
    void sendLine(const IccBuf &buffer);
    void sendLine(const char *format, ...);
    void sendLine(unsigned short col, const IccBuf &buf);
    void sendLine(unsigned short col, const char *format, ...);
    void setColor(Color color = defaultColor);
    void setCursor(unsigned short offset);
    void setCursor(unsigned short row, unsigned short col);
    void setHighlight(Highlight highlight = defaultHighlight);
    void setLine(unsigned short lineNum = 1);
    void setNewLine(unsigned short numLines = 1);
    void setNextCommArea(const IccBuf &commArea) { nextArea = commArea; hasNextArea = true; }
    void setNextInputMessage(const IccBuf &message) { nextInput = message; hasNextInput = true; }
    void setNextTransId(const IccTransId &transid, NextTransIdOpt opt = queue) { nextTransaction = transid; nextOption = opt; }
    void signoff();
    void signon(const IccUserId &id, const char *password = 0, const char *newPassword = 0);
    void signon(IccUser &user, const char *password = 0, const char *newPassword = 0);
    AIDVal waitForAID();
    void waitForAID(AIDVal aid);
    unsigned short width(Icc::GetOpt opt = Icc::object);
    const IccBuf &workArea();
    /* Sends what << has collected. */
    void flush();
private:
    friend struct Icc;
    enum { NET_NAME_LENGTH = 8 };
    IccTerminal();
    IccBuf pending, input, area, nextArea, nextInput;
    IccTransId nextTransaction;
    NextTransIdOpt nextOption;
    bool hasNextArea, hasNextInput, isPlaced;
    unsigned short atLine, atColumn, rows, columns, inputAt;
    Color color;
    Highlight highlight;
    char networkName[NET_NAME_LENGTH + 1];
    AIDVal aid;
    IccTerminalData *characteristics;
    void byte(unsigned value);
    void place();
    void text(const IccBuf &buffer);
    void at(unsigned short row, unsigned short column);
    void goDown(unsigned lines);
    void attribute(unsigned type, unsigned value);
    void transmit(const IccBuf &buffer, const char *method);
    const IccBuf &receive(bool isBuffer, Case caseOpt, const char *method);
    bool signon(IccCommand &command, const char *password, const char *newPassword);
    void note();
    void returnToCICS();
};
IccTerminal &endl(IccTerminal &terminal);
IccTerminal &flush(IccTerminal &terminal);
#endif
