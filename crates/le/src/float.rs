//! COMP-1 and COMP-2: hexadecimal and IEEE floating point.
