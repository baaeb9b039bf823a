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

/-!
A sum is decided in whole numbers: `first` and `ratio` as fractions, all terms have a common denominator, and those
that are added and those that are taken away are summed each by themselves, so that the kernel has nothing to reduce.
-/

/-- Whether the term `k` has the other sign than the first. -/
def isOther (s : Series) (k : Nat) : Bool := decide (s.ratio.num < 0) && Nat.beq (Nat.mod k 2) 1

/-- The numerator of the term `k`, but for the first, if it has the sign of the first. -/
def same (s : Series) (k : Nat) : Nat := bif s.isOther k then 0 else Nat.pow s.ratio.num.natAbs k

/-- The numerator of the term `k`, but for the first, if it has the other sign. -/
def other (s : Series) (k : Nat) : Nat := bif s.isOther k then Nat.pow s.ratio.num.natAbs k else 0

/-- What the denominators of the terms `k` and `k + 1` differ by. -/
def widening (s : Series) (k : Nat) : Nat := Nat.mul s.ratio.den (s.steps.divisor k)

/-- The denominator of the first `n` terms, and of the next one. -/
def common (s : Series) (n : Nat) : Nat := Nat.rec s.first.den (fun k ih => Nat.mul ih (s.widening k)) n

/-- The sum of the first numerators, over the common denominator. -/
def gathered (s : Series) (part : Nat → Nat) (n : Nat) : Nat :=
  Nat.rec 0 (fun k ih => Nat.mul (Nat.add ih (part k)) (s.widening k)) n

/-- The numerator of the sum. -/
def total (s : Series) (n : Nat) : Int := s.first.num * ((s.gathered s.same n : Int) - (s.gathered s.other n : Int))

/-- The numerator of what is left. -/
def left (s : Series) (n : Nat) : Nat := (2 * (s.first.num * ((s.same n : Int) - (s.other n : Int)))).natAbs

/-- Whether the series is seen to be at least `a`. -/
def isAtLeast (s : Series) (a : Rat) : Bool :=
  s.halves s.depth && decide (a.num * (s.common s.depth : Int) ≤ (a.den : Int) * (s.total s.depth - s.left s.depth))

/-- Whether the series is seen to be at most `b`. -/
def isAtMost (s : Series) (b : Rat) : Bool :=
  s.halves s.depth && decide ((b.den : Int) * (s.total s.depth + s.left s.depth) ≤ b.num * (s.common s.depth : Int))

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

theorem common_pos (s : Series) (n : Nat) : 0 < s.common n := by
  induction n with
  | zero => exact s.first.den_pos
  | succ n ih => exact Nat.mul_pos ih (Nat.mul_pos s.ratio.den_pos (divisor_pos s.steps n))

/-- A fraction times its denominator. -/
theorem den_mul (r : Rat) : (r.den : Rat) * r = r.num := by
  have split := r.num_divInt_den
  rw [Rat.divInt_eq_div] at split
  have nonzero : ((r.den : Int) : Rat) ≠ 0 := by
    have := r.den_pos
    exact_mod_cast (by omega : (r.den : Int) ≠ 0)
  show ((r.den : Int) : Rat) * r = r.num
  generalize r.num = n at *
  generalize ((r.den : Int) : Rat) = d at *
  rw [← split, Rat.mul_comm, Rat.div_mul_cancel nonzero]

/-- Signs alternate where the ratio is negative. -/
theorem signed_succ (s : Series) (n : Nat) :
    (s.same (n + 1) : Int) - (s.other (n + 1) : Int) = ((s.same n : Int) - (s.other n : Int)) * s.ratio.num := by
  have power : Nat.pow s.ratio.num.natAbs (n + 1) = Nat.pow s.ratio.num.natAbs n * s.ratio.num.natAbs := rfl
  have parity : Nat.beq (Nat.mod (n + 1) 2) 1 = !Nat.beq (Nat.mod n 2) 1 := by
    show Nat.beq ((n + 1) % 2) 1 = !Nat.beq (n % 2) 1
    rcases (by omega : n % 2 = 0 ∧ (n + 1) % 2 = 1 ∨ n % 2 = 1 ∧ (n + 1) % 2 = 0) with h | h <;> rw [h.1, h.2] <;> rfl
  simp only [same, other, isOther, power, parity]
  generalize Nat.pow s.ratio.num.natAbs n = size
  by_cases negative : s.ratio.num < 0
  · have magnitude : (s.ratio.num.natAbs : Int) = -s.ratio.num := by omega
    rw [decide_eq_true negative]
    cases Nat.beq (Nat.mod n 2) 1 <;> simp [magnitude, Int.mul_neg, Int.neg_mul]
  · have magnitude : (s.ratio.num.natAbs : Int) = s.ratio.num := by omega
    rw [decide_eq_false negative]
    simp [magnitude]

