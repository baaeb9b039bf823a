module

public import Adjudge.Theorems.Context
public import Adjudge.Graph
public import Init.Grind

/-!
# Backpropagation as a balance

Over a commutative ring `backpropAllCtx` is the only context that equals the seed and what the nodes pull back
from that same context. So listed cotangents can be checked one by one, in any order.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

variable {S Δ : Type} [CommRing S] {Γ C : ContextType} {σ ρ : Shape}

omit [CommRing S] in
theorem Context.ext (a b : Context S C) (h : ∀ τ (place : Place C τ), place.get a = place.get b) : a = b := by
  induction C with
  | nil => cases a; cases b; rfl
  | snoc C τ ih =>
    cases a with | snoc a s =>
    cases b with | snoc b t =>
    have earlier : a = b := ih a b fun τ place => h τ place.earlier
    have last : s = t := h _ .last
    rw [earlier, last]

theorem Place.get_add (place : Place C σ) (a b : Context S C) : place.get (a + b) = place.get a + place.get b := by
  induction place with
  | last => cases a; cases b; rfl
  | earlier place ih => cases a; cases b; exact ih _ _

theorem Place.get_zeros (place : Place C σ) : place.get (Context.zeros (S := S) C) = Tensor.zeros σ := by
  induction place with
  | last => rfl
  | earlier place ih => exact ih

/-- `a + (b + c) = (a + c) + b` -/
theorem Context.add_right_comm (a b c : Context S C) : a + (b + c) = a + c + b := by
  apply Context.ext
  intro τ place
  rw [place.get_add, place.get_add, place.get_add, place.get_add]
  apply Tensor.ext
  funext i
  show (place.get a).get i + ((place.get b).get i + (place.get c).get i)
    = (place.get a).get i + (place.get c).get i + (place.get b).get i
  grind

/-- For every id what the nodes after it pull back from given cotangents. -/
def GraphData.gathered {C : ContextType} : GraphData S Δ Γ C → Context S Γ → Δ → Context S C → Context S C
  | nil, _, _, _ => Context.zeros Γ
  | snoc g node, x, δ, cotangents =>
    (g.gathered x δ cotangents.init + node.vjp (g.eval x δ) δ cotangents.last).snoc (Tensor.zeros _)

/-- Cotangents that are the seed and what the nodes pull back from them are those of backpropagation. -/
theorem backpropAllCtx_of_balance (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ) (seed cotangents : Context S C)
    (balance : cotangents = seed + g.gathered x δ cotangents) : g.backpropAllCtx x δ seed = cotangents := by
  induction g with
  | nil => exact (balance.trans (seed.add_zeros Semiring.add_zero)).symm
  | snoc g node ih =>
    cases cotangents with | snoc cotangents c =>
    cases seed with | snoc seed d =>
    injection balance with _ _ earlier last
    have last : c = d := last.trans (d.add_zeros Semiring.add_zero)
    subst last
    show (g.backpropAllCtx x δ (seed + node.vjp (g.eval x δ) δ c)).snoc c = _
    rw [ih (seed + node.vjp (g.eval x δ) δ c) cotangents (earlier.trans (Context.add_right_comm ..))]

end Adjudge
