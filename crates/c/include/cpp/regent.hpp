/* What the translated form of EXEC CICS in C++ uses, and the numbers of structures that COBOL shares. Every program begins with it. */
#ifndef REGENT_HPP
#define REGENT_HPP
#include <regent.h>

/* --- numbers with their most significant byte first --- */

template <class T, unsigned BYTES> struct regent_bytes;
template <class T> struct regent_bytes<T, 2> {
    typedef unsigned short bits;
    static constexpr bits turned(bits value) { return __builtin_bswap16(value); }
};
template <class T> struct regent_bytes<T, 4> {
    typedef unsigned int bits;
    static constexpr bits turned(bits value) { return __builtin_bswap32(value); }
};
template <class T> struct regent_bytes<T, 8> {
    typedef unsigned long long bits;
    static constexpr bits turned(bits value) { return __builtin_bswap64(value); }
};

/* A member of a structure: used like a T, in storage as on the host. Its address is not that of a T. */
template <class T> class regent_big {
    typedef regent_bytes<T, sizeof(T)> bytes;
    typedef typename bytes::bits bits;
    bits kept;
    static constexpr bits bits_of(T value) {
        union { T value; bits as_bits; } same = { value };
        return bytes::turned(same.as_bits);
    }
public:
    regent_big() = default;
    /* Not trivial, so that the compiler refuses to pass one where the types of arguments are unknown. */
    constexpr regent_big(const regent_big &other) : kept(other.kept) {}
    regent_big(T value) : kept(bits_of(value)) {}
    operator T() const {
        union { bits as_bits; T value; } same = { bytes::turned(kept) };
        return same.value;
    }
    regent_big &operator=(const regent_big &other) { kept = other.kept; return *this; }
    regent_big &operator=(T value) { kept = bits_of(value); return *this; }
    template <class U> regent_big &operator+=(U value) { return *this = (T)(T(*this) + value); }
    template <class U> regent_big &operator-=(U value) { return *this = (T)(T(*this) - value); }
    template <class U> regent_big &operator*=(U value) { return *this = (T)(T(*this) * value); }
    template <class U> regent_big &operator/=(U value) { return *this = (T)(T(*this) / value); }
    template <class U> regent_big &operator%=(U value) { return *this = (T)(T(*this) % value); }
    template <class U> regent_big &operator&=(U value) { return *this = (T)(T(*this) & value); }
    template <class U> regent_big &operator|=(U value) { return *this = (T)(T(*this) | value); }
    template <class U> regent_big &operator^=(U value) { return *this = (T)(T(*this) ^ value); }
    template <class U> regent_big &operator<<=(U value) { return *this = (T)(T(*this) << value); }
    template <class U> regent_big &operator>>=(U value) { return *this = (T)(T(*this) >> value); }
    regent_big &operator++() { return *this += 1; }
    regent_big &operator--() { return *this -= 1; }
    T operator++(int) { T before = *this; *this += 1; return before; }
    T operator--(int) { T before = *this; *this -= 1; return before; }
};

/* The type of a member that is declared with T. */
template <class T, bool ENUM = __is_enum(T)> struct regent_member { typedef T type; };
template <class T> struct regent_member<const T, false> { typedef const typename regent_member<T>::type type; };
template <class T> struct regent_member<volatile T, false> { typedef typename regent_member<T>::type type; };
template <class T> struct regent_member<T, true> { typedef regent_big<T> type; };
#define REGENT_NUMBER(T) template <> struct regent_member<T, false> { typedef regent_big<T> type; };
REGENT_NUMBER(short) REGENT_NUMBER(unsigned short) REGENT_NUMBER(int) REGENT_NUMBER(unsigned) REGENT_NUMBER(long)
REGENT_NUMBER(unsigned long) REGENT_NUMBER(long long) REGENT_NUMBER(unsigned long long) REGENT_NUMBER(wchar_t)
REGENT_NUMBER(float) REGENT_NUMBER(double)
#undef REGENT_NUMBER

/* --- arguments of commands --- */

template <class T, bool ENUM = __is_enum(T)> struct regent_is_number { enum { value = ENUM }; };
#define REGENT_NUMBER(T) template <> struct regent_is_number<T, false> { enum { value = 1 }; };
REGENT_NUMBER(char) REGENT_NUMBER(signed char) REGENT_NUMBER(unsigned char) REGENT_NUMBER(bool) REGENT_NUMBER(short)
REGENT_NUMBER(unsigned short) REGENT_NUMBER(int) REGENT_NUMBER(unsigned) REGENT_NUMBER(long) REGENT_NUMBER(unsigned long)
REGENT_NUMBER(long long) REGENT_NUMBER(unsigned long long) REGENT_NUMBER(wchar_t)
#undef REGENT_NUMBER
template <class T> struct regent_is_number<const T, false> { enum { value = regent_is_number<T>::value }; };
template <class T> struct regent_is_address { enum { value = 0 }; };
template <class T> struct regent_is_address<T *> { enum { value = 1 }; };
template <class T> struct regent_pointed { enum { bytes = sizeof(T) }; };
template <> struct regent_pointed<void> { enum { bytes = 1 }; };
template <> struct regent_pointed<const void> { enum { bytes = 1 }; };

