module

public import Adjudge.Functions.Graph
public import Adjudge.Functions.Series
public import Adjudge.Replay.Lists

/-!
# Enclosures of elementary functions

What it means that a function's value, and its slope, lie between two rational numbers: statements about the
series of `exp`, `sin`, `cos`, `sinh` and `cosh`, in which the other functions are inverse ones or quotients. Each
is decided by a look at finitely many terms. Where a function is missing here, `False` is claimed of it, which
nothing proves.
-/

@[expose] public noncomputable section

namespace Adjudge

/-- `eˣ = 1 + x + x²/2! + …` -/
def exps (x : Rat) : Series := ⟨1, x, .one⟩

/-- `sin x = x - x³/3! + …` -/
def sins (x : Rat) : Series := ⟨x, -(x * x), .odd⟩

/-- `cos x = 1 - x²/2! + …` -/
def coss (x : Rat) : Series := ⟨1, -(x * x), .even⟩

/-- `sinh x = x + x³/3! + …` -/
def sinhs (x : Rat) : Series := ⟨x, x * x, .odd⟩

/-- `cosh x = 1 + x²/2! + …` -/
def coshs (x : Rat) : Series := ⟨1, x * x, .even⟩

/-- What is said of one series: that it is at least, or at most, a number. -/
inductive Bound where
  | atLeast (s : Series) (a : Rat)
  | atMost (s : Series) (b : Rat)

/-- That it is. -/
def Bound.Holds : Bound → Prop
  | atLeast s a => s.AtLeast a
  | atMost s b => s.AtMost b

/-- Whether it is seen to be. -/
def Bound.isSeen : Bound → Bool
  | atLeast s a => s.isAtLeast a
  | atMost s b => s.isAtMost b

theorem Bound.holds_of {bound : Bound} (h : bound.isSeen = true) : bound.Holds := by
  cases bound with
  | atLeast s a => exact s.atLeast_of h
  | atMost s b => exact s.atMost_of h

/-- A condition on rational numbers alone, and bounds of series: what a value between two numbers comes down to. -/
structure Lying where
  condition : Bool
  bounds : List Bound

/-- That condition and bounds hold. -/
def Lying.Holds (lying : Lying) : Prop := lying.condition = true ∧ ∀ bound ∈ lying.bounds, bound.Holds

/-- Whether they are seen to hold. -/
def Lying.isSeen (lying : Lying) : Bool := lying.condition && every Bound.isSeen lying.bounds

/-- Nothing that holds. -/
def Lying.never : Lying := ⟨false, []⟩

/-- That a series is between two numbers. -/
def Series.lying (s : Series) (low high : Rat) : Lying := ⟨true, [.atLeast s low, .atMost s high]⟩

/-- That `x` is between the values of two series, as where an increasing function is inverse to theirs. -/
def betweenSeries (low : Series) (x : Rat) (high : Series) (condition : Bool) : Lying :=
  ⟨condition, [.atMost low x, .atLeast high x]⟩

/-- What a series is seen to be at least, a dyadic number so that it is short. -/
def Series.lower (s : Series) : Rat :=
  mkRat ((s.total s.depth - s.left s.depth) * (2 ^ 100 : Nat) / s.common s.depth) (2 ^ 100)

/-- What a series is seen to be at most. -/
def Series.upper (s : Series) : Rat :=
  mkRat (-(-(s.total s.depth + s.left s.depth) * (2 ^ 100 : Nat) / s.common s.depth)) (2 ^ 100)

/-- That the cosine of an angle is more than nothing, the angle being within a right one: no more than 2. -/
def Lying.acute (angle : Rat) : Lying := ⟨decide (-2 ≤ angle ∧ angle ≤ 2), [.atLeast (coss angle) (mkRat 1 (10 ^ 20))]⟩

/-- That `q ≤ tan angle` for an acute angle: `q cos angle ≤ sin angle`. -/
def Lying.tanAtLeast (angle q : Rat) : Lying :=
  ⟨decide (q * (if 0 ≤ q then (coss angle).upper else (coss angle).lower) ≤ (sins angle).lower),
    [.atLeast (coss angle) (coss angle).lower, .atMost (coss angle) (coss angle).upper,
      .atLeast (sins angle) (sins angle).lower]⟩

