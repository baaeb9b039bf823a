module

public import Adjudge.Theorems.Seed

/-!
# Contributions only to what is read

`compile(…, "sparse")` of `reference/compile.ts`. A node that emits contributions only to some ids does what
the dense one does: if it emits at most one for each id, when `x + 0 = x`; if it emits more (a node read
twice), when addition is associative besides.
-/

@[expose] public noncomputable section

namespace Adjudge

variable {S Δ : Type} {Γ C : ContextType} {τ : Shape} [Zero S] [Add S]

omit [Zero S] in
/-- Contexts are added associatively when scalars are. -/
theorem Context.add_assoc (assoc : ∀ x y z : S, x + y + z = x + (y + z)) (a b c : Context S C) :
    a + b + c = a + (b + c) := by
  induction C with
  | nil => cases a; cases b; cases c; rfl
  | snoc C τ ih =>
    cases a; cases b; cases c
    simp only [Context.snoc_add_snoc, ih, Context.snoc.injEq, true_and]
    exact congrArg Tensor.mk (funext fun i => assoc _ _ _)

/-- A context some of whose entries are missing, and stand for zero. -/
inductive SparseContext (S : Type) : ContextType → Type where
  | nil : SparseContext S .nil
  | snoc {C : ContextType} {τ : Shape} (earlier : SparseContext S C) (last : Option (Tensor S τ)) :
      SparseContext S (.snoc C τ)

namespace SparseContext

/-- The context that it stands for. -/
def dense : {C : ContextType} → SparseContext S C → Context S C
  | .nil, nil => .nil
  | .snoc _ τ, snoc earlier last => earlier.dense.snoc (last.getD (Tensor.zeros τ))

/-- One contribution for each entry that is there. -/
def contributions : {C : ContextType} → SparseContext S C → List (Contribution S)
  | .nil, nil => []
  | .snoc _ _, snoc earlier none => earlier.contributions
  | .snoc C _, snoc earlier (some t) => earlier.contributions ++ [⟨C.length, ⟨t⟩⟩]

/-- Adding only the entries that are there is adding the context that they stand for, when `x + 0 = x`. -/
theorem addContributions (add_zero : ∀ x : S, x + 0 = x) {tape : Tape S} (accepts : tape.Accepts C)
    (a : Context S C) (b : SparseContext S C) (rest : List (AnyTensor S)) :
    Adjudge.addContributions tape (a.toList ++ rest) b.contributions
      = .ok ((a + b.dense).toList ++ rest) := by
  induction C generalizing rest with
  | nil => cases a; cases b; rfl
  | snoc C τ ih =>
    cases a with | snoc a s
    cases b with | snoc b last
    obtain ⟨earlier, node, at_id, requires, shape⟩ := accepts
    have before := ih earlier a b (⟨s⟩ :: rest)
    cases last with
    | none => simpa [contributions, dense, Context.toList, Tensor.add_zeros add_zero] using before
    | some t =>
      have middle := addGradAll_middle (a + b.dense).toList rest s t (by simpa using at_id) requires shape
      simp only [Context.toList, contributions, List.append_assoc, List.singleton_append]
      rw [addContributions_append before]
      simp_all [Adjudge.addContributions, Context.toList, dense]

end SparseContext

/-- A node that says what it gives to the ids that it reads, and nothing of the others. -/
structure SparseNode (S Δ : Type) (C : ContextType) (τ : Shape) where
  name : String
  reads : List Nat
  forward : Context S C → Δ → Tensor S τ
  jvp : Context S C → Context S C → Δ → Tensor S τ
  pull : Context S C → Δ → Tensor S τ → SparseContext S C

/-- The node whose `vjp` is dense. -/
def SparseNode.toNodeData (node : SparseNode S Δ C τ) : NodeData S Δ C τ where
  name := node.name
  reads := node.reads
  forward := node.forward
  jvp := node.jvp
  vjp ctx δ c := (node.pull ctx δ c).dense

/-- The tape node that emits contributions only to what is read. -/
def SparseNode.tapeNode (node : SparseNode S Δ C τ) (ctx : Context S C) (δ : Δ) : TapeNode S where
  name := node.name
  value := ⟨node.forward ctx δ⟩
  requiresGrad := true
  parents := node.reads
  backward upstream :=
    if h : upstream.shape = τ then .ok (node.pull ctx δ (h ▸ upstream.tensor)).contributions
    else .error (.upstreamShape C.length)

/-- A graph of nodes with sparse `vjp`s. -/
inductive SparseGraph (S Δ : Type) (Γ : ContextType) : ContextType → Type where
  | nil : SparseGraph S Δ Γ Γ
  | snoc {C : ContextType} {τ : Shape} (g : SparseGraph S Δ Γ C) (node : SparseNode S Δ C τ) :
      SparseGraph S Δ Γ (.snoc C τ)

namespace SparseGraph

/-- The same graph with dense `vjp`s. -/
def toData {C : ContextType} : SparseGraph S Δ Γ C → GraphData S Δ Γ C
  | nil => .nil
  | snoc g node => .snoc g.toData node.toNodeData

/-- Evaluates the graph and builds a tape whose nodes emit contributions only to what they read. -/
def compileSparse {C : ContextType} : SparseGraph S Δ Γ C → Context S Γ → Δ → Tape S
  | nil, x, _ => addLeaves x
  | snoc g node, x, δ => g.compileSparse x δ ++ [node.tapeNode (g.toData.eval x δ) δ]

