module

public import Adjudge.Theorems.Loop

/-!
# What holds of compilation [SEMANTICS §5.2]

`reference/compile.ts` and `reference/tape.ts`. Of scalars nothing is asked but an addition, on which no law
is asked either: the tape and the graph add the same numbers in the same order.
-/

@[expose] public noncomputable section

namespace Adjudge

variable {S Δ : Type} {Γ C : ContextType} {τ : Shape}

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
theorem parent_lt_of_mem_contributionsFrom {first : Nat} {cotangents : List (AnyTensor S)}
    {c : Contribution S} (h : c ∈ contributionsFrom first cotangents) :
    c.parent < first + cotangents.length := by
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

/-- Numbering two lists of cotangents one after the other. -/
theorem contributionsFrom_append (first : Nat) (a b : List (AnyTensor S)) :
    contributionsFrom first (a ++ b)
      = contributionsFrom first a ++ contributionsFrom (first + a.length) b := by
  induction a generalizing first with
  | nil => simp [contributionsFrom]
  | cons t rest ih => simp [contributionsFrom, ih, Nat.add_assoc, Nat.add_comm 1]

section Addition

variable [Add S]

/-- Adding one contribution for each entry of a context is the addition of contexts. -/
theorem addContributions_context {tape : Tape S} (accepts : tape.Accepts C) (a b : Context S C)
    (rest : List (AnyTensor S)) :
    addContributions tape (a.toList ++ rest) (contributionsFrom 0 b.toList)
      = .ok ((a + b).toList ++ rest) := by
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

/-- A compiled node does what the graph's node does. -/
theorem realises_tapeNode (node : NodeData S Δ C τ) (ctx : Context S C) (δ : Δ) :
    (tapeNode node ctx δ).Realises node ctx δ where
  value := rfl
  requiresGrad := rfl
  emits c := ⟨contributionsFrom 0 (node.vjp ctx δ c).toList, by simp [tapeNode],
    fun _ a rest accepts => addContributions_context accepts a (node.vjp ctx δ c) rest⟩

/-- The compiled tape realises the graph. -/
theorem realises_compile (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ) :
    (compile g x δ).tape.Realises g x δ := by
  induction g with
  | nil => rfl
  | snoc g node ih =>
    exact ⟨_, _, rfl, ih, g.compile_ctx_eq_eval x δ ▸ realises_tapeNode node _ δ⟩

end Addition

namespace GraphData

variable [Add S]

/-- Pulling a seed back through the compiled tape succeeds and is `backpropAllCtx`, shapes erased. -/
theorem backwardDenseFrom_compile_eq_backpropAllCtx (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ)
    (seed : Context S C) :
    backwardDenseFrom (compile g x δ).tape seed.toList = .ok (g.backpropAllCtx x δ seed).toList :=
  (realises_compile g x δ).backwardDenseFrom_eq_backpropAllCtx seed

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

/--
Whenever the `backward` of the node at `id` of a `Graph`'s tape succeeds, it contributes only below `id`.
-/
theorem compile_backward_pids_lt {id : Nat} {node : TapeNode S}
    (at_id : (g.compile x δ).tape[id]? = some node)
    {upstream : AnyTensor S} {contributions : List (Contribution S)}
    (succeeds : node.backward upstream = .ok contributions) : ∀ c ∈ contributions, c.parent < id :=
  g.toData.compile_backward_pids_lt x δ at_id succeeds

/-- Pulling a seed back through the tape of a `Graph` succeeds and is `backpropAllCtx`, shapes erased. -/
theorem backwardDenseFrom_compile_eq_backpropAllCtx (seed : Context S C) :
    backwardDenseFrom (g.compile x δ).tape seed.toList = .ok (g.backpropAllCtx x δ seed).toList :=
  g.toData.backwardDenseFrom_compile_eq_backpropAllCtx x δ seed

end Graph

end Adjudge
