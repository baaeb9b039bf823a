module

public import Adjudge.Refutations.Runtime
public import Adjudge.Theorems.Sweep

/-!
# Where the laws are needed

Additions that do not commute, associate or have a neutral zero, and a product with `0 · ∞`: each shows that a
hypothesis of `Adjudge.Theorems` cannot be left out, or that the order of `add` is part of the definition.
-/

@[expose] public noncomputable section

namespace Adjudge.Refutations

open Runtime

/-- The node that hands its value and its cotangent on. -/
def identity {S : Type} [Zero S] {C : ContextType} : NodeData S Unit (.snoc C []) [] where
  name := "identity"
  reads := [C.length]
  forward ctx _ := ctx.last
  jvp _ dctx _ := dctx.last
  vjp _ _ c := .snoc (.zeros C) c

/-- Words, added by writing one after the other. -/
structure Word where
  letters : List Nat
  deriving DecidableEq

instance : Zero Word := ⟨⟨[]⟩⟩
instance : Add Word := ⟨fun x y => ⟨x.letters ++ y.letters⟩⟩

/-- Adds the slot to the contribution instead of the contribution to the slot. -/
def swappingAddition {S : Type} [Add S] : Runtime S :=
  { right with
    addGrad := fun tape grads pid g =>
      match tape[pid]?, grads[pid]? with
      | some node, some slot =>
        if !node.requiresGrad then .ok grads
        else if g.shape ≠ node.value.shape then .error (.contributionShape pid)
        else if slot.shape ≠ node.value.shape then .error (.gradientShape pid)
        else match g.add? slot with
          | some sum => .ok (grads.set pid sum)
          | none => .error (.gradientShape pid)
      | _, _ => .error (.id pid) }

/-- A runtime that swaps the summands is wrong where addition does not commute. -/
theorem swappingAddition_not_sound : ¬ (swappingAddition (S := Word)).Sound :=
  not_sound (.snoc .nil identity : GraphData Word Unit One Two) (one ⟨[]⟩) (two ⟨[1]⟩ ⟨[2]⟩)
    (by decide +kernel)

/-- Sums of tensors commute when sums of scalars do. -/
theorem add?_comm {S : Type} [Add S] (comm : ∀ x y : S, x + y = y + x) (s t : AnyTensor S) :
    s.add? t = t.add? s := by
  obtain ⟨s⟩ := s
  rename_i shape
  obtain ⟨t⟩ := t
  rename_i shape'
  by_cases same : shape = shape'
  · subst same
    simp only [AnyTensor.add?, ↓reduceDIte]
    exact congrArg (fun t => some (AnyTensor.mk t)) (congrArg Tensor.mk (funext fun i => comm _ _))
  · have : ¬ shape' = shape := fun h => same h.symm
    simp [AnyTensor.add?, same, this]

/-- A runtime that swaps the summands is sound where addition commutes. -/
theorem swappingAddition_sound {S : Type} [Add S] (comm : ∀ x y : S, x + y = y + x) :
    (swappingAddition (S := S)).Sound := by
  have same : (swappingAddition (S := S)) = right := by
    simp only [swappingAddition, right, Runtime.mk.injEq, true_and]
    funext tape grads pid g
    simp only [addGradAll, fun slot => add?_comm comm g slot]
    cases tape[pid]? <;> cases grads[pid]? <;> rfl
  exact same ▸ right_sound

/-- On words the right runtime adds the contribution after the seed. -/
theorem right_on_words :
    numbers (backwardDenseFrom
      (compile (.snoc .nil identity : GraphData Word Unit One Two) (one ⟨[]⟩) ()).tape
      (two ⟨[1]⟩ ⟨[2]⟩).toList) = some [some ⟨[1, 2]⟩, some ⟨[2]⟩] := by decide +kernel

/-- −1, 0 and 1, added with saturation: as floats do, this addition commutes and does not associate. -/
inductive Saturated where
  | minus
  | zero
  | plus
  deriving DecidableEq

instance : Zero Saturated := ⟨.zero⟩
instance : Add Saturated where
  add
    | .zero, y => y
    | x, .zero => x
    | .plus, .plus => .plus
    | .minus, .minus => .minus
    | _, _ => .zero

/-- Zero is neutral among the saturated numbers. -/
theorem Saturated.add_zero (x : Saturated) : x + 0 = x := by cases x <;> rfl

/-- Saturated addition commutes. -/
theorem Saturated.add_comm (x y : Saturated) : x + y = y + x := by cases x <;> cases y <;> rfl

/-- Two contributions of one to the same place. -/
def twice : List (PlacedCotangent Saturated One) := [⟨.last, scalar .plus⟩, ⟨.last, scalar .plus⟩]

/-- Where addition does not associate, adding contributions one by one is not adding their sum. -/
theorem one_by_one_needs_associativity :
    ¬ ∀ (tape : Tape Saturated) (a : Context Saturated One) (placed : List (PlacedCotangent Saturated One)),
      tape.Accepts One →
        addContributions tape a.toList (placed.map PlacedCotangent.contribution)
          = .ok (a + PlacedCotangent.total placed).toList := fun all =>
  absurd (congrArg numbers (all [leafNode ⟨scalar .zero⟩] (one .minus) twice ⟨trivial, _, rfl, rfl, rfl⟩))
    (by decide +kernel)

