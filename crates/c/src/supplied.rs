//! The headers and the run-time source that programs are compiled with. Headers that list facts are generated from the tables of `exec`.

use std::fmt::Write as _;

/// Headers as they are, by name.
const HEADERS: [(&str, &str); 20] = [
    ("assert.h", include_str!("../include/assert.h")),
    ("ctype.h", include_str!("../include/ctype.h")),
    ("errno.h", include_str!("../include/errno.h")),
    ("float.h", include_str!("../include/float.h")),
    ("limits.h", include_str!("../include/limits.h")),
    ("locale.h", include_str!("../include/locale.h")),
    ("math.h", include_str!("../include/math.h")),
    ("regent.h", include_str!("../include/regent.h")),
    ("setjmp.h", include_str!("../include/setjmp.h")),
    ("sqlca.h", include_str!("../include/sqlca.h")),
    ("sqlda.h", include_str!("../include/sqlda.h")),
    ("stdarg.h", include_str!("../include/stdarg.h")),
    ("stdbool.h", include_str!("../include/stdbool.h")),
    ("stddef.h", include_str!("../include/stddef.h")),
    ("stdint.h", include_str!("../include/stdint.h")),
    ("stdio.h", include_str!("../include/stdio.h")),
    ("stdlib.h", include_str!("../include/stdlib.h")),
    ("string.h", include_str!("../include/string.h")),
    ("strings.h", include_str!("../include/strings.h")),
    ("time.h", include_str!("../include/time.h")),
];

/// The first is of programs with a main function, the second of the others.
pub const STARTS: [(&str, &str); 2] =
    [("start_main.c", include_str!("../runtime/start_main.c")), ("start_called.c", include_str!("../runtime/start_called.c"))];
/// The parts of the run time, and the header they share.
pub const RUNTIME: [(&str, &str); 5] = [
    ("runtime.c", include_str!("../runtime/runtime.c")),
    ("strings.c", include_str!("../runtime/strings.c")),
    ("format.c", include_str!("../runtime/format.c")),
    ("numbers.c", include_str!("../runtime/numbers.c")),
    ("calendar.c", include_str!("../runtime/calendar.c")),
];
pub const RUNTIME_HEADER: (&str, &str) = ("runtime.h", include_str!("../runtime/runtime.h"));

/// All headers a program may include.
pub fn headers() -> Vec<(&'static str, String)> {
    let mut all: Vec<(&str, String)> = HEADERS.iter().map(|(name, text)| (*name, text.to_string())).collect();
    let attributes = byte_header("DFHBMSCA_H", exec::bmsca::all());
    all.push(("dfhaid.h", byte_header("DFHAID_H", exec::aid::all())));
    all.push(("dfhbms.h", attributes.clone()));
    all.push(("dfhbmsca.h", attributes));
    all.push(("dfheiblk.h", eib_header(&EIB_IN_C)));
    all.push(("dfhuexit.h", exec::exit_header()));
    all.extend(exec::event_headers());
    all
}

/// Headers that are generated from tables.
const GENERATED: [&str; 5] = ["dfhaid.h", "dfhbms.h", "dfhbmsca.h", "dfheiblk.h", "dfhuexit.h"];

pub fn is_header(name: &str) -> bool {
    GENERATED.contains(&name) || exec::event_header_names().any(|known| known == name) || HEADERS.iter().any(|(known, _)| *known == name)
}

/// Attention identifiers and attribute bytes are the 3270's, whatever the code page.
fn byte_header(guard: &str, rows: &[exec::NamedByte]) -> String {
    let mut text = format!("#ifndef {guard}\n#define {guard}\n");
    for row in rows {
        let _ = writeln!(text, "#define {} '\\x{:02X}' /* {} */", row.name, row.value, row.meaning.replace("*/", ""));
    }
    text.push_str("#endif\n");
    text
}

/// How a language declares the EXEC interface block.
pub struct EibLanguage {
    /// Up to the first member.
    begin: &'static str,
    /// The types of a halfword and a fullword, as the host has them.
    numbers: [&'static str; 2],
    /// Behind the last member.
    end: &'static str,
}

/// C: numbers are in the order of the structure.
const EIB_IN_C: EibLanguage = EibLanguage {
    begin: "typedef struct __attribute__((packed, scalar_storage_order(\"big-endian\"))) {\n",
    numbers: ["short", "int"],
    end: "} DFHEIBLK;\nDFHEIBLK *dfheiptr;\n",
};

/// C++: numbers have types of their own, and the variable is one of the whole program.
pub const EIB_IN_CPP: EibLanguage = EibLanguage {
    begin: "#include <regent.hpp>\n#pragma pack(push, 1)\ntypedef struct {\n",
    numbers: ["regent_big<short>", "regent_big<int>"],
    end: "} DFHEIBLK;\n#pragma pack(pop)\nextern \"C\" DFHEIBLK *dfheiptr;\n",
};

/// The EXEC interface block: names in lower case, characters as arrays, numbers as the host has them.
pub fn eib_header(language: &EibLanguage) -> String {
    let [half, full] = language.numbers;
    let mut text = format!("#ifndef DFHEIBLK_H\n#define DFHEIBLK_H\n{}", language.begin);
    for field in exec::eib::fields() {
        let name = field.name.to_ascii_lowercase();
        let declaration = match (field.picture, field.length) {
            ("S9(4) COMP", _) => format!("{half} {name}"),
            ("S9(8) COMP", _) => format!("{full} {name}"),
            (_, 1) => format!("char {name}"),
            (_, length) => format!("char {name}[{length}]"),
        };
        let _ = writeln!(text, "    {declaration}; /* {} */", field.meaning);
    }
    text + language.end + "#endif\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_headers_hold_the_tables() {
        let headers = headers();
        assert!(
            headers.iter().all(|(name, _)| is_header(name))
                && GENERATED.len() + HEADERS.len() + exec::event_header_names().count() == headers.len()
        );
        let text = |name: &str| &headers.iter().find(|(known, _)| *known == name).unwrap().1;
        assert!(text("dfhaid.h").contains("#define DFHENTER '\\x7D' /* ENTER */"));
        assert!(text("dfhbmsca.h").contains("#define DFHBMPRO '\\x60'"));
        assert!(text("dfheiblk.h").contains("    short eibcalen;") && text("dfheiblk.h").contains("    char eibtrnid[4];"));
        assert!(text("dfheiblk.h").contains("    int eibresp2;") && text("dfheiblk.h").contains("    char eibtaskn[4];"));
    }
}
