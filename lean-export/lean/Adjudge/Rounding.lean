module

public import Adjudge.Quire
public import Adjudge.Replay.Lists

/-!
# Runs that round

A float or a posit is a fraction, so an engine's run is a list of fractions beside the exact run from the same
inputs. `RunningError` says what an operation may round, `RoundingsHold` that the engine rounds floats no
more, or posits exactly so, and `BoundsDerived` that its bounds are that and the operands' errors, rounded up
to a short number: nobody chooses them. `Within` follows: each number of the engine is within its bound of the
true one.
-/

@[expose] public noncomputable section

namespace Adjudge

/-- The absolute value. -/
def magnitude (x : Rat) : Rat := if x < 0 then -x else x

/--
A sum of terms, which are numbers or their products and quotients, where each number is known up to a bound:
what running error analysis knows of it.
-/
structure RunningError where
  /-- The exact sum of what the engine was given. -/
  exact : Rat
  /-- The sum of the magnitudes of the terms. -/
  magnitudes : Rat
  /-- How far the sum may be from that of the true numbers. -/
  propagated : Rat
  terms : Nat
  /-- How many roundings there are in a term, at most. -/
  depth : Nat
  /--
  The sum over the terms of the product of `1 + |x|` for each factor `x` and `(1 + 1 / |y|) ^ 2` for each
  divisor `y`. An underflow is by less than the smallest number, and those in a term together cost less than
  this many of it, in whatever order the term is multiplied and divided without overflow: also where `y * y`
  underflows, which puts `1 / (y * y)` off by less than `1 / y ^ 4` of it.
  -/
  weight : Rat

namespace RunningError

/-- No terms. -/
def none : RunningError := ⟨0, 0, 0, 0, 0, 0⟩

/-- A number of the engine's and its bound. A zero that is surely one is no term: to add it is exact. -/
def known (x bound : Rat) : RunningError :=
  if x = 0 ∧ bound = 0 then none else ⟨x, magnitude x, bound, 1, 0, 1 + magnitude x⟩

/-- All terms of both. -/
def add (x y : RunningError) : RunningError :=
  ⟨x.exact + y.exact, x.magnitudes + y.magnitudes, x.propagated + y.propagated, x.terms + y.terms,
    max x.depth y.depth, x.weight + y.weight⟩

/-- The depth of so many terms after a rounding more in each. -/
def deeper (terms depth : Nat) : Nat := bif Nat.beq terms 0 then 0 else depth + 1

/-- The product: of each term with each. -/
def mul (x y : RunningError) : RunningError :=
  ⟨x.exact * y.exact, x.magnitudes * y.magnitudes,
    x.magnitudes * y.propagated + x.propagated * y.magnitudes + x.propagated * y.propagated,
    x.terms * y.terms, deeper (x.terms * y.terms) (x.depth + y.depth), x.weight * y.weight⟩

/-- Whether the true number is surely not zero. -/
def isNonzero (y : RunningError) : Bool := decide (y.propagated < magnitude y.exact)

/--
The quotient by a number that surely is not zero. Where `X` and `Y` are the true numbers,
`x / y - X / Y = ((x - X) + x / y * (Y - y)) / Y`, and `Y` is not nearer to zero than `|y|` less its bound.
-/
def div (x y : RunningError) : RunningError :=
  let divisor := magnitude y.exact
  let quotients := x.magnitudes / divisor
  ⟨x.exact / y.exact, quotients, (x.propagated + quotients * y.propagated) / (divisor - y.propagated), x.terms,
    deeper x.terms x.depth, x.weight * ((1 + 1 / divisor) * (1 + 1 / divisor))⟩

/-- A number or its negative. -/
def signed (negated : Bool) (x : RunningError) : RunningError :=
  bif negated then { x with exact := -x.exact } else x

/-- The sum of a list. -/
def total : List RunningError → RunningError
  | [] => none
  | x :: rest => x.add (total rest)

/--
How far an engine that rounds correctly with unit roundoff `unit` may be from an exact sum, in whatever order
it adds: nothing where it moves one number, one rounding where it rounds once, else `γ ∑|terms|`. Products and
quotients may underflow by less than the smallest number, several in a term by less than its weight.
-/
def allowance (unit smallest : Rat) (x : RunningError) : Rat :=
  let underflows : Rat := match x.depth with
    | 0 => 0
    | 1 => x.terms
    | _ => x.weight
  match (x.terms - 1) + x.depth with
  | 0 => 0
  | 1 => unit * magnitude x.exact + underflows * smallest
  | n => n * unit / (1 - n * unit) * x.magnitudes + underflows * smallest

