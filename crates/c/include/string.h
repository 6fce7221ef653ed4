#ifndef REGENT_STRING_H
#define REGENT_STRING_H
#include <stddef.h>
void *memcpy(void *to, const void *from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *area, int byte, size_t bytes);
void *memchr(const void *area, int byte, size_t bytes);
int memcmp(const void *left, const void *right, size_t bytes);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t room);
char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t room);
char *strcat(char *to, const char *from);
char *strncat(char *to, const char *from, size_t room);
int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t length);
int strcoll(const char *left, const char *right);
size_t strxfrm(char *to, const char *from, size_t room);
char *strchr(const char *text, int character);
char *strrchr(const char *text, int character);
char *strstr(const char *text, const char *part);
char *strpbrk(const char *text, const char *set);
size_t strspn(const char *text, const char *set);
size_t strcspn(const char *text, const char *set);
char *strtok(char *text, const char *set);
char *strtok_r(char *text, const char *set, char **rest);
char *strdup(const char *text);
char *strerror(int number);
#endif
