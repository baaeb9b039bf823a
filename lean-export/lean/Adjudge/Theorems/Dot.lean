module

public import Adjudge.Theorems.Context
public import Init.Grind

/-!
# The dot product [SEMANTICS §1.3]

`dot` of `reference/context.ts` is bilinear over a semiring, symmetric over a commutative one, and sees every
element: two contexts with which every context has the same product are equal.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

variable {S : Type} {C : ContextType} {shape : Shape}

/-- Every element times `k`. -/
def Tensor.scale [Mul S] (k : S) (x : Tensor S shape) : Tensor S shape where
  get i := k * x.get i

/-- Every element of every entry times `k`. -/
def Context.scale [Mul S] (k : S) : {C : ContextType} → Context S C → Context S C
  | .nil, nil => nil
  | .snoc _ _, snoc earlier t => snoc (earlier.scale k) (t.scale k)

/-- The tensor that is one at `place` and zero elsewhere. -/
def Tensor.unit [Zero S] [One S] (place : Fin shape.size) : Tensor S shape where
  get i := if i = place then 1 else 0

/-- An element of a sum. -/
@[simp] theorem Tensor.get_add [Add S] (x y : Tensor S shape) (i : Fin shape.size) :
    (x + y).get i = x.get i + y.get i := rfl

/-- An element of the zero tensor. -/
@[simp] theorem Tensor.get_zeros [Zero S] (i : Fin shape.size) :
    (Tensor.zeros shape : Tensor S shape).get i = 0 := rfl

/-- An element of a multiple. -/
@[simp] theorem Tensor.get_scale [Mul S] (k : S) (x : Tensor S shape) (i : Fin shape.size) :
    (x.scale k).get i = k * x.get i := rfl

section Semiring

variable [Semiring S]

/-- Zero is neutral on the left, as it is on the right. -/
theorem zero_plus (x : S) : 0 + x = x := (Semiring.add_comm 0 x).trans (Semiring.add_zero x)

/-- A sum of sums is the sum of the two sums. -/
theorem sumUp_add {n : Nat} (f g : Fin n → S) : sumUp n (fun i => f i + g i) = sumUp n f + sumUp n g := by
  induction n with
  | zero => simp only [sumUp]; grind
  | succ n ih => simp only [sumUp, ih]; grind

/-- A sum of multiples is the multiple of the sum. -/
theorem sumUp_mul_left {n : Nat} (k : S) (f : Fin n → S) : sumUp n (fun i => k * f i) = k * sumUp n f := by
  induction n with
  | zero => simp only [sumUp]; grind
  | succ n ih => simp only [sumUp, ih]; grind

/-- A sum of zeros is zero. -/
theorem sumUp_zero {n : Nat} (f : Fin n → S) (h : ∀ i, f i = 0) : sumUp n f = 0 := by
  induction n with
  | zero => rfl
  | succ n ih =>
    rw [sumUp, ih _ fun i => h i.castSucc, h]
    exact Semiring.add_zero 0

/-- A sum of which all terms but one are zero is that term. -/
theorem sumUp_single {n : Nat} (f : Fin n → S) (place : Fin n) (h : ∀ i, i ≠ place → f i = 0) :
    sumUp n f = f place := by
  induction n with
  | zero => exact place.elim0
  | succ n ih =>
    simp only [sumUp]
    by_cases last : place = Fin.last n
    · subst last
      rw [sumUp_zero _ fun i => h i.castSucc (by intro e; have := congrArg Fin.val e; simp at this; omega)]
      grind
    · have smaller : place.val < n := by
        have : place.val ≠ n := fun e => last (Fin.ext e)
        omega
      rw [ih _ ⟨place.val, smaller⟩ fun i hi => h i.castSucc fun e => hi (Fin.ext (by simp [← e])),
        h (Fin.last n) fun e => last e.symm]
      have : (Fin.castSucc ⟨place.val, smaller⟩ : Fin (n + 1)) = place := rfl
      rw [this]
      grind

namespace Tensor

/-- The dot product of tensors is additive on the left. -/
theorem dot_add_left (x y c : Tensor S shape) : (x + y).dot c = x.dot c + y.dot c := by
  simp only [dot, get_add, ← sumUp_add]
  congr; funext i; grind

/-- The dot product of tensors is additive on the right. -/
theorem dot_add_right (x c d : Tensor S shape) : x.dot (c + d) = x.dot c + x.dot d := by
  simp only [dot, get_add, ← sumUp_add]
  congr; funext i; grind

/-- The dot product of tensors is homogeneous on the left. -/
theorem dot_scale_left (k : S) (x c : Tensor S shape) : (x.scale k).dot c = k * x.dot c := by
  simp only [dot, get_scale, ← sumUp_mul_left]
  congr; funext i; grind

/-- The dot product with a zero tensor is zero. -/
theorem dot_zeros_left (c : Tensor S shape) : (zeros shape).dot c = 0 :=
  sumUp_zero _ fun i => by simp only [get_zeros]; grind

