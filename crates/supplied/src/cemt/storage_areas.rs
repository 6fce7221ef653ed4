//! The display of the dynamic storage areas.

use super::resources::{Column, Shape, column};
use exec::option;

/// The sizes and limits of the dynamic storage areas, and which lines are short on storage.
pub(super) const DSAS: &[&[Column]] = &[
    &[column("Sosstatus", option::SOSSTATUS, Shape::Cvda)],
    &[column("Dsalimit", option::DSALIMIT, Shape::Number(10)), column("Edsalimit", option::EDSALIMIT, Shape::Number(10))],
    &[column("Cdsasize", option::CDSASIZE, Shape::Digits(10)), column("Ecdsasize", option::ECDSASIZE, Shape::Digits(10))],
    &[column("Rdsasize", option::RDSASIZE, Shape::Digits(10)), column("Erdsasize", option::ERDSASIZE, Shape::Digits(10))],
    &[column("Sdsasize", option::SDSASIZE, Shape::Digits(10)), column("Esdsasize", option::ESDSASIZE, Shape::Digits(10))],
    &[column("Udsasize", option::UDSASIZE, Shape::Digits(10)), column("Eudsasize", option::EUDSASIZE, Shape::Digits(10))],
    &[column("Memlimit", option::MEMLIMIT, Shape::Digits(10)), column("Gcdsasize", option::GCDSASIZE, Shape::Digits(12))],
    &[column("Gsdsasize", option::GSDSASIZE, Shape::Digits(12)), column("Gudsasize", option::GUDSASIZE, Shape::Digits(12))],
    &[column("Sosabovebar", option::SOSABOVEBAR, Shape::Cvda), column("Sosaboveline", option::SOSABOVELINE, Shape::Cvda)],
    &[column("Sosbelowline", option::SOSBELOWLINE, Shape::Cvda)],
];
