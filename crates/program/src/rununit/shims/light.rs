//! Light slots: thin calls of `le` on the program's operands.
//!
//! `unsafe` here passes on addresses and descriptions as compiled code gives them: the descriptions are constants of the load module or
//! in the frame, the areas may have any address. See the parent module.

use super::{Filler, light};
use crate::abi::{Context, Slot};
use crate::requests::{UnstringRequest, check, store_flags};
use le::movement::Figurative;
use le::numeric::Operation;
use le::{Attributes, Decimal, Exception, Rounding, Session, Shape};
use std::cmp::Ordering;
use std::ffi::c_void;
use std::slice::{from_raw_parts, from_raw_parts_mut};

type C = *mut Context;
type S<'a> = &'a Session;
type A<'a> = &'a Attributes;

fn rounding(flags: u32) -> Rounding {
    Rounding::from_number(flags & store_flags::ROUNDING)
}

fn keep(flags: u32) -> bool {
    flags & store_flags::KEEP != 0
}

fn shape(packed: u32) -> Shape {
    Shape::new((packed >> 16) as i16, packed as u16 as i16)
}

fn order(ordering: Ordering) -> i32 {
    ordering as i32
}

unsafe fn bytes<'a>(address: *const u8, length: u32) -> &'a [u8] {
    if length == 0 { &[] } else { from_raw_parts(present(address), length as usize) }
}

unsafe fn list<'a, T>(address: *const T, count: u32) -> &'a [T] {
    if count == 0 { &[] } else { from_raw_parts(address, count as usize) }
}

unsafe fn list_mut<'a, T>(address: *mut T, count: u32) -> &'a mut [T] {
    if count == 0 { &mut [] } else { from_raw_parts_mut(address, count as usize) }
}

unsafe extern "C" fn move_field(c: C, s: S, from: *const u8, from_a: A, to: *mut u8, to_a: A) {
    light(c, || le::movement::move_field(from, from_a, to, to_a, s))
}

unsafe extern "C" fn move_figurative(c: C, s: S, what: u32, to: *mut u8, to_a: A) {
    light(c, || {
        le::movement::move_figurative(Figurative::from_number(what), to, to_a, s);
        Ok(())
    })
}

unsafe extern "C" fn move_all(c: C, s: S, literal: *const u8, length: u32, to: *mut u8, to_a: A) {
    light(c, || le::movement::move_all(bytes(literal, length), to, to_a, s))
}

unsafe extern "C" fn move_decimal(c: C, s: S, value: &Decimal, value_a: A, to: *mut u8, to_a: A) {
    light(c, || le::movement::move_decimal(value, value_a, to, to_a, s))
}

unsafe extern "C" fn compare(c: C, s: S, left: *const u8, left_a: A, right: *const u8, right_a: A) -> i32 {
    light(c, || le::compare::compare(left, left_a, right, right_a, s).map(order))
}

unsafe extern "C" fn compare_figurative(c: C, s: S, left: *const u8, left_a: A, what: u32) -> i32 {
    light(c, || le::compare::compare_figurative(left, left_a, Figurative::from_number(what), s).map(order))
}

unsafe extern "C" fn compare_all(c: C, s: S, left: *const u8, left_a: A, literal: *const u8, length: u32) -> i32 {
    light(c, || le::compare::compare_all(left, left_a, bytes(literal, length), s).map(order))
}

unsafe extern "C" fn compare_bytes(c: C, left: *const u8, length: u32, right: *const u8, right_length: u32, pad: u32) -> i32 {
    light(c, || Ok(order(le::compare::compare_bytes(bytes(left, length), bytes(right, right_length), pad as u8))))
}

unsafe extern "C" fn decimal_compare(c: C, left: &Decimal, right: &Decimal) -> i32 {
    light(c, || Ok(order(le::decimal::compare(left, right))))
}

unsafe extern "C" fn load(c: C, s: S, area: *const u8, a: A, result: *mut Decimal) {
    *result = light(c, || le::numeric::load(area, a, s));
}

unsafe extern "C" fn load_integer(c: C, s: S, area: *const u8, a: A) -> i64 {
    light(c, || le::numeric::load_integer(area, a, s))
}

