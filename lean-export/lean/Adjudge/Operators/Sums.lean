module

public import Adjudge.Operators.Form
public import Adjudge.Theorems.Dot

/-!
# What places and moves do to sums and dot products

The lemmas on which the local laws of the operators rest: a sum picks out one element from an indicator; the
dot product with a context that is zero but for one entry reads that entry; a list of moves and its transposed
are adjoint, and so are the three ways to read a list of products.
-/

@[expose] public noncomputable section

namespace Adjudge.Sums

open Lean.Grind

variable {S : Type} [CommRing S] {C : ContextType} {τ : Shape} {n m k : Nat}

/-- A sum in which one position alone counts is what stands there. -/
theorem sumUp_at (position : Fin n) (f : Fin n → S) :
    sumUp n (fun i => if position = i then f i else 0) = f position :=
  (sumUp_single _ position fun _ other => if_neg (Ne.symm other)).trans (if_pos rfl)

/-- A sum of products with an indicator is the one product. -/
theorem sumUp_at_mul (position : Fin n) (a : S) (f : Fin n → S) :
    sumUp n (fun i => (if position = i then a else 0) * f i) = a * f position := by
  rw [← sumUp_at position (fun i => a * f i)]
  congr 1; funext i; split <;> grind

/-- Two sums of zeros are equal. -/
theorem sumUp_zeros (f : Fin n → S) (g : Fin m → S) (zero : ∀ i, f i = 0) (zero' : ∀ j, g j = 0) :
    sumUp n f = sumUp m g := (sumUp_zero f zero).trans (sumUp_zero g zero').symm

/-- The dot product with a tensor of zeros on the right is zero. -/
theorem tensor_dot_zeros (x : Tensor S τ) : x.dot (Tensor.zeros τ) = 0 :=
  (Tensor.dot_comm _ _).trans (Tensor.dot_zeros_left x)

/-- The dot product with a context of zeros on the right is zero. -/
theorem context_dot_zeros (x : Context S C) : x.dot (Context.zeros C) = 0 :=
  (Context.dot_comm _ _).trans (Context.dot_zeros_left x)

/-- Zeros added to a tensor add nothing. -/
theorem tensor_add_zeros (t : Tensor S τ) : t + Tensor.zeros τ = t := t.add_zeros Semiring.add_zero

/-- Zeros added to a context add nothing. -/
theorem context_add_zeros (x : Context S C) : x + Context.zeros C = x := x.add_zeros Semiring.add_zero

/-- The dot product with a context that is zero but for one entry is the dot product with that entry. -/
theorem dot_only : {C : ContextType} → (place : Place C τ) → (x : Context S C) → (t : Tensor S τ) →
    x.dot (place.only t) = (place.get x).dot t
  | .snoc C _, .last, .snoc x s, t => by
    change x.dot (Context.zeros _) + s.dot t = s.dot t
    rw [context_dot_zeros, zero_plus]
  | .snoc _ _, .earlier place, .snoc x s, t => by
    change x.dot (place.only t) + s.dot (Tensor.zeros _) = (place.get x).dot t
    rw [dot_only place, tensor_dot_zeros, Semiring.add_zero]

/-- A list of moves and its transposed are adjoint. -/
theorem moved_adjoint (moves : List (Move n m)) (x : Fin m → S) (c : Fin n → S) :
    sumUp n (fun i => moved moves x i * c i) = sumUp m (fun j => x j * moved (transposed moves) c j) := by
  induction moves with
  | nil => exact sumUp_zeros _ _ (fun _ => Semiring.zero_mul _) fun _ => Semiring.mul_zero _
  | cons move rest hypothesis =>
    simp only [moved, transposed, List.map, Semiring.right_distrib, Semiring.left_distrib, sumUp_add] at *
    rw [hypothesis, sumUp_at_mul]
    have := sumUp_at_mul move.operand (c move.result) x
    simp only [CommRing.mul_comm] at *
    rw [this]

/-- Reading a list of products towards the left operand is adjoint to multiplying by the right one. -/
theorem multiplied_adjoint_left (products : List (Product n m k)) (x : Fin m → S) (y : Fin k → S)
    (c : Fin n → S) : sumUp n (fun i => multiplied products x y i * c i)
      = sumUp m (fun j => x j * multiplied (towardsLeft products) c y j) := by
  induction products with
  | nil => exact sumUp_zeros _ _ (fun _ => Semiring.zero_mul _) fun _ => Semiring.mul_zero _
  | cons product rest hypothesis =>
    simp only [multiplied, towardsLeft, List.map, Semiring.right_distrib, Semiring.left_distrib, sumUp_add] at *
    rw [hypothesis, sumUp_at_mul]
    have := sumUp_at_mul product.left (c product.result * y product.right) x
    grind

/-- Reading a list of products towards the right operand is adjoint to multiplying by the left one. -/
theorem multiplied_adjoint_right (products : List (Product n m k)) (x : Fin m → S) (y : Fin k → S)
    (c : Fin n → S) : sumUp n (fun i => multiplied products x y i * c i)
      = sumUp k (fun j => y j * multiplied (towardsRight products) x c j) := by
  induction products with
  | nil => exact sumUp_zeros _ _ (fun _ => Semiring.zero_mul _) fun _ => Semiring.mul_zero _
  | cons product rest hypothesis =>
    simp only [multiplied, towardsRight, List.map, Semiring.right_distrib, Semiring.left_distrib, sumUp_add] at *
    rw [hypothesis, sumUp_at_mul]
    have := sumUp_at_mul product.right (x product.left * c product.result) y
    grind

end Adjudge.Sums
