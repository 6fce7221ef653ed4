#ifndef REGENT_ERRNO_H
#define REGENT_ERRNO_H
extern int errno;
#define EDOM 1
#define ERANGE 2
#define EINVAL 121
#define ENOMEM 132
#endif
