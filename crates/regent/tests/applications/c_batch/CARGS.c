/* A batch program: its arguments, its streams, its return code, and a program in COBOL that it calls. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#pragma linkage(ADDER, COBOL)
extern int ADDER(int *sum, int more);

static void at_the_end(void) { printf("at the end\n"); }

int main(int argc, char *argv[])
{
    char line[8];
    int number, sum = 0;

    atexit(at_the_end);
    for (number = 0; number < argc; number++)
        printf("%d [%s]\n", number, argv[number]);
    if (argv[argc] != NULL)
        printf("no null behind the arguments\n");
    while (fgets(line, sizeof line, stdin) != NULL) {
        int length = strcspn(line, "\n");
        printf("read [%.*s]%s\n", length, line, line[length] == '\n' ? "" : " ...");
        ADDER(&sum, length);
    }
    printf("sum %d at %s\n", sum, feof(stdin) ? "the end" : "no end");
    fprintf(stderr, "to standard error\n");
    exit(sum);
}
