module

public import Adjudge.Refutations.Laws
public import Adjudge.Theorems.ZeroPreserving

/-!
# The dense form that visits only what is reached

`backwardDenseReached` of `reference/tape.ts`, TorchLean's newer `backwardDenseAll`. It visits the ids that
got a contribution and leaves others at zero. If every `backward` on a tape takes zero to zeros that is the
older form, where `x + 0 = x`, errors included. A node beside the output with `0 · ∞` tells them apart.
-/

@[expose] public noncomputable section

namespace Adjudge

variable {S : Type} {tape : Tape S} {grads : List (AnyTensor S)}

/-- The step for the reached ids of `n - 1, …, 0`. What a step contributes to is reached from then on. -/
def backwardReachedLoop [Add S] (tape : Tape S) :
    Nat → List Nat → List (AnyTensor S) → Except TapeError (List (AnyTensor S))
  | 0, _, grads => .ok grads
  | n + 1, reached, grads =>
    match tape[n]?, grads[n]? with
    | some node, some upstream =>
      if !reached.contains n || !node.requiresGrad then backwardReachedLoop tape n reached grads
      else match node.backward upstream with
        | .error e => .error e
        | .ok contributions =>
          match addContributions tape grads contributions with
          | .error e => .error e
          | .ok added => backwardReachedLoop tape n (reached ++ contributions.map Contribution.parent) added
    | _, _ => .error (.id n)

/-- Visits only the ids reached from `outId`; the gradients of the others are zero. -/
def backwardDenseReached [Zero S] [Add S] (tape : Tape S) (outId : Nat) (seed : AnyTensor S) :
    Except TapeError (List (AnyTensor S)) :=
  match tape[outId]? with
  | none => .error (.id outId)
  | some out =>
    if seed.shape ≠ out.value.shape then .error (.gradientShape outId)
    else backwardReachedLoop tape (outId + 1) [outId] (seedAt tape outId seed)

/-- There is a gradient for each node, of the node's shape. -/
structure GradsFit (tape : Tape S) (grads : List (AnyTensor S)) : Prop where
  length : grads.length = tape.length
  shape : ∀ {id : Nat} {node : TapeNode S} {v : AnyTensor S},
    tape[id]? = some node → grads[id]? = some v → v.shape = node.value.shape

section Addition

variable [Add S]

/-- A sum has the shape of its first summand. -/
theorem AnyTensor.shape_of_add? {x y sum : AnyTensor S} (added : x.add? y = some sum) : sum.shape = x.shape := by
  unfold add? at added
  split at added
  · cases added; rfl
  · cases added

/-- A contribution keeps the fit and changes no slot but its own. -/
theorem GradsFit.addGradAll (fit : GradsFit tape grads) {pid : Nat} {g : AnyTensor S} {added : List (AnyTensor S)}
    (succeeds : Adjudge.addGradAll tape grads pid g = .ok added) :
    GradsFit tape added ∧ ∀ id, id ≠ pid → added[id]? = grads[id]? := by
  unfold Adjudge.addGradAll at succeeds
  split at succeeds
  · rename_i node slot at_pid at_slot
    split at succeeds
    · cases succeeds; exact ⟨fit, fun _ _ => rfl⟩
    split at succeeds
    · cases succeeds
    split at succeeds
    · cases succeeds
    split at succeeds
    · rename_i sum at_sum
      cases succeeds
      refine ⟨⟨by simp [fit.length], fun {id n v} at_id at_v => ?_⟩, fun id other => ?_⟩
      · rw [List.getElem?_set] at at_v
        split at at_v
        · rename_i same
          subst same
          split at at_v <;> cases at_v
          have := AnyTensor.shape_of_add? at_sum
          simp_all
        · exact fit.shape at_id at_v
      · rw [List.getElem?_set_ne (Ne.symm other)]
    · cases succeeds
  · cases succeeds

