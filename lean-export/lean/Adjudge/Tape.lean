module

public import Adjudge.Context

/-!
# The runtime tape [SEMANTICS §4.1]

`reference/tape.ts`. Shapes are known only at run time, so every step checks them.
-/

@[expose] public noncomputable section

namespace Adjudge

variable {S : Type}

/-- What can go wrong while a tape runs; the codes of the TypeScript issues. -/
inductive TapeError where
  /-- `tape/id`: there is no such node. -/
  | id (id : Nat)
  /-- `tape/seed-length`: the seed has not one entry for each node. -/
  | seedLength (entries nodes : Nat)
  /-- `tape/contribution-shape`: a contribution has not the shape of the parent's value. -/
  | contributionShape (id : Nat)
  /-- `tape/gradient-shape`: a gradient slot has not the shape of the node's value. -/
  | gradientShape (id : Nat)
  /-- `tape/upstream-shape`: a compiled node was handed a cotangent that has not the shape of its value. -/
  | upstreamShape (id : Nat)
  deriving DecidableEq, Repr

/-- A cotangent on its way to a parent. -/
structure Contribution (S : Type) where
  parent : Nat
  cotangent : AnyTensor S

/-- What a tape remembers of one value; its id is its index. -/
structure TapeNode (S : Type) where
  /-- For people. -/
  name : String
  value : AnyTensor S
  requiresGrad : Bool
  parents : List Nat
  /-- From the upstream cotangent, what goes to whom; or why not. -/
  backward : AnyTensor S → Except TapeError (List (Contribution S))

/-- A grow-only list of nodes. -/
abbrev Tape (S : Type) := List (TapeNode S)

/-- Appends a node; its id is the size before. -/
def addNode (tape : Tape S) (node : TapeNode S) : Tape S × Nat := (tape ++ [node], tape.length)

/-- A node without parents that requires a gradient and hands nothing on. -/
def leafNode (value : AnyTensor S) : TapeNode S where
  name := "leaf"
  value := value
  requiresGrad := true
  parents := []
  backward _ := .ok []

/-- Appends a leaf. -/
def leaf (tape : Tape S) (value : AnyTensor S) : Tape S × Nat := addNode tape (leafNode value)

/-- Whether an operation's node requires a gradient: if one of its parents does. -/
def inheritsGrad (tape : Tape S) (parents : List Nat) : Bool :=
  parents.any fun parent => (tape[parent]?.map TapeNode.requiresGrad).getD false

/-- The sum of two tensors of one shape; `none` of two shapes. -/
def AnyTensor.add? [Add S] (x y : AnyTensor S) : Option (AnyTensor S) :=
  if h : y.shape = x.shape then some ⟨x.tensor + h ▸ y.tensor⟩ else none

/-- `grads[pid] := grads[pid] + g`; nothing where the parent does not require a gradient. -/
def addGradAll [Add S] (tape : Tape S) (grads : List (AnyTensor S)) (pid : Nat) (g : AnyTensor S) :
    Except TapeError (List (AnyTensor S)) :=
  match tape[pid]?, grads[pid]? with
  | some node, some slot =>
    if !node.requiresGrad then .ok grads
    else if g.shape ≠ node.value.shape then .error (.contributionShape pid)
    else if slot.shape ≠ node.value.shape then .error (.gradientShape pid)
    else match slot.add? g with
      | some sum => .ok (grads.set pid sum)
      | none => .error (.gradientShape pid)
  | _, _ => .error (.id pid)

/-- Adds contributions in the order given. -/
def addContributions [Add S] (tape : Tape S) (grads : List (AnyTensor S)) :
    List (Contribution S) → Except TapeError (List (AnyTensor S))
  | [] => .ok grads
  | ⟨parent, cotangent⟩ :: rest =>
    match addGradAll tape grads parent cotangent with
    | .ok added => addContributions tape added rest
    | .error e => .error e

/-- A step of the dense loop: `backward` takes the gradient at `id`, and what it gives back is added. -/
def backwardDenseFromStep [Add S] (tape : Tape S) (grads : List (AnyTensor S)) (id : Nat) :
    Except TapeError (List (AnyTensor S)) :=
  match tape[id]? with
  | none => .error (.id id)
  | some node =>
    if !node.requiresGrad then .ok grads
    else match grads[id]? with
      | none => .error (.id id)
      | some upstream =>
        if upstream.shape ≠ node.value.shape then .error (.gradientShape id)
        else match node.backward upstream with
          | .error e => .error e
          | .ok contributions => addContributions tape grads contributions

