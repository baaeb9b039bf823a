module

public import Adjudge.Functions.Enclosure
public import Adjudge.Intervals.Verdict

/-!
# What is asked of elementary functions

`Adjudge.Functions.Enclosure` says what it means that a function's value and slope at a rational number lie between
two rational numbers. What they are between such points is said by two facts of analysis: the sine and the cosine
change by no more than their argument, and the other functions, and their slopes, only rise or only fall on each side
of zero. `Functions.AreElementary` asks these of functions and nothing else, on any ordered field; of the real
numbers' functions all of it holds, which needs real numbers to be said.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind Interval OrderedScalar

/-- Whether the function is the sine or the cosine. -/
def Elementary.isWave : Elementary → Bool
  | .sin | .cos => true
  | _ => false

/-- That value and slope at a number lie between two numbers each. -/
def Elementary.near (f : Elementary) (x low high least most : Rat) : Lying :=
  (f.lying x low high).and (f.slopeLying x least most)

/--
That value and slope are in a row's intervals wherever the argument is in its: of the sine and the cosine, that they
are by so much at the middle; of the others, that they are at both ends, and at zero if it is between them.
-/
def FunctionRow.near (row : FunctionRow) : Lying :=
  match row.arguments, row.value, row.slopes with
  | [.between u v], .between a b, [.between p q] =>
    bif decide (u = v) then row.f.near u a b p q
    else bif row.f.isWave then
      let c := (u + v) / 2
      let r := (v - u) / 2
      row.f.near c (a + r) (b - r) (p + r) (q - r)
    else
      (row.f.near u a b p q).and
        ((row.f.near v a b p q).and
          (bif decide (u < 0) && decide (0 < v) then row.f.near 0 a b p q else ⟨true, []⟩))
  | _, _, _ => .never

/-- The rows but those from `first` to before `last`. -/
def rowsBeside (rows : List FunctionRow) (first last : Nat) : List FunctionRow := rows.take first ++ rows.drop last

/-- Whether the rows `first, …, last - 1` are seen to be ones of the elementary functions. -/
def FunctionsSeen (rows : List FunctionRow) (first last : Nat) : Prop :=
  every (fun row => row.near.isSeen) ((rows.drop first).take (last - first)) = true

instance (rows : List FunctionRow) (first last : Nat) : Decidable (FunctionsSeen rows first last) :=
  inferInstanceAs (Decidable (_ = true))

variable {S : Type} [OrderedScalar S]

/-- The slope of a function of one argument. -/
def Functions.slope (F : Functions S) (f : Elementary) (x : S) : S := slopeAt (F.slopes f [x]) 0

/-- All that is asked of functions that are to be the elementary ones. -/
structure Functions.AreElementary (F : Functions S) : Prop where
  /-- A function of one argument has one slope. -/
  single (f : Elementary) (x : S) : f.arity = 1 → (F.slopes f [x]).length = 1
  /-- Value and slope at a rational number are where the series say. -/
  near (f : Elementary) (x low high least most : Rat) : (f.near x low high least most).Holds →
    (between low high).Holds (F.value f [ofRat x]) ∧ (between least most).Holds (F.slope f (ofRat x))
  /-- On each side of zero, where a function is at both ends, what is at both ends is between them. -/
  monotone (f : Elementary) (u v low high least most : Rat) (x : S) : f.isWave = false → 0 ≤ u ∨ v ≤ 0 →
    (f.near u low high least most).Holds → (f.near v low high least most).Holds → ofRat u ≤ x → x ≤ ofRat v →
    (between low high).Holds (F.value f [x]) ∧ (between least most).Holds (F.slope f x)
  /-- The sine and the cosine, and their slopes, change by no more than the argument. -/
  smooth (f : Elementary) (c r : Rat) (x : S) : f.isWave = true → ofRat (c - r) ≤ x → x ≤ ofRat (c + r) →
    (F.value f [ofRat c] - ofRat r ≤ F.value f [x] ∧ F.value f [x] ≤ F.value f [ofRat c] + ofRat r)
      ∧ (F.slope f (ofRat c) - ofRat r ≤ F.slope f x ∧ F.slope f x ≤ F.slope f (ofRat c) + ofRat r)

/--
For all functions that are elementary and have what the other rows say, on every ordered field: the evaluation and
backpropagation of the graph from what is given are in the intervals, and each answer is as far from them as it says.
-/
def Program.Decides (p : Program) (rows : List FunctionRow) (given : Given) (e : Enclosure) (answers : List Answer)
    (first last : Nat) : Prop :=
  ∀ (S : Type) [OrderedScalar S] (F : Functions S), F.AreElementary → F.Meets (rowsBeside rows first last) →
    ∃ r : Run S, r.inputs = lifted S given.inputs ∧ r.environment = lifted S given.environment
      ∧ r.seed = lifted S given.seed ∧ p.RunsWith F r
      ∧ (∀ id < p.size, Lie (r.values.getD id []) (e.values.getD id [])
        ∧ Lie (r.cotangents.getD id []) (e.cotangents.getD id []))
      ∧ ∀ answer ∈ answers, answer.Holds r

