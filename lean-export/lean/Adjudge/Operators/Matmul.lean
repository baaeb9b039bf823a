module

public import Adjudge.Operators.Rule

/-!
# The matrix product

`reference/operators/matmul.ts`: the positions that `matmul` multiplies and adds are those of the textbook.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind Sums

variable {S : Type} [CommRing S] {E C : ContextType} {batch : Shape} {n k m : Nat}

/-- A pair of numbers below two bounds, packed, is below the product of the bounds. -/
theorem pack_lt {a b A B : Nat} (first : a < A) (second : b < B) : a * B + b < A * B := by
  calc a * B + b < a * B + B := Nat.add_lt_add_left second _
    _ = (a + 1) * B := (Nat.succ_mul _ _).symm
    _ ≤ A * B := Nat.mul_le_mul_right _ first

/-- The first of a packed pair. -/
theorem pack_div {a b B : Nat} (second : b < B) : (a * B + b) / B = a := by
  rw [Nat.add_comm, Nat.add_mul_div_right _ _ (Nat.zero_lt_of_lt second), Nat.div_eq_of_lt second, Nat.zero_add]

/-- The second of a packed pair. -/
theorem pack_mod {a b B : Nat} (second : b < B) : (a * B + b) % B = b := by
  rw [Nat.add_comm, Nat.add_mul_mod_self_right, Nat.mod_eq_of_lt second]

/-- The number of elements of a batch of matrices. -/
theorem size_matrices (n m : Nat) : (batch : Shape) → Shape.size (batch ++ [n, m]) = batch.size * n * m
  | [] => by simp [Shape.size]
  | extent :: rest => by
    rw [List.cons_append, Shape.size, size_matrices n m rest, Shape.size]
    simp only [Nat.mul_assoc]

/-- The last two extents of a batch of matrices. -/
theorem matrixShape_append (n m : Nat) : (batch : Shape) → matrixShape (batch ++ [n, m]) = some (batch, n, m)
  | [] => rfl
  | [_] => rfl
  | first :: second :: rest => by
    have inner := matrixShape_append n m (second :: rest)
    have : ∃ a l, rest ++ [n, m] = a :: l := by cases rest <;> exact ⟨_, _, rfl⟩
    obtain ⟨a, l, same⟩ := this
    rw [List.cons_append, same] at inner
    rw [List.cons_append, List.cons_append, same, matrixShape, inner] <;> simp

/-- The batch of the products of matrices: element by element the sum over the inner extent. -/
def Tensor.matmul (x : Tensor S (batch ++ [n, k])) (y : Tensor S (batch ++ [k, m])) :
    Tensor S (batch ++ [n, m]) where
  get i := sumUp k fun l =>
    elementAt x.get (i.val / m * k + l.val) * elementAt y.get ((i.val / m / n * k + l.val) * m + i.val % m)

/-- The position of an entry of a matrix is inside. -/
theorem entry_lt {row column : Nat} (first : row < n) (second : column < m) :
    row * m + column < Shape.size [n, m] := by
  simpa [Shape.size] using pack_lt first second

/-- The entry of a matrix at a row and a column. -/
def Tensor.entry (t : Tensor S [n, m]) (row : Fin n) (column : Fin m) : S :=
  t.get ⟨row.val * m + column.val, entry_lt row.isLt column.isLt⟩

/-- An entry of a product of matrices is the sum over `l` of products of entries `(i, l)` and `(l, j)`. -/
theorem matmul_entry (x : Tensor S [n, k]) (y : Tensor S [k, m]) (i : Fin n) (j : Fin m) :
    (Tensor.matmul (batch := []) x y).entry i j = sumUp k fun l => x.entry i l * y.entry l j := by
  change sumUp k _ = _
  congr 1; funext l
  have left := entry_lt i.isLt l.isLt
  have right := entry_lt l.isLt j.isLt
  simp only [pack_div j.isLt, pack_mod j.isLt, Nat.div_eq_of_lt i.isLt, Nat.zero_mul, Nat.zero_add, elementAt]
  exact congr (congrArg _ (dif_pos left)) (dif_pos right)