/-- That `tan angle ≤ q` for an acute angle: `sin angle ≤ q cos angle`. -/
def Lying.tanAtMost (angle q : Rat) : Lying :=
  ⟨decide ((sins angle).upper ≤ q * (if 0 ≤ q then (coss angle).lower else (coss angle).upper)),
    [.atLeast (coss angle) (coss angle).lower, .atMost (coss angle) (coss angle).upper,
      .atMost (sins angle) (sins angle).upper]⟩

/-- Both. -/
def Lying.and (one other : Lying) : Lying := ⟨one.condition && other.condition, one.bounds ++ other.bounds⟩

/--
That the value of a function at `x` is between two numbers.

- `log x` is between `low` and `high` if `x` is between `exp low` and `exp high`; so are `asinh`, `acosh`, `atanh`.
- `√x` is, if `low² ≤ x ≤ high²`.
- `tanh x = (E - 1) / (E + 1)` with `E = exp (2 x)` is, if `(1 + low) / (1 - low) ≤ E ≤ (1 + high) / (1 - high)`.
- `tan x` of an acute `x` is, if `low cos x ≤ sin x ≤ high cos x`.
- `atan x` is, if `low` and `high` are acute angles with `tan low ≤ x ≤ tan high`; `asin x`, with their sines.
- `acos x` is, if `0 ≤ low`, `high ≤ 4`, their sines are more than nothing, and `cos high ≤ x ≤ cos low`.
-/
def Elementary.lying (f : Elementary) (x low high : Rat) : Lying :=
  match f with
  | .exp => (exps x).lying low high
  | .expm1 => (exps x).lying (low + 1) (high + 1)
  | .sin => (sins x).lying low high
  | .cos => (coss x).lying low high
  | .sinh => (sinhs x).lying low high
  | .cosh => (coshs x).lying low high
  | .log => betweenSeries (exps low) x (exps high) (decide (0 < x))
  | .log1p => betweenSeries (exps low) (1 + x) (exps high) (decide (-1 < x))
  | .asinh => betweenSeries (sinhs low) x (sinhs high) true
  | .acosh => betweenSeries (coshs low) x (coshs high) (decide (1 ≤ x ∧ 0 ≤ low))
  | .atanh =>
    betweenSeries (exps (2 * low)) ((1 + x) / (1 - x)) (exps (2 * high)) (decide (-1 < x ∧ x < 1))
  | .sqrt => ⟨decide (0 ≤ x ∧ 0 ≤ high ∧ x ≤ high * high ∧ (low ≤ 0 ∨ low * low ≤ x)), []⟩
  | .tanh =>
    ⟨decide (-1 < low ∧ low < 1 ∧ -1 < high ∧ high < 1),
      [.atLeast (exps (2 * x)) ((1 + low) / (1 - low)), .atMost (exps (2 * x)) ((1 + high) / (1 - high))]⟩
  | .tan => (Lying.acute x).and ((Lying.tanAtLeast x low).and (.tanAtMost x high))
  | .atan => ((Lying.acute low).and (.acute high)).and ((Lying.tanAtMost low x).and (.tanAtLeast high x))
  | .asin => ((Lying.acute low).and (.acute high)).and (betweenSeries (sins low) x (sins high) true)
  | .acos =>
    ⟨decide (0 ≤ low ∧ high ≤ 4),
      [.atLeast (sins low) (mkRat 1 (10 ^ 20)), .atLeast (sins high) (mkRat 1 (10 ^ 20)),
        .atMost (coss high) x, .atLeast (coss low) x]⟩
  | _ => .never

