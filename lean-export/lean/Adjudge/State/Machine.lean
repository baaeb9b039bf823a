module

public import Adjudge.State.Program

/-!
# Execution

`reference/state/machine.ts`: a value is the list of its elements, and a write overwrites those of a location
one after the other. It writes down which decisions were taken, and nothing else.
-/

@[expose] public noncomputable section

namespace Adjudge.State

variable {S : Type}

/-- The machine [SEMANTICS §10.2]; `holds` says of a condition's value whether it is true. -/
def machine (holds : List S → Bool) : Domain S where
  Value := List S
  State := List Bool
  size := List.length
  apply operator operands taken :=
    (operator.size (operands.map List.length)).map fun _ => (operator.apply operands, taken)
  read contents positions taken := (collect (contents[·]?) positions).map (·, taken)
  write contents positions value taken := (overwrite contents positions value).map (·, taken)
  decides value taken := some (holds value, taken ++ [holds value])

/-- Execution: on the machine, with these numbers. -/
def execution (holds : List S → Bool) (literal : Nat → S) : Setting S := ⟨machine holds, literal⟩

end Adjudge.State