theorem Lying.and_holds {one other : Lying} (h : (one.and other).Holds) : one.Holds ∧ other.Holds := by
  obtain ⟨condition, bounds⟩ := h
  simp only [Lying.and, Bool.and_eq_true, List.mem_append] at condition bounds
  exact ⟨⟨condition.1, fun bound mem => bounds bound (Or.inl mem)⟩,
    ⟨condition.2, fun bound mem => bounds bound (Or.inr mem)⟩⟩

/-- What is said of a function is said of one argument. -/
theorem Elementary.arity_of_near {f : Elementary} {x low high least most : Rat}
    (h : (f.near x low high least most).Holds) : f.arity = 1 := by
  have condition := (Lying.and_holds h).1.1
  cases f <;> first | rfl | (simp [Elementary.lying, Lying.never] at condition)

omit [OrderedScalar S] in
theorem slopes_eq [Scalar S] {slopes : List S} (single : slopes.length = 1) : slopes = [slopeAt slopes 0] := by
  match slopes, single with
  | [_], _ => rfl

theorem ofRat_sub (a b : Rat) : (ofRat (a - b) : S) = ofRat a - ofRat b := by
  rw [Rat.sub_eq_add_neg, ofRat_add, ofRat_negative]
  grind

/-- Elementary functions meet a row that is near them. -/
theorem FunctionRow.near_meets {F : Functions S} (elementary : F.AreElementary) {row : FunctionRow}
    (near : row.near.Holds) (arguments : List S) (lie : Lie arguments row.arguments) :
    row.value.Holds (F.value row.f arguments) ∧ Lie (F.slopes row.f arguments) row.slopes := by
  obtain ⟨f, known, value, slopes⟩ := row
  unfold FunctionRow.near at near
  simp only at near lie
  split at near
  case h_2 => exact absurd near.1 (by simp [Lying.never])
  next u v a b p q =>
  match arguments, lie with
  | [x], lie =>
  obtain ⟨⟨low, high⟩, -⟩ := lie
  suffices h : f.arity = 1 ∧ (between a b).Holds (F.value f [x]) ∧ (between p q).Holds (F.slope f x) by
    refine ⟨h.2.1, ?_⟩
    show Lie (F.slopes f [x]) _
    rw [slopes_eq (elementary.single f x h.1)]
    exact ⟨h.2.2, trivial⟩
  by_cases point : u = v
  · rw [decide_eq_true point, cond_true] at near
    subst point
    have : x = ofRat u := Std.le_antisymm high low
    rw [this]
    exact ⟨f.arity_of_near near, elementary.near f u a b p q near⟩
  · rw [decide_eq_false point, cond_false] at near
    cases wave : f.isWave with
    | true =>
      rw [wave, cond_true] at near
      have at_middle := elementary.near f _ _ _ _ _ near
      have left : (u + v) / 2 - (v - u) / 2 = u := by grind
      have right : (u + v) / 2 + (v - u) / 2 = v := by grind
      have close := elementary.smooth f ((u + v) / 2) ((v - u) / 2) x wave (by rw [left]; exact low)
        (by rw [right]; exact high)
      refine ⟨f.arity_of_near near, ?_⟩
      simp only [Holds, ofRat_add, ofRat_sub] at at_middle ⊢
      constructor <;> constructor <;> grind
    | false =>
      rw [wave, cond_false] at near
      obtain ⟨at_low, near⟩ := Lying.and_holds near
      obtain ⟨at_high, at_zero⟩ := Lying.and_holds near
      refine ⟨f.arity_of_near at_low, ?_⟩
      cases astride : decide (u < 0) && decide (0 < v) with
      | false =>
        refine elementary.monotone f u v a b p q x wave ?_ at_low at_high low high
        rw [Bool.and_eq_false_iff, decide_eq_false_iff_not, decide_eq_false_iff_not] at astride
        grind
      | true =>
        rw [astride, cond_true] at at_zero
        rcases Std.le_total (a := (ofRat 0 : S)) (b := x) with side | side
        · exact elementary.monotone f 0 v a b p q x wave (Or.inl (Rat.le_refl)) at_zero at_high side high
        · exact elementary.monotone f u 0 a b p q x wave (Or.inr (Rat.le_refl)) at_low at_zero low side

/-- Rows that are seen to be ones of the elementary functions need not be asked of them. -/
theorem decides_of_judges {p : Program} {rows : List FunctionRow} {given : Given} {e : Enclosure}
    {answers : List Answer} {first last : Nat} (judges : p.Judges rows given e answers)
    (seen : FunctionsSeen rows first last) : p.Decides rows given e answers first last := by
  intro S _ F elementary meets
  refine judges S F fun row mem => ?_
  rw [FunctionsSeen, every_eq, List.all_eq_true] at seen
  rw [← List.take_append_drop first rows, List.mem_append] at mem
  rcases mem with mem | mem
  · exact meets row (List.mem_append.mpr (Or.inl mem))
  · rw [← List.take_append_drop (last - first) (rows.drop first), List.mem_append] at mem
    rcases mem with mem | mem
    · exact FunctionRow.near_meets elementary (Lying.holds_of (seen row mem))
    · refine meets row (List.mem_append.mpr (Or.inr ?_))
      rw [List.drop_drop] at mem
      by_cases order : first ≤ last
      · rwa [show first + (last - first) = last by omega] at mem
      · rw [show first + (last - first) = last + (first - last) by omega, ← List.drop_drop] at mem
        exact List.mem_of_mem_drop mem

end Adjudge
