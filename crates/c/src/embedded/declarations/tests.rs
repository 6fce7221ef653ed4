//! Declarations and the scopes they are in.

use super::*;
use sql::VariableType;

fn read(text: &str) -> Declarations {
    let mut declarations = Declarations::default();
    declarations.read(text);
    declarations
}

fn kind(text: &str, name: &str) -> Type {
    read(text).find(name).unwrap_or_else(|| panic!("{name} in {text}")).kind.clone()
}

#[test]
fn declarations_have_the_types_of_c() {
    let integer = |bytes, unsigned| Type::Integer { bytes, unsigned };
    let array = |kind, length| Type::Array(Box::new(kind), length);
    for (text, expected) in [
        ("short x;", integer(2, false)),
        ("static const long int x = 5, y;", integer(4, false)),
        ("unsigned x;", integer(4, true)),
        ("long long x;", integer(8, false)),
        ("double a, *b, x;", Type::Real { bytes: 8 }),
        ("char a = ';', x[10];", array(Type::Character, Some(10))),
        ("#define N 4\nchar x[N + 1] = \"}\";", array(Type::Character, Some(5))),
        ("char x[3][21];", array(array(Type::Character, Some(21)), Some(3))),
        ("char (*x)[20];", Type::Pointer(Box::new(array(Type::Character, Some(20))))),
        ("short *x[6];", array(Type::Pointer(Box::new(integer(2, false))), Some(6))),
        ("typedef long NUMBER; NUMBER x;", integer(4, false)),
        ("int f(int a, char *b); int32_t x;", integer(4, false)),
        ("SQL TYPE IS BLOB(2K) x;", Type::Sql(VariableType::Blob, 2048)),
        ("while (a < b) { c(); } int x;", integer(4, false)),
        ("enum { ONE = 1, TWO }; char x[TWO];", array(Type::Character, Some(2))),
        ("char x[] = \"ab\\n\\x41\\101\" \"c\";", array(Type::Character, Some(7))),
        ("char y[] = \"a\", x[] = \"bc\";", array(Type::Character, Some(3))),
        ("short x[] = { 1, f(2, 3), };", array(integer(2, false), Some(2))),
        ("char x[][21] = { \"A\", \"B\" };", array(array(Type::Character, Some(21)), Some(2))),
        ("short x[] = { [3] = 1 };", array(integer(2, false), None)),
        ("char x[] = { 'a' };", array(Type::Character, Some(1))),
        ("char x[] = NAME;", array(Type::Character, None)),
        ("decimal(5,2) x;", Type::Other("decimal".to_string())),
        ("struct s { short a; }; char x[sizeof(struct s)];", array(Type::Character, Some(2))),
    ] {
        assert_eq!(kind(text, "x"), expected, "{text}");
    }
}

#[test]
fn structures_have_members_and_orders() {
    let text = "typedef struct row { long id; struct { short len; char data[30]; } name; } ROW;\n\
                #pragma scalar_storage_order little-endian\nstruct other { int a; };\n#pragma scalar_storage_order default\n\
                ROW x; struct row y; struct other z;";
    let Type::Structure(row) = kind(text, "x") else { panic!("a structure") };
    assert_eq!(size(&kind(text, "y")), Some((36, 4)));
    let Some(Type::Structure(name)) = row.member("name") else { panic!("a member") };
    assert_eq!(name.varying(), Some((VariableType::VarChar, 30)));
    assert!(!row.reversed && matches!(kind(text, "z"), Type::Structure(other) if other.reversed));
}

#[test]
fn blocks_hide_and_end() {
    let mut declarations = read("int x; void f(char *p, int n) { long long x; if (x) { char x; }");
    assert_eq!(declarations.find("x").unwrap().kind, Type::Integer { bytes: 8, unsigned: false });
    assert!(declarations.find("n").unwrap().parameter && !declarations.find("x").unwrap().parameter);
    declarations.read("}");
    assert_eq!(declarations.find("x").unwrap().kind, Type::Integer { bytes: 4, unsigned: false });
    assert!(declarations.find("n").is_none());
}

#[test]
fn any_text_is_read_to_its_end() {
    for text in
        ["struct {", "struct s {{{{", "int x[", "int (((((", "}}}}", "typedef", "enum {", "SQL TYPE IS", "char x = {{{", "struct s { int"]
    {
        read(text);
    }
    read(&format!("int {}x;", "(".repeat(5000)));
    read(&"struct { ".repeat(5000));
    let chain = |level: usize| format!("typedef struct s{level} {{ T{level} a, b; }} T{}; typedef T{level} *P{level}[2];", level + 1);
    read(&format!("typedef int T0;{}", (0..5000).map(chain).collect::<String>()));
    read(&format!("int {}x;", "*".repeat(5000)));
}
