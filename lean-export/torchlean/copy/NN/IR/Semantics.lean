module

public import NN.IR.Graph
public import NN.Spec.Core.Context.Real

/-! What a graph denotes: the value of each node, or an error. -/

@[expose] public noncomputable section

namespace NN.IR.Graph

open Spec TorchLean

/-- A value, which must have this shape. -/
def expectShape (expected : Shape) (v : SomeTensor Real) : Except String (Tensor Real expected) :=
  if h : v.shape = expected then pure (h ▸ v.tensor) else throw "another shape"

def castDimScalar {n n' : Nat} (h : n = n') (t : Tensor Real [n]) : Tensor Real [n'] := by
  simpa [h] using t

def evalConst (payload : Payload Real) (id : Nat) (s : Shape) : Except String (Tensor Real s) := do
  match payload.const? id with
  | none => throw "no such constant"
  | some c =>
    if h : c.n = s.size then pure (Tensor.unflattenSpec s (castDimScalar h c.v)) else throw "another length"

def getParentValue (vals : Array (SomeTensor Real)) (pid : Nat) : Except String (SomeTensor Real) :=
  match vals[pid]? with
  | some parent => pure parent
  | none => throw "no such parent"

def unaryParentId (n : Node) : Except String Nat :=
  match n.parents with
  | #[p] => pure p
  | _ => throw "not one parent"

def binaryParentIds (n : Node) : Except String (Nat × Nat) :=
  match n.parents with
  | #[p, q] => pure (p, q)
  | _ => throw "not two parents"

def evalNodeRaw (payload : Payload Real) (input : SomeTensor Real) (vals : Array (SomeTensor Real)) (n : Node) :
    Except String (SomeTensor Real) := do
  let unary (f : Tensor Real n.outShape → Tensor Real n.outShape) : Except String (SomeTensor Real) := do
    let x ← expectShape n.outShape (← getParentValue vals (← unaryParentId n))
    pure ⟨n.outShape, f x⟩
  let binary (f : Tensor Real n.outShape → Tensor Real n.outShape → Tensor Real n.outShape) :
      Except String (SomeTensor Real) := do
    let (p, q) ← binaryParentIds n
    let x ← expectShape n.outShape (← getParentValue vals p)
    let y ← expectShape n.outShape (← getParentValue vals q)
    pure ⟨n.outShape, f x y⟩
  match n.kind with
  | .input => do pure ⟨n.outShape, ← expectShape n.outShape input⟩
  | .const s => do pure ⟨s, ← evalConst payload n.id s⟩
  | .detach => unary Tensor.detachSpec
  | .add => binary Tensor.addSpec
  | .sub => binary Tensor.subSpec
  | .mulElem => binary Tensor.mulSpec
  | .inv => unary Tensor.invSpec
  | .sqrt => unary Tensor.sqrtSpec
  | .relu => unary Activation.reluSpec
  | .tanh => unary Activation.tanhSpec
  | .exp => unary Tensor.expSpec
  | .sin => unary (Tensor.mapSpec (fun x => MathFunctions.sin x))
  | .cos => unary (Tensor.mapSpec (fun x => MathFunctions.cos x))
  | .sum => do
    let p ← getParentValue vals (← unaryParentId n)
    pure ⟨.scalar, Tensor.scalar (Tensor.sumSpec p.tensor)⟩

/-- A value has the shape that its node declares. -/
def normalizeNodeOutput (n : Node) (v : SomeTensor Real) : Except String (SomeTensor Real) :=
  if h : v.shape = n.outShape then pure ⟨n.outShape, h ▸ v.tensor⟩ else throw "another shape"

def evalAt (g : Graph) (payload : Payload Real) (input : SomeTensor Real) (vals : Array (SomeTensor Real))
    (i : Nat) : Except String (SomeTensor Real) := do
  let n ← g.getNode i
  let v ← evalNodeRaw payload input vals n
  normalizeNodeOutput n v

def denoteAllFrom (g : Graph) (payload : Payload Real) (input : SomeTensor Real) (i : Nat)
    (vals : Array (SomeTensor Real)) : Except String (Array (SomeTensor Real)) := do
  if h : i < g.nodes.size then
    let v ← evalAt g payload input vals i
    denoteAllFrom g payload input (i + 1) (vals.push v)
  else
    pure vals
termination_by g.nodes.size - i

def denoteAll (g : Graph) (payload : Payload Real) (input : SomeTensor Real) :
    Except String (Array (SomeTensor Real)) := do
  if g.wellFormed then pure () else throw "ill-formed"
  denoteAllFrom g payload input 0 #[]

end NN.IR.Graph
