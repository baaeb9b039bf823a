module

public import Adjudge.Operators.Sums
public import Adjudge.Operators.Operator
public import Adjudge.Operators.Positions

/-!
# What a list of positions means

`reference/operators/index_map.ts`. An operator lists pairs or triples of positions. The form made of them
computes, as a function of positions, a gather, a scatter, a product of elements or a sum of products.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind Sums

variable {S : Type} [CommRing S] {E C : ContextType} {τ σ ρ : Shape} {n m k : Nat}

/-- The element at a position, zero outside. -/
def elementAt (x : Fin n → S) (position : Nat) : S := if h : position < n then x ⟨position, h⟩ else 0

/-- The sum of a list. -/
def total : List S → S
  | [] => 0
  | a :: rest => a + total rest

namespace Sums

/-- An element inside is the element. -/
theorem elementAt_of_lt (x : Fin n → S) (i : Fin n) : elementAt x i.val = x i := dif_pos i.isLt

/-- The sum of two lists is the sum of their sums. -/
theorem total_append (a b : List S) : total (a ++ b) = total a + total b := by
  induction a with
  | nil => simp only [List.nil_append, total]; grind
  | cons _ _ hypothesis => simp only [List.cons_append, total, hypothesis]; grind

/-- The sum over the numbers below `n`. -/
theorem total_below : (n : Nat) → (f : Nat → S) → total ((below n).map f) = sumUp n fun i => f i.val
  | 0, _ => rfl
  | n + 1, f => by
    simp only [below, List.map_append, total_append, total_below n f, sumUp, List.map, total,
      Semiring.add_zero, Fin.val_castSucc, Fin.val_last]

/-- A sum over lists is the sum of their sums. -/
theorem total_flatMap {α β : Type} (f : β → S) (lists : α → List β) (l : List α) :
    total ((l.flatMap lists).map f) = total (l.map fun a => total ((lists a).map f)) := by
  induction l with
  | nil => rfl
  | cons a rest hypothesis =>
    simp only [List.flatMap_cons, List.map_append, total_append, hypothesis, List.map_cons, total]

/-- What is moved by a list of positions. -/
theorem moved_of_pairs (x : Fin m → S) (i : Fin n) : (pairs : List (Nat × Nat)) → (moves : List (Move n m)) →
    moves? n m pairs = some moves →
    moved moves x i = total (pairs.map fun pair => if pair.1 = i.val then elementAt x pair.2 else 0)
  | [], _, made => by cases made; rfl
  | (result, operand) :: rest, moves, made => by
    simp only [moves?] at made
    split at made
    · next h =>
      split at made
      · next others found =>
        cases made
        simp only [moved, List.map_cons, total, moved_of_pairs x i rest others found, elementAt, dif_pos h.2,
          Fin.ext_iff]
      · cases made
    · cases made

/-- What is moved back by a list of positions. -/
theorem moved_transposed_of_pairs (c : Fin n → S) (j : Fin m) :
    (pairs : List (Nat × Nat)) → (moves : List (Move n m)) → moves? n m pairs = some moves →
    moved (transposed moves) c j = total (pairs.map fun pair => if pair.2 = j.val then elementAt c pair.1 else 0)
  | [], _, made => by cases made; rfl
  | (result, operand) :: rest, moves, made => by
    simp only [moves?] at made
    split at made
    · next h =>
      split at made
      · next others found =>
        cases made
        have := moved_transposed_of_pairs c j rest others found
        rw [transposed] at this
        simp only [transposed, moved, List.map_cons, total, this, elementAt, dif_pos h.1, Fin.ext_iff]
      · cases made
    · cases made

/-- What is multiplied by a list of positions. -/
theorem multiplied_of_triples (x : Fin m → S) (y : Fin k → S) (i : Fin n) :
    (triples : List (Nat × Nat × Nat)) → (products : List (Product n m k)) →
    products? n m k triples = some products → multiplied products x y i
      = total (triples.map fun t => if t.1 = i.val then elementAt x t.2.1 * elementAt y t.2.2 else 0)
  | [], _, made => by cases made; rfl
  | (result, left, right) :: rest, products, made => by
    simp only [products?] at made
    split at made
    · next h =>
      split at made
      · next others found =>
        cases made
        simp only [multiplied, List.map_cons, total, multiplied_of_triples x y i rest others found, elementAt,
          dif_pos h.2.1, dif_pos h.2.2, Fin.ext_iff]
      · cases made
    · cases made

