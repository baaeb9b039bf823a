module

public import Adjudge.Program

/-!
# Dual numbers [SEMANTICS §6.3]

`reference/algebras/dual.ts`. Forward mode is not a second semantics: to evaluate a graph over dual numbers is
to evaluate it and its tangent. Dual numbers over a commutative ring are a commutative ring, so that the same
operators are used over both; their inverses are those that differentiate `x⁻¹`. `stop_gradient` alone needs
more than the ring: the algebra's `detach`, which over dual numbers drops the tangent.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

/-- `primal + tangent · ε`, where `ε · ε = 0`. -/
@[ext]
structure Dual (S : Type) where
  primal : S
  tangent : S

variable {S : Type} {E Γ C : ContextType} {τ : Shape}

namespace Dual

variable [CommRing S]

attribute [local instance] Semiring.natCast Ring.intCast

instance : Add (Dual S) := ⟨fun x y => ⟨x.primal + y.primal, x.tangent + y.tangent⟩⟩
instance : Mul (Dual S) := ⟨fun x y => ⟨x.primal * y.primal, x.tangent * y.primal + x.primal * y.tangent⟩⟩
instance : Neg (Dual S) := ⟨fun x => ⟨-x.primal, -x.tangent⟩⟩
instance : Sub (Dual S) := ⟨fun x y => ⟨x.primal - y.primal, x.tangent - y.tangent⟩⟩
instance : NatCast (Dual S) := ⟨fun n => ⟨(n : S), 0⟩⟩
instance (n : Nat) : OfNat (Dual S) n := ⟨⟨OfNat.ofNat n, 0⟩⟩
instance : IntCast (Dual S) := ⟨fun i => ⟨(i : S), 0⟩⟩
instance : SMul Nat (Dual S) := ⟨fun n x => (n : Dual S) * x⟩
instance : SMul Int (Dual S) := ⟨fun i x => (i : Dual S) * x⟩

/-- A power, by repeated multiplication. -/
def power (x : Dual S) : Nat → Dual S
  | 0 => 1
  | n + 1 => power x n * x

instance : HPow (Dual S) Nat (Dual S) := ⟨power⟩

/-- The primal of a sum. -/
@[simp] theorem primal_add (x y : Dual S) : (x + y).primal = x.primal + y.primal := rfl
/-- The tangent of a sum. -/
@[simp] theorem tangent_add (x y : Dual S) : (x + y).tangent = x.tangent + y.tangent := rfl
/-- The primal of a product. -/
@[simp] theorem primal_mul (x y : Dual S) : (x * y).primal = x.primal * y.primal := rfl
/-- The product rule. -/
@[simp] theorem tangent_mul (x y : Dual S) :
    (x * y).tangent = x.tangent * y.primal + x.primal * y.tangent := rfl
/-- The primal of a negative. -/
@[simp] theorem primal_neg (x : Dual S) : (-x).primal = -x.primal := rfl
/-- The tangent of a negative. -/
@[simp] theorem tangent_neg (x : Dual S) : (-x).tangent = -x.tangent := rfl
/-- The primal of a difference. -/
@[simp] theorem primal_sub (x y : Dual S) : (x - y).primal = x.primal - y.primal := rfl
/-- The tangent of a difference. -/
@[simp] theorem tangent_sub (x y : Dual S) : (x - y).tangent = x.tangent - y.tangent := rfl
/-- The primal of zero. -/
@[simp] theorem primal_zero : (0 : Dual S).primal = 0 := rfl
/-- The tangent of zero. -/
@[simp] theorem tangent_zero : (0 : Dual S).tangent = 0 := rfl
/-- The primal of one. -/
@[simp] theorem primal_one : (1 : Dual S).primal = 1 := rfl
/-- The tangent of one. -/
@[simp] theorem tangent_one : (1 : Dual S).tangent = 0 := rfl

