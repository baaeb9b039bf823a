module

public import Adjudge.Theorems.Sparse

/-!
# The sparse sweep

`backward` of `reference/tape.ts` visits only the ids that received a gradient. On any tape, compiled or
not, it is `backwardDenseAll` with the zeros left out, its errors included, when every `backward` takes zero
to zeros and zero is neutral on both sides.
-/

@[expose] public noncomputable section

namespace Adjudge

variable {S : Type} {tape : Tape S} {grads : List (Option (AnyTensor S))}

/-- There is a slot for each node, and what is in it has the node's shape. -/
structure SlotsFit (tape : Tape S) (grads : List (Option (AnyTensor S))) : Prop where
  length : grads.length = tape.length
  shape : ∀ {id : Nat} {node : TapeNode S} {v : AnyTensor S},
    tape[id]? = some node → grads[id]? = some (some v) → v.shape = node.value.shape

namespace SlotsFit

/-- There is a slot where there is a node. -/
theorem slot (fit : SlotsFit tape grads) {id : Nat} {node : TapeNode S} (at_id : tape[id]? = some node) :
    ∃ slot, grads[id]? = some slot := by
  obtain ⟨h, _⟩ := List.getElem?_eq_some_iff.mp at_id
  exact ⟨_, List.getElem?_eq_getElem (fit.length ▸ h)⟩

/-- Filling a slot with a tensor of the node's shape keeps the fit. -/
theorem set (fit : SlotsFit tape grads) {pid : Nat} {node : TapeNode S} (at_pid : tape[pid]? = some node)
    {v : AnyTensor S} (shape : v.shape = node.value.shape) : SlotsFit tape (grads.set pid (some v)) where
  length := by simp [fit.length]
  shape {id n w} at_id at_slot := by
    rw [List.getElem?_set] at at_slot
    split at at_slot
    · rename_i same
      subst same
      split at at_slot <;> simp_all
    · exact fit.shape at_id at_slot

end SlotsFit

variable [Zero S]

/-- The gradients that sparse ones stand for: zero where there is none. -/
def densify (tape : Tape S) (grads : List (Option (AnyTensor S))) : List (AnyTensor S) :=
  List.zipWith (fun node slot => slot.getD ⟨Tensor.zeros node.value.shape⟩) tape grads

/-- A zero cotangent makes the node emit zeros of the shapes of its parents, or nothing. -/
def TapeNode.ZeroPreserving (tape : Tape S) (node : TapeNode S) : Prop :=
  node.requiresGrad = true → ∃ contributions,
    node.backward ⟨Tensor.zeros node.value.shape⟩ = .ok contributions
    ∧ ∀ c ∈ contributions, ∃ parent, tape[c.parent]? = some parent
      ∧ c.cotangent = ⟨Tensor.zeros parent.value.shape⟩

/-- Every `backward` on the tape takes zero to zeros. -/
def Tape.ZeroPreserving (tape : Tape S) : Prop := ∀ node ∈ tape, node.ZeroPreserving tape

/-- What is in a slot of the dense gradients. -/
theorem getElem?_densify {id : Nat} {node : TapeNode S} {slot : Option (AnyTensor S)}
    (at_id : tape[id]? = some node) (slot_at : grads[id]? = some slot) :
    (densify tape grads)[id]? = some (slot.getD ⟨Tensor.zeros node.value.shape⟩) := by
  simp [densify, List.getElem?_zipWith, at_id, slot_at]

/-- Filling a slot of the sparse gradients fills that of the dense ones. -/
theorem densify_set (id : Nat) (v : AnyTensor S) :
    densify tape (grads.set id (some v)) = (densify tape grads).set id v := by
  induction tape generalizing grads id with
  | nil => simp [densify]
  | cons node tape ih =>
    cases grads with
    | nil => simp [densify]
    | cons slot grads =>
      cases id with
      | zero => simp [densify]
      | succ id => simpa [densify] using ih id

