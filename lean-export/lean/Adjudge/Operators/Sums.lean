module

public import Adjudge.Operators.Form

/-!
# Sums over positions, and what places and moves do to them

The lemmas on which the local laws of the operators rest: `sumUp` is linear and picks out one element from an
indicator; the dot product with a context that is zero but for one entry reads that entry; a list of moves and
its transposed are adjoint, and so are the three ways to read a list of products.
-/

@[expose] public noncomputable section

namespace Adjudge.Sums

open Lean.Grind

variable {S : Type} [CommRing S] {C : ContextType} {τ : Shape}

/-- The zero that a sum starts from is the ring's. -/
theorem zero_eq : (@OfNat.ofNat S 0 (@Zero.toOfNat0 S Zero.ofOfNat0) : S) = 0 := rfl

/-- A sum of sums is the sum of the two sums. -/
theorem sumUp_add : (n : Nat) → (f g : Fin n → S) → sumUp n (fun i => f i + g i) = sumUp n f + sumUp n g
  | 0, _, _ => (Semiring.add_zero 0).symm
  | n + 1, f, g => by
    have := sumUp_add n (fun i => f i.castSucc) (fun i => g i.castSucc)
    simp only [sumUp, this]
    grind

/-- A sum of zeros is zero. -/
theorem sumUp_zero : (n : Nat) → sumUp n (fun _ => (0 : S)) = 0
  | 0 => rfl
  | n + 1 => by simp only [sumUp, sumUp_zero n, Semiring.add_zero]

/-- A common factor comes out of a sum. -/
theorem sumUp_mul : (n : Nat) → (f : Fin n → S) → (a : S) → sumUp n (fun i => f i * a) = sumUp n f * a
  | 0, _, a => (Semiring.zero_mul a).symm
  | n + 1, f, a => by
    have := sumUp_mul n (fun i => f i.castSucc) a
    simp only [sumUp, this]
    grind

/-- A sum in which one position alone is not zero is what stands there. -/
theorem sumUp_at : (n : Nat) → (position : Fin n) → (f : Fin n → S) →
    sumUp n (fun i => if position = i then f i else 0) = f position
  | n + 1, position, f => by
    by_cases h : position = Fin.last n
    · subst h
      have zero : ∀ i : Fin n, (if Fin.last n = i.castSucc then f i.castSucc else 0) = 0 := by
        intro i
        exact if_neg fun e => absurd (congrArg Fin.val e) (by simp; omega)
      simp only [sumUp, zero, sumUp_zero, if_true]
      grind
    · have below : position.val < n := by
        have := position.isLt
        have : position.val ≠ n := fun e => h (Fin.ext e)
        omega
      have same : ∀ i : Fin n, (position = i.castSucc) = ((⟨position.val, below⟩ : Fin n) = i) := by
        intro i; simp [Fin.ext_iff]
      have := sumUp_at n ⟨position.val, below⟩ (fun i => f i.castSucc)
      simp only [sumUp, same, this, h, if_false, Semiring.add_zero]
      rfl

/-- The dot product of tensors is additive in the second. -/
theorem tensor_dot_add (x y z : Tensor S τ) : x.dot (y + z) = x.dot y + x.dot z := by
  rw [Tensor.dot, Tensor.dot, Tensor.dot, ← sumUp_add]
  congr 1; funext i
  exact Semiring.left_distrib _ _ _

/-- The dot product of tensors is additive in the first. -/
theorem tensor_add_dot (x y z : Tensor S τ) : (x + y).dot z = x.dot z + y.dot z := by
  rw [Tensor.dot, Tensor.dot, Tensor.dot, ← sumUp_add]
  congr 1; funext i
  exact Semiring.right_distrib _ _ _

/-- The dot product with a tensor of zeros is zero. -/
theorem tensor_dot_zeros (x : Tensor S τ) : x.dot (Tensor.zeros τ) = 0 := by
  rw [Tensor.dot, ← sumUp_zero]
  congr 1; funext i
  exact Semiring.mul_zero _

/-- The dot product of a tensor of zeros is zero. -/
theorem tensor_zeros_dot (x : Tensor S τ) : (Tensor.zeros τ).dot x = 0 := by
  rw [Tensor.dot, ← sumUp_zero]
  congr 1; funext i
  exact Semiring.zero_mul _

