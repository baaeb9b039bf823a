module

public import Adjudge.Operators.Expression

/-!
# Intervals with rational ends

What a number is known to be: between two rational numbers, or anything. The numbers are those of any ordered
field in which the rational numbers lie, of which the real numbers are one; nothing else is asked of it. Each
operation on intervals gives what the operation on numbers in them may give.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

/-- An ordered field in which the rational numbers lie, with the `less` and `floor` that the order says. -/
class OrderedScalar (S : Type) extends Scalar S, LE S, LT S, Std.IsLinearOrder S, Std.LawfulOrderLT S,
    OrderedRing S where
  ofRat : Rat → S
  ofRat_zero : ofRat 0 = 0
  ofRat_one : ofRat 1 = 1
  ofRat_add (a b : Rat) : ofRat (a + b) = ofRat a + ofRat b
  ofRat_mul (a b : Rat) : ofRat (a * b) = ofRat a * ofRat b
  ofRat_le {a b : Rat} : a ≤ b → ofRat a ≤ ofRat b
  less_iff (x y : S) : Scalar.less x y = true ↔ x < y
  le_floor (n : Int) (x : S) : ofRat n ≤ x → ofRat n ≤ Scalar.floor x
  floor_le (n : Int) (x : S) : x < ofRat (n + 1) → Scalar.floor x ≤ ofRat n
  mul_inv (x : S) : x ≠ 0 → x * x⁻¹ = 1

/-- What is known of a number. -/
inductive Interval where
  /-- Nothing. -/
  | unknown
  /-- It is at least the first and at most the second. -/
  | between (low high : Rat)

namespace Interval

/-- That a number is in the interval. -/
def Holds {S : Type} [OrderedScalar S] (x : S) : Interval → Prop
  | unknown => True
  | between low high => OrderedScalar.ofRat low ≤ x ∧ x ≤ OrderedScalar.ofRat high

/-- A rational number. -/
def exactly (x : Rat) : Interval := between x x

/-- The sum. -/
def add : Interval → Interval → Interval
  | between a b, between c d => between (a + c) (b + d)
  | _, _ => unknown

/-- The negative. -/
def negative : Interval → Interval
  | between a b => between (-b) (-a)
  | unknown => unknown

/-- A number or its negative. -/
def signed (negated : Bool) (x : Interval) : Interval := bif negated then x.negative else x

/-- The lesser. -/
def lesser (a b : Rat) : Rat := bif decide (a ≤ b) then a else b

/-- The greater. -/
def greater (a b : Rat) : Rat := bif decide (a ≤ b) then b else a

/-- What is in one of two intervals. -/
def hull : Interval → Interval → Interval
  | between a b, between c d => between (lesser a c) (greater b d)
  | _, _ => unknown

/-- The product of an interval with a number. -/
def scaled (x : Rat) : Interval → Interval
  | between a b => bif decide (0 ≤ x) then between (x * a) (x * b) else between (x * b) (x * a)
  | unknown => unknown

/-- The product, which at both ends of a factor is between the products with the other's ends. -/
def mul : Interval → Interval → Interval
  | between a b, y => bif decide (a = b) then y.scaled a else (y.scaled a).hull (y.scaled b)
  | unknown, _ => unknown

/-- The inverse of what is not zero. -/
def inverse : Interval → Interval
  | between a b => bif decide (0 < a) || decide (b < 0) then between b⁻¹ a⁻¹ else unknown
  | unknown => unknown

/-- Whether a number in it is surely not zero. -/
def isNonzero : Interval → Bool
  | between a b => decide (0 < a) || decide (b < 0)
  | unknown => false

/-- The greatest integer that is not greater. -/
def floor : Interval → Interval
  | between a b => between a.floor b.floor
  | unknown => unknown

/-- What is chosen by whether a number in the first is less than one in the second. -/
def ifLess : Interval → Interval → Interval → Interval → Interval
  | between a b, between c d, yes, no =>
    bif decide (b < c) then yes else bif decide (d ≤ a) then no else yes.hull no
  | _, _, yes, no => yes.hull no

/-- Whether all that is in the first is in the second. -/
def isWithin : Interval → Interval → Bool
  | _, unknown => true
  | between a b, between c d => decide (c ≤ a) && decide (b ≤ d)
  | unknown, between .. => false

variable {S : Type} [OrderedScalar S]

open OrderedScalar

theorem ofRat_negative (a : Rat) : (ofRat (-a) : S) = -ofRat a := by
  have := ofRat_add (S := S) a (-a)
  rw [Rat.add_neg_cancel, ofRat_zero] at this
  grind

