module

public import Adjudge.Theorems.Linear
public import Adjudge.Theorems.Sweep

/-!
# Which compiled tapes are zero-preserving

`compile` and `backpropSparse` of `reference/`. A compiled tape, dense or sparse, is zero-preserving when
every `vjp` of its graph takes zero to zero; those of a `Graph` over a commutative semiring do.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

variable {S Δ : Type} {Γ C : ContextType} {τ : Shape}

section Zero

variable [Zero S]

/-- The zero context as a list. -/
theorem Context.toList_zeros (context : Context S C) :
    (Context.zeros C : Context S C).toList = context.toList.map fun v => ⟨Tensor.zeros v.shape⟩ := by
  induction context with
  | nil => rfl
  | snoc earlier t ih => simp [Context.zeros, Context.toList, ih]

/-- An entry of the zero context has the shape of the tape's node there. -/
theorem parent_of_zeros {tape : Tape S} (context : Context S C)
    (values : tape.map TapeNode.value = context.toList)
    {id : Nat} {t : AnyTensor S} (at_id : (Context.zeros C : Context S C).toList[id]? = some t) :
    ∃ parent, tape[id]? = some parent ∧ t = ⟨Tensor.zeros parent.value.shape⟩ := by
  simp only [context.toList_zeros, ← values, List.map_map, List.getElem?_map, Option.map_eq_some_iff] at at_id
  obtain ⟨parent, at_parent, rfl⟩ := at_id
  exact ⟨parent, at_parent, rfl⟩

/-- A node stays zero-preserving on a longer tape. -/
theorem TapeNode.ZeroPreserving.append {tape : Tape S} {node : TapeNode S} (h : node.ZeroPreserving tape)
    (later : Tape S) : node.ZeroPreserving (tape ++ later) := by
  intro requires
  obtain ⟨contributions, backward, zeros⟩ := h requires
  refine ⟨contributions, backward, fun c hc => ?_⟩
  obtain ⟨parent, at_parent, zero⟩ := zeros c hc
  obtain ⟨inside, _⟩ := List.getElem?_eq_some_iff.mp at_parent
  exact ⟨parent, by rw [List.getElem?_append_left inside, at_parent], zero⟩

/-- Leaves are zero-preserving. -/
theorem zeroPreserving_addLeaves (x : Context S C) : (addLeaves x).ZeroPreserving := by
  intro node h
  obtain ⟨_, _, rfl⟩ := List.mem_map.mp h
  exact fun _ => ⟨[], rfl, by simp⟩

/-- A tape grows zero-preserving by a node that, of zero, emits entries of the zero context alone. -/
theorem Tape.ZeroPreserving.snoc {tape : Tape S} (preserving : tape.ZeroPreserving) (context : Context S C)
    (values : tape.map TapeNode.value = context.toList) {node : TapeNode S}
    {contributions : List (Contribution S)}
    (backward : node.backward ⟨Tensor.zeros node.value.shape⟩ = .ok contributions)
    (entries : ∀ c ∈ contributions, (Context.zeros C : Context S C).toList[c.parent]? = some c.cotangent) :
    Tape.ZeroPreserving (tape ++ [node]) := by
  intro n h
  rcases List.mem_append.mp h with h | h
  · exact (preserving n h).append _
  · rw [List.mem_singleton.mp h]
    refine fun _ => ⟨contributions, backward, fun c hc => ?_⟩
    obtain ⟨parent, at_parent, zero⟩ := parent_of_zeros context values (entries c hc)
    obtain ⟨inside, _⟩ := List.getElem?_eq_some_iff.mp at_parent
    exact ⟨parent, by rw [List.getElem?_append_left inside, at_parent], zero⟩

/-- `vjp` takes zero to zero. -/
def NodeData.ZeroPreserving (node : NodeData S Δ C τ) : Prop :=
  ∀ ctx δ, node.vjp ctx δ (Tensor.zeros τ) = Context.zeros C

omit [Zero S] in
/-- Each contribution numbered from `first` is an entry of the list. -/
theorem entry_of_mem_contributionsFrom {first : Nat} {cotangents : List (AnyTensor S)} {c : Contribution S}
    (h : c ∈ contributionsFrom first cotangents) :
    ∃ place, c.parent = first + place ∧ cotangents[place]? = some c.cotangent := by
  induction cotangents generalizing first with
  | nil => simp [contributionsFrom] at h
  | cons t rest ih =>
    simp only [contributionsFrom, List.mem_cons] at h
    rcases h with rfl | h
    · exact ⟨0, rfl, rfl⟩
    · obtain ⟨place, parent, entry⟩ := ih h
      exact ⟨place + 1, by omega, by simpa using entry⟩

/-- Each contribution of a sparse context is an entry of the one it stands for. -/
theorem SparseContext.entry_of_mem_contributions {s : SparseContext S C} {c : Contribution S}
    (h : c ∈ s.contributions) : s.dense.toList[c.parent]? = some c.cotangent := by
  induction s with
  | nil => simp [contributions] at h
  | snoc earlier last ih =>
    have before (h : c ∈ earlier.contributions) :
        (earlier.snoc last).dense.toList[c.parent]? = some c.cotangent := by
      obtain ⟨inside, _⟩ := List.getElem?_eq_some_iff.mp (ih h)
      rw [dense, Context.toList, List.getElem?_append_left inside, ih h]
    cases last with
    | none => exact before h
    | some t =>
      rcases List.mem_append.mp h with h | h
      · exact before h
      · simp [List.mem_singleton.mp h, dense, Context.toList]