unsafe extern "C" fn load_float(c: C, s: S, area: *const u8, a: A) -> f64 {
    light(c, || le::numeric::load_float(area, a, s))
}

unsafe extern "C" fn store(c: C, s: S, value: &Decimal, area: *mut u8, a: A, flags: u32) -> u32 {
    light(c, || Ok(le::numeric::store(value, area, a, rounding(flags), keep(flags), s) as u32))
}

unsafe extern "C" fn store_float(c: C, s: S, value: f64, area: *mut u8, a: A, flags: u32) -> u32 {
    light(c, || le::numeric::store_float(value, area, a, rounding(flags), keep(flags), s).map(u32::from))
}

unsafe extern "C" fn store_integer(c: C, s: S, value: i64, area: *mut u8, a: A) {
    light(c, || {
        le::numeric::store_integer(value, area, a, s);
        Ok(())
    })
}

unsafe extern "C" fn apply(c: C, s: S, flags: u32, from: *const u8, from_a: A, to: *mut u8, to_a: A) -> u32 {
    let operation = match flags >> store_flags::OPERATION_SHIFT {
        0 => Operation::Add,
        1 => Operation::Subtract,
        2 => Operation::Multiply,
        _ => Operation::Divide,
    };
    light(c, || le::numeric::apply(operation, from, from_a, to, to_a, rounding(flags), keep(flags), s).map(u32::from))
}

unsafe extern "C" fn add(c: C, left: &Decimal, right: &Decimal, carried: u32, result: *mut Decimal) {
    *result = light(c, || Ok(le::decimal::add(left, right, shape(carried))));
}

unsafe extern "C" fn subtract(c: C, left: &Decimal, right: &Decimal, carried: u32, result: *mut Decimal) {
    *result = light(c, || Ok(le::decimal::subtract(left, right, shape(carried))));
}

unsafe extern "C" fn multiply(c: C, left: &Decimal, right: &Decimal, carried: u32, result: *mut Decimal) {
    *result = light(c, || Ok(le::decimal::multiply(left, right, shape(carried))));
}

/// Under `kept` (ON SIZE ERROR) a division or power without result is reported instead of stopping the program.
fn kept_result(result: le::Result<Decimal>, kept: u32) -> le::Result<(Decimal, u32)> {
    match result {
        Ok(value) => Ok((value, 0)),
        Err(Exception::DecimalDivide | Exception::Exponentiation | Exception::FixedDivide) if kept != 0 => Ok((Decimal::integer(0), 1)),
        Err(exception) => Err(exception),
    }
}

unsafe extern "C" fn divide(c: C, left: &Decimal, right: &Decimal, carried: u32, kept: u32, result: *mut Decimal) -> u32 {
    let (value, failed) = light(c, || kept_result(le::decimal::divide(left, right, shape(carried)), kept));
    *result = value;
    failed
}

/// Zero, or one of [`check`] if the power has no result. Without ON SIZE ERROR `result` then has the substitute value, and zero to a
/// negative power stops the program (Language Reference, "Exponentiation size error conditions").
unsafe extern "C" fn power(c: C, base: &Decimal, exponent: i32, carried: u32, kept: u32, result: *mut Decimal) -> u32 {
    let (value, found) = light(c, || {
        if base.is_zero() && exponent == 0 {
            return Ok((Decimal::integer(1), check::ZERO_POWER));
        }
        kept_result(le::decimal::power(base, exponent, shape(carried)), kept)
    });
    *result = value;
    found
}

unsafe extern "C" fn remainder(c: C, left: &Decimal, right: &Decimal, quotient: &Decimal, result: *mut Decimal) {
    *result = light(c, || Ok(le::decimal::remainder(left, right, quotient)));
}

unsafe extern "C" fn negate(c: C, value: &Decimal, result: *mut Decimal) {
    *result = light(c, || Ok(value.negated()));
}

unsafe extern "C" fn to_float(c: C, value: &Decimal) -> f64 {
    light(c, || Ok(le::decimal::to_float(value)))
}

unsafe extern "C" fn from_float(c: C, value: f64, scale: i32, flags: u32, result: *mut Decimal) {
    *result = light(c, || le::decimal::from_float(value, scale, rounding(flags)));
}