theorem ofRat_lt {a b : Rat} (h : a < b) : (ofRat a : S) < ofRat b := by
  have le : (ofRat a : S) ≤ ofRat b := ofRat_le (Rat.le_of_lt h)
  by_cases same : (ofRat a : S) = ofRat b
  · exfalso
    have gap : (ofRat (b - a) : S) = 0 := by
      have : b - a = b + -a := by grind
      rw [this, ofRat_add, ofRat_negative, same]
      grind
    have one := ofRat_mul (S := S) (b - a) (b - a)⁻¹
    rw [Rat.mul_inv_cancel _ (by grind), gap, ofRat_one] at one
    have := OrderedRing.zero_lt_one (R := S)
    grind
  · grind

theorem holds_exactly (x : Rat) : (exactly x).Holds (ofRat x : S) := ⟨Std.le_refl _, Std.le_refl _⟩

theorem Holds.exact_zero {x : S} (h : x = 0) : (exactly 0).Holds x := by
  rw [h, ← ofRat_zero]
  exact holds_exactly 0

theorem Holds.add {x y : S} {i j : Interval} (hx : i.Holds x) (hy : j.Holds y) : (i.add j).Holds (x + y) := by
  cases i <;> cases j <;> try trivial
  simp only [Interval.add, Holds, ofRat_add] at *
  exact ⟨OrderedAdd.add_le_add hx.1 hy.1, OrderedAdd.add_le_add hx.2 hy.2⟩

theorem negative_le {x y : S} (h : x ≤ y) : -y ≤ -x := by
  rw [OrderedAdd.neg_le_iff, AddCommGroup.neg_neg]
  exact h

theorem Holds.negative {x : S} {i : Interval} (hx : i.Holds x) : i.negative.Holds (-x) := by
  cases i <;> try trivial
  simp only [Interval.negative, Holds, ofRat_negative] at *
  exact ⟨negative_le hx.2, negative_le hx.1⟩

theorem lesser_le (a b : Rat) : lesser a b ≤ a ∧ lesser a b ≤ b := by
  unfold lesser
  by_cases h : a ≤ b
  · simp only [decide_eq_true h, cond_true]; grind
  · simp only [decide_eq_false h, cond_false]; grind

theorem le_greater (a b : Rat) : a ≤ greater a b ∧ b ≤ greater a b := by
  unfold greater
  by_cases h : a ≤ b
  · simp only [decide_eq_true h, cond_true]; grind
  · simp only [decide_eq_false h, cond_false]; grind

theorem Holds.within {x : S} {i j : Interval} (h : i.isWithin j = true) (hx : i.Holds x) : j.Holds x := by
  cases i <;> cases j <;> simp only [isWithin, Bool.and_eq_true, decide_eq_true_eq, Bool.false_eq_true] at h <;>
    try trivial
  exact ⟨Std.le_trans (ofRat_le h.1) hx.1, Std.le_trans hx.2 (ofRat_le h.2)⟩

theorem Holds.hull_left {x : S} {i : Interval} (j : Interval) (hx : i.Holds x) : (i.hull j).Holds x := by
  cases i <;> cases j <;> try trivial
  exact ⟨Std.le_trans (ofRat_le (lesser_le ..).1) hx.1, Std.le_trans hx.2 (ofRat_le (le_greater ..).1)⟩

theorem Holds.hull_right {x : S} (i : Interval) {j : Interval} (hx : j.Holds x) : (i.hull j).Holds x := by
  cases i <;> cases j <;> try trivial
  exact ⟨Std.le_trans (ofRat_le (lesser_le ..).2) hx.1, Std.le_trans hx.2 (ofRat_le (le_greater ..).2)⟩

/-- What is between two numbers of an interval is in it. -/
theorem Holds.convex {x y z : S} {i : Interval} (hx : i.Holds x) (hz : i.Holds z) (low : x ≤ y) (high : y ≤ z) :
    i.Holds y := by
  cases i <;> try trivial
  exact ⟨Std.le_trans hx.1 low, Std.le_trans high hz.2⟩

theorem ofRat_nonneg {a : Rat} (h : 0 ≤ a) : (0 : S) ≤ ofRat a := by
  rw [← ofRat_zero]
  exact ofRat_le h