end RunningError

/-- What an engine computes in. -/
inductive Arithmetic where
  /-- Floats of this unit roundoff and smallest number, added in whatever order. -/
  | float (unit smallest : Rat)
  /-- Posits of this format, added in a quire. -/
  | posit (format : Posit.Format)

/-- What an engine computed, and how far it may be from the true numbers: by id. -/
structure Engine where
  arithmetic : Arithmetic
  values : List (List Rat)
  cotangents : List (List Rat)
  valueBounds : List (List Rat)
  cotangentBounds : List (List Rat)

/-- The element with its bound. -/
def knownAt (numbers bounds : List Rat) (position : Nat) : RunningError :=
  .known (element numbers position) (element bounds position)

/-- The terms of the elements of the value, each under its position. -/
def FlatTerm.analysed (value : Nat → Nat → RunningError) (term : FlatTerm) : List (Nat × RunningError) :=
  mapped (fun move => (move.1, (value term.operand move.2).signed term.negated)) term.moves

/-- For each position below `n` the analysis of what the pairs have there. -/
def analysed (n : Nat) (pairs : List (Nat × RunningError)) : List RunningError :=
  distributed (fun position all => .total (under position all)) 0 n pairs

/--
What is rounded in the elements of the value; `value` is of the operands, `environment` of `Δ`. Nothing is
known of quotients where a divisor may be zero.
-/
def FlatForm.analysis (environment : Nat → List Rat) (value : Nat → Nat → RunningError) (size : Nat) :
    FlatForm → List RunningError
  | constant entry => mapped (.known · 0) (environment entry)
  | literal number => mapped (fun i => .known (natural (number i)) 0) (numbersBetween 0 size)
  | linear terms | detached terms => analysed size (joined (FlatTerm.analysed value) terms)
  | bilinear left right products =>
    analysed size
      (mapped (fun product => (product.1, (value left product.2.1).mul (value right product.2.2))) products)
  | quotient left right =>
    let positions := numbersBetween 0 size
    bif every (fun i => (value right i).isNonzero) positions then
      mapped (fun i => (value left i).div (value right i)) positions
    else []
  -- Nothing is known of a choice between numbers that are known up to an error.
  | pointwise .. => []

/-- The terms of the cotangent that operand `id` gets, by position; the value has `size` elements. -/
def FlatForm.pulledBackAnalysis (value : Nat → Nat → RunningError) (cotangent : Nat → RunningError) (size id : Nat) :
    FlatForm → List (Nat × RunningError)
  | constant _ | detached _ => []
  | literal _ => []
  | linear terms =>
    joined
      (fun term =>
        bif Nat.beq term.operand id then
          mapped (fun move => (move.2, (cotangent move.1).signed term.negated)) term.moves
        else [])
      terms
  | bilinear left right products =>
    appended
      (bif Nat.beq left id then
        mapped (fun product => (product.2.1, (cotangent product.1).mul (value right product.2.2))) products
      else [])
      (bif Nat.beq right id then
        mapped (fun product => (product.2.2, (value left product.2.1).mul (cotangent product.1))) products
      else [])
  | quotient left right =>
    appended
      (bif Nat.beq left id then
        mapped (fun i => (i, (cotangent i).div (value right i))) (numbersBetween 0 size)
      else [])
      (bif Nat.beq right id then
        mapped
          (fun i => (i, (((cotangent i).mul ((value left i).div (value right i))).div (value right i)).signed true))
          (numbersBetween 0 size)
      else [])
  | pointwise .. => []

/-- The engine's value of an id, with its bound. -/
def Engine.valueAt (e : Engine) (p : Program) (id : Nat) : Nat → RunningError :=
  knownAt (p.listed e.values id) (p.listed e.valueBounds id)

/-- The engine's cotangent of an id, with its bound. -/
def Engine.cotangentAt (e : Engine) (p : Program) (id : Nat) : Nat → RunningError :=
  knownAt (p.listed e.cotangents id) (p.listed e.cotangentBounds id)

/-- What is rounded in the value of an id: nothing in an input's. -/
def Engine.valueAnalysis (e : Engine) (p : Program) (r : Run Rat) (id : Nat) : List RunningError :=
  bif Nat.blt id p.inputs.length then
    mapped (.known · 0) (entryWithin [] (depthOf p.inputs.length) r.inputs id)
  else
    match p.formOf? id with
    | some (τ, form) =>
      form.analysis (entryWithin [] (depthOf p.environment.length) r.environment) (e.valueAt p) (volume τ)
    | none => []

