//! Decimal arithmetic compared with integers of the machine.

use super::*;

fn d(text: &str) -> Decimal {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    Decimal::new(format!("{whole}{fraction}").parse().unwrap(), fraction.len() as i32)
}

const WIDE: Shape = Shape::new(31, 31);

#[test]
fn adds_at_the_larger_scale() {
    assert_eq!(add(&d("1.5"), &d("2.25"), WIDE), d("3.75"));
    assert_eq!(subtract(&d("1.5"), &d("2.25"), WIDE), d("-0.75"));
    let wide = add(&d("1234567890123456789012345678901"), &Decimal::new(1, 31), Shape::new(31, 0));
    assert_eq!(wide, d("1234567890123456789012345678901"));
}

#[test]
fn cuts_decimals_then_high_order_digits() {
    assert_eq!(multiply(&d("12.34"), &d("5.678"), Shape::new(2, 3)), d("70.066"));
    assert_eq!(multiply(&d("12.34"), &d("5.678"), Shape::new(1, 2)), d("0.06"));
    let nines = d("9999999999999999999999999999999");
    let product = multiply(&nines, &nines, Shape::new(31, 0));
    // (10^31 - 1)^2 = 10^62 - 2 * 10^31 + 1.
    assert_eq!(product.coefficient, 1);
}

#[test]
fn divides_to_the_decimals_of_the_shape() {
    assert_eq!(divide(&d("10"), &d("3"), Shape::new(5, 4)).unwrap(), d("3.3333"));
    assert_eq!(divide(&d("-10"), &d("0.003"), Shape::new(5, 2)).unwrap(), d("-3333.33"));
    assert_eq!(divide(&d("1"), &d("0.00"), WIDE), Err(Exception::DecimalDivide));
    let left = d("1234567890123456789012345678901");
    let quotient = divide(&left, &Decimal::new(7, 31), Shape::new(38, 0)).unwrap();
    // 1234567890123456789012345678901 * 10^31 / 7, the low 38 digits (Python: // 7 % 10**38).
    assert_eq!(quotient.coefficient, 93827001428571428571428571428571428571);
}

#[test]
fn rounds_in_every_mode() {
    use Rounding::*;
    let cases = [
        (Truncation, [2, 2, -2, -2, 3]),
        (NearestAwayFromZero, [3, 2, -3, -2, 4]),
        (NearestEven, [2, 2, -2, -2, 4]),
        (NearestTowardZero, [2, 2, -2, -2, 3]),
        (AwayFromZero, [3, 3, -3, -3, 4]),
        (TowardGreater, [3, 3, -2, -2, 4]),
        (TowardLesser, [2, 2, -3, -3, 3]),
    ];
    for (rounding, expected) in cases {
        for (text, want) in ["2.5", "2.4", "-2.5", "-2.4", "3.5"].iter().zip(expected) {
            assert_eq!(at_scale(&d(text), 0, rounding).unwrap().coefficient, want, "{text} {rounding:?}");
        }
    }
    assert_eq!(at_scale(&d("2.5"), 0, Prohibited), None);
    assert_eq!(at_scale(&d("2.0"), 0, Prohibited), Some(d("2")));
}

#[test]
fn compares_across_scales() {
    assert_eq!(compare(&d("1.50"), &d("1.5")), Ordering::Equal);
    assert_eq!(compare(&d("-1.50"), &d("1.5")), Ordering::Less);
    let big = Decimal::new(10i128.pow(30), -8);
    assert_eq!(compare(&big, &Decimal::new(1, 31)), Ordering::Greater);
    assert_eq!(compare(&big.negated(), &Decimal::new(-1, 31)), Ordering::Less);
    assert_eq!(compare(&Decimal::new(1, 31), &big), Ordering::Less);
}

#[test]
fn counts_digits_at_every_power() {
    assert_eq!(digit_count(0), 0);
    for exponent in 0..38 {
        assert_eq!(digit_count(power_of_ten(exponent)), exponent + 1);
        assert_eq!(digit_count(power_of_ten(exponent + 1) - 1), exponent + 1);
    }
}

#[test]
fn converts_to_and_from_binary_floating_point() {
    assert_eq!(to_float(&d("0.1")), 0.1);
    assert_eq!(to_float(&d("123456789012345678901234567890.5")), 123456789012345678901234567890.5);
    assert_eq!(from_float(0.1, 3, Rounding::NearestAwayFromZero).unwrap(), d("0.100"));
    assert_eq!(from_float(-2.675, 2, Rounding::NearestAwayFromZero).unwrap(), d("-2.67"));
    assert_eq!(from_float(1e20, 0, Rounding::Truncation).unwrap().coefficient, 10i128.pow(20));
    assert_eq!(from_float(1e-300, 2, Rounding::AwayFromZero).unwrap(), d("0.01"));
    assert!(from_float(1e39, 0, Rounding::Truncation).is_err());
    assert_eq!(from_float(1e9, -3, Rounding::Truncation).unwrap(), Decimal::new(1_000_000, -3));
}

#[test]
fn powers() {
    assert_eq!(power(&d("1.05"), 3, WIDE).unwrap(), d("1.157625"));
    assert_eq!(power(&d("2"), -2, Shape::new(5, 5)).unwrap(), d("0.25000"));
    assert_eq!(power(&d("0"), 0, WIDE), Err(Exception::Exponentiation));
}