/// As `power`. The result may be in user-key storage.
unsafe extern "C" fn float_power(c: C, base: f64, exponent: f64, kept: u32, result: *mut f64) -> u32 {
    let (value, found) = light(c, || match (base, exponent) {
        (0.0, 0.0) => Ok((1.0, check::ZERO_POWER)),
        (0.0, ..0.0) if kept != 0 => Ok((0.0, check::ZERO_POWER)),
        (0.0, ..0.0) => Err(Exception::Exponentiation),
        (..0.0, _) if exponent.fract() != 0.0 => Ok(((-base).powf(exponent), check::NEGATIVE_BASE)),
        _ => Ok((base.powf(exponent), 0)),
    });
    *result = value;
    found
}

/// From user key: the C library's `pow` sets errno, which is CICS-key storage.
unsafe extern "C" fn float_power_user_key<const KEY: u8>(c: C, base: f64, exponent: f64, kept: u32, result: *mut f64) -> u32 {
    super::enter_cics_key::<KEY>(c);
    let found = float_power(c, base, exponent, kept, result);
    super::enter_program_key::<KEY>(c);
    found
}

unsafe extern "C" fn is_class(c: C, s: S, class: u32, area: *const u8, a: A) -> u32 {
    use le::class::Class;
    let class = match class {
        0 => Class::Numeric,
        1 => Class::Alphabetic,
        2 => Class::AlphabeticLower,
        3 => Class::AlphabeticUpper,
        4 => Class::Dbcs,
        _ => Class::Kanji,
    };
    light(c, || Ok(le::class::is_class(class, area, a, s) as u32))
}

unsafe extern "C" fn is_user_class(c: C, _: S, members: &[u8; 32], area: *const u8, a: A) -> u32 {
    light(c, || Ok(le::class::is_user_class(members, area, a) as u32))
}

unsafe extern "C" fn string(
    c: C,
    s: S,
    sources: *const le::string::StringSource,
    count: u32,
    to: *mut u8,
    to_a: A,
    pointer: &mut i64,
) -> u32 {
    light(c, || {
        let overflow = le::string::string(list(sources, count), to, to_a, pointer, s);
        s.check_stop()?;
        Ok(u32::from(overflow))
    })
}

unsafe extern "C" fn unstring(c: C, s: S, request: &UnstringRequest) -> u32 {
    light(c, || {
        let delimiters = list(request.delimiters, request.delimiter_count);
        let targets = list(request.targets, request.target_count);
        let (pointer, tallying) = (&mut *request.pointer, &mut *request.tallying);
        le::unstring::unstring(request.source, &*request.source_attributes, delimiters, targets, pointer, tallying, s).map(u32::from)
    })
}

unsafe extern "C" fn inspect_tally(
    c: C,
    s: S,
    area: *const u8,
    a: A,
    phrases: *mut le::inspect::InspectPhrase,
    count: u32,
    counters: *mut i64,
    counter_count: u32,
) {
    light(c, || {
        le::inspect::inspect_tally(area, a, list_mut(phrases, count), list_mut(counters, counter_count), s);
        s.check_stop()
    })
}

unsafe extern "C" fn inspect_replace(c: C, s: S, area: *mut u8, a: A, phrases: *mut le::inspect::InspectPhrase, count: u32) {
    light(c, || {
        le::inspect::inspect_replace(area, a, list_mut(phrases, count), s);
        s.check_stop()
    })
}

unsafe extern "C" fn inspect_convert(c: C, s: S, area: *mut u8, a: A, phrase: &le::inspect::InspectPhrase) {
    light(c, || {
        le::inspect::inspect_convert(area, a, phrase, s);
        s.check_stop()
    })
}

unsafe extern "C" fn sort_table(
    c: C,
    s: S,
    base: *mut u8,
    element: u32,
    count: u32,
    keys: *const le::table::SortKey,
    key_count: u32,
    scratch: *mut u8,
) {
    light(c, || le::table::sort(base, element, count, list(keys, key_count), scratch, s))
}

unsafe extern "C" fn initialize(c: C, s: S, area: *mut u8, a: A) {
    light(c, || {
        le::initialize::initialize(area, a, s);
        Ok(())
    })
}

