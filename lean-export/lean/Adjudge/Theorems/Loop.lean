module

public import Adjudge.Compile
public import Adjudge.Theorems.Context

/-!
# The dense loop on any tape that realises a graph

`reference/tape.ts`. A tape realises a graph when its nodes have the graph's values and what their
`backward` emits adds up to the `vjp`. The loop over such a tape is `backpropAllCtx`. It is proved for a
tape with any suffix and gradients with any suffix, by induction on the graph: the step of the last node
leaves the problem of the graph before it, with a longer suffix.
-/

@[expose] public noncomputable section

namespace Adjudge

variable {S Δ : Type} {Γ C : ContextType} {τ : Shape}

/-- At each id of a context of type `C` the tape has a node of that shape that requires a gradient. -/
def Tape.Accepts (tape : Tape S) : ContextType → Prop
  | .nil => True
  | .snoc C τ => tape.Accepts C
      ∧ ∃ node, tape[C.length]? = some node ∧ node.requiresGrad = true ∧ node.value.shape = τ

/-- A tape accepts the type of the context that its values begin with, if its nodes require gradients. -/
theorem Tape.accepts_of_values {tape : Tape S} (context : Context S C) (later : Tape S)
    (values : tape.map TapeNode.value = context.toList) (requires : ∀ node ∈ tape, node.requiresGrad = true) :
    Tape.Accepts (tape ++ later) C := by
  induction context generalizing tape later with
  | nil => trivial
  | @snoc C _ earlier t ih =>
    obtain ⟨front, back, rfl, hfront, hback⟩ := List.map_eq_append_iff.mp values
    obtain ⟨node, nodes, rfl, hnode, hnodes⟩ := List.map_eq_cons_iff.mp hback
    obtain rfl := List.map_eq_nil_iff.mp hnodes
    have hlength : front.length = C.length := by simpa using congrArg List.length hfront
    have := ih (node :: later) hfront fun n h => requires n (by simp [h])
    refine ⟨by simpa using this, node, ?_, requires node (by simp), by rw [hnode]⟩
    simp [← hlength]

variable [Add S]

/-- Adding two lists of contributions one after the other. -/
theorem addContributions_append {tape : Tape S} {grads added : List (AnyTensor S)}
    {a b : List (Contribution S)} (h : addContributions tape grads a = .ok added) :
    addContributions tape grads (a ++ b) = addContributions tape added b := by
  induction a generalizing grads with
  | nil => simp_all [addContributions]
  | cons c rest ih =>
    simp only [List.cons_append, addContributions] at h ⊢
    split at h
    · exact ih h
    · simp at h

/-- A contribution of the right shape is added to the slot in the middle of the gradients. -/
theorem addGradAll_middle {tape : Tape S} {node : TapeNode S} (front rest : List (AnyTensor S))
    (s t : Tensor S τ) (at_id : tape[front.length]? = some node) (requires : node.requiresGrad = true)
    (shape : node.value.shape = τ) :
    addGradAll tape (front ++ ⟨s⟩ :: rest) front.length ⟨t⟩ = .ok (front ++ ⟨s + t⟩ :: rest) := by
  simp [addGradAll, at_id, requires, shape, AnyTensor.add?]

/-- The step reads the slot in the middle and adds what the node's `backward` gives. -/
theorem backwardDenseFromStep_middle {tape : Tape S} {node : TapeNode S} (front rest : List (AnyTensor S))
    (c : Tensor S τ) (at_id : tape[front.length]? = some node) (requires : node.requiresGrad = true)
    (shape : node.value.shape = τ) {contributions : List (Contribution S)}
    (backward : node.backward ⟨c⟩ = .ok contributions) :
    backwardDenseFromStep tape (front ++ ⟨c⟩ :: rest) front.length
      = addContributions tape (front ++ ⟨c⟩ :: rest) contributions := by
  simp [backwardDenseFromStep, at_id, requires, shape, backward]

/-- The loop over leaves changes nothing. -/
theorem backwardLoop_addLeaves (x seed : Context S C) (later : Tape S) (rest : List (AnyTensor S)) :
    backwardLoop (addLeaves x ++ later) C.length (seed.toList ++ rest) = .ok (seed.toList ++ rest) := by
  induction C generalizing later rest with
  | nil => rfl
  | snoc C τ ih =>
    cases x with | snoc x t
    cases seed with | snoc seed c
    have step := backwardDenseFromStep_middle (tape := addLeaves (x.snoc t) ++ later) seed.toList rest c
      (node := leafNode ⟨t⟩) (by simp [addLeaves, Context.toList]) rfl rfl rfl
    have := ih x seed (leafNode ⟨t⟩ :: later) (⟨c⟩ :: rest)
    simp_all [ContextType.length, backwardLoop, Context.toList, addContributions, addLeaves]

