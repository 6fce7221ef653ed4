#ifndef REGENT_STDIO_H
#define REGENT_STDIO_H
#include <stddef.h>
#include <stdarg.h>
/* A program has its standard streams and no files. Under CICS standard output and standard error are transient data queues, and standard
   input is at its end. */
typedef struct regent_stream FILE;
extern FILE *const stdin, *const stdout, *const stderr;
#define EOF (-1)
#define BUFSIZ 1024
int printf(const char *format, ...);
int fprintf(FILE *stream, const char *format, ...);
int sprintf(char *text, const char *format, ...);
int snprintf(char *text, size_t room, const char *format, ...);
int vprintf(const char *format, va_list arguments);
int vfprintf(FILE *stream, const char *format, va_list arguments);
int vsprintf(char *text, const char *format, va_list arguments);
int vsnprintf(char *text, size_t room, const char *format, va_list arguments);
int sscanf(const char *text, const char *format, ...);
int vsscanf(const char *text, const char *format, va_list arguments);
int puts(const char *text);
int putchar(int character);
int putc(int character, FILE *stream);
int fputc(int character, FILE *stream);
int fputs(const char *text, FILE *stream);
int getchar(void);
int getc(FILE *stream);
int fgetc(FILE *stream);
char *fgets(char *text, int room, FILE *stream);
size_t fwrite(const void *items, size_t size, size_t count, FILE *stream);
int fflush(FILE *stream);
int feof(FILE *stream);
int ferror(FILE *stream);
void perror(const char *text);
#endif
