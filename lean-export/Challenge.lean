module

public import Init.Grind

/-!
# What adjudge claims of graphs and tapes, to be read without adjudge

The definitions and the ten main statements; no proof, and nothing of the library is imported. `Compared.lean`
finds each definition here to be the library's, part by part, and each claim to be what the theorem of that
name says. Scalars are of any type that has what a statement names; shapes are erased in lists.
-/

@[expose] public noncomputable section

namespace Challenge

open Lean.Grind

/-! ## Tensors, and contexts: lists of tensors, whose positions are the ids of nodes -/

abbrev Shape := List Nat

def Shape.size : Shape → Nat
  | [] => 1
  | extent :: rest => extent * size rest

/-- For each row-major position an element. -/
structure Tensor (S : Type) (shape : Shape) where
  get : Fin shape.size → S

inductive ContextType where
  | nil
  | snoc (earlier : ContextType) (last : Shape)

def ContextType.length : ContextType → Nat
  | nil => 0
  | snoc earlier _ => earlier.length + 1

inductive Context (S : Type) : ContextType → Type where
  | nil : Context S .nil
  | snoc {C : ContextType} {τ : Shape} (earlier : Context S C) (last : Tensor S τ) : Context S (.snoc C τ)

structure AnyTensor (S : Type) where
  {shape : Shape}
  tensor : Tensor S shape

variable {S Δ : Type} {Γ C : ContextType} {τ shape : Shape}

namespace Tensor

def add [Add S] (x y : Tensor S shape) : Tensor S shape where
  get i := x.get i + y.get i

instance [Add S] : Add (Tensor S shape) := ⟨add⟩

def zeros [Zero S] (shape : Shape) : Tensor S shape where
  get _ := 0

end Tensor

def sumUp [Zero S] [Add S] : (n : Nat) → (Fin n → S) → S
  | 0, _ => 0
  | n + 1, f => sumUp n (fun i => f i.castSucc) + f (Fin.last n)

def Tensor.dot [Zero S] [Add S] [Mul S] {shape : Shape} (x y : Tensor S shape) : S :=
  sumUp shape.size fun i => x.get i * y.get i

namespace Context

def init : Context S (.snoc C τ) → Context S C
  | snoc earlier _ => earlier

def last : Context S (.snoc C τ) → Tensor S τ
  | snoc _ t => t

def add [Add S] : {C : ContextType} → Context S C → Context S C → Context S C
  | .nil, nil, nil => nil
  | .snoc _ _, snoc a s, snoc b t => snoc (add a b) (s + t)

instance [Add S] : Add (Context S C) := ⟨add⟩

def zeros [Zero S] : (C : ContextType) → Context S C
  | .nil => nil
  | .snoc C τ => snoc (zeros C) (Tensor.zeros τ)

def dot [Zero S] [Add S] [Mul S] : {C : ContextType} → Context S C → Context S C → S
  | .nil, nil, nil => 0
  | .snoc _ _, snoc a s, snoc b t => dot a b + s.dot t

def toList : {C : ContextType} → Context S C → List (AnyTensor S)
  | .nil, nil => []
  | .snoc _ _, snoc earlier t => earlier.toList ++ [⟨t⟩]

end Context

/-- A place in a context where a tensor of shape `τ` is. -/
inductive Place : ContextType → Shape → Type where
  | last {C : ContextType} {τ : Shape} : Place (.snoc C τ) τ
  | earlier {C : ContextType} {σ τ : Shape} : Place C τ → Place (.snoc C σ) τ

namespace Place

def id : {C : ContextType} → Place C τ → Nat
  | .snoc C _, last => C.length
  | .snoc _ _, earlier place => place.id

/-- The context that is zero but for one entry. -/
def only [Zero S] : {C : ContextType} → Place C τ → Tensor S τ → Context S C
  | .snoc C _, last, t => .snoc (.zeros C) t
  | .snoc _ σ, earlier place, t => .snoc (place.only t) (.zeros σ)

