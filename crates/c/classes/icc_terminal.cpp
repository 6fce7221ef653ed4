#include "icccommand.hpp"
#include "icctrmeh.hpp"
#include <dfhaid.h>
#include <dfheiblk.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern DFHEIBLK *icc_eib();
IccTerminal *icc_terminal;

/* The 3270 data stream ("3270 Data Stream Programmer's Reference"): orders, types of character attributes, first of their values. */
enum {
    ORDER_SET_BUFFER_ADDRESS = 0x11, ORDER_INSERT_CURSOR = 0x13, ORDER_SET_ATTRIBUTE = 0x28, ATTRIBUTE_HIGHLIGHTING = 0x41, ATTRIBUTE_COLOR = 0x42,
    FIRST_VALUE = 0xF1, RESET_VALUE = 0x00, BITS_OF_BYTE = 6, POSITIONS_IN_12_BITS = 4096, TEXT_MAX = 4096, YES = 0xFF
};
static const unsigned char addresses[] = {
    0x40, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0x4A, 0x4B, 0x4C, 0x4D, 0x4E, 0x4F, 0x50, 0xD1, 0xD2, 0xD3, 0xD4, 0xD5,
    0xD6, 0xD7, 0xD8, 0xD9, 0x5A, 0x5B, 0x5C, 0x5D, 0x5E, 0x5F, 0x60, 0x61, 0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0x6A, 0x6B,
    0x6C, 0x6D, 0x6E, 0x6F, 0xF0, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0x7A, 0x7B, 0x7C, 0x7D, 0x7E, 0x7F
};
/* In the order of IccTerminal::Highlight: blink, reverse, underscore. */
static const unsigned char highlights[] = { RESET_VALUE, 0xF1, 0xF2, 0xF4 };
/* In the order of IccTerminal::AIDVal. */
static const unsigned char keys[] = {
    DFHENTER, DFHCLEAR, DFHPA1, DFHPA2, DFHPA3, DFHPF1, DFHPF2, DFHPF3, DFHPF4, DFHPF5, DFHPF6, DFHPF7, DFHPF8, DFHPF9, DFHPF10, DFHPF11, DFHPF12,
    DFHPF13, DFHPF14, DFHPF15, DFHPF16, DFHPF17, DFHPF18, DFHPF19, DFHPF20, DFHPF21, DFHPF22, DFHPF23, DFHPF24
};

IccTerminal::IccTerminal()
    : IccResource(cTerminal, new IccTermId("")), pending(0UL), input(0UL), area(0UL, (void *)0), nextTransaction(""), nextOption(queue),
      hasNextArea(false), hasNextInput(false), isPlaced(false), atLine(1), atColumn(0), rows(0), columns(0), inputAt(0), color(defaultColor),
      highlight(defaultHighlight), aid(ENTER), characteristics(0) {
    char facility[5] = "";
    IccCommand command(C_ASSIGN), size(C_ASSIGN);
    command.area(O_FACILITY, facility, 4);
    if (command.run(true) != IccCondition::NORMAL || icc_eib()->eibtrmid[0] == ' ' || icc_eib()->eibtrmid[0] == '\0')
        refuse("IccTerminal", IccException::objectCreationError, "the task has no terminal");
    memcpy(facility, icc_eib()->eibtrmid, 4);
    *static_cast<IccTermId *>(const_cast<IccResourceId *>(id())) = facility;
    size.number(O_SCRNHT).number(O_SCRNWD).run(true);
    rows = (unsigned short)size.result(O_SCRNHT);
    columns = (unsigned short)size.result(O_SCRNWD);
    if (rows == 0 || columns == 0) refuse("IccTerminal", IccException::objectCreationError, "the terminal has no screen");
    note();
}

IccTerminal *IccTerminal::instance() {
    if (icc_terminal == 0) icc_terminal = new IccTerminal;
    return icc_terminal;
}

/* What the last input has left in the EIB. */
void IccTerminal::note() {
    DFHEIBLK *eib = icc_eib();
    inputAt = (unsigned short)(short)eib->eibcposn;
    for (unsigned at = 0; at < sizeof keys; at++)
        if (keys[at] == (unsigned char)eib->eibaid) aid = (AIDVal)at;
}

IccTerminal::AIDVal IccTerminal::AID() { return aid; }
unsigned short IccTerminal::inputCursor() { return inputAt; }
unsigned short IccTerminal::cursor() { return (unsigned short)((atLine - 1) * columns + atColumn); }
unsigned short IccTerminal::height(Icc::GetOpt) { return rows; }
unsigned short IccTerminal::width(Icc::GetOpt) { return columns; }