/-- The two zeros of floats: `−0 + −0 = −0`, and every other sum is `+0`. -/
inductive SignedZero where
  | negative
  | positive
  deriving DecidableEq

instance : Zero SignedZero := ⟨.positive⟩
instance : Add SignedZero where
  add
    | .negative, .negative => .negative
    | _, _ => .positive

/-- Adding zero twice to a signed zero is adding it once. -/
theorem SignedZero.idempotent (x : SignedZero) : x + 0 + 0 = x + 0 := by cases x <;> rfl

/-- Adding zero to a signed zero first is adding it last. -/
theorem SignedZero.late (x y : SignedZero) : x + 0 + y = x + y + 0 := by cases x <;> cases y <;> rfl

/-- A constant: it reads nothing. -/
def constantNode : SparseNode SignedZero Unit One [] where
  name := "constant"
  reads := []
  forward _ _ := scalar .positive
  jvp _ _ _ := scalar .positive
  pull _ _ _ := .snoc .nil none

/-- A graph of one constant. -/
def constantGraph : SparseGraph SignedZero Unit One Two := .snoc .nil constantNode

/-- Where `−0 + 0` is `+0`, the sparse tape and the dense tape differ: `x + 0 = x` is needed. -/
theorem sparse_needs_neutral_zero :
    ¬ ∀ (x : Context SignedZero One) (seed : Context SignedZero Two),
      backwardDenseFrom (constantGraph.compileSparse x ()) seed.toList
        = backwardDenseFrom (compile constantGraph.toData x ()).tape seed.toList :=
  fun same => absurd (congrArg numbers (same (one .positive) (two .negative .positive))) (by decide +kernel)

/-- Integers, an infinity and what is undefined. -/
inductive Extended where
  | number (n : Int)
  | infinite
  | undefined
  deriving DecidableEq

instance : Zero Extended := ⟨.number 0⟩
instance : Add Extended where
  add
    | .number n, .number m => .number (n + m)
    | .undefined, _ => .undefined
    | _, .undefined => .undefined
    | _, _ => .infinite
instance : Mul Extended where
  mul
    | .number n, .number m => .number (n * m)
    | .undefined, _ => .undefined
    | _, .undefined => .undefined
    | .infinite, .infinite => .infinite
    | .infinite, .number n => if n = 0 then .undefined else .infinite
    | .number n, .infinite => if n = 0 then .undefined else .infinite

/-- Zero is neutral on the left of the extended integers. -/
theorem Extended.zero_add (x : Extended) : 0 + x = x := by
  cases x with
  | number n => exact congrArg Extended.number (Int.zero_add n)
  | infinite => rfl
  | undefined => rfl

/-- Zero is neutral on the right of the extended integers. -/
theorem Extended.add_zero (x : Extended) : x + 0 = x := by
  cases x with
  | number n => exact congrArg Extended.number (Int.add_zero n)
  | infinite => rfl
  | undefined => rfl

/-- `∞ · x`, whose `vjp` takes zero to `0 · ∞`. -/
def timesInfinity : NodeData Extended Unit One [] where
  name := "multiply"
  reads := [0]
  forward ctx _ := scalar (.infinite * value ctx.last)
  jvp _ dctx _ := scalar (.infinite * value dctx.last)
  vjp _ _ c := .snoc .nil (scalar (.infinite * value c))

/-- The tape of `∞ · x` at 1. -/
def infiniteTape : Tape Extended :=
  (compile (.snoc .nil timesInfinity : GraphData Extended Unit One Two) (one (.number 1)) ()).tape

/--
Where `0 · ∞` is not zero, the sparse sweep is not `backwardDenseAll`: zero must be preserved, a neutral
zero is not enough.
-/
theorem sweep_needs_zeroPreserving :
    ¬ ∀ (tape : Tape Extended) (outId : Nat) (seed : AnyTensor Extended),
      (∀ out, tape[outId]? = some out → seed.shape = out.value.shape) →
        backwardDenseAll tape outId seed = (backward tape outId seed).map (densify tape) := fun all =>
  absurd (congrArg numbers (all infiniteTape 0 ⟨scalar (.number 1)⟩ fun _ h => by
    rw [← Option.some.inj h]; rfl)) (by decide +kernel)

/-- From the input itself, the dense form gives what is undefined and the sparse form gives one. -/
theorem dense_and_sparse_of_infinite :
    numbers (backwardDenseAll infiniteTape 0 ⟨scalar (.number 1)⟩) = some [some .undefined, some (.number 0)]
      ∧ numbers ((backward infiniteTape 0 ⟨scalar (.number 1)⟩).map (densify infiniteTape))
        = some [some (.number 1), some (.number 0)] := by decide +kernel

end Adjudge.Refutations
