module

public import Adjudge.Operators.Concat

/-!
# The rules of the operators with index maps

`reference/operators/{slice,pad,take_along_axis,gather,scatter_add,cumulative_sum,iota,bernoulli_mask}.ts`. The
maps of `Adjudge.Operators.Maps` say where elements come from or go; a form that one of these operators makes is
the gather or scatter along its map, inside the operand, and its cotangent goes back along the same map.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind Sums

variable {E C : ContextType} {τ σ ρ : Shape}

/-- `slice` has the elements that its starts, stops and steps name, and their cotangents go back there. -/
theorem slice_follows (x : Place C σ) (starts stops steps : List Int)
    (form : Form E C (sliceShape σ starts stops steps))
    (made : (Operator.slice starts stops steps).formAt? [⟨σ, x⟩] = some ⟨sliceShape σ starts stops steps, form⟩) :
    ∃ source : Fin (sliceShape σ starts stops steps).size → Fin σ.size,
      (∀ i, entryAt (sliceSources σ starts stops steps) i.val σ.size = (source i).val) ∧
        form.Follows (.gather x source) := by
  unfold Operator.formAt? at made
  dsimp only at made
  split at made
  · exact gathering_means x _ form made
  · cases made

/-- `take_along_axis` has at each place the element that the index there names along the axis. -/
theorem take_along_axis_follows (x : Place C σ) (axis : Nat) (entry : Shape) (indices : List Nat)
    (form : Form E C entry)
    (made : (Operator.take_along_axis axis entry indices).formAt? [⟨σ, x⟩] = some ⟨entry, form⟩) :
    ∃ source : Fin entry.size → Fin σ.size,
      (∀ i, entryAt (alongSources σ axis entry indices) i.val σ.size = (source i).val) ∧
        form.Follows (.gather x source) := by
  unfold Operator.formAt? at made
  dsimp only at made
  split at made
  · exact gathering_means x _ form made
  · cases made

/-- `gather` has the blocks that the rows of indices name, and the cotangents of a block named twice add up. -/
theorem gather_follows (x : Place C σ) (entry : Shape) (indices : List Nat)
    (form : Form E C (blocksShape σ entry))
    (made : (Operator.gather entry indices).formAt? [⟨σ, x⟩] = some ⟨blocksShape σ entry, form⟩) :
    ∃ source : Fin (Shape.size (blocksShape σ entry)) → Fin σ.size,
      (∀ i, entryAt (blockSources σ entry indices) i.val σ.size = (source i).val) ∧
        form.Follows (.gather x source) := by
  unfold Operator.formAt? at made
  dsimp only at made
  split at made
  · exact gathering_means x _ form made
  · cases made

/-- Whatever `scattering` makes is a scatter along its map, which stays inside. -/
theorem scattering_means (x : Place C σ) (f : Nat → Nat) (form : Form E C τ)
    (made : scattering ⟨σ, x⟩ τ f = some ⟨τ, form⟩) :
    ∃ target : Fin σ.size → Fin τ.size, (∀ j, f j.val = (target j).val) ∧ form.Follows (.scatter x target) := by
  unfold scattering at made
  split at made
  · next term found =>
    cases made
    obtain ⟨target, same, computes⟩ := moving_means x f term found
    exact ⟨target, same, computes.follows⟩
  · cases made

/-- `pad` puts the elements between zeros, and reads their cotangents there. -/
theorem pad_follows (x : Place C σ) (low high interior : List Nat)
    (form : Form E C (padShape σ low high interior))
    (made : (Operator.pad low high interior).formAt? [⟨σ, x⟩] = some ⟨padShape σ low high interior, form⟩) :
    ∃ target : Fin σ.size → Fin (padShape σ low high interior).size,
      (∀ j, entryAt (padTargets σ low high interior) j.val (padShape σ low high interior).size = (target j).val) ∧
        form.Follows (.scatter x target) := by
  unfold Operator.formAt? at made
  dsimp only at made
  split at made
  · exact scattering_means x _ form made
  · cases made

/-- `x` and what is scattered to it; the cotangent goes to `x`, and back along the map to the updates. -/
def Rule.scatterAdd (x : Place C σ) (updates : Place C ρ) (target : Fin ρ.size → Fin σ.size) : Rule E C σ where
  value _ _ ctx _ := x.get ctx + (updates.get ctx).scattered target
  tangent _ _ _ dctx := x.get dctx + (updates.get dctx).scattered target
  pullback _ _ _ c := x.only c + updates.only (c.gathered target)

/-- `scatter_add` adds each update once, to the element that its row of indices names. -/
theorem scatter_add_follows (x : Place C σ) (updates : Place C ρ) (entry : Shape) (indices : List Nat)
    (form : Form E C σ)
    (made : (Operator.scatter_add entry indices).formAt? [⟨σ, x⟩, ⟨ρ, updates⟩] = some ⟨σ, form⟩) :
    ∃ target : Fin ρ.size → Fin σ.size,
      (∀ j, entryAt (blockSources σ entry indices) j.val σ.size = (target j).val) ∧
        form.Follows (.scatterAdd x updates target) := by
  obtain ⟨kept, foundKept, computesKept⟩ := elementwise_computes x false
  unfold Operator.formAt? at made
  dsimp only at made
  split at made
  · rw [foundKept] at made
    split at made
    · next _ placed isKept found =>
      cases isKept
      cases made
      obtain ⟨target, same, computes⟩ := moving_means updates _ placed found
      refine ⟨target, same, ?_, ?_, ?_⟩
      · exact fun S _ ctx _ => plus_congr (computesKept.forward S ctx)
          ((tensor_add_zeros _).trans (computes.forward S ctx))
      · exact fun S _ _ dctx => plus_congr (computesKept.forward S dctx)
          ((tensor_add_zeros _).trans (computes.forward S dctx))
      · exact fun S _ _ c => plus_congr (computesKept.vjp S c)
          ((context_add_zeros _).trans (computes.vjp S c))
    · cases made
  · cases made

/-- The numbers that attributes determine; nothing is differentiated. -/
def Rule.literal (number : Nat → Nat) : Rule E C τ where
  value _ _ _ _ := ⟨fun i => natural (number i.val)⟩
  tangent _ _ _ _ := Tensor.zeros τ
  pullback _ _ _ _ := Context.zeros C

/-- `iota` counts along its axis. -/
theorem iota_follows (shape : Shape) (axis : Nat) (inside : axis < shape.length) :
    (Operator.iota shape axis).Follows [] (.literal (coordinateAlong shape axis) : Rule E C shape) :=
  ⟨.literal (coordinateAlong shape axis), by unfold Operator.formAt?; simp only [if_pos inside], fun _ _ _ _ => rfl,
    fun _ _ _ _ => rfl, fun _ _ _ _ => rfl⟩

/-- `bernoulli_mask` compares the random word of each element with the rate. -/
theorem bernoulli_mask_follows (shape : Shape) (first second numerator denominator : Nat)
    (words : first < Threefry.words ∧ second < Threefry.words ∧ 0 < denominator) :
    (Operator.bernoulli_mask shape first second numerator denominator).Follows []
      (.literal (Threefry.maskAt (first, second) numerator denominator) : Rule E C shape) :=
  ⟨.literal (Threefry.maskAt (first, second) numerator denominator),
    by unfold Operator.formAt?; simp only [if_pos words], fun _ _ _ _ => rfl, fun _ _ _ _ => rfl, fun _ _ _ _ => rfl⟩

end Adjudge