IccTerminalData *IccTerminal::data() {
    if (characteristics == 0) characteristics = new IccTerminalData;
    return characteristics;
}

const char *IccTerminal::netName() {
    memset(networkName, 0, sizeof networkName);
    IccCommand command(C_ASSIGN);
    command.area(O_NETNAME, networkName, NET_NAME_LENGTH);
    issue(command, "netName");
    return networkName;
}

const IccBuf &IccTerminal::workArea() {
    IccCommand length(C_ASSIGN), command(C_ADDRESS);
    length.number(O_TCTUALENG).run(true);
    command.number(O_TCTUA).run(true);
    return area.overlay((unsigned long)length.result(O_TCTUALENG), (void *)(unsigned long)command.result(O_TCTUA));
}

/* --- output: a data stream is collected, and sent by flush --- */

void IccTerminal::byte(unsigned value) {
    char character = (char)value;
    pending.append(1, &character);
}

/* The position goes before the next text. */
void IccTerminal::place() {
    if (isPlaced) return;
    unsigned position = cursor();
    byte(ORDER_SET_BUFFER_ADDRESS);
    if (rows * columns > POSITIONS_IN_12_BITS) {
        byte(position >> 8);
        byte(position);
    } else {
        byte(addresses[position >> BITS_OF_BYTE]);
        byte(addresses[position % (1 << BITS_OF_BYTE)]);
    }
    isPlaced = true;
}

void IccTerminal::at(unsigned short row, unsigned short column) {
    if (row < 1 || row > rows || column < 1 || column > columns)
        refuse("send", IccException::invalidArgument, "the position is outside the screen");
    atLine = row;
    atColumn = column - 1;
    isPlaced = false;
}

void IccTerminal::goDown(unsigned lines) {
    atLine = (unsigned short)((atLine - 1 + lines) % rows + 1);
    atColumn = 0;
    isPlaced = false;
}

/* Line ends in the text are ends of lines of the screen. */
void IccTerminal::text(const IccBuf &buffer) {
    const char *from = (const char *)buffer.dataArea(), *end = from + buffer.dataLength();
    for (; from < end; from++) {
        if (*from == '\n') {
            goDown(1);
            continue;
        }
        place();
        pending.append(1, from);
        if (++atColumn == columns) {
            atColumn = 0;
            atLine = (unsigned short)(atLine % rows + 1);
        }
    }
}

void IccTerminal::transmit(const IccBuf &buffer, const char *method) {
    IccCommand command(C_SEND);
    command.data(O_FROM, O_LENGTH, buffer);
    issue(command, method);
}

void IccTerminal::flush() {
    if (pending.dataLength() == 0) return;
    if (color != defaultColor) attribute(ATTRIBUTE_COLOR, RESET_VALUE);
    if (highlight != defaultHighlight) attribute(ATTRIBUTE_HIGHLIGHTING, RESET_VALUE);
    IccBuf stream(pending);
    pending.setDataLength(0);
    isPlaced = false;
    transmit(stream, "flush");
    setColor(color);
    setHighlight(highlight);
}

IccTerminal &endl(IccTerminal &terminal) {
    terminal.setNewLine();
    return terminal;
}
IccTerminal &flush(IccTerminal &terminal) {
    terminal.flush();
    return terminal;
}

IccTerminal &IccTerminal::operator<<(const IccBuf &buffer) {
    text(buffer);
    return *this;
}

/* A terminal without extended attributes shows the text in its own way. */
void IccTerminal::attribute(unsigned type, unsigned value) {
    if (data()->isExtended3270() == Icc::no) return;
    byte(ORDER_SET_ATTRIBUTE);
    byte(type);
    byte(value);
}
void IccTerminal::setColor(Color color) {
    if (this->color == defaultColor && color == defaultColor) return;
    this->color = color;
    attribute(ATTRIBUTE_COLOR, color == defaultColor ? (unsigned)RESET_VALUE : FIRST_VALUE + (unsigned)color - 1);
}
void IccTerminal::setHighlight(Highlight highlight) {
    if (this->highlight == defaultHighlight && highlight == defaultHighlight) return;
    this->highlight = highlight;
    attribute(ATTRIBUTE_HIGHLIGHTING, highlights[highlight]);
}

void IccTerminal::setLine(unsigned short lineNum) { at(lineNum, 1); }
void IccTerminal::setNewLine(unsigned short numLines) { goDown(numLines); }

