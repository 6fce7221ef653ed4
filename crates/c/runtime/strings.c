/* Strings and characters, in the execution character set of the program. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <ctype.h>
#include <errno.h>

void *memcpy(void *to, const void *from, size_t bytes) {
    void *result = to;
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
    return result;
}

void *memset(void *area, int byte, size_t bytes) {
    void *result = area;
    __asm__ volatile("rep stosb" : "+D"(area), "+c"(bytes) : "a"(byte) : "memory");
    return result;
}

void *memmove(void *to, const void *from, size_t bytes) {
    char *target = to;
    const char *source = from;
    if (target <= source || target >= source + bytes) return memcpy(to, from, bytes);
    while (bytes-- > 0) target[bytes] = source[bytes];
    return to;
}

void *memchr(const void *area, int byte, size_t bytes) {
    const unsigned char *at = area;
    for (; bytes > 0; bytes--, at++)
        if (*at == (unsigned char)byte) return (void *)at;
    return NULL;
}

int memcmp(const void *left, const void *right, size_t bytes) {
    const unsigned char *a = left, *b = right;
    for (; bytes > 0; bytes--, a++, b++)
        if (*a != *b) return *a < *b ? -1 : 1;
    return 0;
}

size_t strlen(const char *text) {
    const char *end = text;
    while (*end != '\0') end++;
    return end - text;
}

size_t strnlen(const char *text, size_t room) {
    size_t length = 0;
    while (length < room && text[length] != '\0') length++;
    return length;
}

char *strcpy(char *to, const char *from) { return memcpy(to, from, strlen(from) + 1); }

char *strncpy(char *to, const char *from, size_t room) {
    size_t length = strnlen(from, room);
    memcpy(to, from, length);
    memset(to + length, 0, room - length);
    return to;
}

char *strcat(char *to, const char *from) { strcpy(to + strlen(to), from); return to; }

char *strncat(char *to, const char *from, size_t room) {
    char *end = to + strlen(to);
    size_t length = strnlen(from, room);
    memcpy(end, from, length);
    end[length] = '\0';
    return to;
}

int strncmp(const char *left, const char *right, size_t length) {
    for (; length > 0; length--, left++, right++) {
        if (*left != *right) return (unsigned char)*left < (unsigned char)*right ? -1 : 1;
        if (*left == '\0') break;
    }
    return 0;
}

int strcmp(const char *left, const char *right) { return strncmp(left, right, (size_t)-1); }
int strcoll(const char *left, const char *right) { return strcmp(left, right); }

size_t strxfrm(char *to, const char *from, size_t room) {
    size_t length = strlen(from);
    if (length < room) strcpy(to, from);
    return length;
}

int strncasecmp(const char *left, const char *right, size_t length) {
    for (; length > 0; length--, left++, right++) {
        int a = tolower((unsigned char)*left), b = tolower((unsigned char)*right);
        if (a != b) return a < b ? -1 : 1;
        if (a == 0) break;
    }
    return 0;
}

int strcasecmp(const char *left, const char *right) { return strncasecmp(left, right, (size_t)-1); }

char *strchr(const char *text, int character) {
    for (;; text++) {
        if (*text == (char)character) return (char *)text;
        if (*text == '\0') return NULL;
    }
}

char *strrchr(const char *text, int character) {
    char *found = NULL;
    for (;; text++) {
        if (*text == (char)character) found = (char *)text;
        if (*text == '\0') return found;
    }
}

char *strstr(const char *text, const char *part) {
    size_t length = strlen(part);
    for (;; text++) {
        if (strncmp(text, part, length) == 0) return (char *)text;
        if (*text == '\0') return NULL;
    }
}

size_t strspn(const char *text, const char *set) {
    size_t length = 0;
    while (text[length] != '\0' && strchr(set, text[length]) != NULL) length++;
    return length;
}

size_t strcspn(const char *text, const char *set) {
    size_t length = 0;
    while (text[length] != '\0' && strchr(set, text[length]) == NULL) length++;
    return length;
}

char *strpbrk(const char *text, const char *set) {
    text += strcspn(text, set);
    return *text == '\0' ? NULL : (char *)text;
}

char *strtok_r(char *text, const char *set, char **rest) {
    if (text == NULL) text = *rest;
    text += strspn(text, set);
    if (*text == '\0') { *rest = text; return NULL; }
    char *end = text + strcspn(text, set);
    *rest = *end == '\0' ? end : end + 1;
    *end = '\0';
    return text;
}

char *strtok(char *text, const char *set) {
    static char *rest = "";
    return strtok_r(text, set, &rest);
}

char *strdup(const char *text) {
    char *copy = malloc(strlen(text) + 1);
    return copy == NULL ? NULL : strcpy(copy, text);
}

char *strerror(int number) {
    switch (number) {
    case 0: return "no error";
    case EDOM: return "a value outside the domain of the function";
    case ERANGE: return "a result out of range";
    case EINVAL: return "an argument that is not valid";
    case ENOMEM: return "not enough storage";
    default: return "unknown error";
    }
}

/* Letters are not adjacent in EBCDIC, so they are looked up. */
static const char lower[] = "abcdefghijklmnopqrstuvwxyz", upper[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
static const char punctuation[] = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

static int place(const char *set, int character) {
    if (character <= 0 || character > 255) return -1;
    const char *found = strchr(set, character);
    return found == NULL ? -1 : (int)(found - set);
}

int isdigit(int character) { return character >= '0' && character <= '9'; }
int islower(int character) { return place(lower, character) >= 0; }
int isupper(int character) { return place(upper, character) >= 0; }
int isalpha(int character) { return islower(character) || isupper(character); }
int isalnum(int character) { return isalpha(character) || isdigit(character); }
int ispunct(int character) { return place(punctuation, character) >= 0; }
int isgraph(int character) { return isalnum(character) || ispunct(character); }
int isprint(int character) { return isgraph(character) || character == ' '; }
int isblank(int character) { return character == ' ' || character == '\t'; }
int isspace(int character) { return place(" \t\n\v\f\r", character) >= 0; }
int iscntrl(int character) { return character >= 0 && (character < ' ' || character == 0xFF) && !isprint(character); }
int isxdigit(int character) { return isdigit(character) || place("abcdefABCDEF", character) >= 0; }

int tolower(int character) {
    int at = place(upper, character);
    return at < 0 ? character : (unsigned char)lower[at];
}

int toupper(int character) {
    int at = place(lower, character);
    return at < 0 ? character : (unsigned char)upper[at];
}
