module

public import Adjudge.Graph
public import Adjudge.Theorems.Dot

/-!
# The global law [SEMANTICS §3.5]

`jvpCtx` and `backpropCtx` of `reference/definition.ts`. The local law of every node makes reverse mode the
adjoint of forward mode. Products are never swapped, so that no multiplication need commute.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

variable {S Δ : Type} {Γ C : ContextType} [Semiring S]

namespace Graph

/--
`dot (jvpCtx g x dx δ) seed = dot dx (backpropCtx g x δ seed)` over any semiring, when every node keeps the
local law.
-/
theorem dot_jvpCtx_eq_dot_backpropCtx (g : Graph S Δ Γ C) (x dx : Context S Γ) (δ : Δ) (seed : Context S C) :
    (g.jvpCtx x dx δ).dot seed = dx.dot (g.backpropCtx x δ seed) := by
  induction g with
  | nil => rfl
  | snoc g node ih =>
    cases seed with | snoc seed c
    have := ih (seed + node.vjp (g.eval x δ) δ c)
    rw [Context.dot_add_right] at this
    exact (congrArg _ (node.adjoint _ _ _ _)).trans this

/-- Over a commutative semiring, reverse mode is the adjoint of forward mode. -/
theorem adjoint {S : Type} [CommSemiring S] (g : Graph S Δ Γ C) (x dx : Context S Γ) (δ : Δ)
    (seed : Context S C) : (g.jvpCtx x dx δ).dot seed = dx.dot (g.backpropCtx x δ seed) :=
  g.dot_jvpCtx_eq_dot_backpropCtx x dx δ seed

end Graph

end Adjudge
