module

public import NN.Tensor

/-! The scalars that operators ask for, and the rational numbers as such. -/

@[expose] public noncomputable section

/-- A field's operations. -/
class Context (α : Type) extends Add α, Sub α, Mul α, Div α, Zero α, One α

namespace Spec.RationalAlgebraic

scoped instance : Context Rat where
  add := Rat.add
  sub := Rat.sub
  mul := Rat.mul
  div := Rat.div
  zero := 0
  one := 1

end Spec.RationalAlgebraic