/-- Contributions keep the fit and change no slots but those of their parents. -/
theorem GradsFit.addContributions {contributions : List (Contribution S)} (fit : GradsFit tape grads)
    {added : List (AnyTensor S)} (succeeds : Adjudge.addContributions tape grads contributions = .ok added) :
    GradsFit tape added ∧ ∀ id, id ∉ contributions.map Contribution.parent → added[id]? = grads[id]? := by
  induction contributions generalizing grads with
  | nil => cases succeeds; exact ⟨fit, fun _ _ => rfl⟩
  | cons c rest ih =>
    simp only [Adjudge.addContributions] at succeeds
    split at succeeds
    · rename_i first h
      obtain ⟨fit', same⟩ := fit.addGradAll h
      obtain ⟨fit'', same'⟩ := ih fit' succeeds
      refine ⟨fit'', fun id outside => ?_⟩
      simp only [List.map_cons, List.mem_cons, not_or] at outside
      rw [same' id outside.2, same id outside.1]
    · cases succeeds

variable [Zero S]

/-- Contributions of zeros change nothing, where `x + 0 = x`. -/
theorem GradsFit.addContributions_zeros (add_zero : ∀ x : S, x + 0 = x) (fit : GradsFit tape grads)
    (contributions : List (Contribution S))
    (zeros : ∀ c ∈ contributions, ∃ parent, tape[c.parent]? = some parent
      ∧ c.cotangent = ⟨Tensor.zeros parent.value.shape⟩) :
    Adjudge.addContributions tape grads contributions = .ok grads := by
  induction contributions with
  | nil => rfl
  | cons c rest ih =>
    obtain ⟨parent, at_pid, zero⟩ := zeros c (by simp)
    obtain ⟨inside, _⟩ := List.getElem?_eq_some_iff.mp at_pid
    have at_slot : grads[c.parent]? = some (grads[c.parent]'(fit.length ▸ inside)) := List.getElem?_eq_getElem _
    have shape := fit.shape at_pid at_slot
    have unchanged : Adjudge.addGradAll tape grads c.parent c.cotangent = .ok grads := by
      simp only [Adjudge.addGradAll, at_pid, at_slot, zero, shape, AnyTensor.add?_zeros add_zero _ shape]
      simp
    simp only [Adjudge.addContributions, unchanged]
    exact ih fun c h => zeros c (by simp [h])

/-- At the id of a node the gradient is zero. -/
def IsZeroAt (tape : Tape S) (grads : List (AnyTensor S)) (id : Nat) : Prop :=
  ∀ node, tape[id]? = some node → grads[id]? = some ⟨Tensor.zeros node.value.shape⟩

/-- The dense step does nothing where the gradient is zero. -/
theorem step_of_isZeroAt (add_zero : ∀ x : S, x + 0 = x) (preserving : tape.ZeroPreserving)
    (fit : GradsFit tape grads) {id : Nat} (inside : id < tape.length) (zero : IsZeroAt tape grads id) :
    backwardDenseFromStep tape grads id = .ok grads := by
  have at_id : tape[id]? = some tape[id] := List.getElem?_eq_getElem inside
  simp only [backwardDenseFromStep, at_id, zero _ at_id]
  by_cases requires : tape[id].requiresGrad = true
  · obtain ⟨contributions, backward, zeros⟩ := preserving _ (List.getElem_mem inside) requires
    simp only [requires, backward, fit.addContributions_zeros add_zero contributions zeros,
      Bool.not_true, Bool.false_eq_true, ↓reduceIte, ne_eq, not_true_eq_false]
  · simp [requires]

/-- The dense loop does nothing above the last id whose gradient is not zero. -/
theorem backwardLoop_above (add_zero : ∀ x : S, x + 0 = x) (preserving : tape.ZeroPreserving)
    (fit : GradsFit tape grads) {n m : Nat} (inside : n + m ≤ tape.length)
    (zero : ∀ id, n ≤ id → IsZeroAt tape grads id) :
    backwardLoop tape (n + m) grads = backwardLoop tape n grads := by
  induction m with
  | zero => rfl
  | succ m ih =>
    rw [← Nat.add_assoc, backwardLoop,
      step_of_isZeroAt add_zero preserving fit (show n + m < tape.length by omega) (zero _ (by omega))]
    exact ih (by omega)

/-- The loop that visits what is reached is the dense loop, when what is not reached yet is zero. -/
theorem backwardReachedLoop_eq_backwardLoop (add_zero : ∀ x : S, x + 0 = x) (preserving : tape.ZeroPreserving)
    (fit : GradsFit tape grads) {n : Nat} (inside : n ≤ tape.length) {reached : List Nat}
    (zero : ∀ id, id < n → id ∉ reached → IsZeroAt tape grads id) :
    backwardReachedLoop tape n reached grads = backwardLoop tape n grads := by
  induction n generalizing grads reached with
  | zero => rfl
  | succ n ih =>
    have inside' : n < tape.length := by omega
    have at_id : tape[n]? = some tape[n] := List.getElem?_eq_getElem inside'
    have at_slot : grads[n]? = some (grads[n]'(fit.length ▸ inside')) := List.getElem?_eq_getElem _
    by_cases visited : reached.contains n = true
    · by_cases requires : tape[n].requiresGrad = true
      · simp only [backwardReachedLoop, backwardLoop, backwardDenseFromStep, at_id, at_slot,
          visited, requires, fit.shape at_id at_slot, Bool.not_true, Bool.or_self,
          Bool.false_eq_true, ↓reduceIte, ne_eq, not_true_eq_false]
        cases tape[n].backward (grads[n]'(fit.length ▸ inside')) with
        | error e => rfl
        | ok contributions =>
          simp only
          cases added : addContributions tape grads contributions with
          | error e => rfl
          | ok added =>
            obtain ⟨fit', same⟩ := fit.addContributions added
            refine ih fit' (by omega) fun id below outside node at_node => ?_
            simp only [List.mem_append, not_or] at outside
            rw [same id outside.2]
            exact zero id (by omega) outside.1 node at_node
      · simp only [backwardReachedLoop, backwardLoop, backwardDenseFromStep, at_id, at_slot, requires,
          Bool.not_false, Bool.or_true, ↓reduceIte]
        exact ih fit (by omega) fun id below outside => zero id (by omega) outside
    · have still := step_of_isZeroAt add_zero preserving fit inside' (zero n (by omega) (by simpa using visited))
      simp only [backwardReachedLoop, backwardLoop, at_id, at_slot, visited,
        Bool.not_false, Bool.true_or, ↓reduceIte, still]
      exact ih fit (by omega) fun id below outside => zero id (by omega) outside

