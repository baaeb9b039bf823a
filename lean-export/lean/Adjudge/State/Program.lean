module

public import Adjudge.State.Table

/-!
# Programs with memory [SEMANTICS §10.1]

`spec/programs/program.ts`: statements over names and locations; and, as `reference/state/domain.ts` and
`reference/state/run.ts`, how they run on a domain, of which there are two: a machine that overwrites
(`Machine.lean`) and a recorder that writes a graph down (`Recorder.lean`).

A tensor is the list of its elements in row-major order; shapes are in the operators. Names are numbers, each
bound once where it can be read, as the checker makes sure, so that one table of names does for all blocks.
-/

@[expose] public noncomputable section

namespace Adjudge.State

variable {S : Type}

/-- An operator, of which nothing is known but how many elements its value has. -/
structure Operator (S : Type) where
  /-- The size of the value, from those of the operands; `none` where it does not take them. -/
  size : List Nat → Option Nat
  /-- The value. -/
  apply : List (List S) → List S
  /-- The value has the size that it says. -/
  sized : ∀ operands n, size (operands.map List.length) = some n → (apply operands).length = n

/-- A tensor that depends on nothing. -/
def Operator.constant (value : List S) : Operator S where
  size operands := if operands = [] then some value.length else none
  apply _ := value
  sized operands n h := by
    split at h
    · injection h
    · contradiction

/-- A statement. `seq` is one after the other. -/
inductive Statement (S : Type) where
  | done
  | seq (first second : Statement S)
  /-- `name = operator(operands)`: a reference among the operands is read at this moment. -/
  | bind (name : Nat) (operator : Operator S) (operands : List Nat)
  /-- The name changes what it stands for. -/
  | rebind (name to : Nat)
  /-- A new location with a copy. -/
  | buffer (name source : Nat)
  /-- The same location seen otherwise: of the elements that `source` sees, those at the places that `how`
  gives, in that order. It knows the counters of the loops around. -/
  | view (name source : Nat) (how : Table Nat → List Nat)
  /-- The location changes where `target` sees it. -/
  | write (target source : Nat)
  /-- `target operator= source`. -/
  | update (target : Nat) (operator : Operator S) (source : Nat)
  | branch (condition : Nat) (body otherwise : Statement S)
  | loop (counter times : Nat) (body : Statement S)
  /-- The condition is looked at before each turn, of which there are at most `fuel`. -/
  | while (condition fuel : Nat) (body : Statement S)

/-- What a program runs on: values that never change, which locations hold, and what is written down. -/
structure Domain (S : Type) where
  Value : Type
  State : Type
  /-- How many elements a value has. -/
  size : Value → Nat
  /-- The value of an operator at operands. -/
  apply : Operator S → List Value → State → Option (Value × State)
  /-- What contents are at these positions. -/
  read : Value → List Nat → State → Option (Value × State)
  /-- The contents with a value at these positions. -/
  write : Value → List Nat → Value → State → Option (Value × State)
  /-- Whether a condition holds. -/
  decides : Value → State → Option (Bool × State)

/-- What a name stands for. -/
inductive Bound (V : Type) where
  | value (value : V)
  /-- A location, seen at these positions, in this order. -/
  | reference (location : Nat) (positions : List Nat)
  | counter (turn : Nat)

/-- Where a run is. -/
structure World (D : Domain S) where
  names : Table (Bound D.Value)
  store : Table D.Value
  /-- How many locations were made. -/
  next : Nat
  state : D.State

namespace World

variable {D : Domain S}

/-- The same with other things written down. -/
def withState (w : World D) (state : D.State) : World D := { w with state }

/-- The name stands for something. -/
def named (w : World D) (name : Nat) (bound : Bound D.Value) : World D :=
  { w with names := w.names.put name bound }

/-- The turns of the loops around. -/
def counters (w : World D) : Table Nat := fun name =>
  match w.names name with
  | some (.counter turn) => some turn
  | _ => none

end World

/-- The numbers of counters, and the domain that a program runs on. -/
structure Setting (S : Type) where
  domain : Domain S
  /-- The element that a number denotes. -/
  literal : Nat → S