/-- The dot product with a unit tensor on the left is the element there. -/
theorem dot_unit_left (place : Fin shape.size) (c : Tensor S shape) : (unit place).dot c = c.get place := by
  rw [dot, sumUp_single _ place fun i hi => by simp only [unit, hi, ↓reduceIte]; grind]
  simp only [unit, ↓reduceIte]; grind

/-- The dot product with a unit tensor on the right is the element there. -/
theorem dot_unit_right (place : Fin shape.size) (x : Tensor S shape) : x.dot (unit place) = x.get place := by
  rw [dot, sumUp_single _ place fun i hi => by simp only [unit, hi, ↓reduceIte]; grind]
  simp only [unit, ↓reduceIte]; grind

/-- The dot product sees every element on the right. -/
theorem ext_dot_right {c d : Tensor S shape} (h : ∀ x : Tensor S shape, x.dot c = x.dot d) : c = d := by
  ext i
  simpa only [dot_unit_left] using h (unit i)

/-- The dot product sees every element on the left. -/
theorem ext_dot_left {x y : Tensor S shape} (h : ∀ c : Tensor S shape, x.dot c = y.dot c) : x = y := by
  ext i
  simpa only [dot_unit_right] using h (unit i)

end Tensor

namespace Context

/-- The dot product of contexts is additive on the left. -/
theorem dot_add_left (x y c : Context S C) : (x + y).dot c = x.dot c + y.dot c := by
  induction C with
  | nil => cases x; cases y; cases c; exact (Semiring.add_zero 0).symm
  | snoc C τ ih =>
    cases x; cases y; cases c
    simp only [snoc_add_snoc, dot, ih, Tensor.dot_add_left]; grind

/-- The dot product of contexts is additive on the right. -/
theorem dot_add_right (x c d : Context S C) : x.dot (c + d) = x.dot c + x.dot d := by
  induction C with
  | nil => cases x; cases c; cases d; exact (Semiring.add_zero 0).symm
  | snoc C τ ih =>
    cases x; cases c; cases d
    simp only [snoc_add_snoc, dot, ih, Tensor.dot_add_right]; grind

/-- The dot product of contexts is homogeneous on the left. -/
theorem dot_scale_left (k : S) (x c : Context S C) : (x.scale k).dot c = k * x.dot c := by
  induction C with
  | nil => cases x; cases c; exact (Semiring.mul_zero k).symm
  | snoc C τ ih =>
    cases x; cases c
    simp only [scale, dot, ih, Tensor.dot_scale_left]; grind

/-- The dot product with the zero context is zero. -/
theorem dot_zeros_left (c : Context S C) : (zeros C).dot c = 0 := by
  induction C with
  | nil => cases c; rfl
  | snoc C τ ih => cases c; simp only [zeros, dot, ih, Tensor.dot_zeros_left]; grind

/-- The dot product of contexts sees every element on the right. -/
theorem ext_dot_right {c d : Context S C} (h : ∀ x : Context S C, x.dot c = x.dot d) : c = d := by
  induction C with
  | nil => cases c; cases d; rfl
  | snoc C τ ih =>
    cases c with | snoc c s
    cases d with | snoc d t
    have entries : c = d := ih fun x => by
      have products := h (x.snoc (Tensor.zeros τ))
      simp only [dot, Tensor.dot_zeros_left] at products
      exact (Semiring.add_zero _).symm.trans (products.trans (Semiring.add_zero _))
    have last : s = t := Tensor.ext_dot_right fun x => by
      have products := h ((zeros C).snoc x)
      simp only [dot, dot_zeros_left] at products
      exact (zero_plus _).symm.trans (products.trans (zero_plus _))
    rw [entries, last]

end Context

end Semiring

section CommSemiring

variable [CommSemiring S]

/-- The dot product of tensors is symmetric. -/
theorem Tensor.dot_comm (x y : Tensor S shape) : x.dot y = y.dot x := by
  simp only [dot]
  congr; funext i; grind

/-- The dot product of contexts is symmetric. -/
theorem Context.dot_comm (x y : Context S C) : x.dot y = y.dot x := by
  induction C with
  | nil => cases x; cases y; rfl
  | snoc C τ ih => cases x; cases y; simp only [dot, ih, Tensor.dot_comm]

/-- The dot product of tensors is homogeneous on the right. -/
theorem Tensor.dot_scale_right (k : S) (x c : Tensor S shape) : x.dot (c.scale k) = k * x.dot c := by
  rw [dot_comm, dot_scale_left, dot_comm]

/-- The dot product of contexts is homogeneous on the right. -/
theorem Context.dot_scale_right (k : S) (x c : Context S C) : x.dot (c.scale k) = k * x.dot c := by
  rw [dot_comm, dot_scale_left, dot_comm]

end CommSemiring

end Adjudge
