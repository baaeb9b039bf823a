module

public import Adjudge.Refutations.Runtime

/-!
# Wrong order, and off by one
-/

@[expose] public noncomputable section

namespace Adjudge.Refutations

open Runtime

/-- Visits `0, …, n - 1`. -/
def ascending : Runtime Int := { right with visits := fun n => (descending n).reverse }

/-- A runtime that visits the ids upwards is wrong: a node is visited before its gradient is complete. -/
theorem ascending_not_sound : ¬ ascending.Sound :=
  not_sound fourthPower (one 3) (three 0 0 1) (by decide +kernel)

/-- Visits `n - 2, …, 0`. -/
def skippingLast : Runtime Int := { right with visits := fun n => descending (n - 1) }

/-- A runtime whose loop begins one id too low is wrong. -/
theorem skippingLast_not_sound : ¬ skippingLast.Sound :=
  not_sound fourthPower (one 3) (three 0 0 1) (by decide +kernel)

/-- Visits `n, …, 0`. -/
def beginningBeyond : Runtime Int := { right with visits := fun n => descending (n + 1) }

/-- A runtime whose loop begins one id too high fails where the right one succeeds. -/
theorem beginningBeyond_not_sound : ¬ beginningBeyond.Sound :=
  not_sound fourthPower (one 3) (three 0 0 1) (by decide +kernel)

/-- Hands the node at `id` the gradient of `id - 1`. -/
def readingPrevious : Runtime Int := { right with slot := fun id => id - 1 }

/-- A runtime that reads the gradient one slot too low is wrong. -/
theorem readingPrevious_not_sound : ¬ readingPrevious.Sound :=
  not_sound fourthPower (one 3) (three 0 0 1) (by decide +kernel)

/-- Hands the node at `id` the gradient of `id + 1`. -/
def readingNext : Runtime Int := { right with slot := fun id => id + 1 }

/-- A runtime that reads the gradient one slot too high fails where the right one succeeds. -/
theorem readingNext_not_sound : ¬ readingNext.Sound :=
  not_sound fourthPower (one 3) (three 0 0 1) (by decide +kernel)

end Adjudge.Refutations
