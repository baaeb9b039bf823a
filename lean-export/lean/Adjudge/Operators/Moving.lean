module

public import Adjudge.Operators.Rule

/-!
# The rules of the operators that move elements

`reference/operators/{sum,reshape,broadcast_to,permute_dims,take}.ts`: each is a gather or a scatter along its
index map, and its adjoint is the other along the same map.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind Sums

variable {E C : ContextType} {τ σ : Shape}

/-- A gather along a map: its adjoint is the scatter along the map. -/
def Rule.gather (x : Place C σ) (source : Fin τ.size → Fin σ.size) : Rule E C τ :=
  .linear x (fun _ => Tensor.gathered source) (fun _ => Tensor.scattered source)

/-- A scatter along a map: its adjoint is the gather along the map. -/
def Rule.scatter (x : Place C σ) (target : Fin σ.size → Fin τ.size) : Rule E C τ :=
  .linear x (fun _ => Tensor.scattered target) (fun _ => Tensor.gathered target)

/-- The shape of a result of `sum`. -/
def summedShape (axes : List Nat) (keepdims : Bool) (shape : Shape) : Shape :=
  if keepdims then keptShape axes shape else withoutAxes 0 axes shape

/-- With and without `keepdims`, `sum` has the same elements in the same order. -/
theorem size_summedShape (axes : List Nat) (keepdims : Bool) (shape : Shape) :
    (summedShape axes keepdims shape).size = (keptShape axes shape).size := by
  cases keepdims
  · exact size_withoutAxes axes 0 shape
  · rfl

/-- The element of the result of `sum` that each element of the operand is added to. -/
def sumMap (axes : List Nat) (keepdims : Bool) (shape : Shape) (j : Fin shape.size) :
    Fin (summedShape axes keepdims shape).size :=
  ⟨sumTarget axes shape j.val, size_summedShape axes keepdims shape ▸ sumTarget_lt axes shape j.val j.isLt⟩

/--
`sum` adds each element at the coordinates that are left of it, for every shape and axes, and its cotangent
goes back to all the elements that were added: the adjoint of a sum is a broadcast.
-/
theorem sum_follows (x : Place C σ) (axes : List Nat) (keepdims : Bool) :
    (Operator.sum axes keepdims).Follows [⟨σ, x⟩] (.scatter x (sumMap axes keepdims σ) : Rule E C _) := by
  unfold Operator.Follows Operator.formAt?
  exact scattering_follows x (sumTarget axes σ) (sumMap axes keepdims σ) fun _ => rfl

/-- A scatter to a tensor of one element is the sum of all elements. -/
theorem scattered_one {S : Type} [CommRing S] (t : Tensor S σ) (target : Fin σ.size → Fin τ.size)
    (one : τ.size = 1) (i : Fin τ.size) : (t.scattered target).get i = sumUp σ.size t.get := by
  change sumUp σ.size (fun j => if target j = i then t.get j else 0) = _
  congr 1; funext j
  exact if_pos (Fin.ext (by omega))

/-- Without any of its axes nothing is left of a shape. -/
theorem withoutAxes_all (axes : List Nat) : (first : Nat) → (shape : Shape) →
    (∀ axis, first ≤ axis → axis < first + shape.length → axis ∈ axes) → withoutAxes first axes shape = []
  | _, [], _ => rfl
  | first, extent :: rest, all => by
    rw [withoutAxes, if_pos ((occurs_iff _ _).mpr (all first (Nat.le_refl _) (by simp)))]
    exact withoutAxes_all axes (first + 1) rest fun axis from_ to => all axis (by omega) (by simp; omega)

/-- `sum` over all axes is a scalar. -/
theorem summedShape_all (shape : Shape) : summedShape (below shape.length) false shape = [] :=
  withoutAxes_all _ 0 shape fun axis _ small => (mem_below _ _).mpr (by omega)

/-- `sum` over all axes is the sum of all elements. -/
theorem sum_all_axes {S : Type} [CommRing S] (t : Tensor S σ) (i) :
    (t.scattered (sumMap (below σ.length) false σ)).get i = sumUp σ.size t.get :=
  scattered_one t _ (by rw [summedShape_all]; rfl) i

/-- If one map undoes another, to scatter along it is to gather along the other. -/
theorem scattered_eq_gathered {S : Type} [CommRing S] (f : Fin σ.size → Fin τ.size) (g : Fin τ.size → Fin σ.size)
    (there : ∀ j, g (f j) = j) (back : ∀ i, f (g i) = i) (t : Tensor S σ) : t.scattered f = t.gathered g := by
  ext i
  change sumUp σ.size (fun j => if f j = i then t.get j else 0) = t.get (g i)
  rw [← sumUp_at (g i) t.get]
  congr 1; funext j
  have : (f j = i) = (g i = j) := propext ⟨fun e => e ▸ there j, fun e => e ▸ back i⟩
  simp only [this]

