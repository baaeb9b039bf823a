module

public import Adjudge.Replay

/-!
# Runs that are accepted, and what is rejected

One run with tensors, and the same with one thing wrong: the kernel computes which claim fails.
-/

@[expose] public noncomputable section

namespace Adjudge.Examples

open Adjudge

/-- `sum((x · w)² + b)`, the product of `x : [2, 2]` with `w : [2, 1]`, and `b : []` a constant, broadcast. -/
noncomputable def program : Program where
  inputs := [[2, 2], [2, 1]]
  environment := [[]]
  nodes := [⟨.matmul, [0, 1], [2, 1]⟩, ⟨.multiply, [2, 2], [2, 1]⟩, ⟨.constant 0, [], []⟩,
    ⟨.broadcast_to [2, 1], [4], [2, 1]⟩, ⟨.add, [3, 5], [2, 1]⟩, ⟨.sum [0, 1] false, [6], []⟩]

noncomputable def run : Run Int where
  inputs := [[1, 2, 3, 4], [5, -6]]
  environment := [[7]]
  seed := [[0, 0, 0, 0], [0, 0], [0, 0], [0, 0], [0], [0, 0], [0, 0], [1]]
  values := [[1, 2, 3, 4], [5, -6], [-7, -9], [49, 81], [7], [7, 7], [56, 88], [144]]
  cotangents := [[-70, 84, -90, 108], [-68, -100], [-14, -18], [1, 1], [2], [1, 1], [1, 1], [1]]

/-- The run is accepted, so it is one. -/
theorem accepted : replay program run = true := by decide +kernel

theorem program_runs : program.Runs run := replay_sound program run accepted

/-- A wrong value is named. -/
theorem wrong_value :
    firstFault program { run with values := [[1, 2, 3, 4], [5, -6], [-7, -9], [49, 80], [7], [7, 7], [56, 88], [144]] }
      = some (.value 3) := by decide +kernel

/-- A wrong cotangent is named. -/
theorem wrong_cotangent :
    firstFault program
        { run with cotangents := [[-70, 84, -90, 108], [-68, -100], [-14, -17], [1, 1], [2], [1, 1], [1, 1], [1]] }
      = some (.cotangent 2) := by decide +kernel

/-- A cotangent of an input is no exception. -/
theorem wrong_gradient :
    firstFault program
        { run with cotangents := [[-70, 84, -90, 108], [-68, -101], [-14, -18], [1, 1], [2], [1, 1], [1, 1], [1]] }
      = some (.cotangent 1) := by decide +kernel

/-- A node that reads another parent than it did. -/
theorem wrong_parent :
    firstFault { program with nodes := [⟨.matmul, [0, 1], [2, 1]⟩, ⟨.multiply, [2, 2], [2, 1]⟩, ⟨.constant 0, [], []⟩,
      ⟨.broadcast_to [2, 1], [4], [2, 1]⟩, ⟨.add, [2, 5], [2, 1]⟩, ⟨.sum [0, 1] false, [6], []⟩] } run
      = some (.value 6) := by decide +kernel

/-- A declared shape that is not the operator's. -/
theorem wrong_shape :
    firstFault { program with nodes := [⟨.matmul, [0, 1], [2, 1]⟩, ⟨.multiply, [2, 2], [1, 2]⟩, ⟨.constant 0, [], []⟩,
      ⟨.broadcast_to [2, 1], [4], [2, 1]⟩, ⟨.add, [3, 5], [2, 1]⟩, ⟨.sum [0, 1] false, [6], []⟩] } run
      = some (.shape 3) := by decide +kernel

/-- An operator that does not fit its parents: the factors of the matrix product are swapped. -/
theorem ill_shaped :
    firstFault { program with nodes := [⟨.matmul, [1, 0], [2, 1]⟩, ⟨.multiply, [2, 2], [2, 1]⟩, ⟨.constant 0, [], []⟩,
      ⟨.broadcast_to [2, 1], [4], [2, 1]⟩, ⟨.add, [3, 5], [2, 1]⟩, ⟨.sum [0, 1] false, [6], []⟩] } run
      = some (.shape 2) := by decide +kernel

/-- A node that reads itself. -/
theorem forward_reference :
    firstFault { program with nodes := [⟨.matmul, [0, 1], [2, 1]⟩, ⟨.multiply, [2, 3], [2, 1]⟩, ⟨.constant 0, [], []⟩,
      ⟨.broadcast_to [2, 1], [4], [2, 1]⟩, ⟨.add, [3, 5], [2, 1]⟩, ⟨.sum [0, 1] false, [6], []⟩] } run
      = some (.shape 3) := by decide +kernel

/-- A seed with a number too few. -/
theorem short_seed :
    firstFault program { run with seed := [[0, 0, 0, 0], [0, 0], [0, 0], [0], [0], [0, 0], [0, 0], [1]] }
      = some .data := by decide +kernel

/-- None of these is accepted. -/
theorem rejected :
    replay program { run with values := [[1, 2, 3, 4], [5, -6], [-7, -9], [49, 80], [7], [7, 7], [56, 88], [144]] }
      = false := by decide +kernel

/-- `x / y` -/
noncomputable def quotient : Program where
  inputs := [[], []]
  environment := []
  nodes := [⟨.divide, [0, 1], []⟩]

noncomputable def third : Run Rat where
  inputs := [[1], [3]]
  seed := [[0], [0], [1]]
  environment := []
  values := [[1], [3], [mkRat 1 3]]
  cotangents := [[mkRat 1 3], [mkRat (-1) 9], [1]]

/-- A quotient of fractions. -/
theorem third_accepted : replay quotient third = true := by decide +kernel

/-- Nothing is divided by zero in what is accepted. -/
theorem third_divides : (0 : Rat) ∉ third.values.getD 1 [] :=
  have ⟨_, _, _, _, _, _, _, _, _, _, divides, _⟩ := replay_sound quotient third third_accepted
  divides.nonzero (by decide +kernel) (.head _)

/-- A third modulo 2⁶¹ − 1. -/
theorem residue_accepted :
    replay quotient (S := Residue) {
      inputs := [[1], [3]]
      seed := [[0], [0], [1]]
      environment := []
      values := [[1], [3], [1537228672809129301]]
      cotangents := [[1537228672809129301], [256204778801521550], [1]] } = true := by decide +kernel

/-- A quotient by zero is no run, though `1 * 0⁻¹ = 0` in Lean. -/
theorem zero_divisor :
    firstFault quotient { third with inputs := [[1], [0]], values := [[1], [0], [0]], cotangents := [[0], [0], [1]] }
      = some (.value 2) := by decide +kernel

/-- Nor is a quotient of integers that is none. -/
theorem not_invertible :
    firstFault quotient (S := Int) {
      inputs := [[6], [3]]
      seed := [[0], [0], [1]]
      environment := []
      values := [[6], [3], [0]]
      cotangents := [[0], [0], [1]] } = some (.value 2) := by decide +kernel

/-- A claim about one id is refuted. -/
theorem cotangent_2_refuted :
    ¬CotangentsAgree program
        { run with cotangents := [[-70, 84, -90, 108], [-68, -100], [-14, -17], [1, 1], [2], [1, 1], [1, 1], [1]] } 2 3 :=
  by decide +kernel

end Adjudge.Examples
