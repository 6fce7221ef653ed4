/* printf and sscanf, in the execution character set of the program. */
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <string.h>
#include <ctype.h>
#include "runtime.h"

/* Where formatted text goes: a stream, or an area with room for it. */
struct sink { FILE *stream; char *text; size_t room, count; };

static void emit(struct sink *sink, char character) {
    if (sink->stream != NULL) fputc((unsigned char)character, sink->stream);
    else if (sink->count + 1 < sink->room) sink->text[sink->count] = character;
    sink->count++;
}

struct conversion { int left, plus, space, alternate, zero, width, precision; };

static void pad(struct sink *sink, char character, int count) {
    while (count-- > 0) emit(sink, character);
}

/* Sign or prefix, zeros, digits, within the width. */
static void emit_number(struct sink *sink, const struct conversion *how, const char *prefix, const char *digits, int length, int zeros) {
    int total = (int)strlen(prefix) + zeros + length;
    if (!how->left && !how->zero) pad(sink, ' ', how->width - total);
    for (; *prefix != '\0'; prefix++) emit(sink, *prefix);
    if (!how->left && how->zero) pad(sink, '0', how->width - total);
    pad(sink, '0', zeros);
    for (int at = 0; at < length; at++) emit(sink, digits[at]);
    if (how->left) pad(sink, ' ', how->width - total);
}

static void emit_integer(struct sink *sink, struct conversion *how, unsigned long long value, int negative, char kind) {
    const char *all = kind == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    unsigned base = kind == 'o' ? 8 : kind == 'x' || kind == 'X' || kind == 'p' ? 16 : 10;
    char digits[24];
    int at = sizeof digits;
    const char *prefix = negative ? "-" : kind != 'd' ? "" : how->plus ? "+" : how->space ? " " : "";
    if (kind == 'p' || (how->alternate && base == 16 && value != 0)) prefix = kind == 'X' ? "0X" : "0x";
    for (unsigned long long rest = value; rest != 0; rest /= base) digits[--at] = all[rest % base];
    if (value == 0 && how->precision != 0) digits[--at] = '0';
    if (how->alternate && base == 8 && value != 0) digits[--at] = '0';
    int length = (int)sizeof digits - at;
    int zeros = how->precision > length ? how->precision - length : 0;
    if (how->precision >= 0) how->zero = 0;
    emit_number(sink, how, prefix, digits + at, length, zeros);
}

/* The characters a number's text has in ASCII, as REGENT_SERVICE_C_FORMAT gives it. */
static char of_ascii(char ascii) {
    static const char codes[] = { 0x2B, 0x2D, 0x2E, 0x65, 0x69, 0x6E, 0x66, 0x61 }, characters[] = "+-.einfa";
    if (ascii >= 0x30 && ascii <= 0x39) return (char)('0' + (ascii - 0x30));
    const char *found = memchr(codes, ascii, sizeof codes);
    return found == NULL ? '?' : characters[found - codes];
}

static void emit_double(struct sink *sink, struct conversion *how, double value, char kind) {
    char text[700], *digits = text;
    union { double value; unsigned long long bits; } bits = { value };
    int is_upper = isupper((unsigned char)kind);
    unsigned long long style = tolower((unsigned char)kind) == 'e' ? 0x65 : tolower((unsigned char)kind) == 'g' ? 0x67 : 0x66;
    unsigned long long words[5] = { bits.bits, style, how->precision < 0 ? 6 : how->precision, (uintptr_t)text, sizeof text };
    int length = (int)regent_service(REGENT_SERVICE_C_FORMAT, words, 5);
    for (int at = 0; at < length; at++) {
        text[at] = of_ascii(text[at]);
        if (is_upper) text[at] = (char)toupper((unsigned char)text[at]);
    }
    const char *prefix = how->plus ? "+" : how->space ? " " : "";
    if (length > 0 && *digits == '-') { prefix = "-"; digits++; length--; }
    if (length > 0 && isalpha((unsigned char)*digits)) how->zero = 0;
    emit_number(sink, how, prefix, digits, length, 0);
}

static void emit_text(struct sink *sink, const struct conversion *how, const char *text) {
    if (text == NULL) text = "(null)";
    int length = (int)strnlen(text, how->precision < 0 ? 0x7FFFFFFF : (size_t)how->precision);
    if (!how->left) pad(sink, ' ', how->width - length);
    for (int at = 0; at < length; at++) emit(sink, text[at]);
    if (how->left) pad(sink, ' ', how->width - length);
}

static const char *flags_of(const char *format, struct conversion *how) {
    for (;; format++) {
        switch (*format) {
        case '-': how->left = 1; break;
        case '+': how->plus = 1; break;
        case ' ': how->space = 1; break;
        case '#': how->alternate = 1; break;
        case '0': how->zero = 1; break;
        default: return format;
        }
    }
}

struct arguments { va_list list; };

static const char *number_of(const char *format, struct arguments *arguments, int *number) {
    if (*format == '*') { *number = va_arg(arguments->list, int); return format + 1; }
    *number = 0;
    for (; isdigit((unsigned char)*format); format++) *number = *number * 10 + (*format - '0');
    return format;
}

