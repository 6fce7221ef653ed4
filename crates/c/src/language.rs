//! The two languages of this crate, which the name of a source tells apart.

use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Cpp,
}

impl Language {
    /// By the extension of a source: `.c`, or `.cpp`, `.cxx`, `.cc`; `None` for others.
    pub fn of(path: &Path) -> Option<Language> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "c" => Some(Language::C),
            "cpp" | "cxx" | "cc" => Some(Language::Cpp),
            _ => None,
        }
    }

    /// As messages call it.
    pub fn name(self) -> &'static str {
        match self {
            Language::C => "C",
            Language::Cpp => "C++",
        }
    }
}
