//! The procedures of IBM that translate, compile or assemble a source and bind it, by name: `up` compiles the sources of the application
//! without them.

/// Of CICS ("Installing application programs", "Installing map sets"), Enterprise COBOL, High Level Assembler, Language Environment and
/// XL C/C++.
const PROCEDURES: [&str; 54] = [
    "ASMAC", "ASMACG", "ASMACL", "ASMACLG", "ASMHC", "ASMHCL", "ASMHCLG", "CBCB", "CBCC", "CBCCB", "CBCCBG", "CBCCL", "CBCCLG", "CBCXB",
    "CEEWG", "CEEWL", "CEEWLG", "DFHASMVS", "DFHBMSUP", "DFHEITAL", "DFHEITDL", "DFHEITEL", "DFHEITFL", "DFHEITGL", "DFHEITPL", "DFHEITVL",
    "DFHEXTAL", "DFHEXTDL", "DFHEXTEL", "DFHEXTPL", "DFHEXTVL", "DFHLNKVS", "DFHMAPS", "DFHMAPT", "DFHYITDL", "DFHYITEL", "DFHYITFL",
    "DFHYITGL", "DFHYITPL", "DFHYITVL", "DFHYXTDL", "DFHYXTEL", "DFHYXTPL", "DFHYXTVL", "DFHZITCL", "DFHZITDL", "DFHZITEL", "DFHZITFL",
    "DFHZITGL", "DFHZITPL", "EDCC", "EDCCB", "EDCCL", "EDCCLG",
];

/// Those of Enterprise COBOL differ in the steps they have: IGYWC, IGYWCL, IGYWCLG ...
const COBOL_PREFIX: &str = "IGYWC";

/// True for a procedure that makes load modules from sources.
pub fn makes_load_modules(procedure: &str) -> bool {
    procedure.starts_with(COBOL_PREFIX) || PROCEDURES.contains(&procedure)
}
