/* What the parts of the run time share. */
#define REGENT_TEXT_OF(x) #x
#define REGENT_TEXT(x) REGENT_TEXT_OF(x)
long long regent_service(unsigned number, const unsigned long long *words, unsigned count);
