import Adjudge
import Mathlib.Analysis.Calculus.Deriv.Inv
import Mathlib.Analysis.Calculus.FDeriv.Mul

/-!
# Tangents and cotangents of a graph are Mathlib's derivative

`Adjudge.Derivative` says it without real numbers, as an identity; here it is said of `HasFDerivAt` over `ℝ`: for
every graph of forms that are constants, linear, bilinear or quotients, at every point where it divides by no
zero, `jvpCtx` is the Fréchet derivative of `eval`, and `backpropCtx` its adjoint. Inputs may depend on a point
of any normed space, so that all partial and directional derivatives are meant. Nothing of a program is in it:
it is one theorem for all of them.

**This file has not been built with Mathlib yet.** See README.md.
-/

noncomputable section

namespace Adjudge

open Sums

open Classical in
/-- The real numbers, where `0⁻¹ = 0`. -/
instance : Scalar ℝ where
  less x y := decide (x < y)
  floor x := (Int.floor x : ℝ)

variable {V : Type} [NormedAddCommGroup V] [NormedSpace ℝ V] {E Γ C : ContextType} {τ : Shape} {v : V}

/-- A function of a point has a Fréchet derivative there, and this is what it does to a direction. -/
def HasTangent (f t : V → ℝ) (v : V) : Prop := ∃ L : V →L[ℝ] ℝ, HasFDerivAt f L v ∧ ∀ u, L u = t u

namespace HasTangent

variable {f g s t : V → ℝ}

theorem const (c : ℝ) : HasTangent (fun _ => c) (fun _ => 0) v := ⟨0, hasFDerivAt_const c v, fun _ => rfl⟩

theorem congr (has : HasTangent f s v) (same : ∀ u, s u = t u) : HasTangent f t v :=
  let ⟨L, derivative, says⟩ := has
  ⟨L, derivative, fun u => (says u).trans (same u)⟩

theorem add (f_has : HasTangent f s v) (g_has : HasTangent g t v) :
    HasTangent (fun w => f w + g w) (fun u => s u + t u) v := by
  obtain ⟨L, f_derivative, f_says⟩ := f_has
  obtain ⟨M, g_derivative, g_says⟩ := g_has
  refine ⟨L + M, f_derivative.add g_derivative, fun u => ?_⟩
  show L u + M u = s u + t u
  rw [f_says, g_says]

theorem neg (has : HasTangent f s v) : HasTangent (fun w => -f w) (fun u => -s u) v := by
  obtain ⟨L, derivative, says⟩ := has
  refine ⟨-L, derivative.neg, fun u => ?_⟩
  show -L u = -s u
  rw [says]

theorem mul (f_has : HasTangent f s v) (g_has : HasTangent g t v) :
    HasTangent (fun w => f w * g w) (fun u => s u * g v + f v * t u) v := by
  obtain ⟨L, f_derivative, f_says⟩ := f_has
  obtain ⟨M, g_derivative, g_says⟩ := g_has
  refine ⟨f v • M + g v • L, f_derivative.mul g_derivative, fun u => ?_⟩
  show f v * M u + g v * L u = s u * g v + f v * t u
  rw [f_says, g_says]
  grind

theorem inv (has : HasTangent f s v) (invertible : f v * (f v)⁻¹ = 1) :
    HasTangent (fun w => (f w)⁻¹) (fun u => -((f v)⁻¹ * s u * (f v)⁻¹)) v := by
  obtain ⟨L, derivative, says⟩ := has
  have nonzero : f v ≠ 0 := fun zero => by grind
  refine ⟨(-(f v ^ 2)⁻¹) • L, (hasDerivAt_inv nonzero).comp_hasFDerivAt v derivative, fun u => ?_⟩
  show -(f v ^ 2)⁻¹ * L u = -((f v)⁻¹ * s u * (f v)⁻¹)
  rw [says, pow_two, mul_inv]
  grind