/* Bytes of an integer argument, by its length modifier. */
static const char *size_of(const char *format, unsigned *bytes) {
    *bytes = sizeof(int);
    for (;; format++) {
        if (*format == 'h') *bytes = *bytes == 2 ? 1 : 2;
        else if (*format == 'l') *bytes = *bytes == 5 ? 8 : 5;
        else if (*format == 'j') *bytes = 8;
        else if (*format != 'z' && *format != 't' && *format != 'L') break;
    }
    if (*bytes == 5) *bytes = sizeof(long);
    return format;
}

static void signed_argument(struct sink *sink, struct conversion *how, struct arguments *arguments, unsigned bytes) {
    long long value = bytes == 8 ? va_arg(arguments->list, long long) : va_arg(arguments->list, int);
    if (bytes == 2) value = (short)value;
    if (bytes == 1) value = (signed char)value;
    emit_integer(sink, how, value < 0 ? -(unsigned long long)value : (unsigned long long)value, value < 0, 'd');
}

static void unsigned_argument(struct sink *sink, struct conversion *how, struct arguments *arguments, unsigned bytes, char kind) {
    unsigned long long value = bytes == 8 ? va_arg(arguments->list, unsigned long long) : va_arg(arguments->list, unsigned);
    if (bytes == 2) value = (unsigned short)value;
    if (bytes == 1) value = (unsigned char)value;
    emit_integer(sink, how, value, 0, kind);
}

static const char *convert(struct sink *sink, const char *format, struct arguments *arguments) {
    struct conversion how = { 0, 0, 0, 0, 0, 0, -1 };
    unsigned bytes;
    format = number_of(flags_of(format, &how), arguments, &how.width);
    if (how.width < 0) { how.left = 1; how.width = -how.width; }
    if (*format == '.') format = number_of(format + 1, arguments, &how.precision);
    format = size_of(format, &bytes);
    switch (*format) {
    case 'd': case 'i': signed_argument(sink, &how, arguments, bytes); break;
    case 'u': case 'o': case 'x': case 'X': unsigned_argument(sink, &how, arguments, bytes, *format); break;
    case 'p': emit_integer(sink, &how, (uintptr_t)va_arg(arguments->list, void *), 0, 'p'); break;
    case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': emit_double(sink, &how, va_arg(arguments->list, double), *format); break;
    case 's': emit_text(sink, &how, va_arg(arguments->list, const char *)); break;
    case 'c': {
        char one = (char)va_arg(arguments->list, int);
        emit_number(sink, &how, "", &one, 1, 0);
        break;
    }
    case 'n': *va_arg(arguments->list, int *) = (int)sink->count; break;
    case '%': emit(sink, '%'); break;
    case '\0': return format;
    default: emit(sink, '%'); emit(sink, *format); break;
    }
    return format + 1;
}

static int format_to(struct sink *sink, const char *format, va_list list) {
    struct arguments arguments;
    va_copy(arguments.list, list);
    while (*format != '\0') {
        if (*format != '%') emit(sink, *format++);
        else format = convert(sink, format + 1, &arguments);
    }
    va_end(arguments.list);
    if (sink->stream == NULL && sink->room > 0) sink->text[sink->count < sink->room ? sink->count : sink->room - 1] = '\0';
    return (int)sink->count;
}

int vfprintf(FILE *stream, const char *format, va_list list) {
    struct sink sink = { stream, NULL, 0, 0 };
    return format_to(&sink, format, list);
}

int vsnprintf(char *text, size_t room, const char *format, va_list list) {
    struct sink sink = { NULL, text, room, 0 };
    return format_to(&sink, format, list);
}

int vprintf(const char *format, va_list list) { return vfprintf(stdout, format, list); }
int vsprintf(char *text, const char *format, va_list list) { return vsnprintf(text, 0x7FFFFFFF, format, list); }

#define WITH_ARGUMENTS(last, call) va_list list; va_start(list, last); int result = call; va_end(list); return result
int printf(const char *format, ...) { WITH_ARGUMENTS(format, vfprintf(stdout, format, list)); }
int fprintf(FILE *stream, const char *format, ...) { WITH_ARGUMENTS(format, vfprintf(stream, format, list)); }
int sprintf(char *text, const char *format, ...) { WITH_ARGUMENTS(format, vsprintf(text, format, list)); }
int snprintf(char *text, size_t room, const char *format, ...) { WITH_ARGUMENTS(format, vsnprintf(text, room, format, list)); }
int sscanf(const char *text, const char *format, ...) { WITH_ARGUMENTS(format, vsscanf(text, format, list)); }

/* --- sscanf --- */

struct input { const char *start, *at; int skip, width; unsigned bytes; };

static void store_integer(struct arguments *arguments, unsigned bytes, long long value) {
    if (bytes == 8) *va_arg(arguments->list, long long *) = value;
    else if (bytes == 2) *va_arg(arguments->list, short *) = (short)value;
    else if (bytes == 1) *va_arg(arguments->list, signed char *) = (signed char)value;
    else *va_arg(arguments->list, int *) = (int)value;
}

