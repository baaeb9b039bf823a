module

public import Adjudge.Theorems.Adjoint
public import Adjudge.Theorems.Seed

/-!
# Linearity in the seed and in the tangent

`backpropAllCtx`, `backpropCtx` and `jvpCtx` of `reference/definition.ts`. They are linear when those of every
node are; and the local law alone makes those of a node linear, because the dot product sees every element.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

variable {S Δ : Type} {Γ C : ContextType} {τ : Shape}

namespace NodeData

/-- `vjp` is linear in the cotangent. -/
structure VjpLinear [Add S] [Mul S] (node : NodeData S Δ C τ) : Prop where
  add : ∀ ctx δ c d, node.vjp ctx δ (c + d) = node.vjp ctx δ c + node.vjp ctx δ d
  scale : ∀ ctx δ k c, node.vjp ctx δ (c.scale k) = (node.vjp ctx δ c).scale k

/-- `jvp` is linear in the tangent. -/
structure JvpLinear [Add S] [Mul S] (node : NodeData S Δ C τ) : Prop where
  add : ∀ ctx d e δ, node.jvp ctx (d + e) δ = node.jvp ctx d δ + node.jvp ctx e δ
  scale : ∀ ctx k d δ, node.jvp ctx (d.scale k) δ = (node.jvp ctx d δ).scale k

end NodeData

/-- Every node of the graph has a property. -/
def GraphData.All (P : ∀ {C : ContextType} {τ : Shape}, NodeData S Δ C τ → Prop) {C : ContextType} :
    GraphData S Δ Γ C → Prop
  | .nil => True
  | .snoc g node => g.All P ∧ P node

namespace Context

/-- Contexts are scaled entry by entry. -/
@[simp] theorem scale_snoc [Mul S] (k : S) (a : Context S C) (t : Tensor S τ) :
    (a.snoc t).scale k = (a.scale k).snoc (t.scale k) := rfl

variable [Semiring S]

/-- Four summands in another order. -/
theorem add_add_add_comm (a b c d : Context S C) : a + b + (c + d) = a + c + (b + d) := by
  induction C with
  | nil => cases a; cases b; cases c; cases d; rfl
  | snoc C τ ih =>
    cases a; cases b; cases c; cases d
    simp only [snoc_add_snoc, ih, Context.snoc.injEq, true_and]
    ext i; simp only [Tensor.get_add]; grind

/-- A multiple of a sum is the sum of the multiples. -/
theorem scale_add (k : S) (a b : Context S C) : (a + b).scale k = a.scale k + b.scale k := by
  induction C with
  | nil => cases a; cases b; rfl
  | snoc C τ ih =>
    cases a; cases b
    simp only [snoc_add_snoc, scale_snoc, ih, Context.snoc.injEq, true_and]
    ext i; simp only [Tensor.get_add, Tensor.get_scale]; grind

end Context

namespace GraphData

variable [Semiring S] {g : GraphData S Δ Γ C}

/-- `backpropAllCtx` of a sum of seeds is the sum, when every `vjp` is linear. -/
theorem backpropAllCtx_add (linear : g.All NodeData.VjpLinear) (x : Context S Γ) (δ : Δ) (s t : Context S C) :
    g.backpropAllCtx x δ (s + t) = g.backpropAllCtx x δ s + g.backpropAllCtx x δ t := by
  induction g with
  | nil => rfl
  | snoc g node ih =>
    cases s; cases t
    simp only [backpropAllCtx, Context.snoc_add_snoc, Context.init, Context.last, linear.2.add,
      Context.add_add_add_comm, ih linear.1]

/-- `backpropAllCtx` of a multiple of a seed is the multiple, when every `vjp` is linear. -/
theorem backpropAllCtx_scale (linear : g.All NodeData.VjpLinear) (x : Context S Γ) (δ : Δ) (k : S)
    (s : Context S C) : g.backpropAllCtx x δ (s.scale k) = (g.backpropAllCtx x δ s).scale k := by
  induction g with
  | nil => rfl
  | snoc g node ih =>
    cases s
    simp only [backpropAllCtx, Context.scale_snoc, Context.init, Context.last, linear.2.scale,
      ← Context.scale_add, ih linear.1]

/-- `backpropCtx` of a sum of seeds is the sum, when every `vjp` is linear. -/
theorem backpropCtx_add (linear : g.All NodeData.VjpLinear) (x : Context S Γ) (δ : Δ) (s t : Context S C) :
    g.backpropCtx x δ (s + t) = g.backpropCtx x δ s + g.backpropCtx x δ t := by
  induction g with
  | nil => rfl
  | snoc g node ih =>
    cases s; cases t
    simp only [backpropCtx, Context.snoc_add_snoc, Context.init, Context.last, linear.2.add,
      Context.add_add_add_comm, ih linear.1]

/-- `backpropCtx` of a multiple of a seed is the multiple, when every `vjp` is linear. -/
theorem backpropCtx_scale (linear : g.All NodeData.VjpLinear) (x : Context S Γ) (δ : Δ) (k : S)
    (s : Context S C) : g.backpropCtx x δ (s.scale k) = (g.backpropCtx x δ s).scale k := by
  induction g with
  | nil => rfl
  | snoc g node ih =>
    cases s
    simp only [backpropCtx, Context.scale_snoc, Context.init, Context.last, linear.2.scale,
      ← Context.scale_add, ih linear.1]

