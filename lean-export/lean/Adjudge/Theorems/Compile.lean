module

public import Adjudge.Compile

/-!
# What holds of compilation [SEMANTICS §5]

`reference/compile.ts` and `reference/tape.ts`. Of scalars nothing is asked but an addition, on which no law is
asked either: the tape and the graph add the same numbers in the same order.

The loop is proved correct on a tape with any suffix and gradients with any suffix, by induction on the graph: the
step of the last node leaves the problem of the graph before it, with a longer suffix.
-/

@[expose] public noncomputable section

namespace Adjudge

variable {S Δ : Type} {Γ C : ContextType} {τ : Shape}

namespace Context

/-- A context has one entry for each shape of its type. -/
@[simp] theorem length_toList (context : Context S C) : context.toList.length = C.length := by
  induction context with
  | nil => rfl
  | snoc earlier t ih => simp [toList, ContextType.length, ih]

/-- Splitting off the last entry splits the list of the entries. -/
theorem toList_unsnoc (context : Context S (.snoc C τ)) :
    context.toList = context.init.toList ++ [⟨context.last⟩] := by
  cases context; rfl

/-- Contexts are added entry by entry. -/
@[simp] theorem snoc_add_snoc [Add S] (a b : Context S C) (s t : Tensor S τ) :
    a.snoc s + b.snoc t = (a + b).snoc (s + t) := rfl

end Context

/-- Compiling one more node appends one tape node and one value. -/
theorem compile_snoc (g : GraphData S Δ Γ C) (node : NodeData S Δ C τ) (x : Context S Γ) (δ : Δ) :
    compile (g.snoc node) x δ
      = ⟨(compile g x δ).tape ++ [tapeNode node (compile g x δ).context δ],
          (compile g x δ).context.snoc (node.forward (compile g x δ).context δ)⟩ := rfl

namespace GraphData

/-- The context that `compile` returns is `eval g x δ`. -/
theorem compile_ctx_eq_eval (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ) :
    (compile g x δ).context = g.eval x δ := by
  induction g with
  | nil => rfl
  | snoc g node ih => simp [compile_snoc, eval, ih]

/-- The tape's values, in order, are `eval g x δ` with the shapes erased. -/
theorem compile_values_eq (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ) :
    (compile g x δ).tape.map TapeNode.value = (g.eval x δ).toList := by
  induction g with
  | nil => simp [compile, addLeaves, eval, Function.comp_def, leafNode]
  | snoc g node ih => simp [compile_snoc, eval, Context.toList, ih, tapeNode, compile_ctx_eq_eval]

/-- The number of nodes that a graph adds to its inputs. -/
def size {C : ContextType} : GraphData S Δ Γ C → Nat
  | nil => 0
  | snoc g _ => g.size + 1

/-- The context of a graph has an entry for each input and each node. -/
theorem length_context (g : GraphData S Δ Γ C) : C.length = Γ.length + g.size := by
  induction g with
  | nil => rfl
  | snoc g _ ih => simp [ContextType.length, size, ih, Nat.add_assoc]

/-- The tape has one node for each input and each node of the graph. -/
theorem compile_nodes_size (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ) :
    (compile g x δ).tape.length = Γ.length + g.size := by
  simpa [← length_context] using congrArg List.length (g.compile_values_eq x δ)

/-- The tape has one node for each entry of the context. -/
theorem length_compile (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ) :
    (compile g x δ).tape.length = C.length := by
  rw [compile_nodes_size, ← length_context]

/-- Every node of a compiled tape requires a gradient. -/
theorem compile_requires_grad (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ) :
    ∀ node ∈ (compile g x δ).tape, node.requiresGrad = true := by
  induction g with
  | nil => simp [compile, addLeaves, leafNode]
  | snoc g node ih =>
    intro n h
    simp only [compile_snoc, List.mem_append, List.mem_singleton] at h
    rcases h with h | rfl
    · exact ih n h
    · rfl

end GraphData

