//! Arithmetic of two crates for posits of 8, 16 and 32 bits with two exponent bits, on codes, for
//! WebAssembly. A dot product clears a quire, adds products to it, and rounds it.

use core::cell::UnsafeCell;

/// One quire, as the module has one thread.
struct Quire<T>(UnsafeCell<T>);
unsafe impl<T> Sync for Quire<T> {}

impl<T> Quire<T> {
    #[allow(clippy::mut_from_ref)]
    fn held(&self) -> &mut T {
        unsafe { &mut *self.0.get() }
    }
}

macro_rules! fast {
    ($module:ident, $width:literal, $posit:ty, $quire:ty, $bits:ty) => {
        mod $module {
            use super::Quire;
            use core::cell::UnsafeCell;
            use fast_posit::{RoundFrom, RoundInto};

            fn of(code: i32) -> $posit {
                <$posit>::from_bits(code as $bits)
            }

            static QUIRE: Quire<$quire> = Quire(UnsafeCell::new(<$quire>::ZERO));

            #[export_name = concat!("fast_posit_", $width, "_add")]
            pub extern "C" fn add(x: i32, y: i32) -> i32 {
                (of(x) + of(y)).to_bits() as i32
            }
            #[export_name = concat!("fast_posit_", $width, "_subtract")]
            pub extern "C" fn subtract(x: i32, y: i32) -> i32 {
                (of(x) - of(y)).to_bits() as i32
            }
            #[export_name = concat!("fast_posit_", $width, "_multiply")]
            pub extern "C" fn multiply(x: i32, y: i32) -> i32 {
                (of(x) * of(y)).to_bits() as i32
            }
            #[export_name = concat!("fast_posit_", $width, "_divide")]
            pub extern "C" fn divide(x: i32, y: i32) -> i32 {
                (of(x) / of(y)).to_bits() as i32
            }
            #[export_name = concat!("fast_posit_", $width, "_sqrt")]
            pub extern "C" fn sqrt(x: i32) -> i32 {
                of(x).sqrt().to_bits() as i32
            }
            #[export_name = concat!("fast_posit_", $width, "_negative")]
            pub extern "C" fn negative(x: i32) -> i32 {
                (-of(x)).to_bits() as i32
            }
            #[export_name = concat!("fast_posit_", $width, "_floor")]
            pub extern "C" fn floor(x: i32) -> i32 {
                of(x).floor().to_bits() as i32
            }
            #[export_name = concat!("fast_posit_", $width, "_from_number")]
            pub extern "C" fn from_number(x: f64) -> i32 {
                <$posit>::round_from(x).to_bits() as i32
            }
            #[export_name = concat!("fast_posit_", $width, "_to_number")]
            pub extern "C" fn to_number(x: i32) -> f64 {
                of(x).round_into()
            }
            #[export_name = concat!("fast_posit_", $width, "_clear")]
            pub extern "C" fn clear() {
                *QUIRE.held() = <$quire>::ZERO;
            }
            #[export_name = concat!("fast_posit_", $width, "_enter")]
            pub extern "C" fn enter(x: i32, y: i32) {
                QUIRE.held().add_prod(of(x), of(y));
            }
            #[export_name = concat!("fast_posit_", $width, "_leave")]
            pub extern "C" fn leave() -> i32 {
                let rounded: $posit = (&*QUIRE.held()).round_into();
                rounded.to_bits() as i32
            }
        }
    };
}

fast!(fast8, "8", fast_posit::p8, fast_posit::q8, i8);
fast!(fast16, "16", fast_posit::p16, fast_posit::q16, i16);
fast!(fast32, "32", fast_posit::p32, fast_posit::q32, i32);

macro_rules! soft {
    ($module:ident, $width:literal, $name:literal) => {
        mod $module {
            use super::Quire;
            use core::cell::UnsafeCell;
            use softposit::{PxE2, Q32E2};

            /// Codes of this crate stand in the upper bits of a word.
            fn of(code: i32) -> PxE2<$width> {
                PxE2::from_bits((code as u32) << (32 - $width))
            }
            fn code(x: PxE2<$width>) -> i32 {
                (x.to_bits() as i32) >> (32 - $width)
            }

            static QUIRE: Quire<Q32E2> = Quire(UnsafeCell::new(Q32E2::init()));

            #[export_name = concat!("softposit_", $name, "_add")]
            pub extern "C" fn add(x: i32, y: i32) -> i32 {
                code(of(x) + of(y))
            }
            #[export_name = concat!("softposit_", $name, "_subtract")]
            pub extern "C" fn subtract(x: i32, y: i32) -> i32 {
                code(of(x) - of(y))
            }
            #[export_name = concat!("softposit_", $name, "_multiply")]
            pub extern "C" fn multiply(x: i32, y: i32) -> i32 {
                code(of(x) * of(y))
            }
            #[export_name = concat!("softposit_", $name, "_divide")]
            pub extern "C" fn divide(x: i32, y: i32) -> i32 {
                code(of(x) / of(y))
            }
            #[export_name = concat!("softposit_", $name, "_sqrt")]
            pub extern "C" fn sqrt(x: i32) -> i32 {
                code(of(x).sqrt())
            }
            #[export_name = concat!("softposit_", $name, "_negative")]
            pub extern "C" fn negative(x: i32) -> i32 {
                code(-of(x))
            }
            #[export_name = concat!("softposit_", $name, "_from_number")]
            pub extern "C" fn from_number(x: f64) -> i32 {
                code(PxE2::<$width>::from(x))
            }
            #[export_name = concat!("softposit_", $name, "_to_number")]
            pub extern "C" fn to_number(x: i32) -> f64 {
                f64::from(of(x))
            }
            #[export_name = concat!("softposit_", $name, "_clear")]
            pub extern "C" fn clear() {
                *QUIRE.held() = Q32E2::init();
            }
            #[export_name = concat!("softposit_", $name, "_enter")]
            pub extern "C" fn enter(x: i32, y: i32) {
                *QUIRE.held() += (of(x), of(y));
            }
            #[export_name = concat!("softposit_", $name, "_leave")]
            pub extern "C" fn leave() -> i32 {
                code(PxE2::<$width>::from(&*QUIRE.held()))
            }
        }
    };
}

soft!(soft8, 8, "8");
soft!(soft16, 16, "16");
soft!(soft32, 32, "32");