/-- `jvpCtx` along a sum of tangents is the sum, when every `jvp` is linear. -/
theorem jvpCtx_add (linear : g.All NodeData.JvpLinear) (x d e : Context S Γ) (δ : Δ) :
    g.jvpCtx x (d + e) δ = g.jvpCtx x d δ + g.jvpCtx x e δ := by
  induction g with
  | nil => rfl
  | snoc g node ih => simp only [jvpCtx, Context.snoc_add_snoc, ih linear.1, linear.2.add]

/-- `jvpCtx` along a multiple of a tangent is the multiple, when every `jvp` is linear. -/
theorem jvpCtx_scale (linear : g.All NodeData.JvpLinear) (x : Context S Γ) (k : S) (d : Context S Γ) (δ : Δ) :
    g.jvpCtx x (d.scale k) δ = (g.jvpCtx x d δ).scale k := by
  induction g with
  | nil => rfl
  | snoc g node ih => simp only [jvpCtx, Context.scale_snoc, ih linear.1, linear.2.scale]

end GraphData

namespace Node

variable [CommSemiring S]

/-- The local law determines `vjp`: nodes with the same `jvp` have the same `vjp`. -/
theorem vjp_unique (a b : Node S Δ C τ) (same : a.jvp = b.jvp) : a.vjp = b.vjp := by
  funext ctx δ c
  exact Context.ext_dot_right fun d => by rw [← a.adjoint, ← b.adjoint, same]

/-- The local law makes `vjp` linear in the cotangent. -/
theorem vjp_linear (node : Node S Δ C τ) : node.toNodeData.VjpLinear where
  add ctx δ c d := Context.ext_dot_right fun x => by
    simp only [← node.adjoint, Tensor.dot_add_right, Context.dot_add_right]
  scale ctx δ k c := Context.ext_dot_right fun x => by
    simp only [← node.adjoint, Tensor.dot_scale_right, Context.dot_scale_right]

/-- The local law makes `jvp` linear in the tangent. -/
theorem jvp_linear (node : Node S Δ C τ) : node.toNodeData.JvpLinear where
  add ctx d e δ := Tensor.ext_dot_left fun c => by
    simp only [node.adjoint, Tensor.dot_add_left, Context.dot_add_left]
  scale ctx k d δ := Tensor.ext_dot_left fun c => by
    simp only [node.adjoint, Tensor.dot_scale_left, Context.dot_scale_left]

/-- The local law makes `vjp` take zero to zero. -/
theorem vjp_zeros (node : Node S Δ C τ) (ctx : Context S C) (δ : Δ) :
    node.vjp ctx δ (Tensor.zeros τ) = Context.zeros C :=
  Context.ext_dot_right fun x => by
    rw [← node.adjoint, Tensor.dot_comm, Tensor.dot_zeros_left, Context.dot_comm, Context.dot_zeros_left]

end Node

namespace Graph

variable [CommSemiring S] (g : Graph S Δ Γ C) (x : Context S Γ) (δ : Δ)

/-- Every `vjp` of a `Graph` is linear. -/
theorem all_vjp_linear : g.toData.All NodeData.VjpLinear := by
  induction g with
  | nil => trivial
  | snoc g node ih => exact ⟨ih, node.vjp_linear⟩

/-- Every `jvp` of a `Graph` is linear. -/
theorem all_jvp_linear : g.toData.All NodeData.JvpLinear := by
  induction g with
  | nil => trivial
  | snoc g node ih => exact ⟨ih, node.jvp_linear⟩

/-- `backpropAllCtx` of a `Graph` is additive in the seed. -/
theorem backpropAllCtx_add (s t : Context S C) :
    g.backpropAllCtx x δ (s + t) = g.backpropAllCtx x δ s + g.backpropAllCtx x δ t :=
  GraphData.backpropAllCtx_add g.all_vjp_linear x δ s t

/-- `backpropAllCtx` of a `Graph` is homogeneous in the seed. -/
theorem backpropAllCtx_scale (k : S) (s : Context S C) :
    g.backpropAllCtx x δ (s.scale k) = (g.backpropAllCtx x δ s).scale k :=
  GraphData.backpropAllCtx_scale g.all_vjp_linear x δ k s

/-- `backpropCtx` of a `Graph` is additive in the seed. -/
theorem backpropCtx_add (s t : Context S C) :
    g.backpropCtx x δ (s + t) = g.backpropCtx x δ s + g.backpropCtx x δ t :=
  GraphData.backpropCtx_add g.all_vjp_linear x δ s t

/-- `backpropCtx` of a `Graph` is homogeneous in the seed. -/
theorem backpropCtx_scale (k : S) (s : Context S C) :
    g.backpropCtx x δ (s.scale k) = (g.backpropCtx x δ s).scale k :=
  GraphData.backpropCtx_scale g.all_vjp_linear x δ k s

/-- `jvpCtx` of a `Graph` is additive in the tangent. -/
theorem jvpCtx_add (d e : Context S Γ) : g.jvpCtx x (d + e) δ = g.jvpCtx x d δ + g.jvpCtx x e δ :=
  GraphData.jvpCtx_add g.all_jvp_linear x d e δ

/-- `jvpCtx` of a `Graph` is homogeneous in the tangent. -/
theorem jvpCtx_scale (k : S) (d : Context S Γ) : g.jvpCtx x (d.scale k) δ = (g.jvpCtx x d δ).scale k :=
  GraphData.jvpCtx_scale g.all_jvp_linear x k d δ

end Graph

end Adjudge