/--
On a zero-preserving tape the newer `backwardDenseAll`, which visits only what is reached, is the older one,
where `x + 0 = x`: the same gradients or the same error.
-/
theorem backwardDenseReached_eq_backwardDenseAll (add_zero : ∀ x : S, x + 0 = x) (preserving : tape.ZeroPreserving)
    (outId : Nat) (seed : AnyTensor S)
    (shape : ∀ out, tape[outId]? = some out → seed.shape = out.value.shape) :
    backwardDenseReached tape outId seed = backwardDenseAll tape outId seed := by
  by_cases inside : outId < tape.length
  · have at_out : tape[outId]? = some tape[outId] := List.getElem?_eq_getElem inside
    have fit : GradsFit tape (seedAt tape outId seed) := by
      refine ⟨by simp [seedAt], fun {id node v} at_id at_v => ?_⟩
      simp only [seedAt, List.getElem?_mapIdx, at_id, Option.map_some, Option.some.injEq] at at_v
      split at at_v
      · rename_i same
        exact at_v ▸ shape node (same ▸ at_id)
      · exact at_v ▸ rfl
    have zero : ∀ id, id ≠ outId → IsZeroAt tape (seedAt tape outId seed) id := fun id other node at_id => by
      simp [seedAt, at_id, other]
    have above := backwardLoop_above add_zero preserving fit (n := outId + 1) (m := tape.length - (outId + 1))
      (by omega) fun id beyond => zero id (by omega)
    rw [show outId + 1 + (tape.length - (outId + 1)) = tape.length by omega] at above
    have loop := backwardReachedLoop_eq_backwardLoop add_zero preserving fit (n := outId + 1) (by omega)
      (reached := [outId]) fun id _ outside => zero id (by simpa using outside)
    simp [backwardDenseReached, shape _ at_out, backwardDenseAll, inside, backwardDenseFrom, fit.length,
      above, loop]
  · simp [backwardDenseReached, backwardDenseAll, inside]

end Addition

/--
On the tape of a `Graph` over a commutative semiring the newer `backwardDenseAll` is `backpropAllCtx` of a
seed that is zero elsewhere. TorchLean: `backwardDenseAll_lowerGraphToTape_eq_backpropAllCtx`.
-/
theorem Graph.backwardDenseReached_compile_eq_backpropAllCtx {Δ : Type} {Γ C : ContextType} {τ : Shape}
    [Lean.Grind.CommSemiring S] (g : Graph S Δ Γ C) (x : Context S Γ) (δ : Δ) (place : Place C τ)
    (t : Tensor S τ) :
    backwardDenseReached (g.compile x δ).tape place.id ⟨t⟩
      = .ok (g.backpropAllCtx x δ (place.only t)).toList := by
  have realises := realises_compile g.toData x δ
  have preserving := zeroPreserving_compile g.toData g.all_zeroPreserving x δ
  refine (backwardDenseReached_eq_backwardDenseAll Lean.Grind.Semiring.add_zero preserving _ _ ?_).trans
    (realises.backwardDenseAll_eq_backpropAllCtx place t)
  intro out at_out
  exact realises.accepts [] |>.shape_of_place place (by simpa using at_out)

namespace Refutations

open Runtime

/--
Where `0 · ∞` is not zero, the two forms differ though zero is neutral: of a node beside the output the older
one makes something undefined, which the newer one never looks at.
-/
theorem reached_needs_zeroPreserving :
    ¬ ∀ (tape : Tape Extended) (outId : Nat) (seed : AnyTensor Extended),
      (∀ out, tape[outId]? = some out → seed.shape = out.value.shape) →
        backwardDenseReached tape outId seed = backwardDenseAll tape outId seed := fun all =>
  absurd (congrArg numbers (all infiniteTape 0 ⟨scalar (.number 1)⟩ fun _ h => by
    rw [← Option.some.inj h]; rfl)) (by decide +kernel)

/-- `x` and a node that hands its cotangent on. -/
def identityGraph : GraphData SignedZero Unit One Two := .snoc .nil identity

/-- Where `−0 + 0` is `+0`, the two forms differ in the sign of a zero: `x + 0 = x` is needed. -/
theorem reached_needs_neutral_zero :
    ¬ ∀ (tape : Tape SignedZero) (outId : Nat) (seed : AnyTensor SignedZero), tape.ZeroPreserving →
      (∀ out, tape[outId]? = some out → seed.shape = out.value.shape) →
        backwardDenseReached tape outId seed = backwardDenseAll tape outId seed := fun all =>
  absurd (congrArg numbers (all (compile identityGraph (one .positive) ()).tape 0 ⟨scalar .negative⟩
    (zeroPreserving_compile identityGraph ⟨trivial, fun _ _ => rfl⟩ _ _)
    fun _ h => by rw [← Option.some.inj h]; rfl)) (by decide +kernel)

end Refutations

end Adjudge