/-- What is rounded in what a later node adds to the cotangent of an id. -/
def Engine.pulledBackAnalysis (e : Engine) (p : Program) (id reader : Nat) : List (Nat × RunningError) :=
  match p.formOf? reader with
  | some (τ, form) => form.pulledBackAnalysis (e.valueAt p) (e.cotangentAt p reader) (volume τ) id
  | none => []

/-- What is rounded in the cotangent of an id: its seed and what the nodes that read it pull back. -/
def Engine.cotangentAnalysis (e : Engine) (p : Program) (r : Run Rat) (id : Nat) (readers : List Nat) :
    List RunningError :=
  List.zipWith .add (mapped (.known · 0) (p.listed r.seed id))
    (analysed (volume (p.shapeOf id)) (joined (e.pulledBackAnalysis p id) readers))

/-- Whether each element was rounded no more than a float may be. -/
def roundsWell (unit smallest : Rat) : List RunningError → List Rat → Bool
  | [], [] => true
  | x :: analysis, y :: numbers =>
    decide (magnitude (y - x.exact) ≤ x.allowance unit smallest) && roundsWell unit smallest analysis numbers
  | _, _ => false

/-- Whether the engine's value of an id is rounded as it has to be. -/
def Engine.valueRounds (e : Engine) (p : Program) (r : Run Rat) (id : Nat) : Bool :=
  match e.arithmetic with
  | .float unit smallest => roundsWell unit smallest (e.valueAnalysis p r id) (p.listed e.values id)
  | .posit format =>
    agree (mapped (fun x => Posit.rounded format x.exact) (e.valueAnalysis p r id)) (p.listed e.values id)

/-- Whether the engine's cotangent of an id is. -/
def Engine.cotangentRounds (e : Engine) (p : Program) (r : Run Rat) (id : Nat) (readers : List Nat) : Bool :=
  match e.arithmetic with
  | .float unit smallest => roundsWell unit smallest (e.cotangentAnalysis p r id readers) (p.listed e.cotangents id)
  | .posit format =>
    agree (p.quireCotangent (Posit.rounded format) r.seed e.values e.cotangents id readers) (p.listed e.cotangents id)

/-- How far an engine's number may be from the exact sum of what it was given; of posits, how far it is. -/
def Arithmetic.distance (x : RunningError) (y : Rat) : Arithmetic → Rat
  | .float unit smallest => x.allowance unit smallest
  | .posit _ => magnitude (y - x.exact)

/-- What a bound of 12 bits is a multiple of: a power of two. -/
def stepOf (x : Rat) : Rat :=
  let high := x.num.natAbs.log2
  let low := x.den.log2 + 12
  bif Nat.blt low high then ((2 ^ (high - low) : Nat) : Rat) else 1 / ((2 ^ (low - high) : Nat) : Rat)

/-- A short number not less than `x`. -/
def roundedUp (x : Rat) : Rat := (x / stepOf x).ceil * stepOf x

/-- Whether each bound is what is rounded and what the operands bring along, rounded up. -/
def Engine.derives (e : Engine) : List RunningError → List Rat → List Rat → Bool
  | [], [], [] => true
  | x :: analysis, y :: numbers, bound :: bounds =>
    decide (bound = roundedUp (e.arithmetic.distance x y + x.propagated)) && e.derives analysis numbers bounds
  | _, _, _ => false

/-- Whether the values of the ids `first, …, last - 1` are rounded as a correct engine may. -/
def RoundingsHold (p : Program) (r : Run Rat) (e : Engine) (first last : Nat) : Prop :=
  every (e.valueRounds p r) (numbersBetween first last) = true

/-- Whether the cotangents of the ids `first, …, last - 1` are rounded as a correct engine may. -/
def CotangentRoundingsHold (p : Program) (r : Run Rat) (e : Engine) (first last : Nat) : Prop :=
  every id (distributed (fun id edges => e.cotangentRounds p r id (under id edges)) first last p.edges) = true

/-- Whether the bounds of the values of the ids `first, …, last - 1` are the derived ones. -/
def BoundsDerived (p : Program) (r : Run Rat) (e : Engine) (first last : Nat) : Prop :=
  every (fun id => e.derives (e.valueAnalysis p r id) (p.listed e.values id) (p.listed e.valueBounds id))
    (numbersBetween first last) = true

/-- Whether the bounds of the cotangents of the ids `first, …, last - 1` are the derived ones. -/
def CotangentBoundsDerived (p : Program) (r : Run Rat) (e : Engine) (first last : Nat) : Prop :=
  every id
    (distributed
      (fun id edges =>
        e.derives (e.cotangentAnalysis p r id (under id edges)) (p.listed e.cotangents id)
          (p.listed e.cotangentBounds id))
      first last p.edges) = true

