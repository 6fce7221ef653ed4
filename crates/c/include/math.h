#ifndef REGENT_MATH_H
#define REGENT_MATH_H
#define HUGE_VAL (__builtin_huge_val())
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define M_PI 3.14159265358979323846
#define M_E 2.7182818284590452354
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
double sin(double), cos(double), tan(double), asin(double), acos(double), atan(double), atan2(double, double);
double sinh(double), cosh(double), tanh(double), exp(double), log(double), log10(double), pow(double, double);
double sqrt(double), ceil(double), floor(double), fmod(double, double), round(double), trunc(double), hypot(double, double);
double fabs(double), modf(double, double *), ldexp(double, int), frexp(double, int *);
#endif
