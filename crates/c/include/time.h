#ifndef REGENT_TIME_H
#define REGENT_TIME_H
#include <stddef.h>
typedef long time_t;
typedef long clock_t;
#define CLOCKS_PER_SEC 1000000
#pragma scalar_storage_order little-endian
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; };
#pragma scalar_storage_order default
time_t time(time_t *result);
clock_t clock(void);
double difftime(time_t later, time_t earlier);
time_t mktime(struct tm *parts);
struct tm *gmtime(const time_t *moment);
struct tm *localtime(const time_t *moment);
size_t strftime(char *text, size_t room, const char *format, const struct tm *parts);
char *asctime(const struct tm *parts);
char *ctime(const time_t *moment);
#endif