void IccTerminal::erase() {
    pending.setDataLength(0);
    IccCommand command(C_SEND_CONTROL);
    command.flag(O_ERASE).flag(O_FREEKB);
    issue(command, "erase");
    atLine = 1;
    atColumn = 0;
    isPlaced = false;
}

void IccTerminal::freeKeyboard() {
    flush();
    IccCommand command(C_SEND_CONTROL);
    command.flag(O_FREEKB);
    issue(command, "freeKeyboard");
}

void IccTerminal::setCursor(unsigned short offset) {
    if (offset >= rows * columns) refuse("setCursor", IccException::invalidArgument, "the position is outside the screen");
    flush();
    IccCommand command(C_SEND_CONTROL);
    command.number(O_CURSOR, offset);
    issue(command, "setCursor");
}
void IccTerminal::setCursor(unsigned short row, unsigned short col) {
    if (row < 1 || row > rows || col < 1 || col > columns) refuse("setCursor", IccException::invalidArgument, "the position is outside the screen");
    setCursor((unsigned short)((row - 1) * columns + col - 1));
}

#define FORMATTED(buffer) \
    char formatted[TEXT_MAX]; \
    va_list values; \
    va_start(values, format); \
    vsnprintf(formatted, sizeof formatted, format, values); \
    va_end(values); \
    IccBuf buffer(formatted)

void IccTerminal::send(const IccBuf &buffer) {
    text(buffer);
    flush();
}
void IccTerminal::send(const char *format, ...) {
    FORMATTED(buffer);
    send(buffer);
}
void IccTerminal::send(unsigned short row, unsigned short col, const IccBuf &buffer) {
    at(row, col);
    send(buffer);
}
void IccTerminal::send(unsigned short row, unsigned short col, const char *format, ...) {
    FORMATTED(buffer);
    send(row, col, buffer);
}
/* On the next line, unless nothing stands on the current one. */
void IccTerminal::sendLine(const IccBuf &buffer) {
    if (atColumn != 0) goDown(1);
    text(buffer);
    flush();
    goDown(1);
}
void IccTerminal::sendLine(const char *format, ...) {
    FORMATTED(buffer);
    sendLine(buffer);
}
void IccTerminal::sendLine(unsigned short col, const IccBuf &buf) {
    at(atLine, col);
    text(buf);
    flush();
    goDown(1);
}
void IccTerminal::sendLine(unsigned short col, const char *format, ...) {
    FORMATTED(buffer);
    sendLine(col, buffer);
}
/* The program has written the orders. */
void IccTerminal::send3270Data(const IccBuf &buffer) {
    flush();
    transmit(buffer, "send3270Data");
    isPlaced = false;
}
void IccTerminal::send3270Data(const char *format, ...) {
    FORMATTED(buffer);
    send3270Data(buffer);
}
void IccTerminal::send3270Data(unsigned short row, unsigned short col, const IccBuf &buf) {
    flush();
    at(row, col);
    place();
    pending.append(buf.dataLength(), buf.dataArea());
    IccBuf stream(pending);
    pending.setDataLength(0);
    isPlaced = false;
    transmit(stream, "send3270Data");
}
void IccTerminal::send3270Data(unsigned short row, unsigned short col, const char *format, ...) {
    FORMATTED(buffer);
    send3270Data(row, col, buffer);
}

/* --- input --- */

const IccBuf &IccTerminal::receive(bool isBuffer, Case caseOpt, const char *method) {
    flush();
    IccCommand command(C_RECEIVE);
    command.number(O_SET).number(O_LENGTH);
    if (isBuffer) command.flag(O_BUFFER);
    if (caseOpt == mixed) command.flag(O_ASIS);
    bool isNormal = issue(command, method);
    bool hasData = isNormal || condition() == IccCondition::EOC;
    input.assign(hasData && command.has(O_LENGTH) ? (unsigned long)command.result(O_LENGTH) : 0, (const void *)(unsigned long)command.result(O_SET));
    note();
    return input;
}
const IccBuf &IccTerminal::receive(Case caseOpt) { return receive(false, caseOpt, "receive"); }
const IccBuf &IccTerminal::receive3270Data(Case caseOpt) { return receive(true, caseOpt, "receive3270Data"); }

IccTerminal::AIDVal IccTerminal::waitForAID() {
    freeKeyboard();
    receive(false, mixed, "waitForAID");
    return aid;
}
void IccTerminal::waitForAID(AIDVal wanted) {
    while (waitForAID() != wanted && (condition() == IccCondition::NORMAL || condition() == IccCondition::EOC)) {}
}

