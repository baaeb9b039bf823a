module

public import NN.Runtime.Autograd.Engine.Core.Base

/-! The sweep that visits what is reached, and fills the rest with zeros. -/

@[expose] public noncomputable section

namespace Runtime.Autograd.Tape

open Spec TorchLean

variable {α : Type} [Storage α] [Add α]

/-- Adds a contribution to a slot. -/
def addGradDense (t : Tape α) (grads : Array (Option (SomeTensor α))) (contribution : Nat × SomeTensor α) :
    Result (Array (Option (SomeTensor α))) :=
  match t.nodes[contribution.1]? with
  | none => .error "no such parent"
  | some node =>
    if !node.requiresGrad then .ok grads
    else if h : contribution.2.shape = node.value.shape then
      match grads[contribution.1]? with
      | some (some before) =>
        if h' : before.shape = node.value.shape then
          .ok (grads.setIfInBounds contribution.1
            (some (.ofTensor ((before.cast h').zip (· + ·) (contribution.2.cast h)))))
        else .error "another shape"
      | _ => .ok (grads.setIfInBounds contribution.1 (some contribution.2))
    else .error "another shape"

/-- Visits the ids below a bound, the largest first; those without a gradient are passed by. -/
def reachedLoop (t : Tape α) : Nat → Array (Option (SomeTensor α)) → Result (Array (Option (SomeTensor α)))
  | 0, grads => .ok grads
  | id + 1, grads =>
    match t.nodes[id]?, grads[id]? with
    | some node, some (some c) =>
      if !node.requiresGrad then reachedLoop t id grads
      else match node.backward c with
        | .error e => .error e
        | .ok contributions =>
          match contributions.toList.foldlM (addGradDense t) grads with
          | .error e => .error e
          | .ok added => reachedLoop t id added
    | _, _ => reachedLoop t id grads

/-- The gradients of all ids from a seed at one. -/
def backwardDenseAll [Zero α] (t : Tape α) (outId : Nat) (seed : SomeTensor α) :
    Result (Array (SomeTensor α)) :=
  match t.nodes[outId]? with
  | none => .error "no such output"
  | some out =>
    if seed.shape = out.value.shape then
      match reachedLoop t t.nodes.size ((Array.replicate t.nodes.size none).setIfInBounds outId (some seed)) with
      | .error e => .error e
      | .ok grads => .ok ⟨(t.nodes.toList.zip grads.toList).map fun (node, grad) =>
          grad.getD (.ofTensor (Tensor.full node.value.shape 0))⟩
    else .error "another shape"

end Runtime.Autograd.Tape
