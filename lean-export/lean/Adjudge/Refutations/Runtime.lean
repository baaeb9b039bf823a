module

public import Adjudge.Theorems.Compile

/-!
# Runtimes with one thing changed

The dense loop of `reference/tape.ts` with its parts as parameters. With the right parts it is
`backwardDenseFrom`; each refutation changes one part and proves a counterexample on a graph of scalars.
-/

@[expose] public noncomputable section

namespace Adjudge.Refutations

variable {S Δ : Type} {Γ C : ContextType}

/-- The parts of a dense loop. -/
structure Runtime (S : Type) where
  /-- What the gradients start from. -/
  start : List (AnyTensor S) → List (AnyTensor S)
  /-- The ids visited, of so many nodes. -/
  visits : Nat → List Nat
  /-- The slot whose gradient the node at an id is handed. -/
  slot : Nat → Nat
  /-- Which of a node's contributions arrive. -/
  arriving : List (Contribution S) → List (Contribution S)
  /-- How one contribution is added. -/
  addGrad : Tape S → List (AnyTensor S) → Nat → AnyTensor S → Except TapeError (List (AnyTensor S))

/-- `n - 1, …, 0`. -/
def descending : Nat → List Nat
  | 0 => []
  | n + 1 => n :: descending n

namespace Runtime

/-- Adds contributions in the order given. -/
def addAll (runtime : Runtime S) (tape : Tape S) (grads : List (AnyTensor S)) :
    List (Contribution S) → Except TapeError (List (AnyTensor S))
  | [] => .ok grads
  | ⟨parent, cotangent⟩ :: rest =>
    match runtime.addGrad tape grads parent cotangent with
    | .ok added => runtime.addAll tape added rest
    | .error e => .error e

/-- One step of the loop. -/
def step (runtime : Runtime S) (tape : Tape S) (grads : List (AnyTensor S)) (id : Nat) :
    Except TapeError (List (AnyTensor S)) :=
  match tape[id]? with
  | none => .error (.id id)
  | some node =>
    if !node.requiresGrad then .ok grads
    else match grads[runtime.slot id]? with
      | none => .error (.id id)
      | some upstream =>
        if upstream.shape ≠ node.value.shape then .error (.gradientShape id)
        else match node.backward upstream with
          | .error e => .error e
          | .ok contributions => runtime.addAll tape grads (runtime.arriving contributions)

/-- The step for each id. -/
def loop (runtime : Runtime S) (tape : Tape S) (grads : List (AnyTensor S)) :
    List Nat → Except TapeError (List (AnyTensor S))
  | [] => .ok grads
  | id :: rest =>
    match runtime.step tape grads id with
    | .ok stepped => runtime.loop tape stepped rest
    | .error e => .error e

/-- The whole run. -/
def run (runtime : Runtime S) (tape : Tape S) (seed : List (AnyTensor S)) :
    Except TapeError (List (AnyTensor S)) :=
  if seed.length ≠ tape.length then .error (.seedLength seed.length tape.length)
  else runtime.loop tape (runtime.start seed) (runtime.visits tape.length)

variable [Add S]

/-- The runtime of SEMANTICS §4. -/
def right : Runtime S where
  start seed := seed
  visits := descending
  slot id := id
  arriving contributions := contributions
  addGrad := addGradAll

/-- On every compiled tape the runtime gives `backpropAllCtx`. -/
def Sound (runtime : Runtime S) : Prop :=
  ∀ (Γ C : ContextType) (g : GraphData S Unit Γ C) (x : Context S Γ) (seed : Context S C),
    runtime.run (compile g x ()).tape seed.toList = .ok (g.backpropAllCtx x () seed).toList

/-- With the right parts, contributions are added as the tape adds them. -/
theorem right_addAll (tape : Tape S) (grads : List (AnyTensor S)) (contributions : List (Contribution S)) :
    right.addAll tape grads contributions = addContributions tape grads contributions := by
  induction contributions generalizing grads with
  | nil => rfl
  | cons c rest ih =>
    simp only [addAll, addContributions, ih]
    rfl

