module

public import Adjudge.Tapes.Schedule
public import Adjudge.Theorems.Seed

/-!
# A sweep that follows a schedule

`reference/tapes/checkpoints/front.ts` and `walk.ts`. The context is kept in few slots and computed again
where needed. Shapes are known only at run time, as on a tape: what does not fit gives `none`. The machine
ignores where an action believes to be; a well-formed schedule promises that it is right.
-/

@[expose] public noncomputable section

namespace Adjudge

deriving instance DecidableEq for ContextType

namespace Tapes

variable {S Δ : Type} {Γ C : ContextType} {τ : Shape}

/-- A context whose type is known only at run time. -/
structure AnyContext (S : Type) where
  {type : ContextType}
  context : Context S type

/-- A node whose context's type is known only at run time. -/
structure AnyNode (S Δ : Type) where
  {type : ContextType}
  {shape : Shape}
  node : NodeData S Δ type shape

/-- The nodes of a graph, in the order in which they are evaluated. -/
def nodesOf {C : ContextType} : GraphData S Δ Γ C → List (AnyNode S Δ)
  | .nil => []
  | .snoc g node => nodesOf g ++ [⟨node⟩]

/-- The context as one of that type, if it is. -/
def AnyContext.as? (any : AnyContext S) (C : ContextType) : Option (Context S C) :=
  if same : any.type = C then some (same ▸ any.context) else none

/-- Evaluates one node at a context of the values before it. -/
def AnyNode.evaluate (any : AnyNode S Δ) (δ : Δ) (context : AnyContext S) : Option (AnyContext S) :=
  (context.as? any.type).map fun ctx => ⟨ctx.snoc (any.node.forward ctx δ)⟩

/-- What a sweep with few snapshots has in hand. -/
structure Front (S : Type) where
  /-- The snapshots, each with the position where it was taken. -/
  slots : Nat → Option (Nat × AnyContext S)
  /-- The values of the run, as far as it has come. -/
  run : AnyContext S
  /-- How many nodes the run has evaluated. -/
  position : Nat
  /-- The cotangents of the ids that are still to be swept. -/
  cotangents : AnyContext S
  /-- Those that are final, in the order of their ids. -/
  swept : List (AnyTensor S)

/-- Evaluates so many nodes from a position on. -/
def advance (nodes : List (AnyNode S Δ)) (δ : Δ) (position : Nat) (run : AnyContext S) : Nat → Option (AnyContext S)
  | 0 => some run
  | count + 1 =>
    match advance nodes δ position run count, nodes[position + count]? with
    | some reached, some node => node.evaluate δ reached
    | _, _ => none

/-- Pulls the last cotangent back through a node, at the context that the run has. -/
def pullLast [Add S] (any : AnyNode S Δ) (δ : Δ) (front : Front S) : Option (Front S) :=
  match front.run.as? any.type, front.cotangents.as? (.snoc any.type any.shape) with
  | some ctx, some c =>
    some { front with
      cotangents := ⟨c.init + any.node.vjp ctx δ c.last⟩
      swept := ⟨c.last⟩ :: front.swept }
  | _, _ => none

/-- Does an action; `keep` is what a snapshot keeps of the context at a position. -/
def Front.act [Add S] (nodes : List (AnyNode S Δ)) (δ : Δ) (keep : Nat → AnyContext S → AnyContext S)
    (front : Front S) : Action → Option (Front S)
  | .store slot _ => some { front with slots := update front.slots slot (some (front.position, keep front.position front.run)) }
  | .restore slot _ => (front.slots slot).map fun (position, run) => { front with run, position }
  | .advance _ target =>
    (advance nodes δ front.position front.run (target - front.position)).map fun run =>
      { front with run, position := target }
  | .reverse _ =>
    match nodes[front.position]? with
    | some node => pullLast node δ front
    | none => none

/-- Does the actions in order. -/
def Front.actAll [Add S] (nodes : List (AnyNode S Δ)) (δ : Δ) (keep : Nat → AnyContext S → AnyContext S)
    (front : Front S) : Schedule → Option (Front S)
  | [] => some front
  | action :: rest =>
    match front.act nodes δ keep action with
    | some next => next.actAll nodes δ keep rest
    | none => none

/-- The cotangents of a sweep over a graph by a schedule, whose snapshots keep what `keep` says. -/
def checkpointedSweep [Add S] (keep : Nat → AnyContext S → AnyContext S) (schedule : Schedule) (g : GraphData S Δ Γ C)
    (x : Context S Γ) (δ : Δ) (seed : Context S C) : Option (List (AnyTensor S)) :=
  let front : Front S := ⟨fun _ => none, ⟨x⟩, 0, ⟨seed⟩, []⟩
  (front.actAll (nodesOf g) δ keep schedule).map fun final => final.cotangents.context.toList ++ final.swept

end Tapes

end Adjudge
