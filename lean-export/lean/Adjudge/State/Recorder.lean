module

public import Adjudge.State.Program

/-!
# Graphs of runs, and the recorder that writes them

`reference/state/recorder.ts`: every value is a node, known by its id and its size alone; a location stands
for a node, and after a write for another. What the recorder is told are the decisions that the run takes. It
has no number in hand: so the graph that it writes is that of every run with these decisions.
-/

@[expose] public noncomputable section

namespace Adjudge.State

variable {S : Type}

/-- A node: its parents come before it. -/
inductive Node (S : Type) where
  | apply (operator : Operator S) (parents : List Nat)
  /-- The elements at these positions. -/
  | take (positions : List Nat) (parent : Nat)
  /-- One row after the other. -/
  | concat (first second : Nat)

/-- The value of a node, where these are the values before it. -/
def Node.value : Node S → List (List S) → Option (List S)
  | .apply operator parents, values =>
    (collect (values[·]?) parents).bind fun operands =>
      (operator.size (operands.map List.length)).map fun _ => operator.apply operands
  | .take positions parent, values => values[parent]?.bind fun row => collect (row[·]?) positions
  | .concat first second, values =>
    values[first]?.bind fun row => values[second]?.map fun other => row ++ other

/-- The values of a graph, the inputs first [SEMANTICS §3]. -/
def evaluate : List (Node S) → List (List S) → Option (List (List S))
  | [], values => some values
  | node :: rest, values => (node.value values).bind fun value => evaluate rest (values ++ [value])

/-- One node more is one value more. -/
theorem evaluate_snoc (nodes : List (Node S)) (node : Node S) (values : List (List S)) :
    evaluate (nodes ++ [node]) values =
      (evaluate nodes values).bind fun all => (node.value all).map fun value => all ++ [value] := by
  induction nodes generalizing values with
  | nil => cases h : node.value values <;> simp [evaluate, h]
  | cons first rest ih =>
    simp only [List.cons_append, evaluate]
    cases first.value values <;> simp [ih]

/-- A value as the recorder knows it. -/
structure Recorded where
  id : Nat
  size : Nat

/-- What was written down, and the decisions that are still to come. -/
structure Recording (S : Type) where
  /-- The id of the next node. -/
  next : Nat
  nodes : List (Node S)
  decisions : List Bool

/-- Appends a node, whose value has this size. -/
def Recording.push (g : Recording S) (size : Nat) (node : Node S) : Recorded × Recording S :=
  (⟨g.next, size⟩, { g with next := g.next + 1, nodes := g.nodes ++ [node] })

/-- The recorder [SEMANTICS §10.4]. What all of a location is read or written needs no node. -/
def recorder : Domain S where
  Value := Recorded
  State := Recording S
  size := Recorded.size
  apply operator operands g :=
    (operator.size (operands.map Recorded.size)).map fun size =>
      g.push size (.apply operator (operands.map Recorded.id))
  read contents positions g :=
    if positions = List.range contents.size then some (contents, g)
    else some (g.push positions.length (.take positions contents.id))
  write contents positions value g :=
    if positions = List.range contents.size ∧ value.size = contents.size then some (value, g)
    else (sources contents.size positions value.size).map fun found =>
      let both := g.push (contents.size + value.size) (.concat contents.id value.id)
      both.2.push contents.size (.take found both.1.id)
  decides _ g :=
    match g.decisions with
    | decision :: rest => some (decision, { g with decisions := rest })
    | [] => none

/-- Recording: on the recorder, with these numbers. -/
def recording (literal : Nat → S) : Setting S := ⟨recorder, literal⟩

end Adjudge.State
