module

public import Adjudge.Program
public import Adjudge.Replay.FlatForm

/-!
# The checker for flat traces

A run lists every value and every cotangent, so each id is checked against the listed numbers alone: its value
is the operator's of the listed values, its cotangent the seed and what the later nodes pull back from their
listed cotangents. The kernel computes each check; `Adjudge.Replay` proves what they mean together.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

/-- The number of ids. -/
def Program.size (p : Program) : Nat := p.inputs.length + p.nodes.length

/-- The declared shape of every id. -/
def Program.shapes (p : Program) : List Shape := p.inputs ++ p.nodes.map Instruction.shape

/-- The declared shape of an id. -/
def Program.shapeOf (p : Program) (id : Nat) : Shape := entryWithin [] (depthOf p.size) p.shapes id

/-- The node with an id that is not an input's. -/
def Program.nodeOf (p : Program) (id : Nat) : Instruction :=
  entryWithin ⟨.add, [], []⟩ (depthOf p.nodes.length) p.nodes (id - p.inputs.length)

/-- The shape of an entry of `Δ`. -/
def Program.environmentShape? (p : Program) (entry : Nat) : Option Shape :=
  bif Nat.blt entry p.environment.length then
    some (entryWithin [] (depthOf p.environment.length) p.environment entry)
  else none

/-- What the node with an id computes from parents of their declared shapes. -/
def Program.formOf? (p : Program) (id : Nat) : Option (Shape × FlatForm) :=
  (p.nodeOf id).op.flat? p.environmentShape? (mapped (fun parent => (parent, p.shapeOf parent)) (p.nodeOf id).parents)

/-- Whether a node's parents come before it, and its operator reads only them and gives this shape. -/
def checkShape (p : Program) (id : Nat) : Bool :=
  every (fun parent => Nat.ble (parent + 1) id) (p.nodeOf id).parents
    && match p.formOf? id with
      | some (τ, form) =>
        sameShape τ (p.shapeOf id) && every (fun operand => among operand (p.nodeOf id).parents) form.operands
      | none => false

/-- A list without repetitions. -/
def distinct : List Nat → List Nat
  | [] => []
  | entry :: rest => bif among entry rest then distinct rest else entry :: distinct rest

/-- For each node and each id that it reads, the pair of the id and the node. -/
def Program.edges (p : Program) : List (Nat × Nat) :=
  joined (fun reader => mapped (fun parent => (parent, reader)) (distinct (p.nodeOf reader).parents))
    (numbersBetween p.inputs.length p.size)

variable {S : Type}

/-- The listed numbers of an id. -/
def Program.listed (p : Program) (numbers : List (List S)) (id : Nat) : List S :=
  entryWithin [] (depthOf p.size) numbers id

/-- Whether a list has for each shape a list of as many numbers. -/
def fits (shapes : List Shape) (numbers : List (List S)) : Bool :=
  List.rec (fun numbers => List.rec true (fun _ _ _ => false) numbers)
    (fun shape _ ih numbers =>
      List.rec false (fun own rest _ => Bool.rec false (ih rest) (Nat.beq own.length (volume shape))) numbers)
    shapes numbers

/-- Whether inputs, environment and seed fit their shapes, and every id has a value and a cotangent. -/
def checkData (p : Program) (r : Run S) : Bool :=
  fits p.inputs r.inputs && (fits p.environment r.environment && (fits p.shapes r.seed
    && (Nat.beq r.values.length p.size && Nat.beq r.cotangents.length p.size)))

variable [Scalar S] [DecidableEq S]

/--
Whether the listed value of an id is the input's or what its operator makes of the listed values, dividing
only by what has an inverse.
-/
def checkValue (p : Program) (r : Run S) (id : Nat) : Bool :=
  bif Nat.ble (id + 1) p.inputs.length then
    agree (entryWithin [] (depthOf p.inputs.length) r.inputs id) (p.listed r.values id)
  else
    match p.formOf? id with
    | some (τ, form) =>
      form.divides (p.listed r.values) (volume τ)
        && agree
          (form.forward (entryWithin [] (depthOf p.environment.length) r.environment) (p.listed r.values) (volume τ))
          (p.listed r.values id)
    | none => false

/-- As many zeros as a tensor of the shape has elements. -/
def zeros (shape : Shape) : List S := Nat.rec [] (fun _ ih => 0 :: ih) (volume shape)

