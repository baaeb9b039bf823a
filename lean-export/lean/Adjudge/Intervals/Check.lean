module

public import Adjudge.Intervals.FormsHold

/-!
# The checker of enclosures

A file lists for every id intervals of its value and its cotangent, and for each call of an elementary function
intervals of its arguments, value and slopes. Each id is checked against the listed intervals alone, as
`Adjudge.Replay.FunctionsCheck` checks numbers; `Adjudge.Intervals.Verdict` proves what that means together.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

/-- What a run begins with: the numbers of each input and entry of `Δ`, and for every id what its cotangent starts from. -/
structure Given where
  inputs : List (List Rat)
  environment : List (List Rat)
  seed : List (List Rat)

/-- Where a function's arguments are in these intervals, its value and its slopes are in those. -/
structure FunctionRow where
  f : Elementary
  arguments : List Interval
  value : Interval
  slopes : List Interval

/-- For every id the intervals of its value and of its cotangent, element by element. -/
structure Enclosure where
  values : List (List Interval)
  cotangents : List (List Interval)

/-- A number that an engine gave, how far it may be from the true one, and whether it is farther. -/
structure Answer where
  /-- Whether it is one of a cotangent, else of a value. -/
  isCotangent : Bool
  id : Nat
  position : Nat
  number : Rat
  bound : Rat
  isRefuted : Bool

/-- Whether each interval of a list is within the one at its place. -/
def covered (computed listed : List Interval) : Bool :=
  List.rec (fun listed => List.rec true (fun _ _ _ => false) listed)
    (fun x _ ih listed => List.rec false (fun y rest _ => Bool.rec false (ih rest) (x.isWithin y)) listed)
    computed listed

/-- The first row for a function within whose arguments these are. -/
def functionRowFor (f : Elementary) (arguments : List Interval) (rows : List FunctionRow) : Option FunctionRow :=
  List.rec none
    (fun row _ ih => Bool.rec ih (some row) (decide (row.f = f) && covered arguments row.arguments))
    rows

/-- The listed intervals of the parents at a position. -/
def Program.argumentEnclosures (p : Program) (e : Enclosure) (id i : Nat) : List Interval :=
  mapped (fun parent => intervalAt (p.listed e.values parent) i) (p.nodeOf id).parents

/-- The row for a function's node at a position. -/
def Program.functionRowAt (p : Program) (rows : List FunctionRow) (e : Enclosure) (f : Elementary) (id i : Nat) :
    Option FunctionRow :=
  functionRowFor f (p.argumentEnclosures e id i) rows

/-- Whether the listed intervals of an id's value hold what is given, or what its node makes of listed intervals. -/
def checkEnclosedValue (p : Program) (rows : List FunctionRow) (given : Given) (e : Enclosure) (id : Nat) : Bool :=
  bif Nat.ble (id + 1) p.inputs.length then
    covered (mapped .exactly (entryWithin [] (depthOf p.inputs.length) given.inputs id)) (p.listed e.values id)
  else
    match (p.nodeOf id).op with
    | .elementary f =>
      Nat.beq (p.listed e.values id).length (volume (p.nodeOf id).shape)
        && every
          (fun i =>
            match p.functionRowAt rows e f id i with
            | some row => row.value.isWithin (intervalAt (p.listed e.values id) i)
            | none => false)
          (numbersBetween 0 (volume (p.nodeOf id).shape))
    | _ =>
      match p.formOf? id with
      | some (τ, form) =>
        every (fun operand => Nat.blt operand id) form.reads
          && (form.dividesSurely (p.listed e.values)
            && covered
              (form.enclosure
                (fun entry => mapped .exactly (entryWithin [] (depthOf p.environment.length) given.environment entry))
                (p.listed e.values) (volume τ))
              (p.listed e.values id))
      | none => false

/-- The slopes that the rows have for a function's node at a position. -/
def Program.slopeEnclosuresBy (p : Program) (rows : List FunctionRow) (e : Enclosure) (f : Elementary) (id i : Nat) :
    List Interval :=
  match p.functionRowAt rows e f id i with
  | some row => row.slopes
  | none => []

/-- What a later node may add to the cotangent of an id. -/
def Program.pulledBackEnclosure (p : Program) (rows : List FunctionRow) (e : Enclosure) (id reader : Nat) :
    List (Nat × Interval) :=
  match (p.nodeOf reader).op with
  | .elementary f =>
    pulledCallEnclosures (p.slopeEnclosuresBy rows e f reader) (p.listed e.cotangents reader) id
      (p.nodeOf reader).parents 0
  | _ =>
    match p.formOf? reader with
    | some (_, form) => form.pulledBackEnclosure (p.listed e.values) (p.listed e.cotangents reader) id
    | none => []

/-- Whether the listed intervals of an id's cotangent hold its seed and what the nodes that read it may add. -/
def checkEnclosedCotangent (p : Program) (rows : List FunctionRow) (given : Given) (e : Enclosure) (id : Nat)
    (edges : List (Nat × Nat)) : Bool :=
  covered
    (sumsEnclosure (mapped .exactly (p.listed given.seed id))
      (accumulatedEnclosure (volume (p.shapeOf id)) (joined (p.pulledBackEnclosure rows e id) (under id edges))))
    (p.listed e.cotangents id)