/-- Positions inside make moves. -/
theorem moves?_of_inside : (pairs : List (Nat × Nat)) → (∀ pair ∈ pairs, pair.1 < n ∧ pair.2 < m) →
    ∃ moves, moves? n m pairs = some moves
  | [], _ => ⟨[], rfl⟩
  | pair :: rest, inside => by
    obtain ⟨moves, found⟩ := moves?_of_inside rest fun other among => inside other (.tail _ among)
    exact ⟨_, by simp only [moves?, dif_pos (inside pair (.head _)), found]; rfl⟩

/-- Positions inside make products. -/
theorem products?_of_inside : (triples : List (Nat × Nat × Nat)) →
    (∀ t ∈ triples, t.1 < n ∧ t.2.1 < m ∧ t.2.2 < k) → ∃ products, products? n m k triples = some products
  | [], _ => ⟨[], rfl⟩
  | triple :: rest, inside => by
    obtain ⟨products, found⟩ := products?_of_inside rest fun other among => inside other (.tail _ among)
    exact ⟨_, by simp only [products?, dif_pos (inside triple (.head _)), found]; rfl⟩

/-- A sum over positions in which one alone counts, by its number. -/
theorem sumUp_at_val (i : Fin n) (f : Fin n → S) : sumUp n (fun r => if r.val = i.val then f r else 0) = f i := by
  rw [← sumUp_at i f]
  congr 1; funext r
  simp only [Fin.ext_iff, eq_comm]

end Sums

/-- Element `i` of the result is element `source i` of the operand. -/
def Tensor.gathered (source : Fin τ.size → Fin σ.size) (t : Tensor S σ) : Tensor S τ where
  get i := t.get (source i)

/-- Element `j` of the operand is added to element `target j` of the result. -/
def Tensor.scattered (target : Fin σ.size → Fin τ.size) (t : Tensor S σ) : Tensor S τ where
  get i := sumUp σ.size fun j => if target j = i then t.get j else 0

/-- The other sign, element by element. -/
def Tensor.negative (t : Tensor S τ) : Tensor S τ where
  get i := -t.get i

/-- Pairs of every position of the result with a position of the operand make a gather. -/
theorem moves?_gathers (pairs : List (Nat × Nat)) (source : Fin n → Fin m) (f : Nat → Nat)
    (listed : pairs = (below n).map fun i => (i, f i)) (same : ∀ i, f i.val = (source i).val) :
    ∃ moves, moves? n m pairs = some moves ∧ ∀ (S : Type) [CommRing S],
      (∀ (x : Fin m → S) i, moved moves x i = x (source i)) ∧
      (∀ (c : Fin n → S) j, moved (transposed moves) c j = sumUp n fun i => if source i = j then c i else 0) := by
  have inside : ∀ pair ∈ pairs, pair.1 < n ∧ pair.2 < m := by
    intro pair among
    obtain ⟨i, small, rfl⟩ := List.mem_map.mp (listed ▸ among)
    have small := (mem_below _ _).mp small
    exact ⟨small, same ⟨i, small⟩ ▸ (source ⟨i, small⟩).isLt⟩
  obtain ⟨moves, found⟩ := moves?_of_inside pairs inside
  refine ⟨moves, found, fun S _ => ⟨fun x i => ?_, fun c j => ?_⟩⟩
  · rw [moved_of_pairs _ _ pairs moves found, listed, List.map_map, ← elementAt_of_lt x, ← same]
    exact (total_below n _).trans (sumUp_at_val i fun r => elementAt x (f r.val))
  · rw [moved_transposed_of_pairs _ _ pairs moves found, listed, List.map_map]
    refine (total_below n _).trans ?_
    congr 1; funext i
    simp only [Function.comp, elementAt_of_lt, same, Fin.ext_iff]