theorem Holds.scaled {y : S} {j : Interval} (a : Rat) (hy : j.Holds y) : (j.scaled a).Holds (ofRat a * y) := by
  cases j <;> try trivial
  unfold Interval.scaled
  by_cases h : 0 ≤ a
  · simp only [decide_eq_true h, cond_true, Holds, ofRat_mul]
    have sign : (0 : S) ≤ ofRat a := ofRat_nonneg h
    exact ⟨OrderedRing.mul_le_mul_of_nonneg_left hy.1 sign, OrderedRing.mul_le_mul_of_nonneg_left hy.2 sign⟩
  · simp only [decide_eq_false h, cond_false, Holds, ofRat_mul]
    have sign : (ofRat a : S) ≤ 0 := by
      rw [← ofRat_zero]
      exact ofRat_le (by grind)
    exact ⟨OrderedRing.mul_le_mul_of_nonpos_left hy.2 sign, OrderedRing.mul_le_mul_of_nonpos_left hy.1 sign⟩

theorem Holds.mul {x y : S} {i j : Interval} (hx : i.Holds x) (hy : j.Holds y) : (i.mul j).Holds (x * y) := by
  cases i with
  | unknown => trivial
  | between a b =>
    obtain ⟨low, high⟩ := hx
    have left := hy.scaled a
    have right := hy.scaled b
    unfold Interval.mul
    by_cases same : a = b
    · simp only [decide_eq_true same, cond_true]
      subst same
      have : x = ofRat a := Std.le_antisymm high low
      rw [this]
      exact left
    · simp only [decide_eq_false same, cond_false]
      have one := left.hull_left (j.scaled b)
      have two := right.hull_right (j.scaled a)
      rcases Std.le_total (a := 0) (b := y) with sign | sign
      · exact one.convex two (OrderedRing.mul_le_mul_of_nonneg_right low sign)
          (OrderedRing.mul_le_mul_of_nonneg_right high sign)
      · exact two.convex one (OrderedRing.mul_le_mul_of_nonpos_right high sign)
          (OrderedRing.mul_le_mul_of_nonpos_right low sign)

/-- What is in an interval that zero is not in is not zero. -/
theorem Holds.nonzero {x : S} {i : Interval} (h : i.isNonzero = true) (hx : i.Holds x) : x ≠ 0 := by
  cases i with
  | unknown => cases h
  | between a b =>
    simp only [isNonzero, Bool.or_eq_true, decide_eq_true_eq] at h
    obtain ⟨low, high⟩ := hx
    rcases h with h | h
    · rintro rfl
      rw [← ofRat_zero] at low
      exact Std.not_lt.mpr low (ofRat_lt h)
    · rintro rfl
      rw [← ofRat_zero] at high
      exact Std.not_lt.mpr high (ofRat_lt h)

theorem ofRat_inverse {a : Rat} (h : a ≠ 0) : (ofRat a * ofRat a⁻¹ : S) = 1 := by
  rw [← ofRat_mul, Rat.mul_inv_cancel _ h, ofRat_one]

/-- Of numbers with the same sign the greater has the lesser inverse. -/
theorem inverse_le {x y u v : S} (sign : 0 < x * y) (le : x ≤ y) (hu : x * u = 1) (hv : y * v = 1) : v ≤ u := by
  rcases Std.le_total (a := v) (b := u) with h | h
  · exact h
  · have one := OrderedRing.mul_le_mul_of_nonneg_left h (Std.le_of_lt sign)
    have two : x * y * u = y := by grind
    have three : x * y * v = x := by grind
    have same : x = y := Std.le_antisymm le (by grind)
    have : u = v := by
      subst same
      have : u * (x * v) = v * (x * u) := by grind
      grind
    grind