/-- With the right parts, the loop is that of the tape. -/
theorem right_loop (tape : Tape S) (grads : List (AnyTensor S)) (n : Nat) :
    right.loop tape grads (descending n) = backwardLoop tape n grads := by
  induction n generalizing grads with
  | zero => rfl
  | succ n ih =>
    have step : right.step tape grads n = backwardDenseFromStep tape grads n := by
      simp only [Runtime.step, backwardDenseFromStep, right_addAll]
      rfl
    simp only [descending, loop, backwardLoop, step, ih]
    cases backwardDenseFromStep tape grads n <;> rfl

/-- The loop with the right parts is `backwardDenseFrom`. -/
theorem right_run (tape : Tape S) (seed : List (AnyTensor S)) :
    right.run tape seed = backwardDenseFrom tape seed := by
  simp only [run, backwardDenseFrom, ← right_loop]
  rfl

/-- The runtime with the right parts gives `backpropAllCtx` on every compiled tape. -/
theorem right_sound : (right : Runtime S).Sound := fun _ _ g x seed => by
  rw [right_run, g.backwardDenseFrom_compile_eq_backpropAllCtx]

end Runtime

/-- The first element of each gradient, to compare runs by; `none` for a run that failed. -/
def numbers (result : Except TapeError (List (AnyTensor S))) : Option (List (Option S)) :=
  match result with
  | .ok grads => some (grads.map fun t => if h : 0 < t.shape.size then some (t.tensor.get ⟨0, h⟩) else none)
  | .error _ => none

/-- A runtime whose numbers differ on one graph is not sound. -/
theorem Runtime.not_sound [Add S] {runtime : Runtime S} (g : GraphData S Unit Γ C) (x : Context S Γ)
    (seed : Context S C)
    (differ : numbers (runtime.run (compile g x ()).tape seed.toList)
      ≠ numbers (.ok (g.backpropAllCtx x () seed).toList)) : ¬ runtime.Sound :=
  fun sound => differ (congrArg numbers (sound Γ C g x seed))

/-- A scalar tensor. -/
def scalar (x : S) : Tensor S [] := ⟨fun _ => x⟩

/-- The number in a scalar tensor. -/
def value (t : Tensor S []) : S := t.get ⟨0, by decide⟩

/-- One scalar. -/
abbrev One : ContextType := .snoc .nil []

/-- Two scalars. -/
abbrev Two : ContextType := .snoc One []

/-- Three scalars. -/
abbrev Three : ContextType := .snoc Two []

/-- A context of one scalar. -/
def one (x : S) : Context S One := .snoc .nil (scalar x)

/-- A context of two scalars. -/
def two (x y : S) : Context S Two := .snoc (one x) (scalar y)

/-- A context of three scalars. -/
def three (x y z : S) : Context S Three := .snoc (two x y) (scalar z)

/-- The square of the last entry. -/
def square : NodeData Int Unit (.snoc C []) [] where
  name := "square"
  reads := [C.length]
  forward ctx _ := scalar (value ctx.last * value ctx.last)
  jvp ctx dctx _ := scalar (2 * value ctx.last * value dctx.last)
  vjp ctx _ c := .snoc (.zeros C) (scalar (2 * value ctx.last * value c))

/-- `x · x`. -/
def squared : GraphData Int Unit One Two := .snoc .nil square

/-- `(x · x) · (x · x)`. -/
def fourthPower : GraphData Int Unit One Three := .snoc squared square

/-- On `x · x` at 3 with seeds 10 and 1, the right runtime gives 16 and 1. -/
theorem right_on_squared :
    numbers (backwardDenseFrom (compile squared (one 3) ()).tape (two 10 1).toList)
      = some [some 16, some 1] := by decide +kernel

/-- On `(x · x) · (x · x)` at 3 the right runtime gives 108, 18 and 1. -/
theorem right_on_fourthPower :
    numbers (backwardDenseFrom (compile fourthPower (one 3) ()).tape (three 0 0 1).toList)
      = some [some 108, some 18, some 1] := by decide +kernel

end Adjudge.Refutations