/-- Pairs of a position of the result with every position of the operand make a scatter. -/
theorem moves?_scatters (pairs : List (Nat × Nat)) (target : Fin m → Fin n) (f : Nat → Nat)
    (listed : pairs = (below m).map fun j => (f j, j)) (same : ∀ j, f j.val = (target j).val) :
    ∃ moves, moves? n m pairs = some moves ∧ ∀ (S : Type) [CommRing S],
      (∀ (x : Fin m → S) i, moved moves x i = sumUp m fun j => if target j = i then x j else 0) ∧
      (∀ (c : Fin n → S) j, moved (transposed moves) c j = c (target j)) := by
  have inside : ∀ pair ∈ pairs, pair.1 < n ∧ pair.2 < m := by
    intro pair among
    obtain ⟨j, small, rfl⟩ := List.mem_map.mp (listed ▸ among)
    have small := (mem_below _ _).mp small
    exact ⟨same ⟨j, small⟩ ▸ (target ⟨j, small⟩).isLt, small⟩
  obtain ⟨moves, found⟩ := moves?_of_inside pairs inside
  refine ⟨moves, found, fun S _ => ⟨fun x i => ?_, fun c j => ?_⟩⟩
  · rw [moved_of_pairs _ _ pairs moves found, listed, List.map_map]
    refine (total_below m _).trans ?_
    congr 1; funext j
    simp only [Function.comp, elementAt_of_lt, same, Fin.ext_iff]
  · rw [moved_transposed_of_pairs _ _ pairs moves found, listed, List.map_map, ← elementAt_of_lt c, ← same]
    exact (total_below m _).trans (sumUp_at_val j fun r => elementAt c (f r.val))

/-- What a term computes: a linear function of the operand at a place, and its adjoint. -/
structure LinearTerm.Computes (term : LinearTerm C τ) (place : Place C σ)
    (f : (S : Type) → [CommRing S] → Tensor S σ → Tensor S τ)
    (back : (S : Type) → [CommRing S] → Tensor S τ → Tensor S σ) : Prop where
  forward : ∀ (S : Type) [CommRing S] (ctx : Context S C), term.forward ctx = f S (place.get ctx)
  vjp : ∀ (S : Type) [CommRing S] (c : Tensor S τ), (term.vjp c : Context S C) = place.only (back S c)

/-- `moving` makes a gather of the pairs of a gather. -/
theorem moving_gathers (place : Place C σ) (pairs : List (Nat × Nat)) (source : Fin τ.size → Fin σ.size)
    (f : Nat → Nat) (listed : pairs = (below τ.size).map fun i => (i, f i)) (same : ∀ i, f i.val = (source i).val) :
    ∃ term : LinearTerm C τ, moving ⟨σ, place⟩ τ false pairs = some term ∧
      term.Computes place (fun _ => Tensor.gathered source) (fun _ => Tensor.scattered source) := by
  obtain ⟨moves, found, means⟩ := moves?_gathers pairs source f listed same
  exact ⟨⟨place, false, moves⟩, by simp only [moving, found],
    fun S _ _ => Tensor.ext (funext fun i => (means S).1 _ i),
    fun S _ c => congrArg place.only (Tensor.ext (funext fun j => (means S).2 c.get j))⟩

/-- `moving` makes a scatter of the pairs of a scatter. -/
theorem moving_scatters (place : Place C σ) (pairs : List (Nat × Nat)) (target : Fin σ.size → Fin τ.size)
    (f : Nat → Nat) (listed : pairs = (below σ.size).map fun j => (f j, j)) (same : ∀ j, f j.val = (target j).val) :
    ∃ term : LinearTerm C τ, moving ⟨σ, place⟩ τ false pairs = some term ∧
      term.Computes place (fun _ => Tensor.scattered target) (fun _ => Tensor.gathered target) := by
  obtain ⟨moves, found, means⟩ := moves?_scatters pairs target f listed same
  exact ⟨⟨place, false, moves⟩, by simp only [moving, found],
    fun S _ _ => Tensor.ext (funext fun i => (means S).1 _ i),
    fun S _ c => congrArg place.only (Tensor.ext (funext fun j => (means S).2 c.get j))⟩