/-- Contributions numbered from `first` stay below `first` plus their number. -/
theorem parent_lt_of_mem_contributionsFrom {first : Nat} {cotangents : List (AnyTensor S)} {c : Contribution S}
    (h : c ∈ contributionsFrom first cotangents) : c.parent < first + cotangents.length := by
  induction cotangents generalizing first with
  | nil => simp [contributionsFrom] at h
  | cons t rest ih =>
    simp only [contributionsFrom, List.mem_cons] at h
    rcases h with rfl | h
    · simp
    · have := ih h
      simp only [List.length_cons]
      omega

namespace GraphData

/-- Whenever the `backward` of the node at `id` succeeds, it contributes only to ids below `id`. -/
theorem compile_backward_pids_lt (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ) {id : Nat}
    {node : TapeNode S} (at_id : (compile g x δ).tape[id]? = some node) {upstream : AnyTensor S}
    {contributions : List (Contribution S)} (succeeds : node.backward upstream = .ok contributions) :
    ∀ c ∈ contributions, c.parent < id := by
  induction g with
  | nil =>
    simp only [compile, addLeaves, List.getElem?_map, Option.map_eq_some_iff] at at_id
    obtain ⟨_, _, rfl⟩ := at_id
    simp only [leafNode, Except.ok.injEq] at succeeds
    simp [← succeeds]
  | snoc g last ih =>
    rw [compile_snoc] at at_id
    simp only [List.getElem?_append] at at_id
    split at at_id
    · exact ih at_id
    · rename_i h
      simp only [List.getElem?_singleton] at at_id
      split at at_id <;> simp only [Option.some.injEq, reduceCtorEq] at at_id
      subst at_id
      simp only [tapeNode] at succeeds
      split at succeeds <;> simp only [Except.ok.injEq, reduceCtorEq] at succeeds
      intro c hc
      have := parent_lt_of_mem_contributionsFrom (succeeds ▸ hc)
      rw [length_compile] at h
      simp only [Context.length_toList] at this
      omega

end GraphData

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

/-- The compiled tape, however it goes on, accepts the type of the graph's context. -/
theorem Tape.accepts_compile (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ) (later : Tape S) :
    Tape.Accepts ((compile g x δ).tape ++ later) C :=
  Tape.accepts_of_values _ later (g.compile_values_eq x δ) (g.compile_requires_grad x δ)

/-- Numbering two lists of cotangents one after the other. -/
theorem contributionsFrom_append (first : Nat) (a b : List (AnyTensor S)) :
    contributionsFrom first (a ++ b) = contributionsFrom first a ++ contributionsFrom (first + a.length) b := by
  induction a generalizing first with
  | nil => simp [contributionsFrom]
  | cons t rest ih => simp [contributionsFrom, ih, Nat.add_assoc, Nat.add_comm 1]

section Addition

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

/-- Adding one contribution for each entry of a context is the addition of contexts. -/
theorem addContributions_context {tape : Tape S} (accepts : tape.Accepts C) (a b : Context S C)
    (rest : List (AnyTensor S)) :
    addContributions tape (a.toList ++ rest) (contributionsFrom 0 b.toList) = .ok ((a + b).toList ++ rest) := by
  induction C generalizing rest with
  | nil => cases a; cases b; rfl
  | snoc C τ ih =>
    cases a with | snoc a s
    cases b with | snoc b t
    obtain ⟨earlier, node, at_id, requires, shape⟩ := accepts
    have := addGradAll_middle (tape := tape) (a + b).toList rest s t (by simpa using at_id) requires shape
    simp only [Context.toList, contributionsFrom_append, List.append_assoc, List.singleton_append]
    rw [addContributions_append (ih earlier a b _)]
    simp_all [addContributions, contributionsFrom, Context.toList]

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