/-- A term is its numerator over the common denominator. -/
theorem common_term (s : Series) (n : Nat) :
    (s.common n : Rat) * s.term n = s.first.num * ((s.same n : Int) - (s.other n : Int) : Int) := by
  induction n with
  | zero =>
    have one : ((s.same 0 : Int) - (s.other 0 : Int)) = 1 := by
      show ((bif decide (s.ratio.num < 0) && false then 0 else 1 : Nat) : Int)
        - ((bif decide (s.ratio.num < 0) && false then 1 else 0 : Nat) : Int) = 1
      cases decide (s.ratio.num < 0) <;> rfl
    rw [one]
    show (s.first.den : Rat) * s.first = s.first.num * 1
    rw [den_mul, Rat.mul_one]
  | succ n ih =>
    have step : s.term (n + 1) = s.term n * (s.ratio / (s.steps.divisor n : Nat)) := rfl
    have wider : s.common (n + 1) = s.common n * (s.ratio.den * s.steps.divisor n) := rfl
    have nonzero : ((s.steps.divisor n : Nat) : Rat) ≠ 0 := by
      have := divisor_pos s.steps n
      exact_mod_cast (by omega : s.steps.divisor n ≠ 0)
    have whole := den_mul s.ratio
    have back := Rat.div_mul_cancel (a := s.ratio) nonzero
    rw [step, wider, signed_succ]
    push_cast at ih ⊢
    generalize s.ratio / ((s.steps.divisor n : Nat) : Rat) = factor at back
    generalize (s.same n : Rat) - (s.other n : Rat) = sign at ih
    have regrouped : (s.common n : Rat) * (s.ratio.den * s.steps.divisor n) * (s.term n * factor)
        = s.common n * s.term n * (s.ratio.den * (factor * s.steps.divisor n)) := by grind
    rw [regrouped, ih, back, whole]
    grind

/-- A sum is its numerator over the common denominator. -/
theorem common_sum (s : Series) (n : Nat) : (s.common n : Rat) * s.sum n = s.total n := by
  induction n with
  | zero =>
    show (s.common 0 : Rat) * 0 = ((s.first.num * ((0 : Nat) - (0 : Nat) : Int) : Int) : Rat)
    simp
  | succ n ih =>
    have step : s.sum (n + 1) = s.sum n + s.term n := rfl
    have wider : s.common (n + 1) = s.common n * s.widening n := rfl
    have more (part : Nat → Nat) : s.gathered part (n + 1) = (s.gathered part n + part n) * s.widening n := rfl
    have term := s.common_term n
    rw [step, wider]
    rw [total] at ih ⊢
    rw [more, more]
    push_cast at ih term ⊢
    have regrouped : (s.common n : Rat) * s.widening n * (s.sum n + s.term n)
        = (s.common n * s.sum n + s.common n * s.term n) * s.widening n := by grind
    rw [regrouped, ih, term]
    grind

