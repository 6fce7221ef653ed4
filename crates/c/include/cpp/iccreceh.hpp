#ifndef ICCRECEH
#define ICCRECEH
#include "iccbufeh.hpp"
class IccRecordIndex : public IccBase {
public:
    enum Type { key, RBA, RRN };
    unsigned short length() const { return indexLength; }
    Type type() const { return indexType; }
    virtual ~IccRecordIndex() {}
    /* The area that identifies the record, which a browse changes. */
    virtual void *field() = 0;
protected:
    IccRecordIndex(Type type, unsigned short length) : IccBase(cRecordIndex), indexLength(length), indexType(type) {}
    unsigned short indexLength;
private:
    Type indexType;
};
class IccKey : public IccRecordIndex {
public:
    enum Kind { complete, generic };
    IccKey(const char *initValue, Kind kind = complete);
    IccKey(unsigned short completeLength, Kind kind = complete);
    IccKey(const IccKey &key);
    void assign(unsigned short length, const void *dataArea);
    unsigned short completeLength() const { return whole; }
    Kind kind() const { return keyKind; }
    IccKey &operator=(const IccKey &key);
    IccKey &operator=(const IccBuf &buffer);
    IccKey &operator=(const char *value);
    Icc::Bool operator==(const IccKey &key) const;
    Icc::Bool operator==(const IccBuf &text) const;
    Icc::Bool operator==(const char *text) const;
    Icc::Bool operator!=(const IccKey &key) const;
    Icc::Bool operator!=(const IccBuf &text) const;
    Icc::Bool operator!=(const char *text) const;
    void setKind(Kind kind) { keyKind = kind; }
    const char *value() { return bytes; }
    virtual void *field() { return bytes; }
private:
    enum { KEY_MAX = 255 };
    Kind keyKind;
    unsigned short whole;
    char bytes[KEY_MAX + 1];
    Icc::Bool is(unsigned long length, const void *area) const;
};
class IccRBA : public IccRecordIndex {
public:
    IccRBA(unsigned long initRBA = 0) : IccRecordIndex(RBA, 4), place(initRBA) {}
    IccRBA &operator=(const IccRBA &rba) { place = rba.number(); return *this; }
    IccRBA &operator=(unsigned long num) { place = num; return *this; }
    Icc::Bool operator==(const IccRBA &rba) const { return number() == rba.number() ? Icc::yes : Icc::no; }
    Icc::Bool operator==(unsigned long num) const { return number() == num ? Icc::yes : Icc::no; }
    Icc::Bool operator!=(const IccRBA &rba) const { return number() != rba.number() ? Icc::yes : Icc::no; }
    Icc::Bool operator!=(unsigned long num) const { return number() != num ? Icc::yes : Icc::no; }
    unsigned long number() const { return place; }
    virtual void *field() { return &place; }
private:
    regent_big<unsigned long> place;
};
class IccRRN : public IccRecordIndex {
public:
    IccRRN(unsigned long initRRN = 1) : IccRecordIndex(RRN, 4), place(initRRN) {}
    IccRRN &operator=(const IccRRN &rrn) { place = rrn.number(); return *this; }
    IccRRN &operator=(unsigned long num) { place = num; return *this; }
    Icc::Bool operator==(const IccRRN &rrn) const { return number() == rrn.number() ? Icc::yes : Icc::no; }
    Icc::Bool operator==(unsigned long num) const { return number() == num ? Icc::yes : Icc::no; }
    Icc::Bool operator!=(const IccRRN &rrn) const { return number() != rrn.number() ? Icc::yes : Icc::no; }
    Icc::Bool operator!=(unsigned long num) const { return number() != num ? Icc::yes : Icc::no; }
    unsigned long number() const { return place; }
    virtual void *field() { return &place; }
private:
    regent_big<unsigned long> place;
};
#endif
