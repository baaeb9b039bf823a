module

public import Adjudge.Functions.Graph
public import Adjudge.Replay.Check

/-!
# The checker of runs by a table

As `Adjudge.Replay.Check`, but that the value of a function and its slopes are looked up in a table. The table
must not say two things of the same arguments.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

/-- Whether a node's parents come before it, and it fits them: all of a function's have the shape of its value. -/
def checkShapeBy (p : Program) (id : Nat) : Bool :=
  match (p.nodeOf id).op with
  | .elementary f =>
    every (fun parent => Nat.ble (parent + 1) id) (p.nodeOf id).parents
      && (every (fun parent => sameShape (p.shapeOf parent) (p.nodeOf id).shape) (p.nodeOf id).parents
        && Nat.beq (p.nodeOf id).parents.length f.arity)
  | _ => checkShape p id

variable {S : Type} [Scalar S] [DecidableEq S]

/-- The first row of a table for a function and arguments. -/
def rowFor (f : Elementary) (arguments : List S) (table : List (TableRow S)) : Option (TableRow S) :=
  List.rec none
    (fun row _ ih => Bool.rec ih (some row) (decide (row.f = f) && agree row.arguments arguments))
    table

/-- Whether each row of a table is the first one for its function and arguments, in what it says of them. -/
def consistent (table : List (TableRow S)) : Bool :=
  every
    (fun row =>
      match rowFor row.f row.arguments table with
      | some first => decide (first.value = row.value) && agree first.slopes row.slopes
      | none => false)
    table

/-- The listed elements of the parents at a position. -/
def Program.argumentsOf (p : Program) (r : Run S) (id i : Nat) : List S :=
  mapped (fun parent => element (p.listed r.values parent) i) (p.nodeOf id).parents

/-- The slopes that the table has for a function's node at a position. -/
def Program.slopesBy (p : Program) (table : List (TableRow S)) (r : Run S) (f : Elementary) (id i : Nat) : List S :=
  match rowFor f (p.argumentsOf r id i) table with
  | some row => row.slopes
  | none => []

/-- Whether the listed value of an id is the input's, the operator's of the listed values, or the table's. -/
def checkValueBy (p : Program) (table : List (TableRow S)) (r : Run S) (id : Nat) : Bool :=
  bif Nat.ble (id + 1) p.inputs.length then checkValue p r id
  else
    match (p.nodeOf id).op with
    | .elementary f =>
      Nat.beq (p.listed r.values id).length (volume (p.nodeOf id).shape)
        && every
          (fun i =>
            match rowFor f (p.argumentsOf r id i) table with
            | some row => decide (row.value = element (p.listed r.values id) i)
            | none => false)
          (numbersBetween 0 (volume (p.nodeOf id).shape))
    | _ => checkValue p r id

/-- What a function's node adds to the cotangent of an id, by the operands from the `k`th on. -/
def pulledCalls (slopes : Nat → List S) (c : List S) (id : Nat) (parents : List Nat) : Nat → List (Nat × S) :=
  List.rec (fun _ => [])
    (fun parent _ ih k =>
      appended
        (bif Nat.beq parent id then
          mapped (fun i => (i, slopeAt (slopes i) k * element c i)) (numbersBetween 0 c.length)
        else [])
        (ih (Nat.succ k)))
    parents

/-- What a later node adds to the cotangent of an id. -/
def Program.pulledBackBy (p : Program) (table : List (TableRow S)) (r : Run S) (id reader : Nat) :
    List (Nat × S) :=
  match (p.nodeOf reader).op with
  | .elementary f =>
    pulledCalls (p.slopesBy table r f reader) (p.listed r.cotangents reader) id (p.nodeOf reader).parents 0
  | _ => p.pulledBack r id reader

/-- Whether the listed cotangent of an id is its seed and what the nodes that read it pull back. -/
def checkCotangentBy (p : Program) (table : List (TableRow S)) (r : Run S) (id : Nat) (edges : List (Nat × Nat)) :
    Bool :=
  agree
    (sums (p.listed r.seed id)
      (accumulated (volume (p.shapeOf id)) (joined (p.pulledBackBy table r id) (under id edges))))
    (p.listed r.cotangents id)

/-- Whether the table says one thing of the same arguments. -/
def TableConsistent (table : List (TableRow S)) : Prop := consistent table = true

/-- Whether the parents and shapes of the nodes `first, …, last - 1` are right. -/
def ShapesAgreeBy (p : Program) (first last : Nat) : Prop :=
  every (checkShapeBy p) (numbersBetween first last) = true

/-- Whether the values of the ids `first, …, last - 1` are right by the table. -/
def ValuesAgreeBy (p : Program) (table : List (TableRow S)) (r : Run S) (first last : Nat) : Prop :=
  every (checkValueBy p table r) (numbersBetween first last) = true

/-- Whether the cotangents of the ids `first, …, last - 1` are right by the table. -/
def CotangentsAgreeBy (p : Program) (table : List (TableRow S)) (r : Run S) (first last : Nat) : Prop :=
  every id (distributed (checkCotangentBy p table r) first last p.edges) = true

instance (table : List (TableRow S)) : Decidable (TableConsistent table) := inferInstanceAs (Decidable (_ = true))

instance (p : Program) (first last : Nat) : Decidable (ShapesAgreeBy p first last) :=
  inferInstanceAs (Decidable (_ = true))

instance (p : Program) (table : List (TableRow S)) (r : Run S) (first last : Nat) :
    Decidable (ValuesAgreeBy p table r first last) := inferInstanceAs (Decidable (_ = true))

instance (p : Program) (table : List (TableRow S)) (r : Run S) (first last : Nat) :
    Decidable (CotangentsAgreeBy p table r first last) := inferInstanceAs (Decidable (_ = true))

end Adjudge