end Place

/-! ## Graphs over inputs `Γ`: nodes are three functions of the context before them and of data `Δ` -/

structure NodeData (S Δ : Type) (C : ContextType) (τ : Shape) where
  name : String
  reads : List Nat
  forward : Context S C → Δ → Tensor S τ
  jvp : Context S C → Context S C → Δ → Tensor S τ
  vjp : Context S C → Δ → Tensor S τ → Context S C

/-- A node that keeps the local law: `vjp` is the adjoint of `jvp`. -/
structure Node (S Δ : Type) [Zero S] [Add S] [Mul S] (C : ContextType) (τ : Shape) extends NodeData S Δ C τ where
  adjoint : ∀ ctx dctx δ c, (jvp ctx dctx δ).dot c = dctx.dot (vjp ctx δ c)

inductive GraphData (S Δ : Type) (Γ : ContextType) : ContextType → Type where
  | nil : GraphData S Δ Γ Γ
  | snoc {C : ContextType} {τ : Shape} (g : GraphData S Δ Γ C) (node : NodeData S Δ C τ) :
      GraphData S Δ Γ (.snoc C τ)

namespace GraphData

def eval {C : ContextType} : GraphData S Δ Γ C → Context S Γ → Δ → Context S C
  | nil, x, _ => x
  | snoc g node, x, δ =>
    let ctx := g.eval x δ
    ctx.snoc (node.forward ctx δ)

def jvpCtx {C : ContextType} : GraphData S Δ Γ C → Context S Γ → Context S Γ → Δ → Context S C
  | nil, _, dx, _ => dx
  | snoc g node, x, dx, δ =>
    let dctx := g.jvpCtx x dx δ
    dctx.snoc (node.jvp (g.eval x δ) dctx δ)

/-- The cotangents of the inputs. -/
def backpropCtx [Add S] {C : ContextType} : GraphData S Δ Γ C → Context S Γ → Δ → Context S C → Context S Γ
  | nil, _, _, seed => seed
  | snoc g node, x, δ, seed =>
    g.backpropCtx x δ (seed.init + node.vjp (g.eval x δ) δ seed.last)

/-- The cotangents of the inputs and of all nodes. -/
def backpropAllCtx [Add S] {C : ContextType} :
    GraphData S Δ Γ C → Context S Γ → Δ → Context S C → Context S C
  | nil, _, _, seed => seed
  | snoc g node, x, δ, seed =>
    (g.backpropAllCtx x δ (seed.init + node.vjp (g.eval x δ) δ seed.last)).snoc seed.last

def inputs {C : ContextType} : GraphData S Δ Γ C → Context S C → Context S Γ
  | nil, context => context
  | snoc g _, context => g.inputs context.init

end GraphData

inductive Graph (S Δ : Type) [Zero S] [Add S] [Mul S] (Γ : ContextType) : ContextType → Type where
  | nil : Graph S Δ Γ Γ
  | snoc {C : ContextType} {τ : Shape} (g : Graph S Δ Γ C) (node : Node S Δ C τ) : Graph S Δ Γ (.snoc C τ)

namespace Graph

variable [Zero S] [Add S] [Mul S]

def toData {C : ContextType} : Graph S Δ Γ C → GraphData S Δ Γ C
  | nil => .nil
  | snoc g node => .snoc g.toData node.toNodeData

def jvpCtx (g : Graph S Δ Γ C) : Context S Γ → Context S Γ → Δ → Context S C := g.toData.jvpCtx

def backpropCtx (g : Graph S Δ Γ C) : Context S Γ → Δ → Context S C → Context S Γ := g.toData.backpropCtx

def backpropAllCtx (g : Graph S Δ Γ C) : Context S Γ → Δ → Context S C → Context S C :=
  g.toData.backpropAllCtx

end Graph

/-! ## Tapes: what an engine runs, which checks every shape and may fail -/