/* --- the user of the terminal --- */

bool IccTerminal::signon(IccCommand &command, const char *password, const char *newPassword) {
    command.name(O_PASSWORD, password).name(O_NEWPASSWORD, newPassword);
    return issue(command, "signon");
}
void IccTerminal::signon(const IccUserId &id, const char *password, const char *newPassword) {
    IccCommand command(C_SIGNON);
    command.name(O_USERID, id.name());
    signon(command, password, newPassword);
}
void IccTerminal::signon(IccUser &user, const char *password, const char *newPassword) {
    IccCommand command(C_SIGNON);
    command.name(O_USERID, user.name()).name(O_GROUPID, user.groupId().name()).name(O_LANGUAGECODE, user.language());
    IccUser::ask(command);
    signon(command, password, newPassword);
    user.note(command);
}
void IccTerminal::signoff() {
    IccCommand command(C_SIGNOFF);
    issue(command, "signoff");
}

/* --- the end of the program: the transaction that the terminal has next --- */

void IccTerminal::returnToCICS() {
    flush();
    if (nextTransaction.name()[0] == '\0' && !hasNextArea && !hasNextInput) return;
    IccCommand command(C_RETURN);
    command.name(O_TRANSID, nextTransaction.name());
    if (hasNextArea) command.data(O_COMMAREA, O_LENGTH, nextArea);
    if (hasNextInput) command.data(O_INPUTMSG, O_INPUTMSGLEN, nextInput);
    if (nextOption == immediate) command.flag(O_IMMEDIATE);
    issue(command, "returnToCICS");
}

/* --- characteristics --- */

unsigned short IccTerminalData::number(unsigned at, int option, Icc::GetOpt opt, const char *method) {
    if (!(known & 1u << at) || opt == Icc::makeNew) {
        IccCommand command(C_ASSIGN);
        command.number((RegentOption)option);
        if (issue(command, method)) known |= 1u << at;
        values[at] = (unsigned short)command.result((RegentOption)option);
    }
    return values[at];
}
Icc::Bool IccTerminalData::flag(unsigned at, int option, Icc::GetOpt opt, const char *method) {
    if (!(known & 1u << at) || opt == Icc::makeNew) {
        unsigned char value = 0;
        IccCommand command(C_ASSIGN);
        command.area((RegentOption)option, &value, 1);
        if (issue(command, method)) known |= 1u << at;
        values[at] = value;
    }
    return values[at] == YES ? Icc::yes : Icc::no;
}

#define ICC_NUMBER(AT, NAME, OPTION) \
    unsigned short IccTerminalData::NAME(Icc::GetOpt opt) { return number(AT, O_##OPTION, opt, #NAME); }
#define ICC_FLAG(AT, NAME, OPTION) \
    Icc::Bool IccTerminalData::NAME(Icc::GetOpt opt) { return flag(AT, O_##OPTION, opt, #NAME); }
ICC_NUMBER(0, alternateHeight, ALTSCRNHT)
ICC_NUMBER(1, alternateWidth, ALTSCRNWD)
ICC_NUMBER(2, defaultHeight, DEFSCRNHT)
ICC_NUMBER(3, defaultWidth, DEFSCRNWD)
ICC_NUMBER(4, graphicCharCodeSet, GCODES)
ICC_NUMBER(5, graphicCharSetId, GCHARS)
ICC_FLAG(6, isAPLKeyboard, APLKYBD)
ICC_FLAG(7, isAPLText, APLTEXT)
ICC_FLAG(8, isBTrans, BTRANS)
ICC_FLAG(9, isColor, COLOR)
ICC_FLAG(10, isEWA, EWASUPP)
ICC_FLAG(11, isExtended3270, EXTDS)
ICC_FLAG(12, isFieldOutline, OUTLINE)
ICC_FLAG(13, isGoodMorning, GMMI)
ICC_FLAG(14, isHighlight, HILIGHT)
ICC_FLAG(15, isKatakana, KATAKANA)
ICC_FLAG(16, isMSRControl, MSRCONTROL)
ICC_FLAG(17, isPS, PS)
ICC_FLAG(18, isSOSI, SOSI)
ICC_FLAG(19, isTextKeyboard, TEXTKYBD)
ICC_FLAG(20, isTextPrint, TEXTPRINT)
ICC_FLAG(21, isValidation, VALIDATION)