/-- An engine rounds every value and cotangent as a correct one may, and every bound is the derived one. -/
structure Engine.Rounds (e : Engine) (p : Program) (r : Run Rat) : Prop where
  values : RoundingsHold p r e 0 p.size
  cotangents : CotangentRoundingsHold p r e 0 p.size
  valueBounds : BoundsDerived p r e 0 p.size
  cotangentBounds : CotangentBoundsDerived p r e 0 p.size

/-- Whether two lists of numbers differ by at most the bounds, element by element. -/
def isNear : List Rat → List Rat → List Rat → Bool
  | [], [], [] => true
  | x :: xs, y :: ys, bound :: bounds => decide (magnitude (x - y) ≤ bound) && isNear xs ys bounds
  | _, _, _ => false

/-- The same of lists by id. -/
def areNear : List (List Rat) → List (List Rat) → List (List Rat) → Bool
  | [], [], [] => true
  | xs :: xss, ys :: yss, bounds :: rest => isNear xs ys bounds && areNear xss yss rest
  | _, _, _ => false

/-- Whether the engine's values are within their bounds of the exact run's. -/
def ValuesWithin (r : Run Rat) (e : Engine) : Prop := areNear e.values r.values e.valueBounds = true

/-- Whether the engine's cotangents are within their bounds of the exact run's. -/
def CotangentsWithin (r : Run Rat) (e : Engine) : Prop := areNear e.cotangents r.cotangents e.cotangentBounds = true

instance (p : Program) (r : Run Rat) (e : Engine) (first last : Nat) : Decidable (RoundingsHold p r e first last) :=
  inferInstanceAs (Decidable (_ = true))

instance (p : Program) (r : Run Rat) (e : Engine) (first last : Nat) :
    Decidable (CotangentRoundingsHold p r e first last) := inferInstanceAs (Decidable (_ = true))

instance (p : Program) (r : Run Rat) (e : Engine) (first last : Nat) : Decidable (BoundsDerived p r e first last) :=
  inferInstanceAs (Decidable (_ = true))

instance (p : Program) (r : Run Rat) (e : Engine) (first last : Nat) :
    Decidable (CotangentBoundsDerived p r e first last) := inferInstanceAs (Decidable (_ = true))

instance (r : Run Rat) (e : Engine) : Decidable (ValuesWithin r e) := inferInstanceAs (Decidable (_ = true))

instance (r : Run Rat) (e : Engine) : Decidable (CotangentsWithin r e) := inferInstanceAs (Decidable (_ = true))

/-- The number at a position of an id's list; zero where there is none. -/
def numberAt (numbers : List (List Rat)) (id position : Nat) : Rat := (numbers.getD id []).getD position 0

/-- Every value and every cotangent of the engine's is within its bound of the one of the exact run. -/
def Engine.IsNear (e : Engine) (r : Run Rat) : Prop :=
  ∀ id position,
    magnitude (numberAt e.values id position - numberAt r.values id position) ≤ numberAt e.valueBounds id position
      ∧ magnitude (numberAt e.cotangents id position - numberAt r.cotangents id position)
        ≤ numberAt e.cotangentBounds id position

theorem isNear_sound : (xs ys bounds : List Rat) → isNear xs ys bounds = true →
    ∀ position, magnitude (xs.getD position 0 - ys.getD position 0) ≤ bounds.getD position 0
  | [], [], [], _, _ => by simp only [List.getD_nil]; decide +kernel
  | x :: xs, y :: ys, bound :: bounds, h, position => by
    simp only [isNear, Bool.and_eq_true, decide_eq_true_eq] at h
    match position with
    | 0 => simpa using h.1
    | position + 1 => simpa using isNear_sound xs ys bounds h.2 position
  | [], [], _ :: _, h, _ | [], _ :: _, _, h, _ | _ :: _, [], _, h, _ | _ :: _, _ :: _, [], h, _ => by
    simp [isNear] at h

theorem areNear_sound : (xss yss bounds : List (List Rat)) → areNear xss yss bounds = true →
    ∀ id position, magnitude (numberAt xss id position - numberAt yss id position) ≤ numberAt bounds id position
  | [], [], [], _, _, _ => by simp only [numberAt, List.getD_nil]; decide +kernel
  | xs :: xss, ys :: yss, bounds :: rest, h, id, position => by
    simp only [areNear, Bool.and_eq_true] at h
    match id with
    | 0 => simpa [numberAt] using isNear_sound xs ys bounds h.1 position
    | id + 1 => simpa [numberAt] using areNear_sound xss yss rest h.2 id position
  | [], [], _ :: _, h, _, _ | [], _ :: _, _, h, _, _ | _ :: _, [], _, h, _, _ | _ :: _, _ :: _, [], h, _, _ => by
    simp [areNear] at h