/-- The sparse tape realises the graph when `x + 0 = x`. -/
theorem realises_compileSparse (add_zero : ∀ x : S, x + 0 = x) (g : SparseGraph S Δ Γ C) (x : Context S Γ)
    (δ : Δ) : (g.compileSparse x δ).Realises g.toData x δ := by
  induction g with
  | nil => rfl
  | snoc g node ih =>
    exact ⟨_, _, rfl, ih, rfl, rfl, fun c => ⟨(node.pull (g.toData.eval x δ) δ c).contributions,
      by simp [SparseNode.tapeNode], fun _ a rest accepts =>
        SparseContext.addContributions add_zero accepts a _ rest⟩⟩

/-- Where `x + 0 = x`, a tape whose nodes emit only to what they read gives `backpropAllCtx` too. -/
theorem backwardDenseFrom_compileSparse_eq_backpropAllCtx (add_zero : ∀ x : S, x + 0 = x)
    (g : SparseGraph S Δ Γ C) (x : Context S Γ) (δ : Δ) (seed : Context S C) :
    backwardDenseFrom (g.compileSparse x δ) seed.toList = .ok (g.toData.backpropAllCtx x δ seed).toList :=
  (g.realises_compileSparse add_zero x δ).backwardDenseFrom_eq_backpropAllCtx seed

/-- Where `x + 0 = x`, the sparse tape and the dense tape of a graph give the same gradients. -/
theorem backwardDenseFrom_compileSparse_eq_compile (add_zero : ∀ x : S, x + 0 = x)
    (g : SparseGraph S Δ Γ C) (x : Context S Γ) (δ : Δ) (seed : Context S C) :
    backwardDenseFrom (g.compileSparse x δ) seed.toList
      = backwardDenseFrom (compile g.toData x δ).tape seed.toList := by
  rw [g.backwardDenseFrom_compileSparse_eq_backpropAllCtx add_zero,
    g.toData.backwardDenseFrom_compile_eq_backpropAllCtx]

end SparseGraph

/-- A cotangent and the place it goes to. -/
structure PlacedCotangent (S : Type) (C : ContextType) where
  {shape : Shape}
  place : Place C shape
  cotangent : Tensor S shape

namespace PlacedCotangent

/-- The contribution that a tape node emits. -/
def contribution (placed : PlacedCotangent S C) : Contribution S := ⟨placed.place.id, ⟨placed.cotangent⟩⟩

/-- The sum of cotangents that may go to one place more than once. -/
def total : List (PlacedCotangent S C) → Context S C
  | [] => Context.zeros C
  | placed :: rest => placed.place.only placed.cotangent + total rest

/-- One contribution is the addition of the context that is zero elsewhere, when `x + 0 = x`. -/
theorem addGradAll_only (add_zero : ∀ x : S, x + 0 = x) {tape : Tape S} (accepts : tape.Accepts C)
    (a : Context S C) (place : Place C τ) (t : Tensor S τ) (rest : List (AnyTensor S)) :
    addGradAll tape (a.toList ++ rest) place.id ⟨t⟩ = .ok ((a + place.only t).toList ++ rest) := by
  induction place generalizing rest with
  | last =>
    cases a with | snoc a s
    obtain ⟨_, node, at_id, requires, shape⟩ := accepts
    have := addGradAll_middle a.toList rest s t (by simpa using at_id) requires shape
    simpa [Context.toList, Place.id, Place.only, Context.add_zeros add_zero] using this
  | earlier place ih =>
    cases a with | snoc a s
    simpa [Context.toList, Place.id, Place.only, Tensor.add_zeros add_zero] using
      ih accepts.1 a t (⟨s⟩ :: rest)

/--
Adding contributions one by one, repeated ones too, is adding their sum, when `x + 0 = x` and addition is
associative.
-/
theorem addContributions_total (add_zero : ∀ x : S, x + 0 = x) (assoc : ∀ x y z : S, x + y + z = x + (y + z))
    {tape : Tape S} (accepts : tape.Accepts C) (a : Context S C) (placed : List (PlacedCotangent S C))
    (rest : List (AnyTensor S)) :
    addContributions tape (a.toList ++ rest) (placed.map contribution)
      = .ok ((a + total placed).toList ++ rest) := by
  induction placed generalizing a with
  | nil => simp [addContributions, total, Context.add_zeros add_zero]
  | cons first others ih =>
    simp only [List.map_cons, contribution, addContributions,
      addGradAll_only add_zero accepts a first.place first.cotangent rest]
    rw [show others.map _ = others.map contribution from rfl, ih, total, Context.add_assoc assoc]

/--
A tape node that emits the summands of the `vjp` one by one does what the graph's node does, when `x + 0 =
x` and addition is associative.
-/
theorem realises (add_zero : ∀ x : S, x + 0 = x) (assoc : ∀ x y z : S, x + y + z = x + (y + z))
    {t : TapeNode S} {node : NodeData S Δ C τ} {ctx : Context S C} {δ : Δ}
    (value : t.value = ⟨node.forward ctx δ⟩) (requires : t.requiresGrad = true)
    (summands : Tensor S τ → List (PlacedCotangent S C))
    (backward : ∀ c, t.backward ⟨c⟩ = .ok ((summands c).map contribution))
    (vjp : ∀ c, node.vjp ctx δ c = total (summands c)) : t.Realises node ctx δ where
  value := value
  requiresGrad := requires
  emits c := ⟨_, backward c, fun _ a rest accepts =>
    vjp c ▸ addContributions_total add_zero assoc accepts a (summands c) rest⟩

end PlacedCotangent

end Adjudge