unsafe extern "C" fn check_reference(c: C, start: i64, length: i64, item_length: u32) -> u32 {
    light(c, || le::table::check_reference(start, (length != crate::requests::REST_OF_ITEM).then_some(length), item_length))
}

/// Missing storage: Rust has no null areas, and address 1 is equally inaccessible.
fn present<T>(address: *const T) -> *const T {
    if address.is_null() { std::ptr::without_provenance(1) } else { address }
}

unsafe extern "C" fn copy(_: C, to: *mut u8, from: *const u8, length: u32) {
    let (to, from) = (present(to).cast_mut(), present(from));
    let (to_at, from_at, size) = (to as usize, from as usize, length as usize);
    if to_at > from_at && to_at - from_at < size {
        // A byte copied early may be copied again, which is how programs propagate a character.
        le::movement::copy_left_to_right(from, to, size);
    } else {
        std::ptr::copy(from, to, size);
    }
}

unsafe extern "C" fn fill_area(_: C, to: *mut u8, byte: u32, length: u32) {
    std::ptr::write_bytes(present(to).cast_mut(), byte as u8, length as usize);
}

unsafe extern "C" fn copy_pad(c: C, to: *mut u8, length: u32, from: *const u8, from_length: u32, pad: u32) {
    let moved = length.min(from_length);
    let to = present(to).cast_mut();
    copy(c, to, from, moved);
    std::ptr::write_bytes(to.add(moved as usize), pad as u8, (length - moved) as usize);
}

pub const fn fill<const KEY: u8>(filler: Filler) -> Filler {
    let power_slot = if KEY == super::key::CICS { float_power as *const c_void } else { float_power_user_key::<KEY> as *const c_void };
    filler
        .set(Slot::Move, move_field as *const c_void)
        .set(Slot::MoveFigurative, move_figurative as *const c_void)
        .set(Slot::MoveAll, move_all as *const c_void)
        .set(Slot::MoveDecimal, move_decimal as *const c_void)
        .set(Slot::Compare, compare as *const c_void)
        .set(Slot::CompareFigurative, compare_figurative as *const c_void)
        .set(Slot::CompareAll, compare_all as *const c_void)
        .set(Slot::CompareBytes, compare_bytes as *const c_void)
        .set(Slot::DecimalCompare, decimal_compare as *const c_void)
        .set(Slot::Load, load as *const c_void)
        .set(Slot::LoadInteger, load_integer as *const c_void)
        .set(Slot::LoadFloat, load_float as *const c_void)
        .set(Slot::Store, store as *const c_void)
        .set(Slot::StoreFloat, store_float as *const c_void)
        .set(Slot::StoreInteger, store_integer as *const c_void)
        .set(Slot::Apply, apply as *const c_void)
        .set(Slot::Add, add as *const c_void)
        .set(Slot::Subtract, subtract as *const c_void)
        .set(Slot::Multiply, multiply as *const c_void)
        .set(Slot::Divide, divide as *const c_void)
        .set(Slot::Power, power as *const c_void)
        .set(Slot::Remainder, remainder as *const c_void)
        .set(Slot::Negate, negate as *const c_void)
        .set(Slot::ToFloat, to_float as *const c_void)
        .set(Slot::FromFloat, from_float as *const c_void)
        .set(Slot::FloatPower, power_slot)
        .set(Slot::IsClass, is_class as *const c_void)
        .set(Slot::IsUserClass, is_user_class as *const c_void)
        .set(Slot::String, string as *const c_void)
        .set(Slot::Unstring, unstring as *const c_void)
        .set(Slot::InspectTally, inspect_tally as *const c_void)
        .set(Slot::InspectReplace, inspect_replace as *const c_void)
        .set(Slot::InspectConvert, inspect_convert as *const c_void)
        .set(Slot::SortTable, sort_table as *const c_void)
        .set(Slot::Initialize, initialize as *const c_void)
        .set(Slot::CheckReference, check_reference as *const c_void)
        .set(Slot::Copy, copy as *const c_void)
        .set(Slot::Fill, fill_area as *const c_void)
        .set(Slot::CopyPad, copy_pad as *const c_void)
}