/-- A tape node does what a graph's node does: it has its value, and what it emits adds up to its `vjp`. -/
structure TapeNode.Realises (t : TapeNode S) (node : NodeData S Δ C τ) (ctx : Context S C) (δ : Δ) :
    Prop where
  value : t.value = ⟨node.forward ctx δ⟩
  requiresGrad : t.requiresGrad = true
  emits : ∀ c : Tensor S τ, ∃ contributions, t.backward ⟨c⟩ = .ok contributions
    ∧ ∀ (tape : Tape S) (a : Context S C) (rest : List (AnyTensor S)), tape.Accepts C →
      addContributions tape (a.toList ++ rest) contributions = .ok ((a + node.vjp ctx δ c).toList ++ rest)

/-- A tape is one leaf for each input, and then nodes that do what the graph's do. -/
def Tape.Realises {C : ContextType} (tape : Tape S) : GraphData S Δ Γ C → Context S Γ → Δ → Prop
  | .nil, x, _ => tape = addLeaves x
  | .snoc g node, x, δ =>
    ∃ front last, tape = front ++ [last] ∧ Realises front g x δ ∧ last.Realises node (g.eval x δ) δ

namespace Tape.Realises

variable {tape : Tape S} {g : GraphData S Δ Γ C} {x : Context S Γ} {δ : Δ}

/-- The values of a tape that realises a graph, in order, are `eval g x δ` with the shapes erased. -/
theorem values (h : tape.Realises g x δ) : tape.map TapeNode.value = (g.eval x δ).toList := by
  induction g generalizing tape with
  | nil =>
    obtain rfl : tape = addLeaves x := h
    simp [addLeaves, GraphData.eval, Function.comp_def, leafNode]
  | snoc g node ih =>
    obtain ⟨front, last, rfl, hfront, hlast⟩ := h
    simp [ih hfront, hlast.value, GraphData.eval, Context.toList]

/-- Every node of a tape that realises a graph requires a gradient. -/
theorem requires_grad (h : tape.Realises g x δ) : ∀ node ∈ tape, node.requiresGrad = true := by
  induction g generalizing tape with
  | nil =>
    obtain rfl : tape = addLeaves x := h
    simp [addLeaves, leafNode]
  | snoc g node ih =>
    obtain ⟨front, last, rfl, hfront, hlast⟩ := h
    intro n hn
    rcases List.mem_append.mp hn with hn | hn
    · exact ih hfront n hn
    · rw [List.mem_singleton.mp hn, hlast.requiresGrad]

/-- A tape that realises a graph has one node for each entry of the context. -/
theorem length (h : tape.Realises g x δ) : tape.length = C.length := by
  simpa using congrArg List.length h.values

/-- A tape that realises a graph, however it goes on, accepts the type of the graph's context. -/
theorem accepts (h : tape.Realises g x δ) (later : Tape S) : Tape.Accepts (tape ++ later) C :=
  Tape.accepts_of_values _ later h.values h.requires_grad

/-- The loop over a tape that realises a graph, whatever follows it, is `backpropAllCtx`. -/
theorem backwardLoop (h : tape.Realises g x δ) (seed : Context S C) (later : Tape S)
    (rest : List (AnyTensor S)) :
    Adjudge.backwardLoop (tape ++ later) C.length (seed.toList ++ rest)
      = .ok ((g.backpropAllCtx x δ seed).toList ++ rest) := by
  induction g generalizing tape later rest with
  | nil =>
    obtain rfl : tape = addLeaves x := h
    exact backwardLoop_addLeaves x seed later rest
  | @snoc C τ g node ih =>
    cases seed with | snoc seed c
    obtain ⟨front, last, rfl, hfront, hlast⟩ := h
    obtain ⟨contributions, backward, emits⟩ := hlast.emits c
    have step := backwardDenseFromStep_middle (tape := front ++ last :: later) seed.toList rest c
      (by simp [← hfront.length]) hlast.requiresGrad (by rw [hlast.value]) backward
    have add := emits (front ++ last :: later) seed (⟨c⟩ :: rest) (hfront.accepts _)
    have before := ih hfront (seed + node.vjp (g.eval x δ) δ c) (last :: later) (⟨c⟩ :: rest)
    simp only [Context.length_toList] at step
    simp [ContextType.length, Adjudge.backwardLoop, Context.toList, step, add, before,
      GraphData.backpropAllCtx, Context.init, Context.last]

/--
Pulling a seed back through any tape that realises a graph succeeds and is `backpropAllCtx`, shapes erased.
-/
theorem backwardDenseFrom_eq_backpropAllCtx (h : tape.Realises g x δ) (seed : Context S C) :
    backwardDenseFrom tape seed.toList = .ok (g.backpropAllCtx x δ seed).toList := by
  have := h.backwardLoop seed [] []
  simpa [backwardDenseFrom, h.length] using this

end Tape.Realises

end Adjudge