/-- A compiled tape is zero-preserving when every `vjp` is. -/
theorem zeroPreserving_compile (g : GraphData S Δ Γ C) (preserving : g.All NodeData.ZeroPreserving)
    (x : Context S Γ) (δ : Δ) : (compile g x δ).tape.ZeroPreserving := by
  induction g with
  | nil => exact zeroPreserving_addLeaves x
  | @snoc C τ g node ih =>
    refine (ih preserving.1).snoc (g.eval x δ) (g.compile_values_eq x δ)
      (contributions := contributionsFrom 0 (Context.zeros C).toList) ?_ fun c h => ?_
    · simp [tapeNode, preserving.2 _ _]
    · obtain ⟨place, parent, entry⟩ := entry_of_mem_contributionsFrom h
      simpa [parent] using entry

variable [Add S]

/-- A sparse compiled tape is zero-preserving when every `vjp` is. -/
theorem SparseGraph.zeroPreserving_compileSparse (g : SparseGraph S Δ Γ C)
    (preserving : g.toData.All NodeData.ZeroPreserving) (add_zero : ∀ x : S, x + 0 = x)
    (x : Context S Γ) (δ : Δ) : (g.compileSparse x δ).ZeroPreserving := by
  induction g with
  | nil => exact zeroPreserving_addLeaves x
  | @snoc C τ g node ih =>
    refine (ih preserving.1).snoc (g.toData.eval x δ) (g.realises_compileSparse add_zero x δ).values
      (contributions := (node.pull (g.toData.eval x δ) δ (Tensor.zeros τ)).contributions) ?_ fun c h => ?_
    · simp [SparseNode.tapeNode]
    · have zero : (node.pull (g.toData.eval x δ) δ (Tensor.zeros τ)).dense = Context.zeros C :=
        preserving.2 _ _
      exact zero ▸ SparseContext.entry_of_mem_contributions h

/--
On a zero-preserving tape that realises a graph, the sparse sweep is `backpropAllCtx` with the zeros left
out.
-/
theorem Tape.Realises.densify_backward_eq_backpropAllCtx {tape : Tape S} {g : GraphData S Δ Γ C}
    {x : Context S Γ} {δ : Δ} (h : tape.Realises g x δ) (zero_add : ∀ x : S, 0 + x = x)
    (add_zero : ∀ x : S, x + 0 = x) (preserving : tape.ZeroPreserving) (place : Place C τ) (t : Tensor S τ) :
    (backward tape place.id ⟨t⟩).map (densify tape) = .ok (g.backpropAllCtx x δ (place.only t)).toList := by
  rw [← h.backwardDenseAll_eq_backpropAllCtx,
    backwardDenseAll_eq_densify_backward zero_add add_zero preserving]
  intro out at_out
  exact h.accepts [] |>.shape_of_place place (by simpa using at_out)

/--
The sparse sweep over the sparse tape is `backpropAllCtx` with the zeros left out, when zero is neutral and
preserved.
-/
theorem SparseGraph.densify_backward_eq_backpropAllCtx (g : SparseGraph S Δ Γ C)
    (preserving : g.toData.All NodeData.ZeroPreserving) (zero_add : ∀ x : S, 0 + x = x)
    (add_zero : ∀ x : S, x + 0 = x) (x : Context S Γ) (δ : Δ) (place : Place C τ) (t : Tensor S τ) :
    (backward (g.compileSparse x δ) place.id ⟨t⟩).map (densify (g.compileSparse x δ))
      = .ok (g.toData.backpropAllCtx x δ (place.only t)).toList :=
  (g.realises_compileSparse add_zero x δ).densify_backward_eq_backpropAllCtx zero_add add_zero
    (g.zeroPreserving_compileSparse preserving add_zero x δ) place t

end Zero

namespace Graph

variable [CommSemiring S] (g : Graph S Δ Γ C) (x : Context S Γ) (δ : Δ)

/-- Every `vjp` of a `Graph` takes zero to zero. -/
theorem all_zeroPreserving : g.toData.All NodeData.ZeroPreserving := by
  induction g with
  | nil => trivial
  | snoc g node ih => exact ⟨ih, node.vjp_zeros⟩

/-- The sparse sweep over the tape of a `Graph` is `backpropAllCtx` with the zeros left out. -/
theorem densify_backward_eq_backpropAllCtx (place : Place C τ) (t : Tensor S τ) :
    (backward (g.compile x δ).tape place.id ⟨t⟩).map (densify (g.compile x δ).tape)
      = .ok (g.backpropAllCtx x δ (place.only t)).toList :=
  (realises_compile g.toData x δ).densify_backward_eq_backpropAllCtx zero_plus Semiring.add_zero
    (zeroPreserving_compile g.toData g.all_zeroPreserving x δ) place t

end Graph

end Adjudge
