//! Complex numbers of the math services.

use std::ops::{Add, Div, Mul, Neg, Sub};

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Complex {
    pub real: f64,
    pub imaginary: f64,
}

impl Complex {
    pub const ONE: Complex = Complex::new(1.0, 0.0);
    pub const I: Complex = Complex::new(0.0, 1.0);

    pub const fn new(real: f64, imaginary: f64) -> Complex {
        Complex { real, imaginary }
    }

    pub fn is_zero(self) -> bool {
        self.real == 0.0 && self.imaginary == 0.0
    }

    pub fn absolute(self) -> f64 {
        self.real.hypot(self.imaginary)
    }

    pub fn conjugate(self) -> Complex {
        Complex::new(self.real, -self.imaginary)
    }

    fn times_i(self) -> Complex {
        Complex::new(-self.imaginary, self.real)
    }

    pub fn exponential(self) -> Complex {
        let radius = self.real.exp();
        Complex::new(radius * self.imaginary.cos(), radius * self.imaginary.sin())
    }

    pub fn logarithm(self) -> Complex {
        Complex::new(self.absolute().ln(), self.imaginary.atan2(self.real))
    }

    /// The root in the right half plane.
    pub fn square_root(self) -> Complex {
        if self.is_zero() {
            return self;
        }
        let half = ((self.absolute() + self.real.abs()) / 2.0).sqrt();
        let other = self.imaginary.abs() / (2.0 * half);
        let (real, imaginary) = if self.real >= 0.0 { (half, other) } else { (other, half) };
        Complex::new(real, imaginary.copysign(self.imaginary))
    }

    pub fn hyperbolic_sine(self) -> Complex {
        Complex::new(self.real.sinh() * self.imaginary.cos(), self.real.cosh() * self.imaginary.sin())
    }

    pub fn hyperbolic_cosine(self) -> Complex {
        Complex::new(self.real.cosh() * self.imaginary.cos(), self.real.sinh() * self.imaginary.sin())
    }

    pub fn sine(self) -> Complex {
        Complex::new(self.real.sin() * self.imaginary.cosh(), self.real.cos() * self.imaginary.sinh())
    }

    pub fn cosine(self) -> Complex {
        Complex::new(self.real.cos() * self.imaginary.cosh(), -self.real.sin() * self.imaginary.sinh())
    }

    /// tanh(x + iy) = (sinh 2x + i sin 2y) / (cosh 2x + cos 2y); far out it is the sign of x.
    pub fn hyperbolic_tangent(self) -> Complex {
        const FAR: f64 = 40.0;
        if self.real.abs() > FAR {
            return Complex::new(1f64.copysign(self.real), 0.0);
        }
        let (x, y) = (2.0 * self.real, 2.0 * self.imaginary);
        let divisor = x.cosh() + y.cos();
        Complex::new(x.sinh() / divisor, y.sin() / divisor)
    }

    pub fn tangent(self) -> Complex {
        // tan z = -i tanh iz
        -self.times_i().hyperbolic_tangent().times_i()
    }

    /// (ln(1 + z) - ln(1 - z)) / 2
    pub fn hyperbolic_arctangent(self) -> Complex {
        let difference = (Complex::ONE + self).logarithm() - (Complex::ONE - self).logarithm();
        Complex::new(difference.real / 2.0, difference.imaginary / 2.0)
    }

    pub fn arctangent(self) -> Complex {
        // arctan z = -i artanh iz
        -self.times_i().hyperbolic_arctangent().times_i()
    }

    /// To an integral power, by squaring.
    pub fn integral_power(self, exponent: i32) -> Complex {
        let (mut left, mut square, mut power) = (exponent.unsigned_abs(), self, Complex::ONE);
        while left > 0 {
            if left & 1 == 1 {
                power = power * square;
            }
            left >>= 1;
            if left > 0 {
                square = square * square;
            }
        }
        if exponent < 0 { Complex::ONE / power } else { power }
    }

    pub fn power(self, exponent: Complex) -> Complex {
        if self.is_zero() { self } else { (exponent * self.logarithm()).exponential() }
    }
}

impl Add for Complex {
    type Output = Complex;
    fn add(self, other: Complex) -> Complex {
        Complex::new(self.real + other.real, self.imaginary + other.imaginary)
    }
}

impl Sub for Complex {
    type Output = Complex;
    fn sub(self, other: Complex) -> Complex {
        Complex::new(self.real - other.real, self.imaginary - other.imaginary)
    }
}

impl Neg for Complex {
    type Output = Complex;
    fn neg(self) -> Complex {
        Complex::new(-self.real, -self.imaginary)
    }
}

impl Mul for Complex {
    type Output = Complex;
    fn mul(self, other: Complex) -> Complex {
        Complex::new(self.real * other.real - self.imaginary * other.imaginary, self.real * other.imaginary + self.imaginary * other.real)
    }
}

impl Div for Complex {
    type Output = Complex;
    /// Scaled by the larger part of the divisor, so that squares do not overflow.
    fn div(self, by: Complex) -> Complex {
        if by.real.abs() >= by.imaginary.abs() {
            let ratio = by.imaginary / by.real;
            let divisor = by.real + by.imaginary * ratio;
            let (real, imaginary) = (self.real + self.imaginary * ratio, self.imaginary - self.real * ratio);
            Complex::new(real / divisor, imaginary / divisor)
        } else {
            let ratio = by.real / by.imaginary;
            let divisor = by.real * ratio + by.imaginary;
            let (real, imaginary) = (self.real * ratio + self.imaginary, self.imaginary * ratio - self.real);
            Complex::new(real / divisor, imaginary / divisor)
        }
    }
}