/-- The loop over a compiled tape, whatever follows it, is `backpropAllCtx`. -/
theorem backwardLoop_compile (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ) (seed : Context S C)
    (later : Tape S) (rest : List (AnyTensor S)) :
    backwardLoop ((compile g x δ).tape ++ later) C.length (seed.toList ++ rest)
      = .ok ((g.backpropAllCtx x δ seed).toList ++ rest) := by
  induction g generalizing later rest with
  | nil => exact backwardLoop_addLeaves x seed later rest
  | @snoc C τ g node ih =>
    cases seed with | snoc seed c
    let last := tapeNode node (g.eval x δ) δ
    have step := backwardDenseFromStep_middle (tape := (compile g x δ).tape ++ last :: later) seed.toList rest c
      (node := last) (by simp [← g.length_compile x δ]) rfl rfl (by simp [last, tapeNode]; rfl)
    have add := addContributions_context (Tape.accepts_compile g x δ (last :: later)) seed
      (node.vjp (g.eval x δ) δ c) (⟨c⟩ :: rest)
    have before := ih (seed + node.vjp (g.eval x δ) δ c) (last :: later) (⟨c⟩ :: rest)
    simp only [Context.length_toList] at step
    simp [compile_snoc, GraphData.compile_ctx_eq_eval, ContextType.length, backwardLoop, Context.toList, step, add,
      before, GraphData.backpropAllCtx, Context.init, Context.last, last]

end Addition

namespace GraphData

variable [Add S]

/-- Pulling a seed back through the compiled tape succeeds and is `backpropAllCtx`, shapes erased. -/
theorem backwardDenseFrom_compile_eq_backpropAllCtx (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ)
    (seed : Context S C) :
    backwardDenseFrom (compile g x δ).tape seed.toList = .ok (g.backpropAllCtx x δ seed).toList := by
  have := backwardLoop_compile g x δ seed [] []
  simpa [backwardDenseFrom, length_compile] using this

end GraphData

namespace Graph

variable [Zero S] [Add S] [Mul S] (g : Graph S Δ Γ C) (x : Context S Γ) (δ : Δ)

/-- Compiling a `Graph` is compiling its `GraphData`. -/
abbrev compile : Compiled S C := Adjudge.compile g.toData x δ

/-- The number of nodes that a graph adds to its inputs. -/
abbrev size : Nat := g.toData.size

/-- The context that `compile` returns for a `Graph` is `eval g x δ`. -/
theorem compile_ctx_eq_eval : (g.compile x δ).context = g.eval x δ :=
  g.toData.compile_ctx_eq_eval x δ

/-- The values of the tape of a `Graph`, in order, are `eval g x δ` with the shapes erased. -/
theorem compile_values_eq : (g.compile x δ).tape.map TapeNode.value = (g.eval x δ).toList :=
  g.toData.compile_values_eq x δ

/-- The tape of a `Graph` has one node for each input and each node of the graph. -/
theorem compile_nodes_size : (g.compile x δ).tape.length = Γ.length + g.size :=
  g.toData.compile_nodes_size x δ

/-- Every node of the tape of a `Graph` requires a gradient. -/
theorem compile_requires_grad : ∀ node ∈ (g.compile x δ).tape, node.requiresGrad = true :=
  g.toData.compile_requires_grad x δ

/-- Whenever the `backward` of the node at `id` of a `Graph`'s tape succeeds, it contributes only below `id`. -/
theorem compile_backward_pids_lt {id : Nat} {node : TapeNode S} (at_id : (g.compile x δ).tape[id]? = some node)
    {upstream : AnyTensor S} {contributions : List (Contribution S)}
    (succeeds : node.backward upstream = .ok contributions) : ∀ c ∈ contributions, c.parent < id :=
  g.toData.compile_backward_pids_lt x δ at_id succeeds

/-- Pulling a seed back through the tape of a `Graph` succeeds and is `backpropAllCtx`, shapes erased. -/
theorem backwardDenseFrom_compile_eq_backpropAllCtx (seed : Context S C) :
    backwardDenseFrom (g.compile x δ).tape seed.toList = .ok (g.backpropAllCtx x δ seed).toList :=
  g.toData.backwardDenseFrom_compile_eq_backpropAllCtx x δ seed

end Graph

end Adjudge