/-- The dense seed at one id is the sparse one with zeros filled in. -/
theorem seedAt_eq_densify (outId : Nat) (seed : AnyTensor S) :
    seedAt tape outId seed
      = densify tape (tape.mapIdx fun id _ => if id = outId then some seed else none) := by
  apply List.ext_getElem?
  intro id
  simp only [seedAt, densify, List.getElem?_zipWith, List.getElem?_mapIdx]
  cases tape[id]? with
  | none => rfl
  | some node => by_cases h : id = outId <;> simp [h]

/-- The dense result is the sparse one with zeros filled in, and the sparse one's slots fit. -/
structure Corresponds (tape : Tape S) (sparse : Except TapeError (List (Option (AnyTensor S))))
    (dense : Except TapeError (List (AnyTensor S))) : Prop where
  eq : dense = sparse.map (densify tape)
  fit : ∀ grads, sparse = .ok grads → SlotsFit tape grads

/-- Nothing done on both sides. -/
theorem Corresponds.ok (fit : SlotsFit tape grads) :
    Corresponds tape (.ok grads) (.ok (densify tape grads)) :=
  ⟨rfl, fun _ h => Except.ok.inj h ▸ fit⟩

/-- The same error on both sides. -/
theorem Corresponds.error (e : TapeError) : Corresponds tape (.error e) (.error e) :=
  ⟨rfl, fun _ h => nomatch h⟩

section Addition

variable [Add S]

/-- Zero on the left of a tensor of that shape. -/
theorem AnyTensor.zeros_add? (zero_add : ∀ x : S, 0 + x = x) {shape : Shape} (g : AnyTensor S)
    (same : g.shape = shape) : AnyTensor.add? ⟨Tensor.zeros shape⟩ g = some g := by
  subst same
  simp only [add?, ↓reduceDIte]
  exact congrArg (fun t => some (AnyTensor.mk t)) (congrArg Tensor.mk (funext fun i => zero_add _))

/-- Zero on the right of a tensor of that shape. -/
theorem AnyTensor.add?_zeros (add_zero : ∀ x : S, x + 0 = x) {shape : Shape} (v : AnyTensor S)
    (same : v.shape = shape) : v.add? ⟨Tensor.zeros shape⟩ = some v := by
  subst same
  simp only [add?, ↓reduceDIte]
  exact congrArg (fun t => some (AnyTensor.mk t)) (congrArg Tensor.mk (funext fun i => add_zero _))

/-- One contribution, sparse and dense. -/
theorem addGrad_corresponds (zero_add : ∀ x : S, 0 + x = x) (fit : SlotsFit tape grads) (pid : Nat)
    (g : AnyTensor S) :
    Corresponds tape (addGradSparse tape grads pid g) (addGradAll tape (densify tape grads) pid g) := by
  unfold addGradSparse addGradAll
  cases at_pid : tape[pid]? with
  | none => exact .error _
  | some node =>
    obtain ⟨slot, at_slot⟩ := fit.slot at_pid
    simp only [getElem?_densify at_pid at_slot, at_slot]
    by_cases requires : node.requiresGrad = true
    · by_cases shape : g.shape = node.value.shape
      · cases slot with
        | none =>
          simp only [requires, shape, Option.getD_none, AnyTensor.zeros_add? zero_add g shape, ← densify_set,
            Bool.not_true, Bool.false_eq_true, ↓reduceIte, ne_eq, not_true_eq_false]
          exact .ok (fit.set at_pid shape)
        | some v =>
          have shape_v := fit.shape at_pid at_slot
          have : v.add? g = some ⟨v.tensor + (shape.trans shape_v.symm) ▸ g.tensor⟩ := by
            simp [AnyTensor.add?, shape, shape_v]
          simp only [requires, shape, shape_v, this, Option.getD_some, ← densify_set,
            Bool.not_true, Bool.false_eq_true, ↓reduceIte, ne_eq, not_true_eq_false]
          exact .ok (fit.set at_pid shape_v)
      · simp only [requires, shape, Bool.not_true, Bool.false_eq_true, ↓reduceIte, ne_eq, not_false_eq_true]
        exact .error _
    · simp only [requires, Bool.not_false, ↓reduceIte]
      exact .ok fit

