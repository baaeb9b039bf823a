module

/-!
# The elementary functions, by name

`spec/operators/elementary.ts`. A ring has none of them: what they are is a table's to say, or a real number's.
-/

@[expose] public section

namespace Adjudge

/-- The name of an elementary function. -/
inductive Elementary where
  | exp | log | sin | cos | tanh | sqrt | expm1 | log1p | log2 | tan
  | asin | acos | atan | sinh | cosh | asinh | acosh | atanh | erf
  | pow | atan2 | hypot
  deriving DecidableEq, Repr

/-- The number of operands. -/
def Elementary.arity : Elementary → Nat
  | pow | atan2 | hypot => 2
  | _ => 1

end Adjudge