inductive TapeError where
  | id (id : Nat)
  | seedLength (entries nodes : Nat)
  | contributionShape (id : Nat)
  | gradientShape (id : Nat)
  | upstreamShape (id : Nat)

structure Contribution (S : Type) where
  parent : Nat
  cotangent : AnyTensor S

structure TapeNode (S : Type) where
  name : String
  value : AnyTensor S
  requiresGrad : Bool
  parents : List Nat
  backward : AnyTensor S → Except TapeError (List (Contribution S))

abbrev Tape (S : Type) := List (TapeNode S)

def addNode (tape : Tape S) (node : TapeNode S) : Tape S × Nat := (tape ++ [node], tape.length)

def leafNode (value : AnyTensor S) : TapeNode S where
  name := "leaf"
  value := value
  requiresGrad := true
  parents := []
  backward _ := .ok []

def AnyTensor.add? [Add S] (x y : AnyTensor S) : Option (AnyTensor S) :=
  if h : y.shape = x.shape then some ⟨x.tensor + h ▸ y.tensor⟩ else none

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

def addContributions [Add S] (tape : Tape S) (grads : List (AnyTensor S)) :
    List (Contribution S) → Except TapeError (List (AnyTensor S))
  | [] => .ok grads
  | ⟨parent, cotangent⟩ :: rest =>
    match addGradAll tape grads parent cotangent with
    | .ok added => addContributions tape added rest
    | .error e => .error e

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

def backwardLoop [Add S] (tape : Tape S) :
    Nat → List (AnyTensor S) → Except TapeError (List (AnyTensor S))
  | 0, grads => .ok grads
  | n + 1, grads =>
    match backwardDenseFromStep tape grads n with
    | .ok stepped => backwardLoop tape n stepped
    | .error e => .error e

/-- Pulls a cotangent of every id back through the tape. -/
def backwardDenseFrom [Add S] (tape : Tape S) (seed : List (AnyTensor S)) :
    Except TapeError (List (AnyTensor S)) :=
  if seed.length ≠ tape.length then .error (.seedLength seed.length tape.length)
  else backwardLoop tape tape.length seed

def seedAt [Zero S] (tape : Tape S) (outId : Nat) (seed : AnyTensor S) : List (AnyTensor S) :=
  tape.mapIdx fun id node => if id = outId then seed else ⟨Tensor.zeros node.value.shape⟩

def backwardDenseAll [Zero S] [Add S] (tape : Tape S) (outId : Nat) (seed : AnyTensor S) :
    Except TapeError (List (AnyTensor S)) :=
  if outId < tape.length then backwardDenseFrom tape (seedAt tape outId seed) else .error (.id outId)

/-! ## Compilation: a graph's tape, and the values it was built with -/

structure Compiled (S : Type) (C : ContextType) where
  tape : Tape S
  context : Context S C

def contributionsFrom (first : Nat) : List (AnyTensor S) → List (Contribution S)
  | [] => []
  | cotangent :: rest => ⟨first, cotangent⟩ :: contributionsFrom (first + 1) rest

def tapeNode {C : ContextType} {τ : Shape} (node : NodeData S Δ C τ) (ctx : Context S C) (δ : Δ) : TapeNode S where
  name := node.name
  value := ⟨node.forward ctx δ⟩
  requiresGrad := true
  parents := node.reads
  backward upstream :=
    if h : upstream.shape = τ then
      .ok (contributionsFrom 0 (node.vjp ctx δ (h ▸ upstream.tensor)).toList)
    else .error (.upstreamShape C.length)

def addLeaves (x : Context S Γ) : Tape S := x.toList.map leafNode

def compile {C : ContextType} : GraphData S Δ Γ C → Context S Γ → Δ → Compiled S C
  | .nil, x, _ => ⟨addLeaves x, x⟩
  | .snoc g node, x, δ =>
    let ⟨tape, ctx⟩ := compile g x δ
    ⟨(addNode tape (tapeNode node ctx δ)).1, ctx.snoc (node.forward ctx δ)⟩