namespace Setting

variable (R : Setting S)

/-- What is read under a name at this moment. -/
def valueOf (name : Nat) (w : World R.domain) : Option (R.domain.Value × World R.domain) :=
  match w.names name with
  | some (.value v) => some (v, w)
  | some (.counter turn) =>
    (R.domain.apply (.constant [R.literal turn]) [] w.state).map fun (v, s) => (v, w.withState s)
  | some (.reference location positions) =>
    (w.store location).bind fun contents =>
      (R.domain.read contents positions w.state).map fun (v, s) => (v, w.withState s)
  | none => none

/-- What is read under names, one after the other. -/
def valuesOf : List Nat → World R.domain → Option (List R.domain.Value × World R.domain)
  | [], w => some ([], w)
  | name :: rest, w =>
    (R.valueOf name w).bind fun (v, w) => (valuesOf rest w).map fun (vs, w) => (v :: vs, w)

/-- The location changes where a name sees it, unless the view sees an element twice. -/
def writeTo (target : Nat) (value : R.domain.Value) (w : World R.domain) : Option (World R.domain) :=
  match w.names target with
  | some (.reference location positions) =>
    if positions.Nodup then
      (w.store location).bind fun contents =>
        (R.domain.write contents positions value w.state).map fun (v, s) =>
          { w with store := w.store.put location v, state := s }
    else none
  | _ => none

/-- A new location. -/
def located (name : Nat) (value : R.domain.Value) (w : World R.domain) :
    World R.domain :=
  { w with
    names := w.names.put name (.reference w.next (List.range (R.domain.size value)))
    store := w.store.put w.next value
    next := w.next + 1 }

/-- The turns `0, …, times - 1` of a loop. -/
def turns {W : Type} (body : Nat → W → Option W) : Nat → W → Option W
  | 0, w => some w
  | times + 1, w => (turns body times w).bind (body times)

/-- Turns as long as a condition holds; `none` where the fuel is used up and it still does. -/
def turnsWhile {W : Type} (decides : W → Option (Bool × W)) (body : W → Option W) : Nat → W → Option W
  | 0, w => (decides w).bind fun (holds, w) => if holds then none else some w
  | fuel + 1, w =>
    (decides w).bind fun (holds, w) => if holds then (body w).bind (turnsWhile decides body fuel) else some w

/-- Whether the value of a name holds. -/
def decides (condition : Nat) (w : World R.domain) : Option (Bool × World R.domain) :=
  (R.valueOf condition w).bind fun (v, w) => (R.domain.decides v w.state).map fun (b, s) => (b, w.withState s)

/-- Runs a statement. `none` if it cannot: an unbound name, a position out of range, a loop out of fuel. -/
def run : Statement S → World R.domain → Option (World R.domain)
  | .done, w => some w
  | .seq first second, w => (run first w).bind (run second)
  | .bind name operator operands, w =>
    (R.valuesOf operands w).bind fun (vs, w) =>
      (R.domain.apply operator vs w.state).map fun (v, s) => (w.withState s).named name (.value v)
  | .rebind name to, w => (w.names to).map (w.named name)
  | .buffer name source, w => (R.valueOf source w).map fun (v, w) => R.located name v w
  | .view name source how, w =>
    match w.names source with
    | some (.reference location positions) =>
      (collect (positions[·]?) (how w.counters)).map fun seen => w.named name (.reference location seen)
    | _ => none
  | .write target source, w => (R.valueOf source w).bind fun (v, w) => R.writeTo target v w
  | .update target operator source, w =>
    (R.valuesOf [target, source] w).bind fun (vs, w) =>
      (R.domain.apply operator vs w.state).bind fun (v, s) => R.writeTo target v (w.withState s)
  | .branch condition body otherwise, w =>
    (R.decides condition w).bind fun (holds, w) =>
      if holds then run body w else run otherwise w
  | .loop counter times body, w =>
    turns (fun turn w => run body (w.named counter (.counter turn))) times w
  | .while condition fuel body, w => turnsWhile (R.decides condition) (run body) fuel w

end Setting

end Adjudge.State
