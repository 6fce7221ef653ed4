//! The support schema: SQL texts that make the functions and tables of Db2 in a PostgreSQL database.
//!
//! A database has it in the current version if `select version from db2.version` gives [`SUPPORT_VERSION`]; [`SUPPORT`] installs and upgrades.

/// Rises with every change of the texts.
pub const SUPPORT_VERSION: u32 = 3;

/// Statements for the simple query protocol, which makes one transaction of them. They may be repeated.
pub const SUPPORT: &str = concat!(
    include_str!("../support/schema.sql"),
    include_str!("../support/text.sql"),
    include_str!("../support/number.sql"),
    include_str!("../support/decfloat.sql"),
    include_str!("../support/datetime.sql"),
    include_str!("../support/emitted.sql"),
    include_str!("../support/session.sql"),
    include_str!("../support/define.sql"),
    include_str!("../support/catalog.sql"),
    "insert into db2.version values (3);\n",
);
