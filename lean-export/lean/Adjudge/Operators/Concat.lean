module

public import Adjudge.Operators.Moving

/-!
# `concat`, and that a broadcast is the adjoint of a sum

`reference/operators/{concat,sum,broadcast_to}.ts`.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind Sums

variable {E C : ContextType} {τ σ : Shape}

/-- The terms scatter the operands along the axis, one after the other from `offset` on. -/
def Concatenates (axis : Nat) : Nat → List ((σ : Shape) × Place C σ) → List (LinearTerm C τ) → Prop
  | _, [], [] => True
  | offset, place :: places, term :: terms =>
    (∃ target : Fin place.1.size → Fin τ.size, (∀ j, concatTarget axis offset place.1 τ j.val = (target j).val) ∧
      term.Computes place.2 (fun _ => Tensor.scattered target) (fun _ => Tensor.gathered target)) ∧
    Concatenates axis (offset + entryAt place.1 axis 0) places terms
  | _, _, _ => False

/-- Whatever `moving` makes of the pairs of a scatter is a scatter, which stays inside. -/
theorem moving_means (x : Place C σ) (f : Nat → Nat) (term : LinearTerm C τ)
    (made : moving ⟨σ, x⟩ τ false ((below σ.size).map fun j => (f j, j)) = some term) :
    ∃ target : Fin σ.size → Fin τ.size, (∀ j, f j.val = (target j).val) ∧
      term.Computes x (fun _ => Tensor.scattered target) (fun _ => Tensor.gathered target) := by
  have inside : ∀ j < σ.size, f j < τ.size := by
    simp only [moving] at made
    split at made
    · next moves listed =>
      intro j small
      exact (inside_of_moves? _ moves listed (f j, j) (List.mem_map.mpr ⟨j, (mem_below _ _).mpr small, rfl⟩)).1
    · cases made
  obtain ⟨term', made', computes⟩ := moving_scatters x _ (fun j => ⟨f j.val, inside j.val j.isLt⟩) f rfl fun _ => rfl
  rw [made] at made'
  cases made'
  exact ⟨_, fun _ => rfl, computes⟩

/-- The terms of `concat` put the operands one after the other. -/
theorem concatTerms_means (axis : Nat) : (offset : Nat) → (places : List ((σ : Shape) × Place C σ)) →
    (terms : List (LinearTerm C τ)) → concatTerms axis τ offset places = some terms →
    Concatenates axis offset places terms
  | _, [], _, made => by cases made; trivial
  | offset, place :: places, terms, made => by
    simp only [concatTerms] at made
    split at made
    · cases made
    · split at made
      · next term others found rest =>
        cases made
        exact ⟨moving_means place.2 _ term found, concatTerms_means axis _ places others rest⟩
      · cases made

/--
`concat` puts the operands one after the other along the axis, and each gets back the part of the cotangent
where it was put.
-/
theorem concat_follows (axis : Nat) (places : List ((σ : Shape) × Place C σ)) (form : Form E C τ)
    (made : (Operator.concat axis).formAt? places = some ⟨τ, form⟩) :
    ∃ terms, form = .linear terms ∧ Concatenates axis 0 places terms := by
  unfold Operator.formAt? at made
  match places, made with
  | first :: rest, made =>
    dsimp only at made
    split at made
    · split at made
      · next terms found =>
        cases made
        exact ⟨terms, rfl, concatTerms_means axis 0 _ terms found⟩
      · cases made
    · cases made

/-- Mapping keeps the number of entries. -/
theorem length_mapIndexed (f : Nat → Nat → Nat) : (first : Nat) → (l : List Nat) →
    (mapIndexed first f l).length = l.length
  | _, [] => rfl
  | first, _ :: rest => congrArg (· + 1) (length_mapIndexed f (first + 1) rest)

/-- Where an axis is summed its extent becomes 1, and where it is 1 the coordinate is 0. -/
theorem mapIndexed_kept (axes whole : List Nat) (position : Nat) : (first : Nat) → (shape : Shape) →
    (∀ i, entryAt whole (first + i) 0
      = entryAt (mapIndexed first (fun axis extent => if occurs axis axes then 1 else extent) shape) i 0) →
    mapIndexed first (fun axis coordinate => if occurs axis axes then 0 else coordinate) (coordinatesOf shape position)
      = mapIndexed first (fun axis coordinate => if entryAt whole axis 0 = 1 then 0 else coordinate)
        (coordinatesOf shape position)
  | _, [], _ => rfl
  | first, extent :: rest, same => by
    have here := same 0
    have there := mapIndexed_kept axes whole position (first + 1) rest fun i => by
      rw [Nat.add_assoc, Nat.add_comm 1 i]; exact same (i + 1)
    simp only [Nat.add_zero, mapIndexed, entryAt] at here
    simp only [coordinatesOf, mapIndexed, there, here]
    congr 1
    by_cases summed : occurs first axes = true
    · simp [summed]
    · by_cases one : extent = 1
      · simp [summed, one, Nat.mod_one]
      · simp [summed, one]

/--
`sum` and `broadcast_to` go along the same map in opposite directions: where `sum` with `keepdims` adds an
element of the operand, `broadcast_to` from the summed shape back takes it from.
-/
theorem sumTarget_eq_broadcastSource (axes : List Nat) (shape : Shape) (position : Nat) :
    sumTarget axes shape position = broadcastSource (keptShape axes shape) shape position := by
  unfold sumTarget broadcastSource
  rw [keptShape, length_mapIndexed, Nat.sub_self, List.drop_zero]
  exact congrArg _ (mapIndexed_kept axes _ position 0 shape fun i => by rw [Nat.zero_add])

end Adjudge
