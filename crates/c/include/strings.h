#ifndef REGENT_STRINGS_H
#define REGENT_STRINGS_H
#include <stddef.h>
int strcasecmp(const char *left, const char *right);
int strncasecmp(const char *left, const char *right, size_t length);
#endif