/-- What moves give. -/
theorem moved {n m : Nat} (moves : List (Move n m)) {x dx : V → Fin m → ℝ}
    (each : ∀ j, HasTangent (fun w => x w j) (fun u => dx u j) v) (i : Fin n) :
    HasTangent (fun w => Adjudge.moved moves (x w) i) (fun u => Adjudge.moved moves (dx u) i) v := by
  induction moves with
  | nil => exact const 0
  | cons move rest hypothesis =>
    simp only [Adjudge.moved]
    split
    · exact (each _).add hypothesis
    · exact (const 0).add hypothesis

/-- What products give. -/
theorem multiplied {n m k : Nat} (products : List (Product n m k)) {x dx : V → Fin m → ℝ} {y dy : V → Fin k → ℝ}
    (left : ∀ j, HasTangent (fun w => x w j) (fun u => dx u j) v)
    (right : ∀ j, HasTangent (fun w => y w j) (fun u => dy u j) v) (i : Fin n) :
    HasTangent (fun w => Adjudge.multiplied products (x w) (y w) i)
      (fun u => Adjudge.multiplied products (dx u) (y v) i + Adjudge.multiplied products (x v) (dy u) i) v := by
  induction products with
  | nil => exact (const 0).congr fun u => by simp only [Adjudge.multiplied]; grind
  | cons product rest hypothesis =>
    simp only [Adjudge.multiplied]
    split
    · exact (((left _).mul (right _)).add hypothesis).congr fun u => by grind
    · exact ((const 0).add hypothesis).congr fun u => by grind

/-- Sums. -/
theorem sumUp : {n : Nat} → {x dx : V → Fin n → ℝ} →
    (∀ i, HasTangent (fun w => x w i) (fun u => dx u i) v) →
    HasTangent (fun w => Adjudge.sumUp n (x w)) (fun u => Adjudge.sumUp n (dx u)) v
  | 0, _, _, _ => const 0
  | _ + 1, _, _, each => (sumUp fun i => each i.castSucc).add (each (Fin.last _))

end HasTangent

/-- Each element of each entry has its element as tangent. -/
def HasTangents (x dx : V → Context ℝ C) (v : V) : Prop :=
  ∀ (σ : Shape) (place : Place C σ) (i : Fin σ.size),
    HasTangent (fun w => (place.get (x w)).get i) (fun u => (place.get (dx u)).get i) v

/-- What all operands give. -/
theorem LinearTerm.forwardAll_hasTangent (terms : List (LinearTerm C τ)) {x dx : V → Context ℝ C}
    (each : HasTangents x dx v) (i : Fin τ.size) :
    HasTangent (fun w => (forwardAll terms (x w)).get i) (fun u => (forwardAll terms (dx u)).get i) v := by
  induction terms with
  | nil => exact .const 0
  | cons term rest hypothesis =>
    have one := HasTangent.moved term.moves (each _ term.place) i
    simp only [forwardAll, Tensor.get_add, forward]
    refine HasTangent.add ?_ hypothesis
    split
    · exact one.neg
    · exact one

namespace Form

/-- The forms that this file is about: constants, linear, bilinear ones, and quotients. -/
def IsOfField : Form E C τ → Prop
  | constant _ | linear _ | bilinear _ _ _ | quotient _ _ => True
  | _ => False

/-- The `jvp` of a form is its Fréchet derivative. -/
theorem forward_hasTangent (form : Form E C τ) (ofField : form.IsOfField) {x dx : V → Context ℝ C}
    (each : HasTangents x dx v) (δ : Context ℝ E) (here : form.Divides (x v)) (i : Fin τ.size) :
    HasTangent (fun w => (form.forward (x w) δ).get i) (fun u => (form.jvp (x v) (dx u)).get i) v := by
  cases form
  case constant entry => exact HasTangent.const (V := V) ((entry.get δ).get i)
  case linear terms => exact LinearTerm.forwardAll_hasTangent terms each i
  case bilinear left right products => exact .multiplied products (each _ left) (each _ right) i
  case quotient left right =>
    have inverse := (each _ right i).inv (here i)
    exact ((each _ left i).mul inverse).congr fun u => by simp only [jvp]; grind
  all_goals exact False.elim ofField

