//! The operations of statements use only the stack: a counting allocator sees no allocation.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use le::compare::compare;
use le::display::display;
use le::inspect::{InspectKind, InspectPhrase, inspect_convert, inspect_replace, inspect_tally};
use le::movement::{Figurative, move_all, move_field, move_figurative};
use le::numeric::{Operation, apply, apply_giving, load, store, store_float};
use le::string::{StringSource, string};
use le::unstring::{Delimiter, UnstringTarget, unstring};
use le::{Attributes, Decimal, Rounding, Session, Shape, Sign, Usage, decimal, edit};

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every request is passed on to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        System.alloc(layout)
    }

    unsafe fn dealloc(&self, address: *mut u8, layout: Layout) {
        System.dealloc(address, layout)
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn items() -> Vec<Attributes> {
    vec![
        Attributes::packed(9, 2, true),
        Attributes::packed(31, 5, true),
        Attributes::zoned(15, 2, Sign::Trailing),
        Attributes::zoned(31, 0, Sign::LeadingSeparate),
        Attributes::binary(9, 0, true),
        Attributes::native_binary(18, 2, true),
        Attributes::national_zoned(7, 2, Sign::TrailingSeparate),
        Attributes::float4(),
        Attributes::float8(),
        Attributes::alphanumeric(40),
        Attributes::alphanumeric(7).with_flags(Attributes::JUSTIFIED),
        Attributes::national(40),
        Attributes::new(Usage::Utf8, 40),
    ]
}

fn phrase(kind: InspectKind) -> InspectPhrase {
    InspectPhrase {
        kind,
        counter: 0,
        comparand: b"\xF0\xF1".as_ptr(),
        replacement: b"\xF2\xF3".as_ptr(),
        before: b"\xF9".as_ptr(),
        after: std::ptr::null(),
        comparand_length: 2,
        replacement_length: 2,
        before_length: 1,
        after_length: 0,
        work: [0; 4],
    }
}

unsafe fn exercise(session: &Session, attributes: &[Attributes], areas: &mut [Vec<u8>], out: &mut [u8]) {
    let value = Decimal::new(123_456, 2);
    for (index, target) in attributes.iter().enumerate() {
        let address = areas[index].as_mut_ptr();
        move_figurative(Figurative::Zero, address, target, session);
        let _ = move_all(b"\xF1\xF2", address, target, session);
        if target.is_numeric() {
            store(&value, address, target, Rounding::NearestEven, true, session);
            let _ = store_float(1234.5, address, target, Rounding::Truncation, true, session);
            let _ = load(address, target, session);
        }
        let _ = display(address, target, out, session);
        inspect_tally(address, target, &mut [phrase(InspectKind::All)], &mut [0], session);
        inspect_replace(address, target, &mut [phrase(InspectKind::Leading), phrase(InspectKind::First)], session);
        inspect_convert(address, target, &phrase(InspectKind::All), session);
        move_figurative(Figurative::Zero, address, target, session);
        for (other, source) in attributes.iter().enumerate() {
            let from = areas[other].as_ptr();
            let _ = move_field(from, source, address, target, session);
            let _ = compare(from, source, address, target, session);
            if source.is_numeric() && target.is_numeric() {
                for operation in [Operation::Add, Operation::Subtract, Operation::Multiply, Operation::Divide] {
                    let rounding = Rounding::NearestAwayFromZero;
                    let _ = apply(operation, from, source, address, target, rounding, true, session);
                    let _ = apply_giving(operation, from, source, from, source, address, target, rounding, false, session);
                }
            }
        }
    }
    let shape = Shape::new(31, 7);
    let huge = Decimal::new(10i128.pow(37), 20);
    let _ = decimal::divide(&decimal::multiply(&huge, &huge, shape), &value, shape);
    let _ = decimal::power(&value, 9, shape);
}

unsafe fn strings(session: &Session, area: &mut [u8; 40]) {
    let text = [0xC1u8; 20];
    let source = StringSource { address: text.as_ptr(), delimiter: [0x40u8].as_ptr(), length: 20, delimiter_length: 1 };
    let attributes = Attributes::alphanumeric(40);
    string(&[source, source], area.as_mut_ptr(), &attributes, &mut 1, session);
    let mut into = [0u8; 10];
    let target = UnstringTarget {
        address: into.as_mut_ptr(),
        attributes: &Attributes::alphanumeric(10),
        delimiter_address: std::ptr::null_mut(),
        delimiter_attributes: std::ptr::null(),
        count_address: std::ptr::null_mut(),
        count_attributes: std::ptr::null(),
    };
    let delimiters = [Delimiter { address: b"\xC1\xC2".as_ptr(), length: 2, all: 1 }];
    let _ = unstring(area.as_ptr(), &attributes, &delimiters, &[target, target], &mut 1, &mut 0, session);
}

#[test]
fn statements_do_not_allocate() {
    let mut session = Session::ebcdic();
    let options = edit::PictureOptions { decimal_comma: false, currencies: &[], code_page: session.code_page };
    let mut attributes = items();
    let mut pool = Vec::new();
    for text in ["$$$,$$9.99CR", "Z(30)9", "XX/XXBXX", "+9.9(5)E+99"] {
        let picture = edit::compile(text, &options).unwrap();
        let mut item = Attributes::new(picture.category, picture.characters);
        (item.digits, item.scale, item.edit) = (picture.digits, picture.scale, pool.len() as u32);
        attributes.push(item);
        pool.extend(&picture.program);
    }
    session.edit_programs = pool.as_ptr();
    let mut areas: Vec<Vec<u8>> = attributes.iter().map(|item| vec![0xF0; item.length as usize]).collect();
    let mut out = [0u8; 256];
    let before = COUNT.with(Cell::get);
    // SAFETY: every area has the length of its attributes.
    unsafe {
        exercise(&session, &attributes, &mut areas, &mut out);
        strings(&session, &mut [0x40; 40]);
    }
    assert_eq!(COUNT.with(Cell::get) - before, 0);
}