/-- Dual numbers over a commutative ring are a commutative ring. -/
instance : CommRing (Dual S) where
  add_zero x := by ext <;> simp <;> grind
  add_comm x y := by ext <;> simp <;> grind
  add_assoc x y z := by ext <;> simp <;> grind
  mul_assoc x y z := by ext <;> simp <;> grind
  one_mul x := by ext <;> simp <;> grind
  mul_zero x := by ext <;> simp <;> grind
  right_distrib x y z := by ext <;> simp <;> grind
  mul_comm x y := by ext <;> simp <;> grind
  mul_one x := by ext <;> simp <;> grind
  left_distrib x y z := by ext <;> simp <;> grind
  zero_mul x := by ext <;> simp <;> grind
  pow_zero _ := rfl
  pow_succ _ _ := rfl
  ofNat_succ n := by
    ext
    · exact Semiring.ofNat_succ n
    · exact (Semiring.add_zero 0).symm
  ofNat_eq_natCast n := by
    ext
    · exact Semiring.ofNat_eq_natCast n
    · rfl
  neg_add_cancel x := by ext <;> simp <;> grind
  sub_eq_add_neg x y := by ext <;> simp <;> grind
  neg_zsmul i x := by
    change ((-i : Int) : Dual S) * x = -((i : Dual S) * x)
    have : (((-i : Int) : S)) = -(i : S) := Ring.intCast_neg i
    ext
    · change ((-i : Int) : S) * x.primal = -((i : S) * x.primal)
      grind
    · change 0 * x.primal + ((-i : Int) : S) * x.tangent = -(0 * x.primal + (i : S) * x.tangent)
      grind
  zsmul_natCast_eq_nsmul n x := by
    have : (((n : Int) : S)) = (n : S) := Ring.intCast_natCast n
    change ((n : Int) : Dual S) * x = (n : Dual S) * x
    congr 1
    ext
    · exact this
    · rfl
  intCast_ofNat n := by
    ext
    · exact Ring.intCast_ofNat n
    · rfl
  intCast_neg i := by
    ext
    · exact Ring.intCast_neg i
    · change (0 : S) = -0
      grind

end Dual

variable [Scalar S]

/-- The inverse of a dual number: that of its primal, and its derivative. -/
instance : Inv (Dual S) := ⟨fun x => ⟨x.primal⁻¹, -(x.primal⁻¹ * x.primal⁻¹ * x.tangent)⟩⟩

/-- Dual numbers over scalars are scalars: compared by their primals, and constant between jumps of `floor`. -/
instance : Scalar (Dual S) where
  less x y := Scalar.less x.primal y.primal
  floor x := ⟨Scalar.floor x.primal, 0⟩

/-- The tensor of dual numbers with these primals and tangents. -/
def Tensor.dual {S : Type} {shape : Shape} (x dx : Tensor S shape) : Tensor (Dual S) shape where
  get i := ⟨x.get i, dx.get i⟩

/-- The context of dual numbers with these primals and tangents. -/
def Context.dual {S : Type} : {C : ContextType} → Context S C → Context S C → Context (Dual S) C
  | .nil, nil, nil => nil
  | .snoc _ _, snoc x t, snoc dx dt => snoc (dual x dx) (t.dual dt)

/-- `Δ` over dual numbers: it is never differentiated, so its tangents are zero. -/
def Context.undifferentiated (δ : Context S C) : Context (Dual S) C := δ.dual (.zeros C)

namespace Sums

/-- An entry of a context of dual numbers. -/
theorem get_dual {S : Type} : {C : ContextType} → (place : Place C τ) → (x dx : Context S C) →
    place.get (x.dual dx) = (place.get x).dual (place.get dx)
  | .snoc _ _, .last, .snoc _ _, .snoc _ _ => rfl
  | .snoc _ _, .earlier place, .snoc x _, .snoc dx _ => get_dual place x dx

/-- An entry of zeros is zeros. -/
theorem get_zeros : {C : ContextType} → (place : Place C τ) →
    place.get (Context.zeros C : Context S C) = Tensor.zeros τ
  | .snoc _ _, .last => rfl
  | .snoc _ _, .earlier place => get_zeros place

/-- Moving dual numbers moves primals and tangents. -/
theorem moved_dual {n m : Nat} (moves : List (Move n m)) (x dx : Fin m → S) (i : Fin n) :
    moved moves (fun j => (⟨x j, dx j⟩ : Dual S)) i = ⟨moved moves x i, moved moves dx i⟩ := by
  induction moves with
  | nil => rfl
  | cons move rest hypothesis => ext <;> simp only [moved, hypothesis] <;> split <;> simp