end Form

namespace FormGraph

/-- All forms of the graph are those. -/
def IsOfField {C : ContextType} : FormGraph E Γ C → Prop
  | nil => True
  | snoc g _ _ form => g.IsOfField ∧ form.IsOfField

/-- The tangents of a graph are the Fréchet derivative of its values. -/
theorem eval_hasTangents (g : FormGraph E Γ C) (ofField : g.IsOfField) {x dx : V → Context ℝ Γ}
    (each : HasTangents x dx v) (δ : Context ℝ E) (here : g.Divides (x v) δ) :
    HasTangents (fun w => (g.toData ℝ).eval (x w) δ) (fun u => (g.toData ℝ).jvpCtx (x v) (dx u) δ) v := by
  induction g with
  | nil => exact each
  | snoc g _ _ form hypothesis =>
    have before := hypothesis ofField.1 here.1
    intro σ place
    match place with
    | .last => exact form.forward_hasTangent ofField.2 before δ here.2
    | .earlier place => exact before _ place

end FormGraph

/-- The product with a seed. -/
theorem HasTangents.dot : {C : ContextType} → {x dx : V → Context ℝ C} → HasTangents x dx v →
    (seed : Context ℝ C) → HasTangent (fun w => (x w).dot seed) (fun u => (dx u).dot seed) v
  | .nil, x, dx, _, .nil => by
    have none (c : Context ℝ .nil) : c.dot .nil = 0 := by cases c; rfl
    simp only [none]
    exact .const 0
  | .snoc C τ, x, dx, each, .snoc seed last => by
    have split (c : Context ℝ (.snoc C τ)) : c.dot (.snoc seed last) = c.init.dot seed + c.last.dot last := by
      cases c; rfl
    have start (c : Context ℝ (.snoc C τ)) {σ : Shape} (place : Place C σ) :
        (Place.earlier place).get c = place.get c.init := by cases c; rfl
    have finish (c : Context ℝ (.snoc C τ)) : (Place.last : Place (.snoc C τ) τ).get c = c.last := by cases c; rfl
    have earlier : HasTangents (fun w => (x w).init) (fun u => (dx u).init) v := fun _ place i => by
      have one := each _ (.earlier place) i
      simp only [start] at one
      exact one
    have one (i : Fin τ.size) := each _ .last i
    simp only [finish] at one
    simp only [split]
    exact (earlier.dot seed).add (.sumUp fun i => ((one i).mul (.const _)).congr fun u => by grind)

/--
Backpropagation is the adjoint of the Fréchet derivative: what a seed sees of the values has a derivative at the
point, and it takes a direction to the product of what the inputs do in it with `backpropCtx` of the seed.
-/
theorem FormGraph.backpropCtx_is_adjoint (g : FormGraph E Γ C) (ofField : g.IsOfField) {x dx : V → Context ℝ Γ}
    (each : HasTangents x dx v) (δ : Context ℝ E) (here : g.Divides (x v) δ) (seed : Context ℝ C) :
    ∃ L : V →L[ℝ] ℝ, HasFDerivAt (fun w => ((g.toData ℝ).eval (x w) δ).dot seed) L v
      ∧ ∀ u, L u = (dx u).dot ((g.toData ℝ).backpropCtx (x v) δ seed) := by
  obtain ⟨G, same⟩ := g.lawful (S := ℝ)
  refine (HasTangents.dot (g.eval_hasTangents ofField each δ here) seed).congr fun u => ?_
  have adjoint := G.adjoint (x v) (dx u) δ seed
  simp only [Graph.jvpCtx, Graph.backpropCtx, same] at adjoint
  exact adjoint

end Adjudge
