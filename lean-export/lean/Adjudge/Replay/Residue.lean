module

public import Adjudge.Operators.Scalar

/-!
# The integers modulo 2⁶¹ − 1

`reference/algebras/modular.ts`. Core Lean has the commutative ring; the kernel uses big numbers.
-/

@[expose] public noncomputable section

namespace Adjudge

/-- A residue modulo the Mersenne prime 2⁶¹ − 1. -/
abbrev Residue := Fin 2305843009213693951

/-- Literals, without the search that finds out that a `Fin` is not empty. -/
instance (n : Nat) : OfNat Residue n := ⟨Fin.ofNat 2305843009213693951 n⟩

namespace Residue

/-- `x ^ (2 ^ n - 1)`, by `n` squarings. -/
def powerOfOnes (x : Residue) (n : Nat) : Residue := Nat.rec 1 (fun _ power => power * power * x) n

/-- `x⁻¹` by Fermat's little theorem: `x ^ (p - 2)`, where `p - 2 = 4 * (2 ^ 59 - 1) + 1`. -/
def inverse (x : Residue) : Residue :=
  let square := powerOfOnes x 59 * powerOfOnes x 59
  square * square * x

instance : Scalar Residue where
  inv := inverse
  -- In the order of the numbers that stand for them, which is no order of a field.
  less x y := decide (x.val < y.val)
  floor x := x

end Residue

end Adjudge