/--
For each shape, of the ids from `id` on, its seed or zeros; seeds stand in the order of the ids, each once. A
seed of no id, of one with a seed already, or out of order is not dropped: it stands beyond the last id, where
`checkData` finds it, since no context has more entries than ids.
-/
def seededFrom (shapes : List Shape) : (id : Nat) → List (Nat × List S) → List (List S) :=
  List.rec (fun _ seeds => mapped Prod.snd seeds)
    (fun shape _ ih id seeds =>
      List.rec (zeros shape :: ih id [])
        (fun seed rest _ =>
          Bool.rec (zeros shape :: ih (Nat.succ id) seeds) (seed.2 :: ih (Nat.succ id) rest) (Nat.beq seed.1 id))
        seeds)
    shapes

/-- For every id the seed that is given for it, or zeros. -/
def Program.seeded (p : Program) (seeds : List (Nat × List S)) : List (List S) := seededFrom p.shapes 0 seeds

/-- What a later node adds to the cotangent of an id. -/
def Program.pulledBack (p : Program) (r : Run S) (id reader : Nat) : List (Nat × S) :=
  match p.formOf? reader with
  | some (_, form) => form.pulledBack (p.listed r.values) (p.listed r.cotangents reader) id
  | none => []

/-- Whether the listed cotangent of an id is its seed and what the nodes that read it pull back. -/
def checkCotangent (p : Program) (r : Run S) (id : Nat) (edges : List (Nat × Nat)) : Bool :=
  agree
    (sums (p.listed r.seed id)
      (accumulated (volume (p.shapeOf id)) (joined (p.pulledBack r id) (under id edges))))
    (p.listed r.cotangents id)

/-- Whether inputs, environment and seed fit the program: `m` inputs, `n` ids. -/
def DataFits (p : Program) (r : Run S) (m n : Nat) : Prop :=
  (Nat.beq p.inputs.length m && Nat.beq p.size n && checkData p r) = true

/-- Whether the parents and shapes of the nodes `first, …, last - 1` are right. -/
def ShapesAgree (p : Program) (first last : Nat) : Prop :=
  every (checkShape p) (numbersBetween first last) = true

/-- Whether the values of the ids `first, …, last - 1` are right. -/
def ValuesAgree (p : Program) (r : Run S) (first last : Nat) : Prop :=
  every (checkValue p r) (numbersBetween first last) = true

/-- Whether the cotangents of the ids `first, …, last - 1` are right. -/
def CotangentsAgree (p : Program) (r : Run S) (first last : Nat) : Prop :=
  every id (distributed (checkCotangent p r) first last p.edges) = true

instance (p : Program) (r : Run S) (m n : Nat) : Decidable (DataFits p r m n) := inferInstanceAs (Decidable (_ = true))

instance (p : Program) (first last : Nat) : Decidable (ShapesAgree p first last) :=
  inferInstanceAs (Decidable (_ = true))

instance (p : Program) (r : Run S) (first last : Nat) : Decidable (ValuesAgree p r first last) :=
  inferInstanceAs (Decidable (_ = true))

instance (p : Program) (r : Run S) (first last : Nat) : Decidable (CotangentsAgree p r first last) :=
  inferInstanceAs (Decidable (_ = true))

/-- What is wrong with a run: its data do not fit, or the shape, value or cotangent of an id is wrong. -/
inductive Fault where
  | data
  | shape (id : Nat)
  | value (id : Nat)
  | cotangent (id : Nat)
  deriving DecidableEq, Repr

/-- The first claim that fails: shapes and values by ids, then cotangents in backpropagation's order. -/
def firstFault (p : Program) (r : Run S) : Option Fault :=
  bif checkData p r then
    match (numbersBetween p.inputs.length p.size).find? (fun id => !checkShape p id) with
    | some id => some (.shape id)
    | none =>
      match (numbersBetween 0 p.size).find? (fun id => !checkValue p r id) with
      | some id => some (.value id)
      | none =>
        match (distributed (fun id edges => (id, checkCotangent p r id edges)) 0 p.size p.edges).reverse.find?
            (fun checked => !checked.2) with
        | some (id, _) => some (.cotangent id)
        | none => none
  else some .data

/-- Whether a run has no fault. -/
def replay (p : Program) (r : Run S) : Bool := (firstFault p r).isNone

end Adjudge
