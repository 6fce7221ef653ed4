//! The support schema: SQL texts that make the functions and tables of Db2 in a PostgreSQL database.
//!
//! A database has it in the current version if `select version from db2.version` gives [`SUPPORT_VERSION`]; [`SUPPORT`] installs and upgrades.

/// Rises with every change of the texts.
pub const SUPPORT_VERSION: u32 = 10;

/// What the role of an application needs in the support schema, if it does not own that.
pub fn support_grants(role: &str) -> String {
    let role = crate::names::delimited(role);
    format!(
        "grant select, insert, delete on db2.units_of_work to {role};\n\
         grant select, insert on db2.set_up to {role};\n\
         grant execute on procedure db2.make_role(text), db2.drop_role(text), db2.comment_on_role(text, text) to {role};\n"
    )
}

/// Statements for the simple query protocol, which makes one transaction of them. They may be repeated.
pub const SUPPORT: &str = concat!(
    include_str!("../support/schema.sql"),
    include_str!("../support/text.sql"),
    include_str!("../support/number.sql"),
    include_str!("../support/decfloat.sql"),
    include_str!("../support/datetime.sql"),
    include_str!("../support/compare.sql"),
    include_str!("../support/emitted.sql"),
    include_str!("../support/session.sql"),
    include_str!("../support/define.sql"),
    include_str!("../support/names.sql"),
    include_str!("../support/catalog.sql"),
    "insert into db2.version values (10);\n",
);
