#ifndef CPART_H
#define CPART_H
extern int uses;
void name_of_transaction(char *text);
#endif
