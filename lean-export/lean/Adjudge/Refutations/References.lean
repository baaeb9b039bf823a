module

public import Adjudge.Refutations.Runtime

/-!
# Wrong references

Contributions to ids that are not earlier, and a truncated subtraction that lets an id out of range pass.
-/

@[expose] public noncomputable section

namespace Adjudge.Refutations

open Runtime

/-- The tape on which the node at each id has another id, and contributes accordingly. -/
def renumbered (to : Nat → Nat) (tape : Tape Int) : Tape Int :=
  tape.map fun node =>
    { node with
      backward := fun upstream =>
        match node.backward upstream with
        | .ok contributions => .ok (contributions.map fun c => ⟨to c.parent, c.cotangent⟩)
        | .error e => .error e }

/-- A tape whose contributions are numbered from one is wrong, and no run-time check notices. -/
theorem numbering_from_one_not_sound :
    ¬ ∀ (x : Context Int One) (seed : Context Int Two),
      backwardDenseFrom (renumbered (· + 1) (compile squared x ()).tape) seed.toList
        = .ok (squared.backpropAllCtx x () seed).toList :=
  fun sound => absurd (congrArg numbers (sound (one 3) (two 10 1))) (by decide +kernel)

/--
The tape whose contributions are numbered from one runs without an error: the node adds to its own gradient.
-/
theorem numbering_from_one_succeeds :
    numbers (backwardDenseFrom (renumbered (· + 1) (compile squared (one 3) ()).tape) (two 10 1).toList)
      = some [some 10, some 7] := by decide +kernel

/-- The ids 1 and 2 change places. -/
def swapped : Nat → Nat
  | 1 => 2
  | 2 => 1
  | id => id

/-- The entries at 1 and 2 of three change places. -/
def swappedList {α : Type} : List α → List α
  | [a, b, c] => [a, c, b]
  | others => others

/--
The tape of a graph of two nodes in which the later node comes first: it contributes to an id after its own.
-/
def forwardReferring (tape : Tape Int) : Tape Int := swappedList (renumbered swapped tape)

/-- The loop does not notice a forward reference, and the gradient is wrong: `pid < id` is needed. -/
theorem forward_reference_not_sound :
    ¬ ∀ (x : Context Int One) (seed : Context Int Three),
      backwardDenseFrom (forwardReferring (compile fourthPower x ()).tape) (swappedList seed.toList)
        = .ok (swappedList (fourthPower.backpropAllCtx x () seed).toList) :=
  fun sound => absurd (congrArg numbers (sound (one 3) (three 0 0 1))) (by decide +kernel)

/--
With a forward reference, `(x · x) · (x · x)` at 3 gives 0 where 108 is right: the cotangent came too late.
-/
theorem forward_reference_loses :
    numbers (backwardDenseFrom (forwardReferring (compile fourthPower (one 3) ()).tape)
      (swappedList (three 0 0 1).toList)) = some [some 0, some 1, some 18] := by decide +kernel

/-- The entry at `id` of a list kept newest first; `length - 1 - id` is a subtraction of naturals. -/
def newestFirst {α : Type} (entries : List α) (id : Nat) : Option α :=
  entries.reverse[entries.length - 1 - id]?

/-- Below the length, the subtraction finds the entry. -/
theorem newestFirst_eq {α : Type} (entries : List α) {id : Nat} (inside : id < entries.length) :
    newestFirst entries id = entries[id]? := by
  rw [newestFirst, List.getElem?_reverse (by omega)]
  congr 1
  omega

/-- Without a check of the id, the subtraction finds an entry where there is none. -/
theorem newestFirst_unchecked : ¬ ∀ (entries : List Nat) (id : Nat), newestFirst entries id = entries[id]? :=
  fun all => absurd (all [7] 5) (by decide +kernel)

/-- Finds ids by `length - 1 - id`, unchecked. -/
def truncating : Runtime Int :=
  { right with
    addGrad := fun tape grads pid g => addGradAll tape grads (tape.length - 1 - (tape.length - 1 - pid)) g }

/-- A leaf, and a node that contributes to the id 5, which there is not. -/
def outOfRange : Tape Int :=
  [leafNode ⟨scalar 3⟩,
    { name := "stray"
      value := ⟨scalar 3⟩
      requiresGrad := true
      parents := [5]
      backward := fun upstream => .ok [⟨5, upstream⟩] }]

/-- A runtime that truncates the subtraction differs from the right one: it accepts an id out of range. -/
theorem truncating_not_right :
    ¬ ∀ (tape : Tape Int) (seed : List (AnyTensor Int)),
      truncating.run tape seed = backwardDenseFrom tape seed :=
  fun same => absurd (congrArg numbers (same outOfRange (two 0 1).toList)) (by decide +kernel)

/-- The right runtime refuses the id out of range. -/
theorem right_refuses_outOfRange (seed : Context Int Two) :
    backwardDenseFrom outOfRange seed.toList = .error (.id 5) := by
  cases seed with | snoc rest t
  cases rest with | snoc rest s
  cases rest
  simp [backwardDenseFrom, backwardLoop, backwardDenseFromStep, outOfRange, Context.toList, scalar,
    addContributions, addGradAll]

end Adjudge.Refutations
