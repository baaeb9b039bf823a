module

public import Adjudge.Tapes.Live
public import Adjudge.Tapes.Reached

/-!
# What a tape may leave out

`reference/tapes/pruned.ts` and `simplifications.ts`. Values that no rule reads need not be kept, always.
Nodes before no input and nodes behind no seed need no line, where `x + 0 = x` and, for the latter, zero is
pulled back to zeros. A node with a trivial rule is swept by that rule where the law holds that it needs.
-/

@[expose] public noncomputable section

namespace Adjudge

variable {S Δ : Type} {Γ C : ContextType} {τ σ : Shape}

namespace GraphData

/-- Backpropagation where each node's rule sees only what it reads of the values; zeros stand for the rest. -/
def backpropSaved [Zero S] [Add S] {C : ContextType} : GraphData S Δ Γ C → Context S Γ → Δ → Context S C → Context S C
  | nil, _, _, seed => seed
  | snoc g node, x, δ, seed =>
    let saved := (g.eval x δ).restrict fun id => node.reads.contains id
    (g.backpropSaved x δ (seed.init + node.vjp saved δ seed.last)).snoc seed.last

/--
Dead values need not be kept: the sweep that sees only what is read is `backpropAllCtx`, and no law of the
scalars is used.
-/
theorem backpropSaved_eq_backpropAllCtx [Zero S] [Add S] {g : GraphData S Δ Γ C} (isLocal : g.All NodeData.Local)
    (x : Context S Γ) (δ : Δ) (seed : Context S C) : g.backpropSaved x δ seed = g.backpropAllCtx x δ seed := by
  induction g with
  | nil => rfl
  | snoc g node ih =>
    have same := (isLocal.2 _ (g.eval x δ) δ fun _ place reads =>
      (g.eval x δ).agreeOn_restrict (fun id => node.reads.contains id) place (by simpa using reads)).2
    simp only [backpropSaved, backpropAllCtx, same, ih isLocal.1]

end GraphData

/-- What a node gives to places that it does not read is zero. -/
def NodeData.GivesToReads [Zero S] (node : NodeData S Δ C τ) : Prop :=
  ∀ (ctx : Context S C) (δ : Δ) (c : Tensor S τ) {σ : Shape} (place : Place C σ),
    place.id ∉ node.reads → place.get (node.vjp ctx δ c) = Tensor.zeros σ

/-- Which ids are left out, and why: no input is before them, or no seed is behind them. -/
structure Pruning where
  inputless : Nat → Bool
  unseeded : Nat → Bool

namespace Pruning

/-- A node that has its line. -/
def stays (pruning : Pruning) (id : Nat) : Bool := !pruning.inputless id && !pruning.unseeded id

/--
What is before no input reads only such; what stays reads nothing that is left out for want of a seed. A node
left out for want of a seed pulls zero back to zeros.
-/
def Fits [Zero S] (pruning : Pruning) {C : ContextType} : GraphData S Δ Γ C → Prop
  | .nil => True
  | .snoc (C := C) g node => pruning.Fits g
      ∧ (pruning.inputless C.length = true → ∀ id ∈ node.reads, pruning.inputless id = true)
      ∧ (pruning.stays C.length = true → ∀ id ∈ node.reads, pruning.unseeded id = true → pruning.inputless id = true)
      ∧ (pruning.unseeded C.length = true → node.ZeroPreserving)
      ∧ node.GivesToReads

end Pruning

/-- Backpropagation that passes over what is left out. -/
def GraphData.backpropPruned [Add S] (pruning : Pruning) {C : ContextType} :
    GraphData S Δ Γ C → Context S Γ → Δ → Context S C → Context S C
  | nil, _, _, seed => seed
  | snoc (C := C) g node, x, δ, seed =>
    if pruning.stays C.length then
      (g.backpropPruned pruning x δ (seed.init + node.vjp (g.eval x δ) δ seed.last)).snoc seed.last
    else (g.backpropPruned pruning x δ seed.init).snoc seed.last

/-- An entry of a sum is the sum of the entries. -/
theorem Place.entry_add [Add S] (place : Place C τ) (a b : Context S C) : place.get (a + b) = place.get a + place.get b := by
  induction place with
  | last => cases a; cases b; rfl
  | earlier place ih => cases a; cases b; exact ih _ _