theorem Holds.inverse {x : S} {i : Interval} (hx : i.Holds x) : i.inverse.Holds x⁻¹ := by
  cases i with
  | unknown => trivial
  | between a b =>
    show Holds _ (bif isNonzero (between a b) then between b⁻¹ a⁻¹ else unknown)
    cases known : isNonzero (between a b) with
    | false => trivial
    | true =>
      have unit := mul_inv x (hx.nonzero known)
      obtain ⟨low, high⟩ := hx
      show ofRat b⁻¹ ≤ x⁻¹ ∧ x⁻¹ ≤ ofRat a⁻¹
      simp only [isNonzero, Bool.or_eq_true, decide_eq_true_eq] at known
      have le : a ≤ b := by
        rcases Rat.le_total (a := a) (b := b) with h | h
        · exact h
        · by_cases same : a = b
          · exact same ▸ Rat.le_refl
          · exact absurd (Std.le_trans low high) (Std.not_le.mpr (ofRat_lt (by grind)))
      rcases known with h | h
      · have pa : (0 : S) < ofRat a := by rw [← ofRat_zero]; exact ofRat_lt h
        have px : (0 : S) < x := Std.lt_of_lt_of_le pa low
        have pb : (0 : S) < ofRat b := Std.lt_of_lt_of_le px high
        exact ⟨inverse_le (OrderedRing.mul_pos px pb) high unit (ofRat_inverse (by grind)),
          inverse_le (OrderedRing.mul_pos pa px) low (ofRat_inverse (by grind)) unit⟩
      · have nb : (ofRat b : S) < 0 := by rw [← ofRat_zero]; exact ofRat_lt h
        have nx : x < 0 := Std.lt_of_le_of_lt high nb
        have na : (ofRat a : S) < 0 := Std.lt_of_le_of_lt low nx
        exact ⟨inverse_le (OrderedRing.mul_pos_of_neg_of_neg nx nb) high unit (ofRat_inverse (by grind)),
          inverse_le (OrderedRing.mul_pos_of_neg_of_neg na nx) low (ofRat_inverse (by grind)) unit⟩

theorem Holds.floor {x : S} {i : Interval} (hx : i.Holds x) : i.floor.Holds (Scalar.floor x) := by
  cases i with
  | unknown => trivial
  | between a b =>
    refine ⟨le_floor _ _ (Std.le_trans (ofRat_le (Rat.floor_le a)) hx.1), floor_le _ _ ?_⟩
    have : (ofRat b : S) < ofRat ((b.floor : Rat) + 1) := ofRat_lt (by have := Rat.lt_floor_add_one b; rw [Rat.intCast_add] at this; exact this)
    exact Std.lt_of_le_of_lt hx.2 this

theorem Holds.ifLess {x y u v : S} {i j yes no : Interval} (hx : i.Holds x) (hy : j.Holds y) (hu : yes.Holds u)
    (hv : no.Holds v) : (i.ifLess j yes no).Holds (bif Scalar.less x y then u else v) := by
  have either : (yes.hull no).Holds (bif Scalar.less x y then u else v) := by
    cases Scalar.less x y with
    | true => exact hu.hull_left _
    | false => exact hv.hull_right _
  cases i <;> cases j <;> try exact either
  rename_i a b c d
  show Holds _ (bif decide (b < c) then yes else bif decide (d ≤ a) then no else yes.hull no)
  by_cases sure : b < c
  · have : (ofRat b : S) < ofRat c := ofRat_lt sure
    have less : Scalar.less x y = true := (less_iff x y).mpr (Std.lt_of_le_of_lt hx.2 (Std.lt_of_lt_of_le this hy.1))
    rw [decide_eq_true sure, cond_true, less]
    exact hu
  · rw [decide_eq_false sure, cond_false]
    by_cases never : d ≤ a
    · have : (ofRat d : S) ≤ ofRat a := ofRat_le never
      have less : Scalar.less x y = false := by
        cases e : Scalar.less x y with
        | false => rfl
        | true =>
          exact absurd ((less_iff x y).mp e) (Std.not_lt.mpr (Std.le_trans hy.2 (Std.le_trans this hx.1)))
      rw [decide_eq_true never, cond_true, less]
      exact hv
    · rw [decide_eq_false never, cond_false]
      exact either

theorem Holds.signed {x : S} {i : Interval} (negated : Bool) (hx : i.Holds x) :
    (i.signed negated).Holds (bif negated then -x else x) := by
  cases negated with
  | true => exact hx.negative
  | false => exact hx

end Interval

/-- The rational numbers themselves. -/
instance : OrderedScalar Rat where
  ofRat x := x
  ofRat_zero := rfl
  ofRat_one := rfl
  ofRat_add _ _ := rfl
  ofRat_mul _ _ := rfl
  ofRat_le h := h
  less_iff x y := decide_eq_true_iff
  le_floor n x h := by
    have : n ≤ x.floor := Rat.le_floor_iff.mpr h
    show (n : Rat) ≤ (x.floor : Rat)
    exact_mod_cast this
  floor_le n x h := by
    have : x.floor < n + 1 := Rat.floor_lt_iff.mpr (by exact_mod_cast h)
    show (x.floor : Rat) ≤ (n : Rat)
    have : x.floor ≤ n := by omega
    exact_mod_cast this
  mul_inv x h := Rat.mul_inv_cancel x h

end Adjudge
