/* Times and dates. */
#include <time.h>
#include <stdio.h>
#include <string.h>
#include "runtime.h"

#define DAY 86400ll

static long long now(void) { return regent_service(REGENT_SERVICE_C_CLOCK, 0, 0); }

time_t time(time_t *result) {
    time_t seconds = (time_t)(now() / 1000000000ll);
    if (result != NULL) *result = seconds;
    return seconds;
}

clock_t clock(void) {
    static long long start;
    long long moment = now() / 1000;
    if (start == 0) start = moment;
    return (clock_t)(moment - start);
}

double difftime(time_t later, time_t earlier) { return (double)later - (double)earlier; }

static int is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }
static const short before_month[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365 };

/* Days from 1 January 1970 to 1 January of the year. */
static long long days_to_year(long long year) {
    long long past = year - 1;
    return past * 365 + past / 4 - past / 100 + past / 400 - 719162;
}

static int days_to_month(int year, int month) { return before_month[month] + (month > 1 && is_leap(year)); }

static struct tm *parts_of(long long seconds) {
    static struct tm parts;
    long long days = seconds / DAY, rest = seconds % DAY;
    if (rest < 0) { rest += DAY; days--; }
    int year = (int)(1970 + days / 366), month = 11;
    while (days_to_year(year + 1) <= days) year++;
    while (days_to_year(year) > days) year--;
    int day = (int)(days - days_to_year(year));
    while (days_to_month(year, month) > day) month--;
    parts.tm_sec = (int)(rest % 60);
    parts.tm_min = (int)(rest / 60 % 60);
    parts.tm_hour = (int)(rest / 3600);
    parts.tm_mday = day - days_to_month(year, month) + 1;
    parts.tm_mon = month;
    parts.tm_year = year - 1900;
    parts.tm_wday = (int)(((days + 4) % 7 + 7) % 7);
    parts.tm_yday = day;
    parts.tm_isdst = 0;
    return &parts;
}

static long long offset(void) { return regent_service(REGENT_SERVICE_C_UTC_OFFSET, 0, 0); }
struct tm *gmtime(const time_t *moment) { return parts_of(*moment); }
struct tm *localtime(const time_t *moment) { return parts_of(*moment + offset()); }

time_t mktime(struct tm *parts) {
    long long month = parts->tm_mon, year = 1900ll + parts->tm_year + month / 12;
    month %= 12;
    if (month < 0) { month += 12; year--; }
    long long days = days_to_year(year) + days_to_month((int)year, (int)month) + parts->tm_mday - 1;
    long long seconds = days * DAY + parts->tm_hour * 3600ll + parts->tm_min * 60ll + parts->tm_sec;
    *parts = *parts_of(seconds);
    return (time_t)(seconds - offset());
}

static const char *const days[] = { "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday" };
static const char *const months[] = { "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December" };

static void one_part(char *text, size_t room, char kind, const struct tm *parts) {
    int hour = parts->tm_hour % 12 == 0 ? 12 : parts->tm_hour % 12;
    switch (kind) {
    case 'a': snprintf(text, room, "%.3s", days[parts->tm_wday]); break;
    case 'A': snprintf(text, room, "%s", days[parts->tm_wday]); break;
    case 'b': case 'h': snprintf(text, room, "%.3s", months[parts->tm_mon]); break;
    case 'B': snprintf(text, room, "%s", months[parts->tm_mon]); break;
    case 'c': strftime(text, room, "%a %b %e %H:%M:%S %Y", parts); break;
    case 'd': snprintf(text, room, "%02d", parts->tm_mday); break;
    case 'D': case 'x': strftime(text, room, "%m/%d/%y", parts); break;
    case 'e': snprintf(text, room, "%2d", parts->tm_mday); break;
    case 'F': strftime(text, room, "%Y-%m-%d", parts); break;
    case 'H': snprintf(text, room, "%02d", parts->tm_hour); break;
    case 'I': snprintf(text, room, "%02d", hour); break;
    case 'j': snprintf(text, room, "%03d", parts->tm_yday + 1); break;
    case 'm': snprintf(text, room, "%02d", parts->tm_mon + 1); break;
    case 'M': snprintf(text, room, "%02d", parts->tm_min); break;
    case 'p': snprintf(text, room, "%s", parts->tm_hour < 12 ? "AM" : "PM"); break;
    case 'S': snprintf(text, room, "%02d", parts->tm_sec); break;
    case 'T': case 'X': strftime(text, room, "%H:%M:%S", parts); break;
    case 'w': snprintf(text, room, "%d", parts->tm_wday); break;
    case 'y': snprintf(text, room, "%02d", parts->tm_year % 100); break;
    case 'Y': snprintf(text, room, "%d", parts->tm_year + 1900); break;
    case '%': snprintf(text, room, "%%"); break;
    default: *text = '\0'; break;
    }
}

size_t strftime(char *text, size_t room, const char *format, const struct tm *parts) {
    size_t length = 0;
    for (; *format != '\0'; format++) {
        char part[64] = { *format };
        if (*format == '%' && format[1] != '\0') one_part(part, sizeof part, *++format, parts);
        size_t added = strlen(part);
        if (length + added >= room) return 0;
        memcpy(text + length, part, added);
        length += added;
    }
    if (room == 0) return 0;
    text[length] = '\0';
    return length;
}

char *asctime(const struct tm *parts) {
    static char text[32];
    strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y\n", parts);
    return text;
}

char *ctime(const time_t *moment) { return asctime(localtime(moment)); }

char *setlocale(int category, const char *name) {
    (void)category;
    return name == NULL || *name == '\0' || strcmp(name, "C") == 0 ? "C" : NULL;
}