/-- The dot product of contexts is additive in the second. -/
theorem context_dot_add : {C : ContextType} → (x y z : Context S C) → x.dot (y + z) = x.dot y + x.dot z
  | .nil, .nil, .nil, .nil => (Semiring.add_zero 0).symm
  | .snoc _ _, .snoc x s, .snoc y t, .snoc z u => by
    have e := context_dot_add x y z
    have f := tensor_dot_add s t u
    change x.dot (y + z) + s.dot (t + u) = (x.dot y + s.dot t) + (x.dot z + s.dot u)
    grind

/-- The dot product with a context of zeros is zero. -/
theorem context_dot_zeros : {C : ContextType} → (x : Context S C) → x.dot (Context.zeros C) = 0
  | .nil, .nil => rfl
  | .snoc _ _, .snoc x s => by
    change x.dot (Context.zeros _) + s.dot (Tensor.zeros _) = 0
    rw [context_dot_zeros x, tensor_dot_zeros s, Semiring.add_zero]

/-- The dot product with a context that is zero but for one entry is the dot product with that entry. -/
theorem dot_only : {C : ContextType} → (place : Place C τ) → (x : Context S C) → (t : Tensor S τ) →
    x.dot (place.only t) = (place.get x).dot t
  | .snoc C _, .last, .snoc x s, t => by
    change x.dot (Context.zeros _) + s.dot t = s.dot t
    rw [context_dot_zeros]; grind
  | .snoc _ _, .earlier place, .snoc x s, t => by
    change x.dot (place.only t) + s.dot (Tensor.zeros _) = (place.get x).dot t
    rw [dot_only place, tensor_dot_zeros, Semiring.add_zero]

variable {n m k : Nat}

/-- A sum of products with an indicator is the one product. -/
theorem sumUp_at_mul (position : Fin n) (a : S) (f : Fin n → S) :
    sumUp n (fun i => (if position = i then a else 0) * f i) = a * f position := by
  rw [← sumUp_at n position (fun i => a * f i)]
  congr 1; funext i; split <;> grind

/-- A list of moves and its transposed are adjoint. -/
theorem moved_adjoint (moves : List (Move n m)) (x : Fin m → S) (c : Fin n → S) :
    sumUp n (fun i => moved moves x i * c i) = sumUp m (fun j => x j * moved (transposed moves) c j) := by
  induction moves with
  | nil => simp only [moved, transposed, List.map, Semiring.zero_mul, Semiring.mul_zero, sumUp_zero]
  | cons move rest hypothesis =>
    simp only [moved, transposed, List.map, Semiring.right_distrib, Semiring.left_distrib, sumUp_add] at *
    rw [hypothesis, sumUp_at_mul]
    have := sumUp_at_mul move.operand (c move.result) x
    simp only [CommRing.mul_comm] at *
    rw [this]

/-- Reading a list of products towards the left operand is adjoint to multiplying by the right one. -/
theorem multiplied_adjoint_left (products : List (Product n m k)) (x : Fin m → S) (y : Fin k → S) (c : Fin n → S) :
    sumUp n (fun i => multiplied products x y i * c i)
      = sumUp m (fun j => x j * multiplied (towardsLeft products) c y j) := by
  induction products with
  | nil => simp only [multiplied, towardsLeft, List.map, Semiring.zero_mul, Semiring.mul_zero, sumUp_zero]
  | cons product rest hypothesis =>
    simp only [multiplied, towardsLeft, List.map, Semiring.right_distrib, Semiring.left_distrib, sumUp_add] at *
    rw [hypothesis, sumUp_at_mul]
    have := sumUp_at_mul product.left (c product.result * y product.right) x
    grind

/-- Reading a list of products towards the right operand is adjoint to multiplying by the left one. -/
theorem multiplied_adjoint_right (products : List (Product n m k)) (x : Fin m → S) (y : Fin k → S) (c : Fin n → S) :
    sumUp n (fun i => multiplied products x y i * c i)
      = sumUp k (fun j => y j * multiplied (towardsRight products) x c j) := by
  induction products with
  | nil => simp only [multiplied, towardsRight, List.map, Semiring.zero_mul, Semiring.mul_zero, sumUp_zero]
  | cons product rest hypothesis =>
    simp only [multiplied, towardsRight, List.map, Semiring.right_distrib, Semiring.left_distrib, sumUp_add] at *
    rw [hypothesis, sumUp_at_mul]
    have := sumUp_at_mul product.right (x product.left * c product.result) y
    grind

end Adjudge.Sums
