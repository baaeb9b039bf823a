module

public import NN.Tensor

/-! Graphs whose nodes name their operations, and what constants hold. -/

@[expose] public noncomputable section

namespace NN.IR

open Spec TorchLean

inductive OpKind where
  | input
  | const (valueShape : Shape)
  | detach | add | sub | mulElem | inv | sqrt | sum | relu | tanh | exp | sin | cos

structure Node where
  id : Nat
  parents : Array Nat
  kind : OpKind
  outShape : Shape

structure Graph where
  nodes : Array Node

namespace Graph

/-- Ids are places, and parents come before. -/
def wellFormed (g : Graph) : Bool :=
  (List.range g.nodes.size).all fun i =>
    match g.nodes[i]? with
    | none => false
    | some n => n.id == i && n.parents.toList.all (· < i)

def getNode (g : Graph) (id : Nat) : Except String Node :=
  match g.nodes[id]? with
  | none => throw "no such node"
  | some n => if n.id != id then throw "another id" else pure n

end Graph

/-- The numbers of a constant, in one row. -/
structure ConstFlat (α : Type) [Storage α] where
  n : Nat
  v : Tensor α [n]

structure Payload (α : Type) [Storage α] where
  const? : Nat → Option (ConstFlat α) := fun _ => none

end NN.IR
