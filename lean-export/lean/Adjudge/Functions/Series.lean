module

public import Init.Data.Rat.Lemmas
public import Init.Grind

/-!
# Numbers that rational series define

There are no real numbers here. A series of rational terms, each the one before times a small factor, stands for
the number to which its partial sums tend, and a statement about the number is one about all partial sums from
some one on: that they lie between two rational numbers. Whoever has real numbers can take the limit.
-/

@[expose] public noncomputable section

namespace Adjudge

/-- What the terms of a series are divided by: `1, 2, 3, …`, or `1·2, 3·4, 5·6, …`, or `2·3, 4·5, 6·7, …`. -/
inductive Steps where
  | one
  | even
  | odd

/-- The divisor between the terms `k` and `k + 1`. -/
def Steps.divisor : Steps → Nat → Nat
  | one, k => k + 1
  | even, k => (2 * k + 1) * (2 * k + 2)
  | odd, k => (2 * k + 2) * (2 * k + 3)

/-- The term `k + 1` is the term `k` times the ratio, divided by the divisor `k`. -/
structure Series where
  first : Rat
  ratio : Rat
  steps : Steps

namespace Series

/-- The terms. -/
def term (s : Series) (k : Nat) : Rat :=
  Nat.rec s.first (fun k ih => ih * (s.ratio / (s.steps.divisor k : Nat))) k

/-- The sum of the first terms. -/
def sum (s : Series) (n : Nat) : Rat := Nat.rec 0 (fun k ih => ih + s.term k) n

/-- From some sum on all are at least `a`. -/
def AtLeast (s : Series) (a : Rat) : Prop := ∃ N, ∀ n, N ≤ n → a ≤ s.sum n

/-- From some sum on all are at most `b`. -/
def AtMost (s : Series) (b : Rat) : Prop := ∃ N, ∀ n, N ≤ n → s.sum n ≤ b

/-- From some sum on all are between `a` and `b`. -/
def Within (s : Series) (a b : Rat) : Prop := s.AtLeast a ∧ s.AtMost b

/-- Whether the factors from the term `n` on are between `-1/2` and `1/2`. -/
def halves (s : Series) (n : Nat) : Bool :=
  decide (2 * s.ratio ≤ (s.steps.divisor n : Nat) ∧ -(2 * s.ratio) ≤ (s.steps.divisor n : Nat))

/-- As many terms as the sum is taken of: where factors are small, and what is left of the series is too. -/
def depth (s : Series) : Nat :=
  let size := (if s.ratio < 0 then -s.ratio else s.ratio).ceil.toNat
  match s.steps with
  | .one => 20 + 4 * size
  | .even | .odd => 11 + Nat.log2 (size + 1) + (if size ≤ 1 then 0 else 2 * 2 ^ ((Nat.log2 size + 1) / 2))

/-- What is left of the series after the first `n` terms is between this and its negative. -/
def rest (s : Series) (n : Nat) : Rat := if s.term n < 0 then -(2 * s.term n) else 2 * s.term n

/-- Whether the series is seen to be at least `a`. -/
def isAtLeast (s : Series) (a : Rat) : Bool := s.halves s.depth && decide (a ≤ s.sum s.depth - s.rest s.depth)

/-- Whether the series is seen to be at most `b`. -/
def isAtMost (s : Series) (b : Rat) : Bool := s.halves s.depth && decide (s.sum s.depth + s.rest s.depth ≤ b)

theorem divisor_pos (steps : Steps) (k : Nat) : 0 < steps.divisor k := by
  cases steps <;> simp only [Steps.divisor] <;> (try apply Nat.mul_pos) <;> omega

theorem divisor_mono (steps : Steps) {n k : Nat} (h : n ≤ k) : steps.divisor n ≤ steps.divisor k := by
  cases steps <;> simp only [Steps.divisor] <;> (try apply Nat.mul_le_mul) <;> omega

/-- A factor of at most a half. -/
theorem factor_le (c : Rat) (d e : Nat) (pos : 0 < d) (le : d ≤ e) (h : 2 * c ≤ (d : Nat)) :
    2 * (c / (e : Nat)) ≤ 1 := by
  have positive : (0 : Rat) < (e : Nat) := by
    have : 0 < e := by omega
    exact_mod_cast this
  have more : ((d : Nat) : Rat) ≤ (e : Nat) := by exact_mod_cast le
  have bound : 2 * c ≤ (e : Nat) := Rat.le_trans h more
  rw [Rat.div_def]
  have unit : ((e : Nat) : Rat) * ((e : Nat) : Rat)⁻¹ = 1 :=
    Rat.mul_inv_cancel _ (by intro zero; rw [zero] at positive; exact absurd positive (by decide))
  generalize ((e : Nat) : Rat)⁻¹ = i at unit
  generalize ((e : Nat) : Rat) = x at unit bound positive
  have sign : 0 ≤ i := by
    by_cases low : 0 ≤ i
    · exact low
    · have := Rat.mul_nonneg (show 0 ≤ x by grind) (show 0 ≤ -i by grind)
      grind
  have := Rat.mul_nonneg (show 0 ≤ x - 2 * c by grind) sign
  grind