/-- Whether what is given fits the program: `m` inputs, `n` ids. -/
def GivenFits (p : Program) (given : Given) (m n : Nat) : Prop :=
  (Nat.beq p.inputs.length m && (Nat.beq p.size n && (fits p.inputs given.inputs
    && (fits p.environment given.environment && fits p.shapes given.seed)))) = true

/-- Whether the intervals of the values of the ids `first, …, last - 1` are wide enough. -/
def ValuesEnclosed (p : Program) (rows : List FunctionRow) (given : Given) (e : Enclosure) (first last : Nat) : Prop :=
  every (checkEnclosedValue p rows given e) (numbersBetween first last) = true

/-- Whether the intervals of the cotangents of the ids `first, …, last - 1` are wide enough. -/
def CotangentsEnclosed (p : Program) (rows : List FunctionRow) (given : Given) (e : Enclosure) (first last : Nat) :
    Prop :=
  every id (distributed (checkEnclosedCotangent p rows given e) first last p.edges) = true

/-- The listed interval of the number that an answer is about. -/
def Answer.intervalIn (answer : Answer) (e : Enclosure) : Interval :=
  (((bif answer.isCotangent then e.cotangents else e.values).getD answer.id []).getD answer.position .unknown)

/-- Whether an answer is farther from all of an interval than its bound, or nearer to all of it. -/
def Answer.isSeen (answer : Answer) : Interval → Bool
  | .unknown => false
  | .between low high =>
    bif answer.isRefuted then
      decide (answer.number + answer.bound < low) || decide (high < answer.number - answer.bound)
    else decide (answer.number - answer.bound ≤ low) && decide (high ≤ answer.number + answer.bound)

/-- Whether every answer is seen to be wrong, or right, whatever the true number in its interval is. -/
def AnswersSeen (p : Program) (e : Enclosure) (answers : List Answer) : Prop :=
  every (fun answer => Nat.blt answer.id p.size && answer.isSeen (answer.intervalIn e)) answers = true

instance (p : Program) (given : Given) (m n : Nat) : Decidable (GivenFits p given m n) :=
  inferInstanceAs (Decidable (_ = true))

instance (p : Program) (rows : List FunctionRow) (given : Given) (e : Enclosure) (first last : Nat) :
    Decidable (ValuesEnclosed p rows given e first last) := inferInstanceAs (Decidable (_ = true))

instance (p : Program) (rows : List FunctionRow) (given : Given) (e : Enclosure) (first last : Nat) :
    Decidable (CotangentsEnclosed p rows given e first last) := inferInstanceAs (Decidable (_ = true))

instance (p : Program) (e : Enclosure) (answers : List Answer) : Decidable (AnswersSeen p e answers) :=
  inferInstanceAs (Decidable (_ = true))

/-- That the functions have values and slopes in a row's intervals wherever their arguments are in its. -/
def Functions.Meets {S : Type} [OrderedScalar S] (F : Functions S) (rows : List FunctionRow) : Prop :=
  ∀ row ∈ rows, ∀ arguments : List S, Lie arguments row.arguments →
    row.value.Holds (F.value row.f arguments) ∧ Lie (F.slopes row.f arguments) row.slopes

/-- The number at a position of an id's list; zero where there is none. -/
def slotAt {S : Type} [Scalar S] (numbers : List (List S)) (id position : Nat) : S :=
  (numbers.getD id []).getD position 0

open OrderedScalar in
/-- That the true number is farther from the answer than its bound, or no farther. -/
def Answer.Holds {S : Type} [OrderedScalar S] (answer : Answer) (r : Run S) : Prop :=
  let truth := slotAt (bif answer.isCotangent then r.cotangents else r.values) answer.id answer.position
  bif answer.isRefuted then
    ofRat (answer.number + answer.bound) < truth ∨ truth < ofRat (answer.number - answer.bound)
  else ofRat (answer.number - answer.bound) ≤ truth ∧ truth ≤ ofRat (answer.number + answer.bound)

/-- The numbers as those of a field. -/
def lifted (S : Type) [OrderedScalar S] (numbers : List (List Rat)) : List (List S) :=
  numbers.map fun row => row.map OrderedScalar.ofRat

/--
For all functions that meet the rows, on every ordered field in which the rational numbers lie: the evaluation and
backpropagation of the graph from what is given are in the intervals, and each answer is as far from them as it says.
-/
def Program.Judges (p : Program) (rows : List FunctionRow) (given : Given) (e : Enclosure) (answers : List Answer) :
    Prop :=
  ∀ (S : Type) [OrderedScalar S] (F : Functions S), F.Meets rows →
    ∃ r : Run S, r.inputs = lifted S given.inputs ∧ r.environment = lifted S given.environment
      ∧ r.seed = lifted S given.seed ∧ p.RunsWith F r
      ∧ (∀ id < p.size, Lie (r.values.getD id []) (e.values.getD id [])
        ∧ Lie (r.cotangents.getD id []) (e.cotangents.getD id []))
      ∧ ∀ answer ∈ answers, answer.Holds r

end Adjudge
