module

public import Init.Grind

/-!
# The scalars of the operators

`spec/shapes/algebra.ts`: a `Field` there, but for its law. The laws of the operators are identities of
commutative rings, and what they say of `divide` holds whatever `y⁻¹` is. A run's checker asks that
`y * y⁻¹ = 1` where it divides, so no division by zero, whose value would be `x * 0⁻¹`, is part of a run.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

/-- A commutative ring with functions `⁻¹`, `less` and `floor`, of which no law is asked. -/
class Scalar (S : Type) extends CommRing S, Inv S where
  less : S → S → Bool
  floor : S → S

/-- A natural number as a scalar. -/
def natural {S : Type} [Scalar S] (n : Nat) : S := (Semiring.natCast (α := S)).natCast n

/-- The rational numbers, where `0⁻¹ = 0`. -/
instance : Scalar Rat where
  less x y := decide (x < y)
  floor x := x.floor

/-- The integers: `1` and `-1` are their own inverses, and the others, which have none, are given `0`. -/
instance : Scalar Int where
  inv x := if x * x = 1 then x else 0
  less x y := decide (x < y)
  floor x := x

end Adjudge