/-- All contributions, sparse and dense. -/
theorem addContributions_corresponds (zero_add : ∀ x : S, 0 + x = x) (fit : SlotsFit tape grads)
    (contributions : List (Contribution S)) :
    Corresponds tape (addContributionsSparse tape grads contributions)
      (addContributions tape (densify tape grads) contributions) := by
  induction contributions generalizing grads with
  | nil => exact .ok fit
  | cons c rest ih =>
    have first := addGrad_corresponds zero_add fit c.parent c.cotangent
    simp only [addContributionsSparse, addContributions, first.eq]
    cases h : addGradSparse tape grads c.parent c.cotangent with
    | error e => exact .error e
    | ok added => exact ih (first.fit _ h)

/-- Contributions of zeros change no dense gradients. -/
theorem addContributions_zeros (add_zero : ∀ x : S, x + 0 = x) (fit : SlotsFit tape grads)
    (contributions : List (Contribution S))
    (zeros : ∀ c ∈ contributions, ∃ parent, tape[c.parent]? = some parent
      ∧ c.cotangent = ⟨Tensor.zeros parent.value.shape⟩) :
    addContributions tape (densify tape grads) contributions = .ok (densify tape grads) := by
  induction contributions with
  | nil => rfl
  | cons c rest ih =>
    obtain ⟨parent, at_pid, zero⟩ := zeros c (by simp)
    obtain ⟨slot, at_slot⟩ := fit.slot at_pid
    have at_dense := getElem?_densify at_pid at_slot
    have shape : (slot.getD ⟨Tensor.zeros parent.value.shape⟩).shape = parent.value.shape := by
      cases slot with
      | none => rfl
      | some v => exact fit.shape at_pid at_slot
    have unchanged : addGradAll tape (densify tape grads) c.parent c.cotangent
        = .ok (densify tape grads) := by
      obtain ⟨_, hget⟩ := List.getElem?_eq_some_iff.mp at_dense
      simp only [addGradAll, at_pid, at_dense, zero, shape, AnyTensor.add?_zeros add_zero _ shape]
      simp [← hget]
    simp only [addContributions, unchanged]
    exact ih fun c h => zeros c (by simp [h])

/-- One step, sparse and dense. -/
theorem step_corresponds (zero_add : ∀ x : S, 0 + x = x) (add_zero : ∀ x : S, x + 0 = x)
    (preserving : tape.ZeroPreserving) (fit : SlotsFit tape grads) {id : Nat} (inside : id < tape.length) :
    Corresponds tape (backwardStep tape grads id) (backwardDenseFromStep tape (densify tape grads) id) := by
  have at_id : tape[id]? = some tape[id] := List.getElem?_eq_getElem inside
  obtain ⟨slot, at_slot⟩ := fit.slot at_id
  simp only [backwardStep, backwardDenseFromStep, at_id, at_slot, getElem?_densify at_id at_slot]
  by_cases requires : tape[id].requiresGrad = true
  · cases slot with
    | none =>
      obtain ⟨contributions, backward, zeros⟩ := preserving _ (List.getElem_mem inside) requires
      simp only [requires, Option.getD_none, backward,
        addContributions_zeros add_zero fit contributions zeros,
        Bool.not_true, Bool.false_eq_true, ↓reduceIte, ne_eq, not_true_eq_false]
      exact .ok fit
    | some v =>
      simp only [requires, Option.getD_some, fit.shape at_id at_slot,
        Bool.not_true, Bool.false_eq_true, ↓reduceIte, ne_eq, not_true_eq_false]
      cases tape[id].backward v with
      | error e => exact .error e
      | ok contributions => exact addContributions_corresponds zero_add fit contributions
  · cases slot <;> simp only [requires, Bool.not_false, ↓reduceIte] <;> exact .ok fit

/-- The whole loop, sparse and dense. -/
theorem loop_corresponds (zero_add : ∀ x : S, 0 + x = x) (add_zero : ∀ x : S, x + 0 = x)
    (preserving : tape.ZeroPreserving) (fit : SlotsFit tape grads) {n : Nat} (inside : n ≤ tape.length) :
    Corresponds tape (backwardSparseLoop tape n grads) (backwardLoop tape n (densify tape grads)) := by
  induction n generalizing grads with
  | zero => exact .ok fit
  | succ n ih =>
    have step := step_corresponds zero_add add_zero preserving fit (show n < tape.length by omega)
    simp only [backwardSparseLoop, backwardLoop, step.eq]
    cases h : backwardStep tape grads n with
    | error e => exact .error e
    | ok stepped => exact ih (step.fit _ h) (by omega)

