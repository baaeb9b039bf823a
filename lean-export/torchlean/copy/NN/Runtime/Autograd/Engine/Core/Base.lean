module

public import NN.Tensor

/-! The tape, its leaves, and what reads it. -/

@[expose] public noncomputable section

namespace Runtime.Autograd

open Spec TorchLean

abbrev Result (α : Type) := Except String α

/-- A node of a tape: its value, and how it hands a cotangent on. -/
structure Node (α : Type) [Storage α] where
  value : SomeTensor α
  requiresGrad : Bool := true
  parents : Array Nat := #[]
  backward : SomeTensor α → Result (Array (Nat × SomeTensor α))

/-- A tape only grows. -/
structure Tape (α : Type) [Storage α] where
  nodes : Array (Node α) := #[]

namespace Tape

variable {α : Type} [Storage α]

def empty : Tape α := {}

/-- Appends a node; its id is the tape's length before. -/
def addNode (t : Tape α) (node : Node α) : Tape α × Nat := ({ nodes := t.nodes.push node }, t.nodes.size)

/-- Appends a node without parents. -/
def leaf {s : Shape} (t : Tape α) (value : Tensor α s) (requiresGrad : Bool := true) : Tape α × Nat :=
  t.addNode { value := .ofTensor value, requiresGrad, backward := fun _ => .ok #[] }

/-- The value at an id, which must have this shape. -/
def requireValue {s : Shape} (t : Tape α) (id : Nat) : Result (Tensor α s) :=
  match t.nodes[id]? with
  | none => .error "no such node"
  | some node => if h : node.value.shape = s then .ok (node.value.cast h) else .error "another shape"

/-- A cotangent, which must have this shape. -/
def requireGrad {s : Shape} (c : SomeTensor α) : Result (Tensor α s) :=
  if h : c.shape = s then .ok (c.cast h) else .error "another shape"

/-- Whether a node is there and requires a gradient. -/
def requires (t : Tape α) (id : Nat) : Bool := t.nodes[id]?.any (·.requiresGrad)

/-- Appends a node of one parent. -/
def unary {s u : Shape} (t : Tape α) (id : Nat) (forward : Tensor α s → Tensor α u)
    (backward : Tensor α s → Tensor α u → Tensor α s) : Result (Tape α × Nat) := do
  let x : Tensor α s ← t.requireValue id
  pure (t.addNode
    { value := .ofTensor (forward x)
      requiresGrad := t.requires id
      parents := #[id]
      backward := fun c => do
        let dy : Tensor α u ← requireGrad c
        pure #[(id, .ofTensor (backward x dy))] })

/-- Appends a node of two parents. -/
def binary {s u v : Shape} (t : Tape α) (a b : Nat) (forward : Tensor α s → Tensor α u → Tensor α v)
    (backward : Tensor α s → Tensor α u → Tensor α v → Tensor α s × Tensor α u) :
    Result (Tape α × Nat) := do
  let x : Tensor α s ← t.requireValue a
  let y : Tensor α u ← t.requireValue b
  pure (t.addNode
    { value := .ofTensor (forward x y)
      requiresGrad := t.requires a || t.requires b
      parents := #[a, b]
      backward := fun c => do
        let dy : Tensor α v ← requireGrad c
        let (da, db) := backward x y dy
        pure #[(a, .ofTensor da), (b, .ofTensor db)] })

end Tape

end Runtime.Autograd
