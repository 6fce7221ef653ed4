extern "C" {
#include_next <stdio.h>
}
#ifndef REGENT_CPP_STDIO_H
#define REGENT_CPP_STDIO_H
#include <regent.hpp>
/* With members of structures that are turned round among the arguments. */
template <class... T> inline int printf(const char *format, const T &...values) {
    return ((int (*)(const char *, ...))printf)(format, regent_printed(values)...);
}
template <class... T> inline int fprintf(FILE *stream, const char *format, const T &...values) {
    return ((int (*)(FILE *, const char *, ...))fprintf)(stream, format, regent_printed(values)...);
}
template <class... T> inline int sprintf(char *text, const char *format, const T &...values) {
    return ((int (*)(char *, const char *, ...))sprintf)(text, format, regent_printed(values)...);
}
template <class... T> inline int snprintf(char *text, size_t room, const char *format, const T &...values) {
    return ((int (*)(char *, size_t, const char *, ...))snprintf)(text, room, format, regent_printed(values)...);
}
#endif
