module

public import Adjudge.Theorems.Sparse

/-!
# One zero for many

`backpropAllCtx` of `reference/sweep.ts` does not add a zero for every node that does not read a slot: it
adds one, when the slot's turn comes, if there was such a node. That is the definition under two laws that
weaker additions than a neutral zero keep, those of floats among them.
-/

@[expose] public noncomputable section

namespace Adjudge

variable {S Δ : Type} {Γ C : ContextType} {τ : Shape} [Zero S] [Add S]

/-- A tensor to which one zero is added if one is owed. -/
def Tensor.settle (t : Tensor S τ) (owes : Bool) : Tensor S τ := if owes then t + Tensor.zeros τ else t

/-- Cotangents, some of which a zero must still be added to. -/
inductive PendingContext (S : Type) : ContextType → Type where
  | nil : PendingContext S .nil
  | snoc {C : ContextType} {τ : Shape} (earlier : PendingContext S C) (slot : Tensor S τ) (owes : Bool) :
      PendingContext S (.snoc C τ)

namespace PendingContext

/-- All entries but the last. -/
def init : PendingContext S (.snoc C τ) → PendingContext S C
  | snoc earlier _ _ => earlier

/-- The last entry, the zero added that it is owed. -/
def last : PendingContext S (.snoc C τ) → Tensor S τ
  | snoc _ slot owes => slot.settle owes

/-- All entries, the zeros added that they are owed. -/
def settle : {C : ContextType} → PendingContext S C → Context S C
  | .nil, nil => .nil
  | .snoc _ _, snoc earlier slot owes => earlier.settle.snoc (slot.settle owes)

/-- Nothing is owed. -/
def ofContext : {C : ContextType} → Context S C → PendingContext S C
  | .nil, .nil => nil
  | .snoc _ _, .snoc earlier t => (ofContext earlier).snoc t false

/-- Adds the entries that are there; the others owe a zero. -/
def receive : {C : ContextType} → PendingContext S C → SparseContext S C → PendingContext S C
  | .nil, nil, .nil => nil
  | .snoc _ _, snoc earlier slot _, .snoc b none => (earlier.receive b).snoc slot true
  | .snoc _ _, snoc earlier slot owes, .snoc b (some t) => (earlier.receive b).snoc (slot + t) owes

/-- A context that owes nothing is itself. -/
theorem settle_ofContext (context : Context S C) : (ofContext context).settle = context := by
  induction context with
  | nil => rfl
  | snoc earlier t ih => simp [ofContext, settle, ih, Tensor.settle]

/-- Receiving sparse entries is adding the context that they stand for. -/
theorem settle_receive (idempotent : ∀ x : S, x + 0 + 0 = x + 0) (late : ∀ x y : S, x + 0 + y = x + y + 0)
    (p : PendingContext S C) (b : SparseContext S C) : (p.receive b).settle = p.settle + b.dense := by
  induction C with
  | nil => cases p; cases b; rfl
  | snoc C τ ih =>
    cases p with | snoc earlier slot owes
    cases b with | snoc b last
    cases last <;> cases owes <;> simp [receive, settle, SparseContext.dense, ih, Tensor.settle]
    · exact congrArg Tensor.mk (funext fun i => (idempotent _).symm)
    · exact congrArg Tensor.mk (funext fun i => (late _ _).symm)

end PendingContext

namespace SparseGraph

/-- Backpropagation that adds to each slot at most one zero, when its turn comes. -/
def backpropLate {C : ContextType} :
    SparseGraph S Δ Γ C → Context S Γ → Δ → PendingContext S C → Context S C
  | nil, _, _, pending => pending.settle
  | snoc g node, x, δ, pending =>
    let earlier := pending.init.receive (node.pull (g.toData.eval x δ) δ pending.last)
    (g.backpropLate x δ earlier).snoc pending.last

/-- Adding one zero late is adding each in its turn: `backpropAllCtx`, whatever is owed at the start. -/
theorem backpropLate_eq (idempotent : ∀ x : S, x + 0 + 0 = x + 0) (late : ∀ x y : S, x + 0 + y = x + y + 0)
    (g : SparseGraph S Δ Γ C) (x : Context S Γ) (δ : Δ) (pending : PendingContext S C) :
    g.backpropLate x δ pending = g.toData.backpropAllCtx x δ pending.settle := by
  induction g with
  | nil => rfl
  | snoc g node ih =>
    cases pending
    simp [backpropLate, ih, PendingContext.settle_receive idempotent late, PendingContext.settle,
      PendingContext.init, PendingContext.last, toData, SparseNode.toNodeData, GraphData.backpropAllCtx,
      Context.init, Context.last]

/--
Where `x + 0 + 0 = x + 0` and `x + 0 + y = x + y + 0`, adding one zero late instead of many is
`backpropAllCtx`.
-/
theorem backpropLate_eq_backpropAllCtx (idempotent : ∀ x : S, x + 0 + 0 = x + 0)
    (late : ∀ x y : S, x + 0 + y = x + y + 0) (g : SparseGraph S Δ Γ C) (x : Context S Γ) (δ : Δ)
    (seed : Context S C) : g.backpropLate x δ (.ofContext seed) = g.toData.backpropAllCtx x δ seed := by
  rw [g.backpropLate_eq idempotent late, PendingContext.settle_ofContext]

end SparseGraph

end Adjudge