/-- Multiplying dual numbers multiplies primals, and tangents by the product rule. -/
theorem multiplied_dual {n m k : Nat} (products : List (Product n m k)) (x dx : Fin m → S) (y dy : Fin k → S)
    (i : Fin n) :
    multiplied products (fun j => (⟨x j, dx j⟩ : Dual S)) (fun j => ⟨y j, dy j⟩) i
      = ⟨multiplied products x y i, multiplied products dx y i + multiplied products x dy i⟩ := by
  induction products with
  | nil => exact Dual.ext rfl (Semiring.add_zero 0).symm
  | cons product rest hypothesis =>
    ext <;> simp only [multiplied, hypothesis] <;> split <;> simp <;> grind

end Sums

open Sums

namespace LinearTerm

/-- Over dual numbers an operand gives what its primals and what its tangents give. -/
theorem forward_dual (term : LinearTerm C τ) (ctx dctx : Context S C) :
    term.forward (ctx.dual dctx) = (term.forward ctx).dual (term.forward dctx) := by
  ext i
  all_goals
    have := moved_dual term.moves (term.place.get ctx).get (term.place.get dctx).get i
    simp only [forward, get_dual, Tensor.dual, this]
    split <;> rfl

/-- Over dual numbers all operands give what their primals and what their tangents give. -/
theorem forwardAll_dual (terms : List (LinearTerm C τ)) (ctx dctx : Context S C) :
    forwardAll terms (ctx.dual dctx) = (forwardAll terms ctx).dual (forwardAll terms dctx) := by
  induction terms with
  | nil => rfl
  | cons term rest hypothesis => rw [forwardAll, forwardAll, forwardAll, hypothesis, forward_dual]; rfl

/-- Over dual numbers the arguments of a function are those of primals and of tangents. -/
theorem arguments_dual (terms : List (LinearTerm C τ)) (ctx dctx : Context S C) (i : Fin τ.size) (k : Nat) :
    arguments terms (ctx.dual dctx) i k = ⟨arguments terms ctx i k, arguments terms dctx i k⟩ := by
  induction terms generalizing k with
  | nil => rfl
  | cons term rest hypothesis =>
    cases k with
    | zero => simp only [arguments, forward_dual]; rfl
    | succ k => exact hypothesis k