/-- An engine whose values and cotangents are found within their bounds is near to the exact run. -/
theorem isNear_of_within {r : Run Rat} {e : Engine} (values : ValuesWithin r e) (cotangents : CotangentsWithin r e) :
    e.IsNear r := fun id position =>
  ⟨areNear_sound _ _ _ values id position, areNear_sound _ _ _ cotangents id position⟩

theorem stepOf_pos (x : Rat) : 0 < stepOf x := by
  have two (n : Nat) : (0 : Rat) < ((2 ^ n : Nat) : Rat) := by
    exact_mod_cast Nat.two_pow_pos n
  rw [stepOf]
  cases Nat.blt _ _ with
  | true => exact two _
  | false => simpa [Rat.div_def] using Rat.inv_pos.mpr (two _)

/-- A bound that is derived covers what it is derived from. -/
theorem le_roundedUp (x : Rat) : x ≤ roundedUp x := by
  have ceil (y : Rat) : y ≤ y.ceil := by
    have := Rat.floor_le (-y)
    rw [Rat.ceil_eq_neg_floor_neg, Rat.intCast_neg]
    grind
  have h := Rat.mul_le_mul_of_nonneg_right (ceil (x / stepOf x)) (Rat.le_of_lt (stepOf_pos x))
  rwa [Rat.div_mul_cancel (Ne.symm (Rat.ne_of_lt (stepOf_pos x)))] at h

section

variable {p : Program} {r : Run Rat} {e : Engine} {first middle last : Nat}

/-- What holds of the ids of two segments that meet holds of those of both. -/
theorem every_between (holds : Nat → Bool) (low : every holds (numbersBetween first middle) = true)
    (high : every holds (numbersBetween middle last) = true) : every holds (numbersBetween first last) = true := by
  simp only [every_eq, numbersBetween_eq, List.all_eq_true, List.mem_range'_1] at *
  exact fun id mem => if m : id < middle then low id ⟨mem.1, by omega⟩ else high id ⟨by omega, by omega⟩

/-- The same where each id is looked at with its readers. -/
theorem every_distributed {leaf : Nat → List (Nat × Nat) → Bool} (looks : LooksUnder leaf)
    {pairs : List (Nat × Nat)} (low : every id (distributed leaf first middle pairs) = true)
    (high : every id (distributed leaf middle last pairs) = true) :
    every id (distributed leaf first last pairs) = true := by
  simp only [every_eq, distributed_eq looks, List.all_map, List.all_eq_true, List.mem_range'_1] at *
  exact fun key mem => if m : key < middle then low key ⟨mem.1, by omega⟩ else high key ⟨by omega, by omega⟩

theorem RoundingsHold.trans (low : RoundingsHold p r e first middle) (high : RoundingsHold p r e middle last) :
    RoundingsHold p r e first last := every_between _ low high

theorem BoundsDerived.trans (low : BoundsDerived p r e first middle) (high : BoundsDerived p r e middle last) :
    BoundsDerived p r e first last := every_between _ low high

theorem CotangentRoundingsHold.trans (low : CotangentRoundingsHold p r e first middle)
    (high : CotangentRoundingsHold p r e middle last) : CotangentRoundingsHold p r e first last :=
  every_distributed (fun id edges edges' h => by simp only [h]) low high

theorem CotangentBoundsDerived.trans (low : CotangentBoundsDerived p r e first middle)
    (high : CotangentBoundsDerived p r e middle last) : CotangentBoundsDerived p r e first last :=
  every_distributed (fun id edges edges' h => by simp only [h]) low high

/-- Segments that cover all ids say how the engine rounds. -/
theorem rounds_of_segments {m n : Nat} (data : DataFits p r m n) (roundings : RoundingsHold p r e 0 n)
    (cotangentRoundings : CotangentRoundingsHold p r e 0 n) (bounds : BoundsDerived p r e 0 n)
    (cotangentBounds : CotangentBoundsDerived p r e 0 n) : e.Rounds p r := by
  simp only [DataFits, Bool.and_eq_true] at data
  cases Nat.eq_of_beq_eq_true data.1.2
  exact ⟨roundings, cotangentRoundings, bounds, cotangentBounds⟩

end

end Adjudge