omit [Zero S] in
/-- The sparse loop does nothing above the last slot that holds a gradient. -/
theorem backwardSparseLoop_above {n m : Nat} (inside : n + m ≤ tape.length)
    (empty : ∀ id, n ≤ id → id < tape.length → grads[id]? = some none) :
    backwardSparseLoop tape (n + m) grads = backwardSparseLoop tape n grads := by
  induction m with
  | zero => rfl
  | succ m ih =>
    have step : backwardStep tape grads (n + m) = .ok grads := by
      simp only [backwardStep, List.getElem?_eq_getElem (show n + m < tape.length by omega),
        empty (n + m) (by omega) (by omega)]
    rw [← Nat.add_assoc, backwardSparseLoop, step]
    exact ih (by omega)

/--
On a zero-preserving tape the sparse sweep is `backwardDenseAll`: the same error, or the same gradients on
the ids visited and zeros on the others.
-/
theorem backwardDenseAll_eq_densify_backward (zero_add : ∀ x : S, 0 + x = x) (add_zero : ∀ x : S, x + 0 = x)
    (preserving : tape.ZeroPreserving) (outId : Nat) (seed : AnyTensor S)
    (shape : ∀ out, tape[outId]? = some out → seed.shape = out.value.shape) :
    backwardDenseAll tape outId seed = (backward tape outId seed).map (densify tape) := by
  by_cases inside : outId < tape.length
  · have at_out : tape[outId]? = some tape[outId] := List.getElem?_eq_getElem inside
    let start : List (Option (AnyTensor S)) := tape.mapIdx fun id _ => if id = outId then some seed else none
    have fit : SlotsFit tape start := by
      refine ⟨by simp [start], fun {id node v} at_id at_slot => ?_⟩
      simp only [start, List.getElem?_mapIdx, at_id, Option.map_some, Option.some.injEq] at at_slot
      split at at_slot <;> simp only [Option.some.injEq, reduceCtorEq] at at_slot
      rename_i same
      exact at_slot ▸ shape node (same ▸ at_id)
    have above : backwardSparseLoop tape tape.length start = backwardSparseLoop tape (outId + 1) start := by
      have := backwardSparseLoop_above (tape := tape) (grads := start) (n := outId + 1)
        (m := tape.length - (outId + 1)) (by omega) fun id h1 h2 => by simp [start, h2]; omega
      rwa [show outId + 1 + (tape.length - (outId + 1)) = tape.length by omega] at this
    have loop := (loop_corresponds zero_add add_zero preserving fit (Nat.le_refl _)).eq
    rw [above] at loop
    simpa [backwardDenseAll, backwardDenseFrom, backward, inside, at_out, shape _ at_out, seedAt_eq_densify,
      densify, start] using loop
  · simp [backwardDenseAll, backward, inside, Except.map]

/-- Where the sparse sweep has a gradient, the dense one has the same, on a zero-preserving tape. -/
theorem backward_agrees_on_visited (zero_add : ∀ x : S, 0 + x = x) (add_zero : ∀ x : S, x + 0 = x)
    (preserving : tape.ZeroPreserving) {outId : Nat} {seed : AnyTensor S}
    (shape : ∀ out, tape[outId]? = some out → seed.shape = out.value.shape)
    (succeeds : backward tape outId seed = .ok grads) {dense : List (AnyTensor S)}
    (dense_succeeds : backwardDenseAll tape outId seed = .ok dense) {id : Nat} {node : TapeNode S}
    (at_id : tape[id]? = some node) {slot : Option (AnyTensor S)} (at_slot : grads[id]? = some slot) :
    dense[id]? = some (slot.getD ⟨Tensor.zeros node.value.shape⟩) := by
  rw [backwardDenseAll_eq_densify_backward zero_add add_zero preserving outId seed shape, succeeds]
    at dense_succeeds
  rw [← Except.ok.inj dense_succeeds]
  exact getElem?_densify at_id at_slot

end Addition

end Adjudge