/-- An entry of the zero context is zero. -/
theorem Place.entry_zeros [Zero S] (place : Place C τ) : place.get (Context.zeros C : Context S C) = Tensor.zeros τ := by
  induction place with
  | last => rfl
  | earlier place ih => exact ih

/-- Away from its place, the context with one entry is zero. -/
theorem Place.entry_only_of_ne [Zero S] (place : Place C τ) (other : Place C σ) (t : Tensor S τ) (differ : other.id ≠ place.id) :
    other.get (place.only t) = Tensor.zeros σ := by
  induction place with
  | last =>
    cases other with
    | last => exact absurd rfl differ
    | earlier other => exact other.entry_zeros
  | earlier place ih =>
    cases other with
    | last => rfl
    | earlier other => exact ih other t differ

section Dropping

variable [Zero S] [Add S]

/-- Cotangents of both sweeps: alike but before no input, and zero behind no seed. -/
structure Pruning.Alike (pruning : Pruning) (full pruned : Context S C) : Prop where
  same : full.AgreeOn (fun id => pruning.inputless id = false) pruned
  zero : ∀ {σ : Shape} (place : Place C σ), pruning.unseeded place.id = true → pruning.inputless place.id = false →
    place.get full = Tensor.zeros σ

/-- What a node gives to those before no input alone makes no difference. -/
theorem Pruning.Alike.addInputless {pruning : Pruning} (add_zero : ∀ x : S, x + 0 = x) {full pruned : Context S C}
    (alike : pruning.Alike full pruned) {given : Context S C}
    (zeros : ∀ {σ : Shape} (place : Place C σ), pruning.inputless place.id = false → place.get given = Tensor.zeros σ) :
    pruning.Alike (full + given) pruned where
  same σ place live := by
    rw [place.entry_add, zeros place live, Tensor.add_zeros add_zero]
    exact alike.same place live
  zero {σ} place unseeded live := by
    rw [place.entry_add, zeros place live, Tensor.add_zeros add_zero]
    exact alike.zero place unseeded live

/-- Leaving nodes out keeps the cotangents of all ids that an input is before, where `x + 0 = x`. -/
theorem GraphData.backpropPruned_alike (add_zero : ∀ x : S, x + 0 = x) {pruning : Pruning} {g : GraphData S Δ Γ C}
    (fits : pruning.Fits g) (x : Context S Γ) (δ : Δ) {full pruned : Context S C} (alike : pruning.Alike full pruned) :
    (g.backpropAllCtx x δ full).AgreeOn (fun id => pruning.inputless id = false) (g.backpropPruned pruning x δ pruned) := by
  induction g with
  | nil => exact alike.same
  | @snoc C τ g node ih =>
    cases full with | snoc full c
    cases pruned with | snoc pruned d
    obtain ⟨before, inputless, staying, preserving, gives⟩ := fits
    have early : pruning.Alike full pruned :=
      ⟨fun _ place live => alike.same place.earlier live, fun place u i => alike.zero place.earlier u i⟩
    have finish {a b : Context S C} (inner : (g.backpropAllCtx x δ a).AgreeOn (fun id => pruning.inputless id = false) b) :
        ((g.backpropAllCtx x δ a).snoc c).AgreeOn (fun id => pruning.inputless id = false) (b.snoc d) := by
      intro σ place live
      cases place with
      | last => exact alike.same .last live
      | earlier place => exact inner place live
    simp only [backpropAllCtx, backpropPruned, Context.init, Context.last]
    rcases Bool.eq_false_or_eq_true (pruning.inputless C.length) with isInputless | isInputless
    · simp only [Pruning.stays, isInputless, Bool.not_true, Bool.false_and, Bool.false_eq_true, ↓reduceIte]
      refine finish (ih before (early.addInputless add_zero fun place live => gives _ _ _ place fun reads => ?_))
      simp [inputless isInputless _ reads] at live
    · have top : c = d := alike.same .last isInputless
      rcases Bool.eq_false_or_eq_true (pruning.unseeded C.length) with isUnseeded | isUnseeded
      · simp only [Pruning.stays, isInputless, isUnseeded, Bool.not_true, Bool.and_false, Bool.false_eq_true, ↓reduceIte]
        have none_ : c = Tensor.zeros τ := alike.zero .last isUnseeded isInputless
        refine finish (ih before (early.addInputless add_zero fun place _ => ?_))
        rw [none_, preserving isUnseeded]
        exact place.entry_zeros
      · have stays : pruning.stays C.length = true := by simp [Pruning.stays, isInputless, isUnseeded]
        simp only [stays, ↓reduceIte]
        refine finish (ih before ⟨fun _ place live => ?_, fun place u i => ?_⟩)
        · rw [place.entry_add, place.entry_add, early.same place live, top]
        · rw [place.entry_add, early.zero place u i, gives _ _ _ place fun reads => ?_, Tensor.add_zeros add_zero]
          simp [staying stays _ reads u] at i

