#include "iccbufeh.hpp"
#include "iccexceh.hpp"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 4096, NUMBER_TOO_LONG = 1, NUMBER_OUTSIDE = 2 };

void IccBuf::start(unsigned long length, DataAreaType type) {
    owner = internal;
    this->type = type;
    hasHeader = Icc::no;
    this->length = 0;
    areaLength = room = length;
    area = (char *)malloc(length + 1);
    if (area == 0) throw std::bad_alloc();
    area[0] = '\0';
}

IccBuf::IccBuf(unsigned long length, DataAreaType type) : IccBase(cBuf) { start(length, type); }

IccBuf::IccBuf(unsigned long length, void *dataArea)
    : IccBase(cBuf), area((char *)dataArea), areaLength(length), room(length), length(length), owner(external), type(fixed), hasHeader(Icc::no) {}

IccBuf::IccBuf(const char *text, DataAreaType type) : IccBase(cBuf) {
    start(strlen(text), type);
    assign(areaLength, text);
}

IccBuf::IccBuf(const IccBuf &buffer) : IccBase(cBuf) {
    start(buffer.areaLength, buffer.type);
    assign(buffer.length, buffer.area);
    hasHeader = buffer.hasHeader;
}

IccBuf::~IccBuf() {
    if (owner == internal) free(area);
}

/* Makes the data area so long if it can be; answers how long it is at most. */
unsigned long IccBuf::extend(unsigned long needed, const char *, bool &cut) {
    cut = needed > areaLength && type == fixed;
    if (cut) return areaLength;
    if (needed > areaLength) {
        if (needed > room) {
            unsigned long more = needed + needed / 2;
            char *larger = (char *)realloc(area, more + 1);
            if (larger == 0) throw std::bad_alloc();
            area = larger;
            room = more;
        }
        areaLength = needed;
    }
    return needed;
}

/* Puts data at an offset; `whole` is the length of all data behind. Data that does not fit is cut, and an exception thrown. */
IccBuf &IccBuf::put(unsigned long bytes, const void *dataArea, unsigned long offset, unsigned long whole, const char *method) {
    bool cut;
    bool isOwn = (const char *)dataArea >= area && (const char *)dataArea < area + length;
    IccBuf copy(isOwn ? bytes : 0UL);
    if (isOwn) dataArea = memcpy(copy.area, dataArea, bytes);
    unsigned long limit = extend(whole, method, cut);
    if (bytes > limit - offset) bytes = limit - offset;
    memcpy(area + offset, dataArea, bytes);
    length = limit;
    if (owner == internal) area[length] = '\0';
    if (cut)
        throw IccException(IccException::invalidArgument, cBuf, className(), method,
                           new IccMessage(NUMBER_TOO_LONG, "the data is longer than the data area, which is fixed"), this, NUMBER_TOO_LONG);
    return *this;
}

IccBuf &IccBuf::append(unsigned long bytes, const void *dataArea) { return put(bytes, dataArea, length, length + bytes, "append"); }
IccBuf &IccBuf::assign(unsigned long bytes, const void *dataArea) { return put(bytes, dataArea, 0, bytes, "assign"); }

#define FORMATTED(text) \
    char text[TEXT_MAX]; \
    va_list values; \
    va_start(values, format); \
    vsnprintf(text, sizeof text, format, values); \
    va_end(values)

IccBuf &IccBuf::append(const char *format, ...) {
    FORMATTED(text);
    return append(strlen(text), text);
}

IccBuf &IccBuf::assign(const char *format, ...) {
    FORMATTED(text);
    return assign(strlen(text), text);
}

static void outside(IccBuf *buffer, const char *method) {
    throw IccException(IccException::invalidArgument, IccBase::cBuf, "IccBuf", method,
                       new IccMessage(NUMBER_OUTSIDE, "the offset is behind the data"), buffer, NUMBER_OUTSIDE);
}

IccBuf &IccBuf::cut(unsigned long bytes, unsigned long offset) {
    if (offset > length) outside(this, "cut");
    if (bytes > length - offset) bytes = length - offset;
    memmove(area + offset, area + offset + bytes, length - offset - bytes);
    length -= bytes;
    if (owner == internal) area[length] = '\0';
    return *this;
}

