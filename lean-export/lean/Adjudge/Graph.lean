module

public import Adjudge.Context

/-!
# Nodes and graphs [SEMANTICS §2.2, §3.2]

`reference/graph.ts`, `reference/definition.ts` and `reference/lawful.ts`. A graph over inputs `Γ` is indexed
by the type `C` of its whole context `Γ ++ ss`.
-/

@[expose] public noncomputable section

namespace Adjudge

variable {S Δ : Type} {Γ C : ContextType} {τ : Shape}

/-- A node appended to a context of type `C`: three functions of it and of `Δ`, which owe no law. -/
structure NodeData (S Δ : Type) (C : ContextType) (τ : Shape) where
  /-- For people: the operator. -/
  name : String
  /-- The earlier ids that it reads. -/
  reads : List Nat
  forward : Context S C → Δ → Tensor S τ
  /-- The tangent of the value along a tangent of the context. -/
  jvp : Context S C → Context S C → Δ → Tensor S τ
  /-- The cotangent of the value, pulled back: an entry for every earlier id. -/
  vjp : Context S C → Δ → Tensor S τ → Context S C

/-- A node that keeps the local law: `vjp` is the adjoint of `jvp`. -/
structure Node (S Δ : Type) [Zero S] [Add S] [Mul S] (C : ContextType) (τ : Shape) extends NodeData S Δ C τ where
  adjoint : ∀ ctx dctx δ c, (jvp ctx dctx δ).dot c = dctx.dot (vjp ctx δ c)

/-- `nil`, or `snoc g node`, over inputs `Γ`; the index is the type of the whole context. -/
inductive GraphData (S Δ : Type) (Γ : ContextType) : ContextType → Type where
  | nil : GraphData S Δ Γ Γ
  | snoc {C : ContextType} {τ : Shape} (g : GraphData S Δ Γ C) (node : NodeData S Δ C τ) :
      GraphData S Δ Γ (.snoc C τ)

namespace GraphData

/-- The context of all values. -/
def eval {C : ContextType} : GraphData S Δ Γ C → Context S Γ → Δ → Context S C
  | nil, x, _ => x
  | snoc g node, x, δ =>
    let ctx := g.eval x δ
    ctx.snoc (node.forward ctx δ)

/-- The context of all tangents along `dx`. -/
def jvpCtx {C : ContextType} : GraphData S Δ Γ C → Context S Γ → Context S Γ → Δ → Context S C
  | nil, _, dx, _ => dx
  | snoc g node, x, dx, δ =>
    let dctx := g.jvpCtx x dx δ
    dctx.snoc (node.jvp (g.eval x δ) dctx δ)

/-- The cotangents of `Γ`. -/
def backpropCtx [Add S] {C : ContextType} : GraphData S Δ Γ C → Context S Γ → Δ → Context S C → Context S Γ
  | nil, _, _, seed => seed
  | snoc g node, x, δ, seed =>
    g.backpropCtx x δ (seed.init + node.vjp (g.eval x δ) δ seed.last)

/-- The cotangents of `Γ ++ ss`, inputs and intermediates. -/
def backpropAllCtx [Add S] {C : ContextType} :
    GraphData S Δ Γ C → Context S Γ → Δ → Context S C → Context S C
  | nil, _, _, seed => seed
  | snoc g node, x, δ, seed =>
    (g.backpropAllCtx x δ (seed.init + node.vjp (g.eval x δ) δ seed.last)).snoc seed.last

end GraphData

/-- A graph in which every node keeps the local law. -/
inductive Graph (S Δ : Type) [Zero S] [Add S] [Mul S] (Γ : ContextType) : ContextType → Type where
  | nil : Graph S Δ Γ Γ
  | snoc {C : ContextType} {τ : Shape} (g : Graph S Δ Γ C) (node : Node S Δ C τ) : Graph S Δ Γ (.snoc C τ)

namespace Graph

variable [Zero S] [Add S] [Mul S]

/-- Forgets the law. All functions of a `Graph` are those of its `GraphData`. -/
def toData {C : ContextType} : Graph S Δ Γ C → GraphData S Δ Γ C
  | nil => .nil
  | snoc g node => .snoc g.toData node.toNodeData

/-- The context of all values. -/
def eval (g : Graph S Δ Γ C) : Context S Γ → Δ → Context S C := g.toData.eval

/-- The context of all tangents along `dx`. -/
def jvpCtx (g : Graph S Δ Γ C) : Context S Γ → Context S Γ → Δ → Context S C := g.toData.jvpCtx

/-- The cotangents of `Γ`. -/
def backpropCtx (g : Graph S Δ Γ C) : Context S Γ → Δ → Context S C → Context S Γ := g.toData.backpropCtx

/-- The cotangents of `Γ ++ ss`. -/
def backpropAllCtx (g : Graph S Δ Γ C) : Context S Γ → Δ → Context S C → Context S C :=
  g.toData.backpropAllCtx

end Graph

end Adjudge
