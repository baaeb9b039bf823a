module

public import Adjudge.Operators.Matmul

/-!
# The cotangents of a matrix product

`reference/operators/matmul.ts`: `c · yᵀ` goes to the left operand and `xᵀ · c` to the right one. The local
law determines them, so it is enough that these keep it.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind Sums

variable {S : Type} [CommRing S] {E C : ContextType} {n k m : Nat}

/-- A sum over `p + q` numbers is the sum over the first `p` and that over the others. -/
theorem sumUp_append (p : Nat) (f : Nat → S) : (q : Nat) →
    sumUp (p + q) (fun i => f i.val) = sumUp p (fun i => f i.val) + sumUp q (fun i => f (p + i.val))
  | 0 => (Semiring.add_zero _).symm
  | q + 1 => by
    have := sumUp_append p f q
    change sumUp (p + q) (fun i => f i.val) + f (p + q)
      = sumUp p (fun i => f i.val) + (sumUp q (fun i => f (p + i.val)) + f (p + q))
    rw [this, Semiring.add_assoc]

/-- A sum over packed pairs is a sum of sums. -/
theorem sumUp_pairs (B : Nat) (f : Nat → S) : (A : Nat) →
    sumUp (A * B) (fun i => f i.val) = sumUp A fun a => sumUp B fun b => f (a.val * B + b.val)
  | 0 => by rw [Nat.zero_mul]; rfl
  | A + 1 => by rw [Nat.succ_mul, sumUp_append, sumUp_pairs B f A]; rfl

/-- Two sums may be exchanged. -/
theorem sumUp_swap {B : Nat} : {A : Nat} → (f : Fin A → Fin B → S) →
    sumUp A (fun a => sumUp B (f a)) = sumUp B fun b => sumUp A fun a => f a b
  | 0, _ => (sumUp_zero _ fun _ => rfl).symm
  | A + 1, f => by simp only [sumUp, sumUp_swap fun a => f a.castSucc, sumUp_add]

/-- The dot product of matrices is the sum over rows and columns. -/
theorem dot_entries (s t : Tensor S [n, m]) :
    s.dot t = sumUp n fun i => sumUp m fun j => s.entry i j * t.entry i j := by
  have size : Shape.size [n, m] = n * m := by simp [Shape.size]
  have flat : s.dot t = sumUp (Shape.size [n, m]) fun i => elementAt s.get i.val * elementAt t.get i.val := by
    simp only [elementAt_of_lt, Tensor.dot]
  rw [flat, congrArg (fun size => sumUp size fun i => elementAt s.get i.val * elementAt t.get i.val) size]
  refine (sumUp_pairs m (fun p => elementAt s.get p * elementAt t.get p) n).trans ?_
  congr 1; funext i; congr 1; funext j
  have inside := entry_lt i.isLt j.isLt
  exact congr (congrArg _ (dif_pos inside)) (dif_pos inside)

/-- The transposed matrix. -/
def Tensor.transpose (t : Tensor S [n, m]) : Tensor S [m, n] where
  get p := elementAt t.get (p.val % n * m + p.val / n)

/-- The entries of the transposed matrix. -/
theorem entry_transpose (t : Tensor S [n, m]) (i : Fin n) (j : Fin m) : t.transpose.entry j i = t.entry i j := by
  change elementAt t.get ((j.val * n + i.val) % n * m + (j.val * n + i.val) / n) = _
  rw [pack_mod i.isLt, pack_div i.isLt]
  exact dif_pos (entry_lt i.isLt j.isLt)

/-- The product of two matrices. -/
abbrev Tensor.product (x : Tensor S [n, k]) (y : Tensor S [k, m]) : Tensor S [n, m] :=
  Tensor.matmul (batch := []) x y

/-- The dot product of a matrix product, written out. -/
theorem product_dot (x : Tensor S [n, k]) (y : Tensor S [k, m]) (c : Tensor S [n, m]) :
    (x.product y).dot c
      = sumUp n fun i => sumUp k fun l => sumUp m fun j => x.entry i l * (c.entry i j * y.entry l j) := by
  rw [dot_entries]
  congr 1; funext i
  rw [← sumUp_swap]
  congr 1; funext j
  rw [matmul_entry, CommRing.mul_comm, ← sumUp_mul_left]
  congr 1; funext l
  grind

/-- Multiplying by `y` from the right is adjoint to multiplying by its transposed. -/
theorem product_adjoint_left (x : Tensor S [n, k]) (y : Tensor S [k, m]) (c : Tensor S [n, m]) :
    (x.product y).dot c = x.dot (c.product y.transpose) := by
  rw [product_dot, dot_entries]
  simp only [matmul_entry, entry_transpose, sumUp_mul_left]

/-- Multiplying by `x` from the left is adjoint to multiplying by its transposed. -/
theorem product_adjoint_right (x : Tensor S [n, k]) (y : Tensor S [k, m]) (c : Tensor S [n, m]) :
    (x.product y).dot c = y.dot (x.transpose.product c) := by
  rw [product_dot, dot_entries, sumUp_swap]
  congr 1; funext l
  rw [sumUp_swap]
  congr 1; funext j
  rw [matmul_entry, ← sumUp_mul_left]
  congr 1; funext i
  rw [entry_transpose]
  grind

/--
`matmul` of two matrices: the value is `x · y`, the tangent `dx · y + x · dy`, and the cotangent `c` goes as
`c · yᵀ` to `x`, as `xᵀ · c` to `y`.
-/
def Rule.matmul (x : Place C [n, k]) (y : Place C [k, m]) : Rule E C [n, m] where
  value _ _ ctx _ := (x.get ctx).product (y.get ctx)
  tangent _ _ ctx dctx := (x.get dctx).product (y.get ctx) + (x.get ctx).product (y.get dctx)
  pullback _ _ ctx c := x.only (c.product (y.get ctx).transpose) + y.only ((x.get ctx).transpose.product c)

/-- `matmul` of two matrices follows the textbook: the cotangents are `c · yᵀ` and `xᵀ · c`. -/
theorem matmul_matrices_follows (x : Place C [n, k]) (y : Place C [k, m]) :
    Operator.matmul.Follows [⟨[n, k], x⟩, ⟨[k, m], y⟩] (.matmul x y : Rule E C [n, m]) := by
  obtain ⟨form, made, means⟩ := matmul_follows (E := E) (batch := []) x y
  refine ⟨form, made, fun S _ ctx δ => (means S ctx ctx δ).1, fun S _ ctx dctx => ?_, fun S _ ctx c => ?_⟩
  · exact (means S ctx dctx (Context.zeros E)).2
  · refine Context.ext_dot_right fun dctx => ?_
    rw [← form.adjoint, (means S ctx dctx (Context.zeros E)).2]
    change ((x.get dctx).product (y.get ctx) + (x.get ctx).product (y.get dctx)).dot c
      = dctx.dot (x.only (c.product (y.get ctx).transpose) + y.only ((x.get ctx).transpose.product c))
    rw [Tensor.dot_add_left, Context.dot_add_right, dot_only, dot_only, product_adjoint_left, product_adjoint_right]

end Adjudge
