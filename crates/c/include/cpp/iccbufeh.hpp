#ifndef ICCBUFEH
#define ICCBUFEH
#include "iccbaseh.hpp"
class IccBuf : public IccBase {
public:
    enum DataAreaOwner { internal, external };
    enum DataAreaType { extensible, fixed };
    IccBuf(unsigned long length = 0, DataAreaType type = extensible);
    IccBuf(unsigned long length, void *dataArea);
    IccBuf(const char *text, DataAreaType type = extensible);
    IccBuf(const IccBuf &buffer);
    virtual ~IccBuf();
    IccBuf &append(unsigned long length, const void *dataArea);
    IccBuf &append(const char *format, ...);
    IccBuf &assign(unsigned long length, const void *dataArea);
    IccBuf &assign(const char *format, ...);
    IccBuf &cut(unsigned long length, unsigned long offset = 0);
    const void *dataArea(unsigned long offset = 0) const;
    unsigned long dataAreaLength() const { return areaLength; }
    DataAreaOwner dataAreaOwner() const { return owner; }
    DataAreaType dataAreaType() const { return type; }
    unsigned long dataLength() const { return length; }
    IccBuf &insert(unsigned long length, const void *dataArea, unsigned long offset = 0);
    Icc::Bool isFMHContained() const { return hasHeader; }
    operator const char *() const;
    IccBuf &operator=(const IccBuf &buffer);
    IccBuf &operator=(const char *text);
    IccBuf &operator+=(const IccBuf &buffer);
    IccBuf &operator+=(const char *text);
    Icc::Bool operator==(const IccBuf &buffer) const;
    Icc::Bool operator==(const char *text) const;
    Icc::Bool operator!=(const IccBuf &buffer) const;
    Icc::Bool operator!=(const char *text) const;
    IccBuf &operator<<(const IccBuf &buffer);
    IccBuf &operator<<(const char *text);
    IccBuf &operator<<(char ch);
    IccBuf &operator<<(signed char ch);
    IccBuf &operator<<(unsigned char ch);
    IccBuf &operator<<(const signed char *text);
    IccBuf &operator<<(const unsigned char *text);
    IccBuf &operator<<(const void *pointer);
    IccBuf &operator<<(short number);
    IccBuf &operator<<(unsigned short number);
    IccBuf &operator<<(int number);
    IccBuf &operator<<(unsigned number);
    IccBuf &operator<<(long number);
    IccBuf &operator<<(unsigned long number);
    IccBuf &operator<<(float number);
    IccBuf &operator<<(double number);
    IccBuf &operator<<(long double number);
    IccBuf &overlay(unsigned long length, void *dataArea);
    IccBuf &replace(unsigned long length, const void *dataArea, unsigned long offset = 0);
    unsigned long setDataLength(unsigned long length);
    void setFMHContained(Icc::Bool yesNo = Icc::yes) { hasHeader = yesNo; }
private:
    char *area;
    unsigned long areaLength, room, length;
    DataAreaOwner owner;
    DataAreaType type;
    Icc::Bool hasHeader;
    void start(unsigned long length, DataAreaType type);
    unsigned long extend(unsigned long needed, const char *method, bool &cut);
    IccBuf &put(unsigned long length, const void *dataArea, unsigned long offset, unsigned long whole, const char *method);
};
#endif