/-- What is left is its numerator over the common denominator. -/
theorem common_rest (s : Series) (n : Nat) : (s.common n : Rat) * s.rest n = s.left n := by
  have positive : (0 : Rat) < (s.common n : Nat) := by exact_mod_cast s.common_pos n
  have term := s.common_term n
  rw [← Rat.intCast_mul] at term
  rw [rest, left]
  generalize s.first.num * ((s.same n : Int) - (s.other n : Int)) = numerator at term ⊢
  generalize s.term n = t at term ⊢
  generalize (s.common n : Rat) = c at positive term ⊢
  by_cases low : t < 0
  · have sign : numerator < 0 := by
      have := Rat.mul_pos positive (show 0 < -t by grind)
      have : (numerator : Rat) < ((0 : Int) : Rat) := by grind
      exact_mod_cast this
    have size : (((2 * numerator).natAbs : Int) : Rat) = ((-(2 * numerator) : Int) : Rat) := by congr 1; omega
    have : ((2 * numerator).natAbs : Rat) = -(2 * (numerator : Rat)) := by push_cast at size; exact_mod_cast size
    rw [if_pos low, this, ← term]
    grind
  · have sign : 0 ≤ numerator := by
      have := Rat.mul_nonneg (show 0 ≤ c by grind) (show 0 ≤ t by grind)
      have : ((0 : Int) : Rat) ≤ (numerator : Rat) := by grind
      exact_mod_cast this
    have size : (((2 * numerator).natAbs : Int) : Rat) = ((2 * numerator : Int) : Rat) := by congr 1; omega
    have : ((2 * numerator).natAbs : Rat) = 2 * (numerator : Rat) := by push_cast at size; exact_mod_cast size
    rw [if_neg low, this, ← term]
    grind

/-- What holds of numerators holds of fractions. -/
theorem le_of_numerators {c d x y numerator other : Rat} (common : 0 < c) (den : 0 < d) (left : d * (c * x) = numerator)
    (right : d * (c * y) = other) (h : numerator ≤ other) : x ≤ y := by
  apply Rat.le_of_mul_le_mul_left _ common
  apply Rat.le_of_mul_le_mul_left _ den
  rw [left, right]
  exact h

theorem atLeast_of (s : Series) {a : Rat} (h : s.isAtLeast a = true) : s.AtLeast a := by
  rw [isAtLeast, Bool.and_eq_true, decide_eq_true_eq] at h
  obtain ⟨halves, low⟩ := h
  refine ⟨s.depth, fun n le => ?_⟩
  have near := s.sum_near halves (n - s.depth)
  rw [Nat.add_sub_cancel' le] at near
  have low : a ≤ s.sum s.depth - s.rest s.depth := by
    have numerators := Rat.intCast_le_intCast.mpr low
    push_cast at numerators
    have common : (0 : Rat) < (s.common s.depth : Nat) := by exact_mod_cast s.common_pos s.depth
    have den : (0 : Rat) < (a.den : Nat) := by exact_mod_cast a.den_pos
    refine le_of_numerators common den ?_ ?_ numerators
    · rw [← den_mul a]
      grind
    · rw [← s.common_sum s.depth, ← s.common_rest s.depth]
      grind
  grind

theorem atMost_of (s : Series) {b : Rat} (h : s.isAtMost b = true) : s.AtMost b := by
  rw [isAtMost, Bool.and_eq_true, decide_eq_true_eq] at h
  obtain ⟨halves, high⟩ := h
  refine ⟨s.depth, fun n le => ?_⟩
  have near := s.sum_near halves (n - s.depth)
  rw [Nat.add_sub_cancel' le] at near
  have high : s.sum s.depth + s.rest s.depth ≤ b := by
    have numerators := Rat.intCast_le_intCast.mpr high
    push_cast at numerators
    have common : (0 : Rat) < (s.common s.depth : Nat) := by exact_mod_cast s.common_pos s.depth
    have den : (0 : Rat) < (b.den : Nat) := by exact_mod_cast b.den_pos
    refine le_of_numerators common den ?_ ?_ numerators
    · rw [← s.common_sum s.depth, ← s.common_rest s.depth]
      grind
    · rw [← den_mul b]
      grind
  grind

/-- Bounds that hold of one number do not contradict each other. -/
theorem Within.le {s : Series} {a b : Rat} (h : s.Within a b) : a ≤ b := by
  obtain ⟨⟨N, low⟩, M, high⟩ := h
  exact Rat.le_trans (low (max N M) (Nat.le_max_left ..)) (high _ (Nat.le_max_right ..))

end Series

end Adjudge