/-- The step for the ids `n - 1, …, 0`. -/
def backwardLoop [Add S] (tape : Tape S) :
    Nat → List (AnyTensor S) → Except TapeError (List (AnyTensor S))
  | 0, grads => .ok grads
  | n + 1, grads =>
    match backwardDenseFromStep tape grads n with
    | .ok stepped => backwardLoop tape n stepped
    | .error e => .error e

/-- Pulls a dense cotangent context back through the tape. -/
def backwardDenseFrom [Add S] (tape : Tape S) (seed : List (AnyTensor S)) :
    Except TapeError (List (AnyTensor S)) :=
  if seed.length ≠ tape.length then .error (.seedLength seed.length tape.length)
  else backwardLoop tape tape.length seed

/-- The gradients that are zero everywhere but `seed` at `outId`. -/
def seedAt [Zero S] (tape : Tape S) (outId : Nat) (seed : AnyTensor S) : List (AnyTensor S) :=
  tape.mapIdx fun id node => if id = outId then seed else ⟨Tensor.zeros node.value.shape⟩

/-- `backwardDenseFrom` a seed at one id. -/
def backwardDenseAll [Zero S] [Add S] (tape : Tape S) (outId : Nat) (seed : AnyTensor S) :
    Except TapeError (List (AnyTensor S)) :=
  if outId < tape.length then backwardDenseFrom tape (seedAt tape outId seed) else .error (.id outId)

/-- `addGradAll` where a missing slot takes the contribution itself, with no zero added. -/
def addGradSparse [Add S] (tape : Tape S) (grads : List (Option (AnyTensor S))) (pid : Nat) (g : AnyTensor S) :
    Except TapeError (List (Option (AnyTensor S))) :=
  match tape[pid]? with
  | none => .error (.id pid)
  | some node =>
    if !node.requiresGrad then .ok grads
    else if g.shape ≠ node.value.shape then .error (.contributionShape pid)
    else match grads[pid]? with
      | none => .error (.id pid)
      | some none => .ok (grads.set pid (some g))
      | some (some slot) =>
        match slot.add? g with
        | some sum => .ok (grads.set pid (some sum))
        | none => .error (.gradientShape pid)

/-- Adds contributions to the slots that there are. -/
def addContributionsSparse [Add S] (tape : Tape S) (grads : List (Option (AnyTensor S))) :
    List (Contribution S) → Except TapeError (List (Option (AnyTensor S)))
  | [] => .ok grads
  | ⟨parent, cotangent⟩ :: rest =>
    match addGradSparse tape grads parent cotangent with
    | .ok added => addContributionsSparse tape added rest
    | .error e => .error e

/-- The sparse step: nothing where `id` has received no gradient. -/
def backwardStep [Add S] (tape : Tape S) (grads : List (Option (AnyTensor S))) (id : Nat) :
    Except TapeError (List (Option (AnyTensor S))) :=
  match tape[id]?, grads[id]? with
  | some node, some (some upstream) =>
    if !node.requiresGrad then .ok grads
    else match node.backward upstream with
      | .error e => .error e
      | .ok contributions => addContributionsSparse tape grads contributions
  | some _, some none => .ok grads
  | _, _ => .error (.id id)

/-- The sparse step for the ids `n - 1, …, 0`. -/
def backwardSparseLoop [Add S] (tape : Tape S) :
    Nat → List (Option (AnyTensor S)) → Except TapeError (List (Option (AnyTensor S)))
  | 0, grads => .ok grads
  | n + 1, grads =>
    match backwardStep tape grads n with
    | .ok stepped => backwardSparseLoop tape n stepped
    | .error e => .error e

/-- The sparse sweep: visits only the ids that received a gradient, and has an entry for those alone. -/
def backward [Add S] (tape : Tape S) (outId : Nat) (seed : AnyTensor S) :
    Except TapeError (List (Option (AnyTensor S))) :=
  match tape[outId]? with
  | none => .error (.id outId)
  | some out =>
    if seed.shape ≠ out.value.shape then .error (.gradientShape outId)
    else backwardSparseLoop tape (outId + 1) (tape.mapIdx fun id _ => if id = outId then some seed else none)

end Adjudge