theorem step_le (s : Series) {n : Nat} (h : s.halves n = true) (j : Nat) :
    (0 ≤ s.term (n + j) → 2 * s.term (n + j + 1) ≤ s.term (n + j) ∧ -(2 * s.term (n + j + 1)) ≤ s.term (n + j))
      ∧ (s.term (n + j) ≤ 0
        → 2 * s.term (n + j + 1) ≤ -s.term (n + j) ∧ -(2 * s.term (n + j + 1)) ≤ -s.term (n + j)) := by
  rw [halves, decide_eq_true_eq] at h
  have pos := divisor_pos s.steps n
  have le := divisor_mono s.steps (Nat.le_add_right n j)
  have high := factor_le s.ratio _ _ pos le h.1
  have low := factor_le (-s.ratio) _ _ pos le (by have := h.2; grind)
  have step : s.term (n + j + 1) = s.term (n + j) * (s.ratio / (s.steps.divisor (n + j) : Nat)) := rfl
  have negative : -s.ratio / (s.steps.divisor (n + j) : Nat) = -(s.ratio / (s.steps.divisor (n + j) : Nat)) := by
    rw [Rat.div_def, Rat.div_def, Rat.neg_mul]
  rw [negative] at low
  rw [step]
  generalize s.ratio / (s.steps.divisor (n + j) : Nat) = r at high low
  generalize s.term (n + j) = t
  refine ⟨fun sign => ?_, fun sign => ?_⟩
  · have one := Rat.mul_nonneg sign (show (0 : Rat) ≤ 1 - 2 * r by grind)
    have two := Rat.mul_nonneg sign (show (0 : Rat) ≤ 1 + 2 * r by grind)
    constructor <;> grind
  · have one := Rat.mul_nonneg (show (0 : Rat) ≤ -t by grind) (show (0 : Rat) ≤ 1 - 2 * r by grind)
    have two := Rat.mul_nonneg (show (0 : Rat) ≤ -t by grind) (show (0 : Rat) ≤ 1 + 2 * r by grind)
    constructor <;> grind

/-- What is left after some terms is at most twice the next one. -/
theorem sum_near (s : Series) {n : Nat} (h : s.halves n = true) (j : Nat) :
    s.sum (n + j) - s.sum n + 2 * s.term (n + j) ≤ s.rest n ∧ s.sum (n + j) - s.sum n - 2 * s.term (n + j) ≤ s.rest n
      ∧ -(s.sum (n + j) - s.sum n) + 2 * s.term (n + j) ≤ s.rest n
      ∧ -(s.sum (n + j) - s.sum n) - 2 * s.term (n + j) ≤ s.rest n := by
  induction j with
  | zero =>
    rw [Nat.add_zero, rest]
    split <;> grind
  | succ j ih =>
    have step := s.step_le h j
    have sum : s.sum (n + (j + 1)) = s.sum (n + j) + s.term (n + j) := rfl
    rw [sum, ← Nat.add_assoc]
    generalize s.term (n + j + 1) = next at step
    generalize s.term (n + j) = t at step ih
    generalize s.sum (n + j) = here at ih
    generalize s.sum n = begun at ih
    generalize s.rest n = bound at ih
    by_cases sign : 0 ≤ t
    · have := step.1 sign
      grind
    · have := step.2 (by grind)
      grind

theorem atLeast_of (s : Series) {a : Rat} (h : s.isAtLeast a = true) : s.AtLeast a := by
  rw [isAtLeast, Bool.and_eq_true, decide_eq_true_eq] at h
  refine ⟨s.depth, fun n le => ?_⟩
  have near := s.sum_near h.1 (n - s.depth)
  rw [Nat.add_sub_cancel' le] at near
  have := h.2
  grind

theorem atMost_of (s : Series) {b : Rat} (h : s.isAtMost b = true) : s.AtMost b := by
  rw [isAtMost, Bool.and_eq_true, decide_eq_true_eq] at h
  refine ⟨s.depth, fun n le => ?_⟩
  have near := s.sum_near h.1 (n - s.depth)
  rw [Nat.add_sub_cancel' le] at near
  have := h.2
  grind

/-- Bounds that hold of one number do not contradict each other. -/
theorem Within.le {s : Series} {a b : Rat} (h : s.Within a b) : a ≤ b := by
  obtain ⟨⟨N, low⟩, M, high⟩ := h
  exact Rat.le_trans (low (max N M) (Nat.le_max_left ..)) (high _ (Nat.le_max_right ..))

end Series

end Adjudge