/-- `reshape` keeps every element at its position, and so does its cotangent. -/
theorem reshape_follows (x : Place C σ) (size : τ.size = σ.size) : (Operator.reshape τ).Follows [⟨σ, x⟩]
    (.linear x (fun _ => Tensor.gathered (Fin.cast size)) (fun _ => Tensor.gathered (Fin.cast size.symm)) :
      Rule E C τ) := by
  obtain ⟨form, made, follows⟩ := gathering_follows (E := E) x id (Fin.cast size) fun _ => rfl
  refine ⟨form, by unfold Operator.formAt?; simp only [if_pos size]; exact made, follows.forward, follows.jvp, ?_⟩
  intro S _ ctx c
  rw [follows.vjp]
  exact congrArg x.only (scattered_eq_gathered (Fin.cast size) (Fin.cast size.symm) (fun _ => rfl) (fun _ => rfl) c)

/-- Moves are made of positions inside only. -/
theorem inside_of_moves? {n m : Nat} : (pairs : List (Nat × Nat)) → (moves : List (Move n m)) →
    moves? n m pairs = some moves → ∀ pair ∈ pairs, pair.1 < n ∧ pair.2 < m
  | pair :: rest, moves, made, other, among => by
    simp only [moves?] at made
    split at made
    · next h =>
      split at made
      · next others found =>
        cases among with
        | head => exact h
        | tail _ among => exact inside_of_moves? rest others found other among
      · cases made
    · cases made

/-- Whatever `gathering` makes is a gather along its map, which stays inside. -/
theorem gathering_means (x : Place C σ) (f : Nat → Nat) (form : Form E C τ)
    (made : gathering ⟨σ, x⟩ τ f = some ⟨τ, form⟩) :
    ∃ source : Fin τ.size → Fin σ.size, (∀ i, f i.val = (source i).val) ∧ form.Follows (.gather x source) := by
  have inside : ∀ i < τ.size, f i < σ.size := by
    simp only [gathering, moving] at made
    split at made
    · next term found =>
      split at found
      · next moves listed =>
        intro i small
        exact (inside_of_moves? _ moves listed (i, f i)
          (List.mem_map.mpr ⟨i, (mem_below _ _).mpr small, rfl⟩)).2
      · cases found
    · cases made
  obtain ⟨form', made', follows⟩ :=
    gathering_follows (E := E) x f (fun i => ⟨f i.val, inside i.val i.isLt⟩) fun _ => rfl
  rw [made] at made'
  cases made'
  exact ⟨_, fun _ => rfl, follows⟩

/-- `broadcast_to` repeats the elements of its operand, and its cotangent is added up over the repetitions. -/
theorem broadcast_to_follows (x : Place C σ) (form : Form E C τ)
    (made : (Operator.broadcast_to τ).formAt? [⟨σ, x⟩] = some ⟨τ, form⟩) :
    ∃ source : Fin τ.size → Fin σ.size,
      (∀ i, broadcastSource σ τ i.val = (source i).val) ∧ form.Follows (.gather x source) := by
  unfold Operator.formAt? at made
  dsimp only at made
  split at made
  · exact gathering_means x _ form made
  · cases made

/-- `permute_dims` moves the elements to permuted coordinates, and its cotangent moves back. -/
theorem permute_dims_follows (x : Place C σ) (axes : List Nat) (form : Form E C (permutedShape axes σ))
    (made : (Operator.permute_dims axes).formAt? [⟨σ, x⟩] = some ⟨permutedShape axes σ, form⟩) :
    ∃ source : Fin (permutedShape axes σ).size → Fin σ.size,
      (∀ i, permuteSource axes σ i.val = (source i).val) ∧ form.Follows (.gather x source) := by
  unfold Operator.formAt? at made
  dsimp only at made
  split at made
  · exact gathering_means x _ form made
  · cases made

/-- `take` picks slices along an axis, and the cotangent of each pick is added to what was picked. -/
theorem take_follows (x : Place C σ) (axis : Nat) (indices : List Nat)
    (form : Form E C (withEntry σ axis indices.length))
    (made : (Operator.take axis indices).formAt? [⟨σ, x⟩] = some ⟨withEntry σ axis indices.length, form⟩) :
    ∃ source : Fin (Shape.size (withEntry σ axis indices.length)) → Fin σ.size,
      (∀ i, takeSource axis indices σ (withEntry σ axis indices.length) i.val = (source i).val) ∧
        form.Follows (.gather x source) := by
  unfold Operator.formAt? at made
  dsimp only at made
  split at made
  · exact gathering_means x _ form made
  · cases made

end Adjudge