/--
That the slope of a function at `x` is between two numbers: `exp' = exp`, `sin' = cos`, `cos' = -sin`,
`log' x = 1/x`, `√' x = 1/(2 √x)`, `atan' x = 1/(1 + x²)`, `asinh' x = 1/√(1 + x²)`. That of `tanh` is `1/cosh²`,
and `2 cosh² x = 1 + cosh (2 x)`, so that it is between them if `cosh (2 x)` is between `2/high - 1` and
`2/low - 1`; and `tan' = 1/cos²` likewise.
-/
def Elementary.slopeLying (f : Elementary) (x low high : Rat) : Lying :=
  match f with
  | .exp | .expm1 => (exps x).lying low high
  | .sin => (coss x).lying low high
  | .cos => (sins x).lying (-high) (-low)
  | .sinh => (coshs x).lying low high
  | .cosh => (sinhs x).lying low high
  | .log => ⟨decide (0 < x ∧ low ≤ x⁻¹ ∧ x⁻¹ ≤ high), []⟩
  | .log1p => ⟨decide (-1 < x ∧ low ≤ (1 + x)⁻¹ ∧ (1 + x)⁻¹ ≤ high), []⟩
  | .atan => ⟨decide (low ≤ (1 + x * x)⁻¹ ∧ (1 + x * x)⁻¹ ≤ high), []⟩
  | .atanh => ⟨decide (-1 < x ∧ x < 1 ∧ low ≤ (1 - x * x)⁻¹ ∧ (1 - x * x)⁻¹ ≤ high), []⟩
  | .sqrt => reciprocal x (2 * low) (2 * high)
  | .asinh => reciprocal (1 + x * x) low high
  | .acosh => reciprocal (x * x - 1) low high
  | .asin => reciprocal (1 - x * x) low high
  | .acos => reciprocal (1 - x * x) (-high) (-low)
  | .tanh => half (coshs (2 * x)) low high
  | .tan => half (coss (2 * x)) low high
  | _ => .never
where
  /-- `1/√y` is between them. -/
  reciprocal (y low high : Rat) : Lying :=
    ⟨decide (0 < y ∧ 0 < high ∧ 1 ≤ high * high * y ∧ (low ≤ 0 ∨ low * low * y ≤ 1)), []⟩
  /-- `2/(1 + c)` is between them, for the number `c` of a series, which is more than `-1`. -/
  half (c : Series) (low high : Rat) : Lying :=
    ⟨decide (0 < low ∧ 0 < high), [.atLeast c (2 / high - 1), .atMost c (2 / low - 1)]⟩

theorem Lying.holds_of {lying : Lying} (h : lying.isSeen = true) : lying.Holds := by
  rw [isSeen, Bool.and_eq_true, every_eq, List.all_eq_true] at h
  exact ⟨h.1, fun bound mem => Bound.holds_of (h.2 bound mem)⟩

/-- One part in `2 ^ 60` of a number, or of 1 where that is more. -/
def marginOf (v : Rat) : Rat := (if v < 0 then 1 - v else 1 + v) * mkRat 1 (2 ^ 60)

/-- That value and slope of a row are near those of the function, by `marginOf`. -/
def TableRow.lying (row : TableRow Rat) : Lying :=
  match row.arguments, row.slopes with
  | [x], [slope] =>
    (row.f.lying x (row.value - marginOf row.value) (row.value + marginOf row.value)).and
      (row.f.slopeLying x (slope - marginOf slope) (slope + marginOf slope))
  | _, _ => .never

/-- The rows `first, …, last - 1` of a table. -/
def rowsBetween (table : List (TableRow Rat)) (first last : Nat) : List (TableRow Rat) :=
  (table.drop first).take (last - first)

/-- That the rows `first, …, last - 1` are near the elementary functions. -/
def TableTrue (table : List (TableRow Rat)) (first last : Nat) : Prop :=
  last ≤ table.length ∧ ∀ row ∈ rowsBetween table first last, row.lying.Holds

/-- Whether the rows `first, …, last - 1` are seen to be near the elementary functions. -/
def TableSeen (table : List (TableRow Rat)) (first last : Nat) : Prop :=
  (Nat.ble last table.length && every (fun row => row.lying.isSeen) (rowsBetween table first last)) = true

instance (table : List (TableRow Rat)) (first last : Nat) : Decidable (TableSeen table first last) :=
  inferInstanceAs (Decidable (_ = true))

/-- What is seen is so. -/
theorem tableTrue_of {table : List (TableRow Rat)} {first last : Nat} (seen : TableSeen table first last) :
    TableTrue table first last := by
  rw [TableSeen, Bool.and_eq_true, every_eq, List.all_eq_true] at seen
  exact ⟨Nat.le_of_ble_eq_true seen.1, fun row mem => Lying.holds_of (seen.2 row mem)⟩

end Adjudge
