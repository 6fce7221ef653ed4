//! The special registers.

/// Words of each register behind CURRENT; longer spellings stand before their beginnings.
pub const CURRENT_REGISTERS: &[&[&str]] = &[
    &["APPLICATION", "COMPATIBILITY"],
    &["APPLICATION", "ENCODING", "SCHEME"],
    &["CLIENT_ACCTNG"],
    &["CLIENT_APPLNAME"],
    &["CLIENT_CORR_TOKEN"],
    &["CLIENT_USERID"],
    &["CLIENT_WRKSTNNAME"],
    &["DATE"],
    &["DEBUG", "MODE"],
    &["DECFLOAT", "ROUNDING", "MODE"],
    &["DEGREE"],
    &["EXPLAIN", "MODE"],
    &["GET_ACCEL_ARCHIVE"],
    &["ISOLATION"],
    &["LC_CTYPE"],
    &["LOCALE", "LC_CTYPE"],
    &["LOCK", "TIMEOUT"],
    &["MAINTAINED", "TABLE", "TYPES", "FOR", "OPTIMIZATION"],
    &["MAINTAINED", "TYPES"],
    &["MEMBER"],
    &["OPTIMIZATION", "HINT"],
    &["PACKAGE", "PATH"],
    &["PACKAGESET"],
    &["PATH"],
    &["PRECISION"],
    &["QUERY", "ACCELERATION", "WAITFORDATA"],
    &["QUERY", "ACCELERATION"],
    &["REFRESH", "AGE"],
    &["ROUTINE", "VERSION"],
    &["RULES"],
    &["SCHEMA"],
    &["SERVER"],
    &["SQLID"],
    &["TEMPORAL", "BUSINESS_TIME"],
    &["TEMPORAL", "SYSTEM_TIME"],
    &["TIMEZONE"],
    &["TIME", "ZONE"],
    &["TIMESTAMP"],
    &["TIME"],
    &["USER"],
];

/// Registers of one word, and their usual names.
pub const ONE_WORD_REGISTERS: &[(&str, &str)] = &[
    ("CURRENT_DATE", "CURRENT DATE"),
    ("CURRENT_TIME", "CURRENT TIME"),
    ("CURRENT_TIMESTAMP", "CURRENT TIMESTAMP"),
    ("CURRENT_SCHEMA", "CURRENT SCHEMA"),
    ("CURRENT_PATH", "CURRENT PATH"),
    ("CURRENT_LC_CTYPE", "CURRENT LOCALE LC_CTYPE"),
    ("CURRENT_USER", "USER"),
    ("SESSION_USER", "USER"),
    ("USER", "USER"),
];

/// The name that the run time knows: one spelling for each register.
pub fn canonical(words: &[&str]) -> String {
    match words {
        ["TIME", "ZONE"] => "CURRENT TIMEZONE".to_string(),
        ["LC_CTYPE"] => "CURRENT LOCALE LC_CTYPE".to_string(),
        ["MAINTAINED", "TYPES"] => "CURRENT MAINTAINED TABLE TYPES FOR OPTIMIZATION".to_string(),
        ["USER"] => "USER".to_string(),
        _ => format!("CURRENT {}", words.join(" ")),
    }
}