/--
A sweep without what is before no input and behind no seed gives every other id what `backpropAllCtx` does,
where `x + 0 = x`, nodes give only to what they read, and those behind no seed pull zero to zeros.
-/
theorem GraphData.backpropPruned_eq_backpropAllCtx (add_zero : ∀ x : S, x + 0 = x) {pruning : Pruning}
    {g : GraphData S Δ Γ C} (fits : pruning.Fits g) (x : Context S Γ) (δ : Δ) {seed : Context S C}
    (zero : ∀ {σ : Shape} (place : Place C σ), pruning.unseeded place.id = true → place.get seed = Tensor.zeros σ)
    {σ : Shape} (place : Place C σ) (live : pruning.inputless place.id = false) :
    place.get (g.backpropPruned pruning x δ seed) = place.get (g.backpropAllCtx x δ seed) :=
  (GraphData.backpropPruned_alike add_zero fits x δ ⟨fun _ _ _ => rfl, fun place u _ => zero place u⟩ place live).symm

end Dropping

/-- A graph some of whose nodes have another rule that pulls back the same. -/
inductive Simplifies : {C : ContextType} → GraphData S Δ Γ C → GraphData S Δ Γ C → Prop where
  | nil : Simplifies .nil .nil
  | snoc {C : ContextType} {τ : Shape} {g g' : GraphData S Δ Γ C} {node node' : NodeData S Δ C τ} :
      Simplifies g g' → node.forward = node'.forward → node.vjp = node'.vjp → Simplifies (.snoc g node) (.snoc g' node')

/-- A graph with simpler rules has the same values. -/
theorem Simplifies.eval_eq {g g' : GraphData S Δ Γ C} (simpler : Simplifies g g') : g.eval = g'.eval := by
  induction simpler with
  | nil => rfl
  | snoc _ forward _ ih => funext x δ; simp only [GraphData.eval, ih, forward]

/-- Simpler rules that pull back the same give the same sweep. -/
theorem Simplifies.backpropAllCtx_eq [Add S] {g g' : GraphData S Δ Γ C} (simpler : Simplifies g g') (x : Context S Γ) (δ : Δ)
    (seed : Context S C) : g'.backpropAllCtx x δ seed = g.backpropAllCtx x δ seed := by
  induction simpler with
  | nil => rfl
  | snoc rest _ vjp ih => simp only [GraphData.backpropAllCtx, rest.eval_eq, vjp, ih]