/-- A sum of which all terms depend on one condition. -/
theorem sumUp_if (condition : Prop) [Decidable condition] (f : Fin k → S) :
    sumUp k (fun l => if condition then f l else 0) = if condition then sumUp k f else 0 := by
  split
  · rfl
  · exact sumUp_zero _ fun _ => rfl

/-- The positions that `matmul` multiplies are inside, and it adds up what it should. -/
theorem products?_matmul (B n k m : Nat) : ∃ products : List (Product (B * n * m) (B * n * k) (B * k * m)),
    products? (B * n * m) (B * n * k) (B * k * m) (matmulProducts B n k m) = some products ∧
      ∀ (S : Type) [CommRing S] (x : Fin (B * n * k) → S) (y : Fin (B * k * m) → S) i,
        multiplied products x y i = sumUp k fun l =>
          elementAt x (i.val / m * k + l.val) * elementAt y ((i.val / m / n * k + l.val) * m + i.val % m) := by
  obtain ⟨products, found⟩ := products?_of_inside (n := B * n * m) (m := B * n * k) (k := B * k * m)
    (matmulProducts B n k m) (by
      intro t among
      obtain ⟨p, smallP, among⟩ := List.mem_flatMap.mp among
      obtain ⟨l, smallL, rfl⟩ := List.mem_map.mp among
      have smallP := (mem_below _ _).mp smallP
      have smallL := (mem_below _ _).mp smallL
      have row : p / m < B * n := Nat.div_lt_of_lt_mul (Nat.mul_comm m _ ▸ smallP)
      have matrix : p / m / n < B := Nat.div_lt_of_lt_mul (Nat.mul_comm n _ ▸ row)
      have column : p % m < m := Nat.mod_lt _ (Nat.pos_of_ne_zero fun zero => by simp [zero] at smallP)
      exact ⟨smallP, pack_lt row smallL, pack_lt (pack_lt matrix smallL) column⟩)
  refine ⟨products, found, fun S _ x y i => ?_⟩
  rw [multiplied_of_triples x y i _ products found, matmulProducts, total_flatMap]
  simp only [List.map_map, total_below, Function.comp_def, sumUp_if]
  exact sumUp_at_val i fun r => sumUp k fun l =>
    elementAt x (r.val / m * k + l.val) * elementAt y ((r.val / m / n * k + l.val) * m + r.val % m)

/--
`matmul` accepts all batches of matrices whose inner extents agree; its value is the matrix product and its
tangent `dx · y + x · dy`.
-/
theorem matmul_follows (x : Place C (batch ++ [n, k])) (y : Place C (batch ++ [k, m])) :
    ∃ form : Form E C (batch ++ [n, m]),
      Operator.matmul.formAt? [⟨batch ++ [n, k], x⟩, ⟨batch ++ [k, m], y⟩] = some ⟨batch ++ [n, m], form⟩ ∧
      ∀ (S : Type) [Scalar S] (ctx dctx : Context S C) (δ : Context S E),
        form.forward ctx δ = (x.get ctx).matmul (y.get ctx) ∧
        form.jvp ctx dctx = (x.get dctx).matmul (y.get ctx) + (x.get ctx).matmul (y.get dctx) := by
  have sized : ∃ products, products? (Shape.size (batch ++ [n, m])) (Shape.size (batch ++ [n, k]))
      (Shape.size (batch ++ [k, m])) (matmulProducts batch.size n k m) = some products ∧
      ∀ (S : Type) [CommRing S] x y (i : Fin (Shape.size (batch ++ [n, m]))),
        multiplied products x y i = sumUp k fun l => (elementAt x (i.val / m * k + l.val) : S)
          * elementAt y ((i.val / m / n * k + l.val) * m + i.val % m) := by
    rw [size_matrices n m, size_matrices n k, size_matrices k m]
    exact products?_matmul batch.size n k m
  obtain ⟨products, found, means⟩ := sized
  refine ⟨.bilinear x y products, ?_, fun S _ ctx dctx δ => ⟨?_, ?_⟩⟩
  · unfold Operator.formAt?
    simp only [matrixShape_append, and_self, if_true, multiplying, found]
  · exact Tensor.ext (funext fun i => means S _ _ i)
  · exact Tensor.ext (funext fun i => plus_congr (means S _ _ i) (means S _ _ i))

end Adjudge
