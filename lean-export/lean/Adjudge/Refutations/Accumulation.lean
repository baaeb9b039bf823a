module

public import Adjudge.Refutations.Runtime
public import Adjudge.Theorems.Sparse

/-!
# Wrong accumulation

Gradients that are overwritten, seeds that are dropped, and contributions of a node read twice that are not
both added.
-/

@[expose] public noncomputable section

namespace Adjudge.Refutations

open Runtime

/-- Sets the slot to the contribution instead of adding it. -/
def overwriting : Runtime Int :=
  { right with
    addGrad := fun tape grads pid g =>
      match tape[pid]?, grads[pid]? with
      | some node, some slot =>
        if !node.requiresGrad then .ok grads
        else if g.shape ≠ node.value.shape then .error (.contributionShape pid)
        else if slot.shape ≠ node.value.shape then .error (.gradientShape pid)
        else .ok (grads.set pid g)
      | _, _ => .error (.id pid) }

/-- A runtime that overwrites gradients instead of adding to them is wrong. -/
theorem overwriting_not_sound : ¬ overwriting.Sound :=
  not_sound squared (one 3) (two 10 1) (by decide +kernel)

/-- Starts from the last seed alone. -/
def droppingSeeds : Runtime Int :=
  { right with
    start := fun seed => seed.mapIdx fun id t => if id + 1 = seed.length then t else ⟨Tensor.zeros t.shape⟩ }

/-- A runtime that drops all seeds but the last is wrong. -/
theorem droppingSeeds_not_sound : ¬ droppingSeeds.Sound :=
  not_sound squared (one 3) (two 10 1) (by decide +kernel)

/-- The first contribution to each parent. -/
def firstOfEach : List (Contribution Int) → List Nat → List (Contribution Int)
  | [], _ => []
  | c :: rest, seen =>
    if seen.contains c.parent then firstOfEach rest seen else c :: firstOfEach rest (c.parent :: seen)

/-- Adds one contribution of a node to each parent, and no second one. -/
def addingOnce : Runtime Int := { right with arriving := fun contributions => firstOfEach contributions [] }

/-- What `x · x` sends to its left and its right factor, both at the place of `x`. -/
def factors (x : Context Int One) (c : Tensor Int []) : List (PlacedCotangent Int One) :=
  [⟨.last, scalar (value x.last * value c)⟩, ⟨.last, scalar (value x.last * value c)⟩]

/-- The tape of `x · x` whose node emits two contributions to `x`. -/
def squaredTwice (x : Context Int One) : Tape Int :=
  addLeaves x ++ [
    { name := "square"
      value := ⟨square.forward x ()⟩
      requiresGrad := true
      parents := [0, 0]
      backward := fun upstream =>
        if h : upstream.shape = [] then
          .ok ((factors x (h ▸ upstream.tensor)).map PlacedCotangent.contribution)
        else .error (.upstreamShape 1) }]

/-- The tape whose node emits two contributions realises `x · x`. -/
theorem realises_squaredTwice (x : Context Int One) : (squaredTwice x).Realises squared x () := by
  refine ⟨_, _, rfl, rfl, PlacedCotangent.realises Int.add_zero Int.add_assoc rfl rfl (factors x)
    (fun c => by simp) fun c => ?_⟩
  simp only [square, factors, PlacedCotangent.total, Place.only, Context.zeros, GraphData.eval]
  refine congrArg (Context.snoc .nil) (congrArg Tensor.mk (funext fun i => ?_))
  show 2 * value x.last * value c = value x.last * value c + (value x.last * value c + 0)
  grind

/-- A runtime that adds only one contribution of a node read twice is wrong. -/
theorem addingOnce_not_sound :
    ¬ ∀ (x : Context Int One) (seed : Context Int Two),
      addingOnce.run (squaredTwice x) seed.toList = .ok (squared.backpropAllCtx x () seed).toList :=
  fun sound => absurd (congrArg numbers (sound (one 3) (two 10 1))) (by decide +kernel)

/-- The right runtime adds both contributions of a node read twice. -/
theorem right_adds_both (x : Context Int One) (seed : Context Int Two) :
    backwardDenseFrom (squaredTwice x) seed.toList = .ok (squared.backpropAllCtx x () seed).toList :=
  (realises_squaredTwice x).backwardDenseFrom_eq_backpropAllCtx seed

end Adjudge.Refutations