/-- The pruned tape, nodes simplified or left out, gives what `backpropAllCtx` of the old graph gives. -/
theorem Simplifies.backpropPruned_eq_backpropAllCtx [Zero S] [Add S] (add_zero : ∀ x : S, x + 0 = x) {pruning : Pruning}
    {g g' : GraphData S Δ Γ C} (simpler : Simplifies g g') (fits : pruning.Fits g') (x : Context S Γ) (δ : Δ)
    {seed : Context S C}
    (zero : ∀ {σ : Shape} (place : Place C σ), pruning.unseeded place.id = true → place.get seed = Tensor.zeros σ)
    {σ : Shape} (place : Place C σ) (live : pruning.inputless place.id = false) :
    place.get (g'.backpropPruned pruning x δ seed) = place.get (g.backpropAllCtx x δ seed) := by
  rw [GraphData.backpropPruned_eq_backpropAllCtx add_zero fits x δ zero place live, simpler.backpropAllCtx_eq]

namespace Pruning

/-- `k · x`, of the entry at a place, by a number that stands in the graph. -/
def scaling [Zero S] [Mul S] (k : S) (place : Place C τ) : NodeData S Δ C τ where
  name := "multiply"
  reads := [place.id]
  forward ctx _ := (place.get ctx).scale k
  jvp _ dctx _ := (place.get dctx).scale k
  vjp _ _ c := place.only (c.scale k)

/-- `x − x` of the entry at a place: what one operand gets is added to what the other gets. -/
def cancelling [Zero S] [Add S] [Neg S] (place : Place C τ) : NodeData S Δ C τ where
  name := "subtract"
  reads := [place.id]
  forward ctx _ := place.get ctx + ⟨fun i => -(place.get ctx).get i⟩
  jvp _ dctx _ := place.get dctx + ⟨fun i => -(place.get dctx).get i⟩
  vjp _ _ c := place.only (c + ⟨fun i => -c.get i⟩)

/-- The node that hands its cotangent on to a place. -/
def handing [Zero S] (node : NodeData S Δ C τ) (place : Place C τ) : NodeData S Δ C τ :=
  { node with vjp := fun _ _ c => place.only c }

/-- The node that hands nothing on. -/
def nothing [Zero S] (node : NodeData S Δ C τ) : NodeData S Δ C τ := { node with vjp := fun _ _ _ => Context.zeros C }

/-- The only entry being zero, all are. -/
theorem only_zeros [Zero S] (place : Place C τ) : place.only (Tensor.zeros τ : Tensor S τ) = Context.zeros C := by
  induction place with
  | last => rfl
  | earlier place ih => simp [Place.only, Context.zeros, ih]

/-- `1 · x` hands on what it is given, where `1 · c = c`. -/
theorem scaling_one [Zero S] [Mul S] {one : S} (one_mul : ∀ c : S, one * c = c) (place : Place C τ) :
    (scaling one place : NodeData S Δ C τ).vjp = (handing (scaling one place) place).vjp := by
  funext _ _ c
  exact congrArg place.only (congrArg Tensor.mk (funext fun i => one_mul (c.get i)))

/-- `0 · x` hands nothing on, where `0 · c = 0`. -/
theorem scaling_zero [Zero S] [Mul S] (zero_mul : ∀ c : S, 0 * c = 0) (place : Place C τ) :
    (scaling 0 place : NodeData S Δ C τ).vjp = (nothing (scaling 0 place)).vjp := by
  funext _ _ c
  exact (congrArg place.only (congrArg Tensor.mk (funext fun i => zero_mul (c.get i)))).trans (only_zeros place)

/-- `x − x` hands nothing on, where `c + (−c) = 0`. -/
theorem cancelling_nothing [Zero S] [Add S] [Neg S] (add_neg : ∀ c : S, c + -c = 0) (place : Place C τ) :
    (cancelling place : NodeData S Δ C τ).vjp = (nothing (cancelling place)).vjp := by
  funext _ _ c
  exact (congrArg place.only (congrArg Tensor.mk (funext fun i => add_neg (c.get i)))).trans (only_zeros place)

/-- `b · (a · x)` as one node, its rule that of one after the other. -/
def scalingTwice [Zero S] [Mul S] (a b : S) (place : Place C τ) : NodeData S Δ C τ :=
  { scaling b place with
    forward := fun ctx _ => ((place.get ctx).scale a).scale b
    vjp := fun _ _ c => place.only ((c.scale b).scale a) }

/-- `b · (a · x)` hands on `a · b` times what it is given, where multiplication associates. -/
theorem scalingTwice_once [Zero S] [Mul S] (assoc : ∀ x y z : S, x * y * z = x * (y * z)) (a b : S) (place : Place C τ) :
    (scalingTwice a b place : NodeData S Δ C τ).vjp = (scaling (a * b) place : NodeData S Δ C τ).vjp := by
  funext _ _ c
  exact congrArg place.only (congrArg Tensor.mk (funext fun i => (assoc a b (c.get i)).symm))

/-- Scaling gives only to what it reads. -/
theorem scaling_givesToReads [Zero S] [Mul S] (k : S) (place : Place C τ) :
    (scaling k place : NodeData S Δ C τ).GivesToReads := fun _ _ c _ other unread =>
  place.entry_only_of_ne other (c.scale k) fun same => unread (by simp [scaling, same])

end Pruning

namespace Refutations

open Pruning

/-- Integers with products rounded down to even: one is not neutral, and `*` does not associate. -/
structure Coarse where
  number : Int
  deriving DecidableEq

instance : Zero Coarse := ⟨⟨0⟩⟩
instance : Add Coarse := ⟨fun x y => ⟨x.number + y.number⟩⟩
instance : Mul Coarse := ⟨fun x y => ⟨x.number * y.number / 2 * 2⟩⟩

/-- The cotangents that a graph of one node gives, of a seed at the node alone. -/
def given {S : Type} [Zero S] [Add S] (node : NodeData S Unit One []) (c : S) : Option (List (Option S)) :=
  numbers (.ok ((GraphData.snoc .nil node).backpropAllCtx (one 0) () (two 0 c)).toList)

/-- Where products are rounded, `1 · x` does not hand on what it is given. -/
theorem scaling_one_needs_neutral :
    ¬ ∀ c : Coarse, given (scaling ⟨1⟩ .last) c = given (handing (scaling ⟨1⟩ .last) .last) c := fun all =>
  absurd (all ⟨1⟩) (by decide +kernel)

/-- Where `0 · ∞` is not zero, `0 · x` hands on what is undefined. -/
theorem scaling_zero_needs_annihilation :
    ¬ ∀ c : Extended, given (scaling 0 .last) c = given (nothing (scaling 0 .last)) c := fun all =>
  absurd (all .infinite) (by decide +kernel)

/-- Extended integers whose infinities cancel to what is undefined. -/
inductive Opposed where
  | number (n : Int)
  | plus
  | minus
  | undefined
  deriving DecidableEq

instance : Zero Opposed := ⟨.number 0⟩
instance : Add Opposed where
  add
    | .number n, .number m => .number (n + m)
    | .undefined, _ => .undefined
    | _, .undefined => .undefined
    | .plus, .minus => .undefined
    | .minus, .plus => .undefined
    | .plus, _ => .plus
    | _, .plus => .plus
    | _, _ => .minus
instance : Neg Opposed where
  neg
    | .number n => .number (-n)
    | .plus => .minus
    | .minus => .plus
    | .undefined => .undefined

/-- Where `∞ − ∞` is not zero, `x − x` hands on what is undefined. -/
theorem cancelling_needs_inverse :
    ¬ ∀ c : Opposed, given (cancelling .last) c = given (nothing (cancelling .last)) c := fun all =>
  absurd (all .plus) (by decide +kernel)

/-- Where products are rounded, two factors are not their product. -/
theorem scalingTwice_needs_associativity :
    ¬ ∀ a b c : Coarse, given (scalingTwice a b .last) c = given (scaling (a * b) .last) c := fun all =>
  absurd (all ⟨3⟩ ⟨1⟩ ⟨1⟩) (by decide +kernel)

/-- The node beside the seed is left out. -/
def besideSeed : Pruning := ⟨fun _ => false, fun id => id == 1⟩

/-- Where `0 · ∞` is not zero, leaving out a node behind no seed changes an answer. -/
theorem pruning_needs_zeroPreserving :
    ¬ ∀ x : Extended, numbers (.ok ((GraphData.snoc .nil timesInfinity).backpropPruned besideSeed (one x) ()
        (two (.number 1) 0)).toList)
      = numbers (.ok ((GraphData.snoc .nil timesInfinity).backpropAllCtx (one x) ()
        (two (.number 1) 0)).toList) := fun all =>
  absurd (all 0) (by decide +kernel)

/-- Where `−0 + 0` is `+0`, leaving out a node behind no seed changes the sign of a zero. -/
theorem pruning_needs_neutral_zero :
    ¬ ∀ seed : SignedZero, numbers (.ok (identityGraph.backpropPruned besideSeed (one 0) () (two seed 0)).toList)
      = numbers (.ok (identityGraph.backpropAllCtx (one 0) () (two seed 0)).toList) := fun all =>
  absurd (all .negative) (by decide +kernel)

/-- The node that the seed goes through is left out as if no seed were behind it. -/
theorem pruning_needs_fitting :
    ¬ ∀ (pruning : Pruning) (seed : Context Int (.snoc Two [])) {σ : Shape} (place : Place (.snoc Two []) σ),
      pruning.inputless place.id = false → place.get (cubeGraph.backpropPruned pruning (one 3) () seed)
        = place.get (cubeGraph.backpropAllCtx (one 3) () seed) := fun all =>
  absurd (congrArg value (all besideSeed (.snoc (two 0 0) (scalar 1)) (.earlier (.earlier .last)) rfl)) (by decide +kernel)

end Refutations

end Adjudge