/* The text a number may be made of, cut to the width. */
static const char *field_of(const struct input *input, char *buffer, size_t room) {
    size_t width = input->width > 0 && (size_t)input->width < room ? (size_t)input->width : room - 1;
    strncpy(buffer, input->at, width);
    buffer[width] = '\0';
    return buffer;
}

static int scan_integer(struct input *input, struct arguments *arguments, int base, int is_signed) {
    char buffer[64], *end;
    field_of(input, buffer, sizeof buffer);
    long long value = is_signed ? strtoll(buffer, &end, base) : (long long)strtoull(buffer, &end, base);
    if (end == buffer) return 0;
    input->at += end - buffer;
    if (!input->skip) store_integer(arguments, input->bytes, value);
    return 1;
}

static int scan_double(struct input *input, struct arguments *arguments) {
    char buffer[128], *end;
    double value = strtod(field_of(input, buffer, sizeof buffer), &end);
    if (end == buffer) return 0;
    input->at += end - buffer;
    if (input->skip) return 1;
    if (input->bytes == sizeof(int) && sizeof(int) != sizeof(long)) *va_arg(arguments->list, float *) = (float)value;
    else *va_arg(arguments->list, double *) = value;
    return 1;
}

static int scan_text(struct input *input, struct arguments *arguments) {
    char *target = input->skip ? NULL : va_arg(arguments->list, char *);
    int length = 0;
    while (*input->at != '\0' && !isspace((unsigned char)*input->at) && (input->width == 0 || length < input->width)) {
        if (target != NULL) target[length] = *input->at;
        input->at++;
        length++;
    }
    if (target != NULL) target[length] = '\0';
    return length > 0;
}

static int scan_characters(struct input *input, struct arguments *arguments) {
    int width = input->width > 0 ? input->width : 1;
    if ((int)strnlen(input->at, width) < width) return 0;
    if (!input->skip) memcpy(va_arg(arguments->list, char *), input->at, width);
    input->at += width;
    return 1;
}

/* %[set]: the characters up to one that is not in the set, or is in it after a circumflex. */
static const char *scan_set(struct input *input, const char *format, struct arguments *arguments, int *found) {
    unsigned char members[256] = { 0 };
    int excluded = *format == '^';
    if (excluded) format++;
    for (int first = 1; *format != '\0' && (first || *format != ']'); first = 0, format++) members[(unsigned char)*format] = 1;
    char *target = input->skip ? NULL : va_arg(arguments->list, char *);
    int length = 0;
    while (*input->at != '\0' && members[(unsigned char)*input->at] != excluded && (input->width == 0 || length < input->width)) {
        if (target != NULL) target[length] = *input->at;
        input->at++;
        length++;
    }
    if (target != NULL) target[length] = '\0';
    *found = length > 0;
    return format;
}

static int scan_one(struct input *input, const char **format, struct arguments *arguments) {
    int found;
    if (**format != 'c' && **format != '[' && **format != 'n')
        while (isspace((unsigned char)*input->at)) input->at++;
    switch (**format) {
    case 'd': return scan_integer(input, arguments, 10, 1);
    case 'i': return scan_integer(input, arguments, 0, 1);
    case 'u': return scan_integer(input, arguments, 10, 0);
    case 'o': return scan_integer(input, arguments, 8, 0);
    case 'x': case 'X': case 'p': return scan_integer(input, arguments, 16, 0);
    case 'f': case 'e': case 'g': case 'E': case 'G': return scan_double(input, arguments);
    case 's': return scan_text(input, arguments);
    case 'c': return scan_characters(input, arguments);
    case '[': *format = scan_set(input, *format + 1, arguments, &found); return found;
    default: return 0;
    }
}

/* The size of a scanned double depends on l, which for integers is no longer than int. */
static const char *scan_size(const char *format, unsigned *bytes) {
    const char *end = size_of(format, bytes);
    if (end > format && *format == 'l' && strchr("feg", *end) != NULL) *bytes = 8;
    return end;
}

int vsscanf(const char *text, const char *format, va_list list) {
    struct arguments arguments;
    struct input input = { text, text, 0, 0, 4 };
    int assigned = 0;
    va_copy(arguments.list, list);
    for (; *format != '\0'; format++) {
        if (isspace((unsigned char)*format)) {
            while (isspace((unsigned char)*input.at)) input.at++;
        } else if (*format != '%') {
            if (*input.at != *format) break;
            input.at++;
        } else {
            format++;
            input.skip = *format == '*';
            if (input.skip) format++;
            for (input.width = 0; isdigit((unsigned char)*format); format++) input.width = input.width * 10 + (*format - '0');
            format = scan_size(format, &input.bytes);
            if (*format == 'n') { store_integer(&arguments, input.bytes, input.at - input.start); continue; }
            if (*format == '%') { if (*input.at != '%') break; input.at++; continue; }
            if (!scan_one(&input, &format, &arguments)) {
                if (assigned == 0 && *input.at == '\0') assigned = EOF;
                break;
            }
            assigned += !input.skip;
        }
    }
    va_end(arguments.list);
    return assigned;
}