/-! ## The ten claims -/

/-- Compilation evaluates. -/
def Claims.GraphData.compile_ctx_eq_eval : Prop :=
  ∀ {S Δ : Type} {Γ C : ContextType} (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ),
    (compile g x δ).context = g.eval x δ

/-- The tape has these values, in the order of the ids. -/
def Claims.GraphData.compile_values_eq : Prop :=
  ∀ {S Δ : Type} {Γ C : ContextType} (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ),
    (compile g x δ).tape.map TapeNode.value = (g.eval x δ).toList

/-- Each of its nodes requires a gradient. -/
def Claims.GraphData.compile_requires_grad : Prop :=
  ∀ {S Δ : Type} {Γ C : ContextType} (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ),
    ∀ node ∈ (compile g x δ).tape, node.requiresGrad = true

/-- A node of the tape contributes to earlier ones alone. -/
def Claims.GraphData.compile_backward_pids_lt : Prop :=
  ∀ {S Δ : Type} {Γ C : ContextType} (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ) {id : Nat}
    {node : TapeNode S}, (compile g x δ).tape[id]? = some node →
    ∀ {upstream : AnyTensor S} {contributions : List (Contribution S)},
      node.backward upstream = .ok contributions → ∀ c ∈ contributions, c.parent < id

/-- What an engine computes on the tape is backpropagation: no law of numbers is used. -/
def Claims.GraphData.backwardDenseFrom_compile_eq_backpropAllCtx : Prop :=
  ∀ {S Δ : Type} {Γ C : ContextType} [Add S] (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ)
    (seed : Context S C),
    backwardDenseFrom (compile g x δ).tape seed.toList = .ok (g.backpropAllCtx x δ seed).toList

/-- The same from a seed at one id. -/
def Claims.GraphData.backwardDenseAll_compile_eq_backpropAllCtx : Prop :=
  ∀ {S Δ : Type} {Γ C : ContextType} {τ : Shape} [Zero S] [Add S] (g : GraphData S Δ Γ C) (x : Context S Γ)
    (δ : Δ) (place : Place C τ) (t : Tensor S τ),
    backwardDenseAll (compile g x δ).tape place.id ⟨t⟩ = .ok (g.backpropAllCtx x δ (place.only t)).toList

/-- `backpropCtx` is the part of `backpropAllCtx` that belongs to the inputs. -/
def Claims.GraphData.backpropCtx_eq_inputs : Prop :=
  ∀ {S Δ : Type} {Γ C : ContextType} [Add S] (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ)
    (seed : Context S C), g.backpropCtx x δ seed = g.inputs (g.backpropAllCtx x δ seed)

/-- The local law determines what a node pulls back. -/
def Claims.Node.vjp_unique : Prop :=
  ∀ {S Δ : Type} {C : ContextType} {τ : Shape} [CommSemiring S] (a b : Node S Δ C τ),
    a.jvp = b.jvp → a.vjp = b.vjp

/-- Backpropagation is the adjoint of the graph's tangents. -/
def Claims.Graph.adjoint : Prop :=
  ∀ {Δ : Type} {Γ C : ContextType} {S : Type} [CommSemiring S] (g : Graph S Δ Γ C) (x dx : Context S Γ) (δ : Δ)
    (seed : Context S C), (g.jvpCtx x dx δ).dot seed = dx.dot (g.backpropCtx x δ seed)

/-- It adds what it gives back for two seeds. -/
def Claims.Graph.backpropAllCtx_add : Prop :=
  ∀ {S Δ : Type} {Γ C : ContextType} [CommSemiring S] (g : Graph S Δ Γ C) (x : Context S Γ) (δ : Δ)
    (s t : Context S C), g.backpropAllCtx x δ (s + t) = g.backpropAllCtx x δ s + g.backpropAllCtx x δ t

end Challenge