/-- `elementwise` makes the operand itself or its negative. -/
theorem elementwise_computes (place : Place C τ) (negated : Bool) :
    ∃ term : LinearTerm C τ, elementwise ⟨τ, place⟩ τ negated = some term ∧
      term.Computes place (fun _ _ t => if negated then t.negative else t)
        (fun _ _ c => if negated then c.negative else c) := by
  obtain ⟨moves, found, means⟩ := moves?_gathers (n := τ.size) _ id id rfl fun _ => rfl
  have there (S : Type) [CommRing S] (x : Fin τ.size → S) (i) : moved moves x i = x i := (means S).1 x i
  have back (S : Type) [CommRing S] (c : Fin τ.size → S) (j) : moved (transposed moves) c j = c j := by
    rw [(means S).2 c j, ← sumUp_at j c]
    congr 1; funext i
    simp only [id, eq_comm]
  refine ⟨⟨place, negated, moves⟩, by simp only [elementwise, if_true, moving]; rw [show (fun i => (i, i))
    = (fun i => (i, id i)) from rfl, found], fun S _ ctx => Tensor.ext (funext fun i => ?_),
    fun S _ c => congrArg place.only (Tensor.ext (funext fun j => ?_))⟩
  · simp only [LinearTerm.forward, there]
    cases negated <;> rfl
  · simp only [back]
    cases negated <;> rfl

/-- Products read towards the left operand are those of the triples read so. -/
theorem products?_towardsLeft : (triples : List (Nat × Nat × Nat)) → (products : List (Product n m k)) →
    products? n m k triples = some products →
    products? m n k (triples.map fun t => (t.2.1, t.1, t.2.2)) = some (towardsLeft products)
  | [], _, made => by cases made; rfl
  | (result, left, right) :: rest, products, made => by
    simp only [products?] at made
    split at made
    · next h =>
      split at made
      · next others found =>
        cases made
        simp only [List.map_cons, products?, dif_pos (And.intro h.2.1 (And.intro h.1 h.2.2)),
          products?_towardsLeft rest others found]
        rfl
      · cases made
    · cases made

/-- Products read towards the right operand are those of the triples read so. -/
theorem products?_towardsRight : (triples : List (Nat × Nat × Nat)) → (products : List (Product n m k)) →
    products? n m k triples = some products →
    products? k m n (triples.map fun t => (t.2.2, t.2.1, t.1)) = some (towardsRight products)
  | [], _, made => by cases made; rfl
  | (result, left, right) :: rest, products, made => by
    simp only [products?] at made
    split at made
    · next h =>
      split at made
      · next others found =>
        cases made
        simp only [List.map_cons, products?, dif_pos (And.intro h.2.2 (And.intro h.2.1 h.1)),
          products?_towardsRight rest others found]
        rfl
      · cases made
    · cases made

/-- The products of elements at the same position, which are the same whichever way they are read. -/
theorem products?_elementwise :
    ∃ products, products? n n n ((below n).map fun i => (i, i, i)) = some products ∧
      towardsLeft products = products ∧ towardsRight products = products ∧
      ∀ (S : Type) [CommRing S] (x y : Fin n → S) i, multiplied products x y i = x i * y i := by
  obtain ⟨products, found⟩ := products?_of_inside (n := n) (m := n) (k := n) ((below n).map fun i => (i, i, i)) (by
    intro t among
    obtain ⟨i, small, rfl⟩ := List.mem_map.mp among
    have small := (mem_below _ _).mp small
    exact ⟨small, small, small⟩)
  have left := products?_towardsLeft _ products found
  have right := products?_towardsRight _ products found
  simp only [List.map_map, Function.comp_def] at left right
  refine ⟨products, found, Option.some.inj (left.symm.trans found), Option.some.inj (right.symm.trans found),
    fun S _ x y i => ?_⟩
  rw [multiplied_of_triples x y i _ products found, List.map_map, ← elementAt_of_lt x, ← elementAt_of_lt y]
  exact (total_below n _).trans (sumUp_at_val i fun r => elementAt x r.val * elementAt y r.val)

end Adjudge
