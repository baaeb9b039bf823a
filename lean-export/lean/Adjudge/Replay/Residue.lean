module

public import Init.Grind

/-!
# The integers modulo 2⁶¹ − 1

`reference/algebras/modular.ts`. Core Lean has the commutative ring; the kernel computes in it with big numbers.
-/

@[expose] public noncomputable section

namespace Adjudge

/-- A residue modulo the Mersenne prime 2⁶¹ − 1. -/
abbrev Residue := Fin 2305843009213693951

/-- Literals, without the search that finds out that a `Fin` is not empty. -/
instance (n : Nat) : OfNat Residue n := ⟨Fin.ofNat 2305843009213693951 n⟩

end Adjudge
