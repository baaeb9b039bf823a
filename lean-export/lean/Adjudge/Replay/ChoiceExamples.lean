module

public import Adjudge.Replay

/-!
# Runs with choices and a determinant

At ties, where a wrong convention shows: one run of each that is accepted, and what is rejected.
-/

@[expose] public noncomputable section

namespace Adjudge.Examples

open Adjudge

/-- `maximum x y` -/
noncomputable def greater : Program where
  inputs := [[2], [2]]
  environment := []
  nodes := [⟨.maximum, [0, 1], [2]⟩]

/-- At a tie, and beside one. -/
noncomputable def tie : Run Rat where
  inputs := [[2, 1], [2, mkRat 3 2]]
  seed := [[0, 0], [0, 0], [5, 7]]
  environment := []
  values := [[2, 1], [2, mkRat 3 2], [2, mkRat 3 2]]
  cotangents := [[5, 0], [0, 7], [5, 7]]

/-- The first operand gets the cotangent at a tie. -/
theorem tie_accepted : replay greater tie = true := by decide +kernel

/-- That the second gets it is rejected. -/
theorem tie_of_second : firstFault greater { tie with cotangents := [[0, 0], [5, 7], [5, 7]] } = some (.cotangent 1) := by
  decide +kernel

/-- That both get half of it is rejected. -/
theorem tie_split :
    firstFault greater { tie with cotangents := [[mkRat 5 2, 0], [mkRat 5 2, 7], [5, 7]] } = some (.cotangent 1) := by
  decide +kernel

/-- The lesser of two is not the greater. -/
theorem lesser : firstFault greater { tie with values := [[2, 1], [2, mkRat 3 2], [2, 1]] } = some (.value 2) := by
  decide +kernel

/-- `where (less x 0) (floor x) (relu x)` -/
noncomputable def mask : Program where
  inputs := [[3]]
  environment := [[3]]
  nodes := [⟨.constant 0, [], [3]⟩, ⟨.less, [0, 1], [3]⟩, ⟨.floor, [0], [3]⟩, ⟨.relu, [0], [3]⟩,
    ⟨.«where», [2, 3, 4], [3]⟩]

/-- Below zero, at zero and above. -/
noncomputable def masked : Run Rat where
  inputs := [[mkRat (-1) 2, 0, mkRat 3 2]]
  environment := [[0, 0, 0]]
  seed := [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [2, 3, 5]]
  values := [[mkRat (-1) 2, 0, mkRat 3 2], [0, 0, 0], [1, 0, 0], [-1, 0, 1], [0, 0, mkRat 3 2], [-1, 0, mkRat 3 2]]
  cotangents := [[0, 0, 5], [0, 0, 0], [0, 0, 0], [2, 0, 0], [0, 3, 5], [2, 3, 5]]

/-- The run is accepted. -/
theorem masked_accepted : replay mask masked = true := by decide +kernel

/-- A mask that says yes where it is no is rejected. -/
theorem wrong_mask :
    firstFault mask { masked with values := [[mkRat (-1) 2, 0, mkRat 3 2], [0, 0, 0], [1, 0, 1], [-1, 0, 1],
      [0, 0, mkRat 3 2], [-1, 0, 1]] } = some (.value 2) := by decide +kernel

/-- Numbers of the branch that was not chosen are rejected. -/
theorem wrong_branch :
    firstFault mask { masked with values := [[mkRat (-1) 2, 0, mkRat 3 2], [0, 0, 0], [1, 0, 0], [-1, 0, 1],
      [0, 0, mkRat 3 2], [-1, 0, 1]] } = some (.value 5) := by decide +kernel

/-- A slope of 1 at zero is rejected: what `relu` gets there goes no further. -/
theorem relu_at_zero :
    firstFault mask { masked with cotangents := [[0, 3, 5], [0, 0, 0], [0, 0, 0], [2, 0, 0], [0, 3, 5], [2, 3, 5]] }
      = some (.cotangent 0) := by decide +kernel

/-- A cotangent that goes to both branches is rejected. -/
theorem both_branches :
    firstFault mask { masked with cotangents := [[0, 0, 5], [0, 0, 0], [0, 0, 0], [2, 3, 5], [0, 3, 5], [2, 3, 5]] }
      = some (.cotangent 3) := by decide +kernel

/-- A floor that rounds towards zero is rejected. -/
theorem towards_zero :
    firstFault mask { masked with values := [[mkRat (-1) 2, 0, mkRat 3 2], [0, 0, 0], [1, 0, 0], [0, 0, 1],
      [0, 0, mkRat 3 2], [0, 0, mkRat 3 2]] } = some (.value 3) := by decide +kernel

/-- The determinants of two matrices. -/
noncomputable def volumes : Program where
  inputs := [[2, 2, 2]]
  environment := []
  nodes := [⟨.det, [0], [2]⟩]

noncomputable def stacked : Run Int where
  inputs := [[1, 2, 3, 4, 2, 1, 4, 2]]
  environment := []
  seed := [[0, 0, 0, 0, 0, 0, 0, 0], [1, 10]]
  values := [[1, 2, 3, 4, 2, 1, 4, 2], [-2, 0]]
  cotangents := [[4, -3, -2, 1, 20, -40, -10, 20], [1, 10]]

/-- The run is accepted, at a singular matrix too. -/
theorem stacked_accepted : replay volumes stacked = true := by decide +kernel

/-- Cofactors that are not turned round are rejected. -/
theorem wrong_cofactors :
    firstFault volumes { stacked with cotangents := [[4, -2, -3, 1, 20, -10, -40, 20], [1, 10]] } = some (.cotangent 0) := by
  decide +kernel

/-- A system of two equations, two right-hand sides. -/
noncomputable def system : Program where
  inputs := [[2, 2], [2, 2]]
  environment := []
  nodes := [⟨.solve, [0, 1], [2, 2]⟩]

noncomputable def solved : Run Rat where
  inputs := [[1, 2, 3, 4], [5, 1, 11, 3]]
  environment := []
  seed := [[0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 10]]
  values := [[1, 2, 3, 4], [5, 1, 11, 3], [1, 1, 2, 0]]
  cotangents := [[-13, 4, 4, -2], [-2, 15, 1, -5], [1, 0, 0, 10]]

/-- The run is accepted. -/
theorem solved_accepted : replay system solved = true := by decide +kernel

/-- The solution of the transposed system is rejected. -/
theorem solved_transposed :
    firstFault system { solved with values := [[1, 2, 3, 4], [5, 1, 11, 3], [mkRat 13 2, mkRat 5 2, mkRat (-1) 2, mkRat (-1) 2]] }
      = some (.value 2) := by decide +kernel

/-- A singular system is no run, though `0⁻¹ = 0` in Lean gives it a value. -/
theorem singular_system :
    firstFault system { solved with inputs := [[1, 2, 2, 4], [5, 1, 11, 3]], values := [[1, 2, 2, 4], [5, 1, 11, 3],
      [0, 0, 0, 0]] } = some (.value 2) := by decide +kernel

end Adjudge.Examples