const void *IccBuf::dataArea(unsigned long offset) const {
    if (offset > areaLength) outside(const_cast<IccBuf *>(this), "dataArea");
    return area + offset;
}

IccBuf &IccBuf::insert(unsigned long bytes, const void *dataArea, unsigned long offset) {
    if (offset > length) outside(this, "insert");
    IccBuf behind(0UL);
    behind.assign(length - offset, area + offset);
    IccBuf inserted(0UL);
    inserted.assign(bytes, dataArea);
    length = offset;
    append(bytes, inserted.area);
    return append(behind.length, behind.area);
}

IccBuf &IccBuf::replace(unsigned long bytes, const void *dataArea, unsigned long offset) {
    if (offset > length) outside(this, "replace");
    unsigned long whole = offset + bytes > length ? offset + bytes : length;
    return put(bytes, dataArea, offset, whole, "replace");
}

IccBuf &IccBuf::overlay(unsigned long bytes, void *dataArea) {
    if (owner == internal) free(area);
    area = (char *)dataArea;
    areaLength = room = length = bytes;
    owner = external;
    type = fixed;
    return *this;
}

unsigned long IccBuf::setDataLength(unsigned long bytes) {
    bool cut;
    unsigned long before = length;
    length = extend(bytes, "setDataLength", cut);
    if (length > before) memset(area + before, 0, length - before);
    if (owner == internal) area[length] = '\0';
    return length;
}

/* Data in another's area has no binary zero of ours. */
IccBuf::operator const char *() const {
    if (owner == internal || memchr(area, 0, areaLength) != 0) return area;
    static IccBuf *copy;
    if (copy == 0) copy = new IccBuf(0UL);
    copy->assign(length, area);
    return copy->area;
}

IccBuf &IccBuf::operator=(const IccBuf &buffer) {
    if (&buffer == this) return *this;
    hasHeader = buffer.hasHeader;
    return assign(buffer.length, buffer.area);
}

IccBuf &IccBuf::operator=(const char *text) { return assign(strlen(text), text); }
IccBuf &IccBuf::operator+=(const IccBuf &buffer) { return append(buffer.length, buffer.area); }
IccBuf &IccBuf::operator+=(const char *text) { return append(strlen(text), text); }
Icc::Bool IccBuf::operator==(const IccBuf &buffer) const {
    return length == buffer.length && memcmp(area, buffer.area, length) == 0 ? Icc::yes : Icc::no;
}
Icc::Bool IccBuf::operator==(const char *text) const { return length == strlen(text) && memcmp(area, text, length) == 0 ? Icc::yes : Icc::no; }
Icc::Bool IccBuf::operator!=(const IccBuf &buffer) const { return *this == buffer ? Icc::no : Icc::yes; }
Icc::Bool IccBuf::operator!=(const char *text) const { return *this == text ? Icc::no : Icc::yes; }
IccBuf &IccBuf::operator<<(const IccBuf &buffer) { return append(buffer.length, buffer.area); }
IccBuf &IccBuf::operator<<(const char *text) { return append(strlen(text), text); }
IccBuf &IccBuf::operator<<(const signed char *text) { return *this << (const char *)text; }
IccBuf &IccBuf::operator<<(const unsigned char *text) { return *this << (const char *)text; }
IccBuf &IccBuf::operator<<(char ch) { return append(1, &ch); }
IccBuf &IccBuf::operator<<(signed char ch) { return append(1, &ch); }
IccBuf &IccBuf::operator<<(unsigned char ch) { return append(1, &ch); }
IccBuf &IccBuf::operator<<(const void *pointer) { return append("%p", pointer); }
IccBuf &IccBuf::operator<<(short number) { return append("%d", (int)number); }
IccBuf &IccBuf::operator<<(unsigned short number) { return append("%u", (unsigned)number); }
IccBuf &IccBuf::operator<<(int number) { return append("%d", number); }
IccBuf &IccBuf::operator<<(unsigned number) { return append("%u", number); }
IccBuf &IccBuf::operator<<(long number) { return append("%ld", number); }
IccBuf &IccBuf::operator<<(unsigned long number) { return append("%lu", number); }
IccBuf &IccBuf::operator<<(float number) { return append("%g", (double)number); }
IccBuf &IccBuf::operator<<(double number) { return append("%g", number); }
IccBuf &IccBuf::operator<<(long double number) { return append("%g", (double)number); }