/-- What is weighted by sums of two slopes, each times a number, is the sum of what both weigh. -/
theorem weighted_linear (a b : S) (slope slope' : Nat → S) (terms : List (LinearTerm C τ)) (dctx : Context S C)
    (i : Fin τ.size) : weighted (fun k => slope k * a + slope' k * b) terms dctx i
      = weighted slope terms dctx i * a + weighted slope' terms dctx i * b := by
  induction terms generalizing slope slope' with
  | nil => simp only [weighted]; grind
  | cons term rest hypothesis => simp only [weighted, hypothesis]; grind

/-- Weighted by slopes of zero nothing is left. -/
theorem weighted_zero (terms : List (LinearTerm C τ)) (dctx : Context S C) (i : Fin τ.size) :
    weighted (fun _ => (0 : S)) terms dctx i = 0 := by
  induction terms with
  | nil => rfl
  | cons term rest hypothesis => simp only [weighted, hypothesis]; grind

/-- Weighted by the slopes of one argument, it is left. -/
theorem weighted_one (j : Nat) (terms : List (LinearTerm C τ)) (dctx : Context S C) (i : Fin τ.size) :
    weighted (fun k => if j = k then (1 : S) else 0) terms dctx i = arguments terms dctx i j := by
  induction terms generalizing j with
  | nil => rfl
  | cons term rest hypothesis =>
    cases j with
    | zero =>
      simp only [weighted, arguments, if_true, Nat.zero_ne_add_one, if_false, weighted_zero]
      grind
    | succ j =>
      have := hypothesis j
      simp only [weighted, arguments, Nat.add_one_ne_zero, if_false, Nat.add_right_cancel_iff, this]
      grind

/-- The slopes of a function weigh tangents as the rules of derivation say. -/
theorem weighted_derivative (e : Expression) (x : Nat → S) (terms : List (LinearTerm C τ)) (dctx : Context S C)
    (i : Fin τ.size) :
    weighted (fun k => (e.derivative k).value x) terms dctx i = e.tangent x (arguments terms dctx i) := by
  induction e with
  | argument j =>
    have slopes : (fun k => ((Expression.argument j).derivative k).value x) = fun k => if j = k then (1 : S) else 0 := by
      funext k
      simp only [Expression.derivative]
      split <;> rfl
    rw [slopes, weighted_one]
    rfl
  | zero | one | floor => exact weighted_zero terms dctx i
  | add a b left right =>
    have := weighted_linear 1 1 (fun k => (a.derivative k).value x) (fun k => (b.derivative k).value x) terms dctx i
    simp only [Semiring.mul_one] at this
    simp only [Expression.derivative, Expression.value_plus, Expression.tangent, this, left, right]
  | negative a hypothesis =>
    have := weighted_linear (-1) 0 (fun k => (a.derivative k).value x) (fun _ => 0) terms dctx i
    have same : (fun k => -(a.derivative k).value x) = fun k => (a.derivative k).value x * -1 + 0 * 0 := by
      funext k; grind
    simp only [Expression.derivative, Expression.value_minus, Expression.tangent, same, this, hypothesis]
    grind
  | multiply a b left right =>
    have := weighted_linear (b.value x) (a.value x) (fun k => (a.derivative k).value x)
      (fun k => (b.derivative k).value x) terms dctx i
    have same : (fun k => (a.derivative k).value x * b.value x + a.value x * (b.derivative k).value x)
        = fun k => (a.derivative k).value x * b.value x + (b.derivative k).value x * a.value x := by
      funext k; grind
    simp only [Expression.derivative, Expression.value_plus, Expression.value_times, Expression.tangent, same, this, left,
      right]
    grind
  | inverse a hypothesis =>
    have := weighted_linear (-((a.value x)⁻¹ * (a.value x)⁻¹)) 0 (fun k => (a.derivative k).value x) (fun _ => 0)
      terms dctx i
    have same : (fun k => -((a.derivative k).value x * ((a.value x)⁻¹ * (a.value x)⁻¹)))
        = fun k => (a.derivative k).value x * -((a.value x)⁻¹ * (a.value x)⁻¹) + 0 * 0 := by
      funext k; grind
    simp only [Expression.derivative, Expression.value_minus, Expression.value_times, Expression.value,
      Expression.tangent, same, this, hypothesis]
    grind
  | ifLess a b yes no _ _ left right =>
    simp only [Expression.derivative, Expression.value, Expression.tangent, ← left, ← right]
    cases Scalar.less (a.value x) (b.value x) <;> rfl

end LinearTerm

/-- Over dual numbers the value of a function is its value and its tangent. -/
theorem Expression.value_dual (e : Expression) (x dx : Nat → S) :
    (e.value fun k => (⟨x k, dx k⟩ : Dual S)) = ⟨e.value x, e.tangent x dx⟩ := by
  induction e with
  | argument | zero | one => rfl
  | add a b left right => simp only [value, tangent, left, right]; rfl
  | negative a hypothesis => simp only [value, tangent, hypothesis]; rfl
  | multiply a b left right => simp only [value, tangent, left, right]; rfl
  | inverse a hypothesis =>
    simp only [value, tangent, hypothesis]
    exact Dual.ext rfl (by change -(_ * _ * _) = _; grind)
  | floor a hypothesis => simp only [value, tangent, hypothesis]; rfl
  | ifLess a b yes no first second left right =>
    simp only [value, tangent, first, second, left, right]
    change (bif Scalar.less (a.value x) (b.value x) then _ else _) = _
    cases Scalar.less (a.value x) (b.value x) <;> rfl

/-- The tensor with its tangents dropped: `detach` of dual numbers, element by element. -/
def Tensor.detach {shape : Shape} (t : Tensor (Dual S) shape) : Tensor (Dual S) shape where
  get i := ⟨(t.get i).primal, 0⟩

namespace Form

/-- Whether the form is `stop_gradient`'s, which is not differentiated though it reads the context. -/
def isDetached : Form E C τ → Bool
  | detached _ => true
  | _ => false

/-- The value over dual numbers, where `stop_gradient` drops the tangent, as the algebra's `detach` does. -/
def forwardDual (form : Form E C τ) (ctx : Context (Dual S) C) (δ : Context (Dual S) E) : Tensor (Dual S) τ :=
  if form.isDetached then (form.forward ctx δ).detach else form.forward ctx δ

/-- Over dual numbers the value of a form is its value and its `jvp`. -/
theorem forwardDual_eq (form : Form E C τ) (ctx dctx : Context S C) (δ : Context S E) :
    form.forwardDual (ctx.dual dctx) δ.undifferentiated = (form.forward ctx δ).dual (form.jvp ctx dctx) := by
  match form with
  | constant entry =>
    change entry.get (δ.dual (.zeros E)) = _
    rw [get_dual, get_zeros]
    rfl
  | literal _ => rfl
  | linear terms => exact LinearTerm.forwardAll_dual terms ctx dctx
  | detached terms =>
    change (LinearTerm.forwardAll terms (ctx.dual dctx)).detach = _
    rw [LinearTerm.forwardAll_dual]
    rfl
  | bilinear left right products =>
    refine congrArg Tensor.mk (funext fun i => ?_)
    rw [get_dual, get_dual]
    exact multiplied_dual products (left.get ctx).get (left.get dctx).get (right.get ctx).get (right.get dctx).get i
  | quotient left right =>
    refine congrArg Tensor.mk (funext fun i => ?_)
    rw [get_dual, get_dual]
    refine Dual.ext rfl ?_
    show (left.get dctx).get i * ((right.get ctx).get i)⁻¹ + (left.get ctx).get i
      * -(((right.get ctx).get i)⁻¹ * ((right.get ctx).get i)⁻¹ * (right.get dctx).get i) = (left.get dctx).get i
      * ((right.get ctx).get i)⁻¹ + -((left.get ctx).get i * ((right.get ctx).get i)⁻¹ * (right.get dctx).get i
      * ((right.get ctx).get i)⁻¹)
    grind
  | pointwise function terms =>
    refine congrArg Tensor.mk (funext fun i => ?_)
    rw [show LinearTerm.arguments terms (ctx.dual dctx) i
      = fun k => ⟨LinearTerm.arguments terms ctx i k, LinearTerm.arguments terms dctx i k⟩ from
      funext (LinearTerm.arguments_dual terms ctx dctx i), Expression.value_dual, ← LinearTerm.weighted_derivative]
    rfl

/-- The node of a form over dual numbers: that of `nodeData`, but for `detach`. -/
def dualNodeData (name : String) (reads : List Nat) (form : Form E C τ) :
    NodeData (Dual S) (Context (Dual S) E) C τ :=
  { form.nodeData name reads with forward := form.forwardDual }

/-- Where nothing is detached, the node over dual numbers is that of the form, nothing special. -/
theorem dualNodeData_eq (name : String) (reads : List Nat) (form : Form E C τ) (h : form.isDetached = false) :
    (form.dualNodeData name reads : NodeData (Dual S) _ C τ) = form.nodeData name reads := by
  have : (form.forwardDual : Context (Dual S) C → Context (Dual S) E → _) = form.forward := by
    funext ctx δ
    simp [forwardDual, h]
  rw [dualNodeData, this]
  rfl

end Form

/-- The graph over dual numbers with more nodes, as `extended?` does it, but for `detach`. -/
def SomeGraph.dualExtended? (g : SomeGraph (Dual S) E Γ) : List Instruction → Option (SomeGraph (Dual S) E Γ)
  | [] => some g
  | ⟨op, parents, shape⟩ :: rest =>
    match op.form? (E := E) (C := g.1) parents with
    | some ⟨τ, form⟩ =>
      if τ = shape then
        dualExtended? ⟨.snoc g.1 τ, g.2.snoc (form.dualNodeData (reprStr op) parents)⟩ rest
      else none
    | none => none

/-- The graph that a program denotes over dual numbers with `detach`. -/
def Program.dualGraph? (S : Type) [Scalar S] (p : Program) :
    Option (SomeGraph (Dual S) (.ofList p.environment) (.ofList p.inputs)) :=
  SomeGraph.dualExtended? ⟨.ofList p.inputs, .nil⟩ p.nodes

/-- That a graph over dual numbers evaluates to the values and the tangents of another. -/
def GraphData.DualOf (g : GraphData S (Context S E) Γ C) (d : GraphData (Dual S) (Context (Dual S) E) Γ C) : Prop :=
  ∀ x dx δ, d.eval (x.dual dx) δ.undifferentiated = (g.eval x δ).dual (g.jvpCtx x dx δ)

/-- Nodes appended to both keep the relation. -/
theorem SomeGraph.extended?_dual (nodes : List Instruction) (A : ContextType)
    (g : GraphData S (Context S E) Γ A) (d : GraphData (Dual S) (Context (Dual S) E) Γ A) (dual : g.DualOf d)
    (h : SomeGraph S E Γ) (extended : extended? S ⟨A, g⟩ nodes = some h) :
    ∃ k : GraphData (Dual S) (Context (Dual S) E) Γ h.1,
      dualExtended? ⟨A, d⟩ nodes = some ⟨h.1, k⟩ ∧ h.2.DualOf k := by
  induction nodes generalizing A with
  | nil =>
    cases extended
    exact ⟨d, rfl, dual⟩
  | cons node rest hypothesis =>
    simp only [extended?] at extended
    simp only [dualExtended?]
    split at extended
    · next τ form found =>
      simp only [found]
      split at extended
      · next same =>
        simp only [if_pos same]
        refine hypothesis _ _ (d.snoc (form.dualNodeData _ _)) ?_ extended
        intro x dx δ
        simp only [GraphData.eval, GraphData.jvpCtx, dual x dx δ]
        exact congrArg _ (form.forwardDual_eq _ _ δ)
      · cases extended
    · cases extended

/--
Forward mode is evaluation over dual numbers: the graph of every program, evaluated at `x + dx · ε` over dual
numbers, is `eval x + jvpCtx x dx · ε`.
-/
theorem Program.eval_dual (p : Program) (g : SomeGraph S (.ofList p.environment) (.ofList p.inputs))
    (built : p.graph? S = some g) :
    ∃ d, p.dualGraph? S = some ⟨g.1, d⟩ ∧
      ∀ x dx δ, d.eval (x.dual dx) δ.undifferentiated = (g.2.eval x δ).dual (g.2.jvpCtx x dx δ) :=
  SomeGraph.extended?_dual p.nodes _ .nil .nil (fun _ _ _ => rfl) g built

/-- Only `stop_gradient` is detached. -/
theorem Operator.isDetached_eq_false (op : Operator) (places : List ((σ : Shape) × Place C σ)) (form : Form E C τ)
    (other : op ≠ .stop_gradient) (made : op.formAt? places = some ⟨τ, form⟩) : form.isDetached = false := by
  cases op <;> rcases places with _ | ⟨_, _ | ⟨_, _ | ⟨_, _ | ⟨_, _⟩⟩⟩⟩ <;> first
    | cases made; done
    | exact absurd rfl other
    | unfold formAt? at made
      dsimp only [gathering, scattering, multiplying, dividing, applying, determining, solving] at made
      (repeat' split at made) <;> cases made <;> rfl

/-- Nodes of other operators than `stop_gradient` are the same over dual numbers. -/
theorem SomeGraph.dualExtended?_eq (nodes : List Instruction) (others : ∀ node ∈ nodes, node.op ≠ .stop_gradient)
    (g : SomeGraph (Dual S) E Γ) : g.dualExtended? nodes = g.extended? (Dual S) nodes := by
  induction nodes generalizing g with
  | nil => rfl
  | cons node rest hypothesis =>
    simp only [dualExtended?, extended?]
    split
    · next τ form found =>
      have : form.isDetached = false := by
        unfold Operator.form? at found
        split at found
        · exact node.op.isDetached_eq_false _ form (others node (.head _)) found
        · cases found
      simp only [found]
      rw [form.dualNodeData_eq _ _ this, hypothesis fun node among => others node (.tail _ among)]
    · next missing => simp only [missing]

/-- Without `stop_gradient` the program's own graph over dual numbers does: the ring alone is enough. -/
theorem Program.eval_dual_of_ring (p : Program) (g : SomeGraph S (.ofList p.environment) (.ofList p.inputs))
    (built : p.graph? S = some g) (others : ∀ node ∈ p.nodes, node.op ≠ .stop_gradient) :
    ∃ d, p.graph? (Dual S) = some ⟨g.1, d⟩ ∧
      ∀ x dx δ, d.eval (x.dual dx) δ.undifferentiated = (g.2.eval x δ).dual (g.2.jvpCtx x dx δ) := by
  rw [graph?, ← SomeGraph.dualExtended?_eq p.nodes others]
  exact p.eval_dual g built

end Adjudge
