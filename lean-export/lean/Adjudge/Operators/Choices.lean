module

public import Adjudge.Operators.Laws

/-!
# Choices, and what they mean over the rational numbers

`reference/operators/choices.ts`. The expressions of `relu`, `maximum`, `less`, `equal` and `where` are written
with one comparison, `<`. Over the rational numbers they are what their names say, and their slopes are the
reference's, at ties too.
-/

@[expose] public noncomputable section

namespace Adjudge.Expression

variable (x : Nat → Rat)

/-- `maximum` is the greater of two numbers. -/
theorem maximum_value : maximum.value x = max (x 0) (x 1) := by
  change (bif decide (x 0 < x 1) then x 1 else x 0) = _
  by_cases h : x 0 < x 1 <;> simp only [h, decide_true, decide_false, cond_true, cond_false] <;> grind

/-- Where the first is not less, at a tie too, `maximum` has the slope 1 by the first, else by the second. -/
theorem maximum_slopes : (maximum.derivative 0).value x = (if x 0 < x 1 then 0 else 1)
    ∧ (maximum.derivative 1).value x = if x 0 < x 1 then 1 else 0 := by
  change (bif decide (x 0 < x 1) then (0 : Rat) else 1) = _ ∧ (bif decide (x 0 < x 1) then (1 : Rat) else 0) = _
  by_cases h : x 0 < x 1 <;> simp [h]

/-- `relu` is the greater of a number and zero. -/
theorem relu_value : relu.value x = max (x 0) 0 := by
  change (bif decide (0 < x 0) then x 0 else 0) = _
  by_cases h : 0 < x 0 <;> simp only [h, decide_true, decide_false, cond_true, cond_false] <;> grind

/-- The slope of `relu` is 1 above zero, else 0, at zero too. -/
theorem relu_slope : (relu.derivative 0).value x = if 0 < x 0 then 1 else 0 := by
  change (bif decide (0 < x 0) then (1 : Rat) else 0) = _
  by_cases h : 0 < x 0 <;> simp [h]

/-- `less` is 1 where the first is less, else 0. -/
theorem less_value : less.value x = if x 0 < x 1 then 1 else 0 := by
  change (bif decide (x 0 < x 1) then (1 : Rat) else 0) = _
  by_cases h : x 0 < x 1 <;> simp [h]

/-- `equal` is 1 where the two are equal, else 0. -/
theorem equal_value : equal.value x = if x 0 = x 1 then 1 else 0 := by
  change (bif decide (x 0 < x 1) then (0 : Rat) else bif decide (x 1 < x 0) then 0 else 1) = _
  by_cases h : x 0 < x 1
  · have other : x 0 ≠ x 1 := by grind
    simp [h, other]
  · by_cases h' : x 1 < x 0
    · have other : x 0 ≠ x 1 := by grind
      simp [h, h', other]
    · have same : x 0 = x 1 := by grind
      simp [same]

/-- `where` is the second where the first is not zero, else the third. -/
theorem select_value : select.value x = if x 0 = 0 then x 2 else x 1 := by
  change (bif decide (x 0 < 0) then x 1 else bif decide (0 < x 0) then x 1 else x 2) = _
  by_cases h : x 0 < 0
  · have other : x 0 ≠ 0 := by grind
    simp [h, other]
  · by_cases h' : 0 < x 0
    · have other : x 0 ≠ 0 := by grind
      simp [h, h', other]
    · have same : x 0 = 0 := by grind
      simp [same]

/-- `where` has the slope 1 by the operand that is chosen, 0 by the other, and none by the condition. -/
theorem select_slopes : (select.derivative 0).value x = 0
    ∧ (select.derivative 1).value x = (if x 0 = 0 then 0 else 1)
    ∧ (select.derivative 2).value x = if x 0 = 0 then 1 else 0 := by
  change (bif decide (x 0 < 0) then (0 : Rat) else bif decide (0 < x 0) then 0 else 0) = _
    ∧ (bif decide (x 0 < 0) then (1 : Rat) else bif decide (0 < x 0) then 1 else 0) = _
    ∧ (bif decide (x 0 < 0) then (0 : Rat) else bif decide (0 < x 0) then 0 else 1) = _
  by_cases h : x 0 < 0
  · have other : x 0 ≠ 0 := by grind
    simp [h, other]
  · by_cases h' : 0 < x 0
    · have other : x 0 ≠ 0 := by grind
      simp [h, h', other]
    · have same : x 0 = 0 := by grind
      simp [same]

/-- Comparisons and `floor` have no slope. -/
theorem no_slopes (k : Nat) : (less.derivative k).value x = 0 ∧ (equal.derivative k).value x = 0
    ∧ ((floor (argument 0)).derivative k).value x = 0 := by
  refine ⟨?_, ?_, rfl⟩
  · change (bif decide (x 0 < x 1) then (0 : Rat) else 0) = 0
    cases decide (x 0 < x 1) <;> rfl
  · change (bif decide (x 0 < x 1) then (0 : Rat) else bif decide (x 1 < x 0) then 0 else 0) = 0
    cases decide (x 0 < x 1) <;> cases decide (x 1 < x 0) <;> rfl

/-- The determinant of two rows. -/
theorem determinant_value {S : Type} [Scalar S] (y : Nat → S) :
    (determinantOf 2).value y = y 0 * y 3 - y 1 * y 2 := by
  change y 0 * y 3 + -(y 1 * y 2) = _
  grind

/-- Its slopes are the cofactors. -/
theorem determinant_slopes {S : Type} [Scalar S] (y : Nat → S) :
    (List.map (fun k => ((determinantOf 2).derivative k).value y) [0, 1, 2, 3]) = [y 3, -y 2, -y 1, y 0] := by
  rfl

end Adjudge.Expression