/* A number, or one in a packed decimal area. */
template <unsigned BYTES, class T> inline long long regent_number(const T &value) { return (long long)value; }
template <unsigned BYTES, class T> inline long long regent_number(T *area) { return regent_packed(area, BYTES); }
template <class T> inline long long regent_plain(const T &value) { return (long long)value; }
template <unsigned BYTES, class T> inline void regent_store(T &place, long long value) { place = (T)value; }
template <unsigned BYTES, class T> inline void regent_store(regent_big<T> &place, long long value) { place = (T)value; }
template <unsigned BYTES, class T> inline void regent_store(T *&area, long long value) { regent_set_packed(area, BYTES, value); }
template <unsigned BYTES, class T, unsigned long COUNT> inline void regent_store(T (&area)[COUNT], long long value) {
    regent_set_packed(area, BYTES, value);
}
template <class T> inline void regent_assign(T &place, long long value) { place = (T)value; }
template <class T> inline void regent_assign(regent_big<T> &place, long long value) { place = (T)value; }
template <class T> inline void regent_point(T *&place, unsigned long long value) { place = (T *)(unsigned long)value; }

/* An area: `fixed` is the length of the option, 0: as long as what is named. A number goes through `turned`. */
template <class T, bool NUMBER = regent_is_number<T>::value> struct regent_area {
    static void set(regent_argument &argument, unsigned long long &, const T &place, unsigned fixed) {
        argument.address = (unsigned long)&place;
        argument.length = fixed == 0 || sizeof(T) < fixed ? sizeof(T) : fixed;
    }
    static void back(T &, unsigned long long) {}
};
template <class T> struct regent_area<T, true> {
    static void set(regent_argument &argument, unsigned long long &turned, const T &place, unsigned fixed) {
        turned = regent_reversed((unsigned long long)place, sizeof(T));
        argument.address = (unsigned long)&turned;
        argument.length = fixed == 0 || sizeof(T) < fixed ? sizeof(T) : fixed;
    }
    static void back(T &place, unsigned long long turned) { place = (T)regent_reversed(turned, sizeof(T)); }
    static void back(const T &, unsigned long long) {}
};
template <class T> struct regent_area<T *, false> {
    static void set(regent_argument &argument, unsigned long long &, T *place, unsigned fixed) {
        argument.address = (unsigned long)place;
        argument.length = fixed == 0 ? (unsigned)regent_pointed<T>::bytes : fixed;
    }
    static void back(T *const &, unsigned long long) {}
};
template <class T, unsigned long COUNT> struct regent_area<T[COUNT], false> {
    static void set(regent_argument &argument, unsigned long long &, const T (&place)[COUNT], unsigned fixed) {
        argument.address = (unsigned long)&place[0];
        argument.length = fixed == 0 || sizeof place < fixed ? sizeof place : fixed;
    }
    static void back(const T (&)[COUNT], unsigned long long) {}
};
template <class T> inline void regent_set_area(regent_argument &argument, unsigned long long &turned, T &place, unsigned fixed) {
    regent_area<T>::set(argument, turned, place, fixed);
}
/* The value of an expression. */
template <class T> inline void regent_set_value(regent_argument &argument, unsigned long long &turned, T value, unsigned fixed) {
    static_assert(regent_is_number<T>::value || regent_is_address<T>::value, "a value in a command is a number or an address");
    regent_area<T>::set(argument, turned, value, fixed);
}
/* What & stands before: the place itself, whatever its type. */
template <class T> inline void regent_set_object(regent_argument &argument, unsigned long long &turned, T &place, unsigned fixed) {
    if (regent_is_number<T>::value) return regent_area<T>::set(argument, turned, place, fixed);
    argument.address = (unsigned long)&place;
    argument.length = fixed == 0 || sizeof(T) < fixed ? sizeof(T) : fixed;
}
template <class T> inline void regent_back(T &place, unsigned long long turned) { regent_area<T>::back(place, turned); }

/* --- printf and its like: members that are turned round go as what they are --- */

template <class T> inline T regent_printed(const regent_big<T> &value) { return value; }
template <class T> inline const T &regent_printed(const T &value) { return value; }
#endif
