module

public import Adjudge.Derive.Written
public import Adjudge.Dual

/-!
# Tangents are the derivative

`jvpCtx` is not only linear and adjoint to `backpropCtx`: it is the derivative of `eval`. Along a straight line
through the point the values of a graph of forms are `eval x + h · jvpCtx x dx + h² · R`, an identity over any
scalars, where `R` is written here with the ring's operations and the inverses of the graph's divisors. Nothing
is assumed of `⁻¹` but that the divisors, at `x` and at `x + h · dx`, have inverses. What `stop_gradient` reads
is not differentiated, so graphs here are without it.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind Sums

variable {S : Type} [Scalar S] {E Γ C : ContextType} {τ σ : Shape}

/-- `x + h · dx + h² · r`, entry by entry. -/
def Context.along (h : S) (x dx r : Context S C) : Context S C := x + dx.scale h + r.scale (h * h)

/-- `x + h · dx + h² · r`, element by element. -/
def Tensor.along (h : S) (x dx r : Tensor S τ) : Tensor S τ := x + dx.scale h + r.scale (h * h)

/-- An element along the line. -/
theorem Tensor.get_along (h : S) (x dx r : Tensor S τ) (i : Fin τ.size) :
    (x.along h dx r).get i = x.get i + h * dx.get i + h * h * r.get i := rfl

/-- An entry along the line. -/
theorem Context.get_along (h : S) : {C : ContextType} → (place : Place C σ) → (x dx r : Context S C) →
    place.get (x.along h dx r) = (place.get x).along h (place.get dx) (place.get r)
  | .snoc _ _, .last, .snoc _ _, .snoc _ _, .snoc _ _ => rfl
  | .snoc _ _, .earlier place, .snoc x _, .snoc dx _, .snoc r _ => get_along h place x dx r

/-- Zeros times a number are zeros. -/
theorem Context.scale_zeros (k : S) : (C : ContextType) → (Context.zeros C : Context S C).scale k = Context.zeros C
  | .nil => rfl
  | .snoc C τ => by
    have last : (Tensor.zeros τ : Tensor S τ).scale k = Tensor.zeros τ :=
      Tensor.ext (funext fun _ => Semiring.mul_zero k)
    rw [zeros, scale, scale_zeros k C, last]

/-- Moves along the line. -/
theorem Sums.moved_along {n m : Nat} (moves : List (Move n m)) (h : S) (x dx r : Fin m → S) (i : Fin n) :
    moved moves (fun j => x j + h * dx j + h * h * r j) i
      = moved moves x i + h * moved moves dx i + h * h * moved moves r i := by
  induction moves with
  | nil => simp only [moved]; grind
  | cons move rest hypothesis => simp only [moved, hypothesis]; split <;> grind

/-- The remainder of a product: what is left of `(x + h · dx + h² · r) · (y + h · dy + h² · s)`. -/
def Sums.multipliedRemainder {n m k : Nat} (products : List (Product n m k)) (h : S) (x dx r : Fin m → S)
    (y dy s : Fin k → S) (i : Fin n) : S :=
  multiplied products dx dy i + multiplied products r (fun j => y j + h * dy j) i
    + multiplied products (fun j => x j + h * dx j + h * h * r j) s i

/-- Products along the line. -/
theorem Sums.multiplied_along {n m k : Nat} (products : List (Product n m k)) (h : S) (x dx r : Fin m → S)
    (y dy s : Fin k → S) (i : Fin n) :
    multiplied products (fun j => x j + h * dx j + h * h * r j) (fun j => y j + h * dy j + h * h * s j) i
      = multiplied products x y i + h * (multiplied products dx y i + multiplied products x dy i)
        + h * h * multipliedRemainder products h x dx r y dy s i := by
  induction products with
  | nil => simp only [multiplied, multipliedRemainder]; grind
  | cons product rest hypothesis =>
    simp only [multiplied, multipliedRemainder] at *
    rw [hypothesis]
    split <;> grind

/-- What all operands give along the line. -/
theorem LinearTerm.forwardAll_along (terms : List (LinearTerm C τ)) (h : S) (x dx r : Context S C) :
    forwardAll terms (x.along h dx r) = (forwardAll terms x).along h (forwardAll terms dx) (forwardAll terms r) := by
  induction terms with
  | nil =>
    refine Tensor.ext (funext fun i => ?_)
    change (0 : S) = 0 + h * 0 + h * h * 0
    grind
  | cons term rest hypothesis =>
    refine Tensor.ext (funext fun i => ?_)
    have first := moved_along term.moves h (term.place.get x).get (term.place.get dx).get (term.place.get r).get i
    have others := congrArg (fun t => t.get i) hypothesis
    simp only [Tensor.get_along] at others
    simp only [forwardAll, Tensor.get_add, Tensor.get_along, others, forward, Context.get_along] at *
    change (if term.negated = true then
      -moved term.moves (fun j => (term.place.get x).get j + h * (term.place.get dx).get j
        + h * h * (term.place.get r).get j) i
      else moved term.moves (fun j => (term.place.get x).get j + h * (term.place.get dx).get j
        + h * h * (term.place.get r).get j) i) + _ = _
    rw [first]
    split <;> grind

/-- Arguments along the line. -/
theorem LinearTerm.arguments_along (terms : List (LinearTerm C τ)) (h : S) (x dx r : Context S C) (i : Fin τ.size)
    (k : Nat) : arguments terms (x.along h dx r) i k
      = arguments terms x i k + h * arguments terms dx i k + h * h * arguments terms r i k := by
  induction terms generalizing k with
  | nil => simp only [arguments]; grind
  | cons term rest hypothesis =>
    cases k with
    | succ k => exact hypothesis k
    | zero =>
      have one := congrArg (fun t => t.get i) (forwardAll_along [term] h x dx r)
      simp only [forwardAll, tensor_add_zeros, Tensor.get_along] at one
      exact one

namespace Expression

/-- The same branches are chosen at two points, and `floor` stays where it is. -/
def Steady (x x' : Nat → S) : Expression → Prop
  | argument _ | zero | one => True
  | add a b | multiply a b => a.Steady x x' ∧ b.Steady x x'
  | negative a | inverse a => a.Steady x x'
  | floor a => Scalar.floor (a.value x) = Scalar.floor (a.value x')
  | ifLess a b yes no =>
    Scalar.less (a.value x) (b.value x) = Scalar.less (a.value x') (b.value x')
      ∧ bif Scalar.less (a.value x) (b.value x) then yes.Steady x x' else no.Steady x x'

/-- What is left of the value, over `h²`, where arguments go along `x + h · dx + h² · r`. -/
def remainder (h : S) (x dx r : Nat → S) : Expression → S
  | argument k => r k
  | zero | one | floor _ => 0
  | add a b => a.remainder h x dx r + b.remainder h x dx r
  | negative a => -a.remainder h x dx r
  | multiply a b =>
    a.tangent x dx * b.tangent x dx + a.remainder h x dx r * (b.value x + h * b.tangent x dx)
      + (a.value x + h * a.tangent x dx + h * h * a.remainder h x dx r) * b.remainder h x dx r
  | inverse a =>
    let slope := -(a.tangent x dx * ((a.value x)⁻¹ * (a.value x)⁻¹))
    (-(slope * a.tangent x dx) + -(((a.value x)⁻¹ + h * slope) * a.remainder h x dx r))
      * (a.value fun k => x k + h * dx k + h * h * r k)⁻¹
  | ifLess a b yes no =>
    bif Scalar.less (a.value x) (b.value x) then yes.remainder h x dx r else no.remainder h x dx r

/-- The value of an expression along the line. -/
theorem value_along (e : Expression) (h : S) (x dx r : Nat → S)
    (steady : e.Steady x fun k => x k + h * dx k + h * h * r k)
    (here : ∀ divisor ∈ e.divisors x, divisor * divisor⁻¹ = 1)
    (there : ∀ divisor ∈ e.divisors fun k => x k + h * dx k + h * h * r k, divisor * divisor⁻¹ = 1) :
    (e.value fun k => x k + h * dx k + h * h * r k)
      = e.value x + h * e.tangent x dx + h * h * e.remainder h x dx r := by
  induction e with
  | argument k => rfl
  | zero | one => simp only [value, tangent, remainder]; grind
  | floor a =>
    simp only [Steady] at steady
    simp only [value, tangent, remainder, ← steady]
    grind
  | add a b left right =>
    simp only [Steady, divisors, List.mem_append] at steady here there
    simp only [value, tangent, remainder,
      left steady.1 (fun d m => here d (.inl m)) (fun d m => there d (.inl m)),
      right steady.2 (fun d m => here d (.inr m)) (fun d m => there d (.inr m))]
    grind
  | multiply a b left right =>
    simp only [Steady, divisors, List.mem_append] at steady here there
    simp only [value, tangent, remainder,
      left steady.1 (fun d m => here d (.inl m)) (fun d m => there d (.inl m)),
      right steady.2 (fun d m => here d (.inr m)) (fun d m => there d (.inr m))]
    grind
  | negative a hypothesis =>
    simp only [value, tangent, remainder, hypothesis steady here there]
    grind
  | inverse a hypothesis =>
    simp only [divisors, List.mem_cons] at here there
    have before := hypothesis steady (fun d m => here d (.inr m)) (fun d m => there d (.inr m))
    have own := here _ (.inl rfl)
    have other := there _ (.inl rfl)
    simp only [value, tangent, remainder]
    rw [before] at other ⊢
    grind
  | ifLess a b yes no _ _ first second =>
    simp only [Steady, divisors, List.mem_append] at steady here there
    obtain ⟨same, steady⟩ := steady
    simp only [value, tangent, remainder, ← same]
    rw [← same] at there
    cases chosen : Scalar.less (a.value x) (b.value x) with
    | true =>
      simp only [chosen, cond_true] at steady here there ⊢
      exact first steady (fun d m => here d (.inr m)) (fun d m => there d (.inr m))
    | false =>
      simp only [chosen, cond_false] at steady here there ⊢
      exact second steady (fun d m => here d (.inr m)) (fun d m => there d (.inr m))

end Expression

namespace Form

/-- The form chooses the same at two points. -/
def Steady (form : Form E C τ) (ctx ctx' : Context S C) : Prop :=
  match form with
  | pointwise function terms =>
    ∀ i, function.Steady (LinearTerm.arguments terms ctx i) (LinearTerm.arguments terms ctx' i)
  | _ => True

/-- What the form divides by, at a point, has an inverse. -/
def Divides (form : Form E C τ) (ctx : Context S C) : Prop :=
  match form with
  | quotient _ right => ∀ i, (right.get ctx).get i * ((right.get ctx).get i)⁻¹ = 1
  | pointwise function terms => ∀ i, ∀ divisor ∈ function.divisors (LinearTerm.arguments terms ctx i),
    divisor * divisor⁻¹ = 1
  | _ => True

/-- What is left of the value, over `h²`, where operands go along `x + h · dx + h² · r`. -/
def remainder (form : Form E C τ) (h : S) (ctx dctx r : Context S C) : Tensor S τ :=
  match form with
  | constant _ | detached _ => Tensor.zeros τ
  | literal _ => Tensor.zeros τ
  | linear terms => LinearTerm.forwardAll terms r
  | bilinear left right products =>
    ⟨multipliedRemainder products h (left.get ctx).get (left.get dctx).get (left.get r).get
      (right.get ctx).get (right.get dctx).get (right.get r).get⟩
  | quotient left right =>
    let slope := ((quotient left right : Form E C τ).jvp ctx dctx).get
    ⟨fun i => ((left.get r).get i + -(slope i * (right.get dctx).get i)
      + -(((left.get ctx).get i * ((right.get ctx).get i)⁻¹ + h * slope i) * (right.get r).get i))
      * ((right.get (ctx.along h dctx r)).get i)⁻¹⟩
  | pointwise function terms =>
    ⟨fun i => function.remainder h (LinearTerm.arguments terms ctx i) (LinearTerm.arguments terms dctx i)
      (LinearTerm.arguments terms r i)⟩

/-- The value of a form along the line: its `jvp` is its derivative. -/
theorem forward_along (form : Form E C τ) (differentiated : form.isDetached = false) (h : S)
    (ctx dctx r : Context S C) (δ : Context S E) (here : form.Divides ctx)
    (there : form.Divides (ctx.along h dctx r)) (steady : form.Steady ctx (ctx.along h dctx r)) :
    form.forward (ctx.along h dctx r) δ
      = (form.forward ctx δ).along h (form.jvp ctx dctx) (form.remainder h ctx dctx r) := by
  match form with
  | constant entry =>
    refine Tensor.ext (funext fun i => ?_)
    change (entry.get δ).get i = (entry.get δ).get i + h * 0 + h * h * 0
    grind
  | literal number =>
    refine Tensor.ext (funext fun i => ?_)
    change (natural (number i.val) : S) = natural (number i.val) + h * 0 + h * h * 0
    grind
  | detached _ => cases differentiated
  | linear terms => exact LinearTerm.forwardAll_along terms h ctx dctx r
  | bilinear left right products =>
    refine Tensor.ext (funext fun i => ?_)
    simp only [forward, Context.get_along, Tensor.get_along, jvp, remainder]
    exact multiplied_along products h (left.get ctx).get (left.get dctx).get (left.get r).get
      (right.get ctx).get (right.get dctx).get (right.get r).get i
  | quotient left right =>
    refine Tensor.ext (funext fun i => ?_)
    have here := here i
    have there := there i
    simp only [forward, Context.get_along, Tensor.get_along, jvp, remainder] at *
    grind
  | pointwise function terms =>
    refine Tensor.ext (funext fun i => ?_)
    have arguments := funext (LinearTerm.arguments_along terms h ctx dctx r i)
    have here := here i
    have there := there i
    have steady := steady i
    rw [arguments] at there steady
    simp only [forward, Tensor.get_along, jvp, remainder, arguments, LinearTerm.weighted_derivative]
    exact function.value_along h _ _ _ steady here there

end Form

namespace FormGraph

/-- No node of the graph is `stop_gradient`'s. -/
def Differentiated {C : ContextType} : FormGraph E Γ C → Prop
  | nil => True
  | snoc g _ _ form => g.Differentiated ∧ form.isDetached = false

/-- Whatever the graph divides by, at a point, has an inverse. -/
def Divides {C : ContextType} : FormGraph E Γ C → Context S Γ → Context S E → Prop
  | nil, _, _ => True
  | snoc g _ _ form, x, δ => g.Divides x δ ∧ form.Divides ((g.toData S).eval x δ)

/-- At two points the graph chooses the same. -/
def Steady {C : ContextType} : FormGraph E Γ C → Context S Γ → Context S Γ → Context S E → Prop
  | nil, _, _, _ => True
  | snoc g _ _ form, x, x', δ =>
    g.Steady x x' δ ∧ form.Steady ((g.toData S).eval x δ) ((g.toData S).eval x' δ)

/-- What is left of all values, over `h²`. -/
def remainder {C : ContextType} : FormGraph E Γ C → S → Context S Γ → Context S Γ → Context S E → Context S C
  | nil, _, _, _, _ => Context.zeros Γ
  | snoc g _ _ form, h, x, dx, δ =>
    let r := g.remainder h x dx δ
    r.snoc (form.remainder h ((g.toData S).eval x δ) ((g.toData S).jvpCtx x dx δ) r)

/--
Along a straight line the values of a graph are `eval x + h · jvpCtx x dx + h² · R`: its tangents are its
derivative.
-/
theorem eval_along (g : FormGraph E Γ C) (differentiated : g.Differentiated) (h : S) (x dx : Context S Γ)
    (δ : Context S E) (here : g.Divides x δ) (there : g.Divides (x + dx.scale h) δ)
    (steady : g.Steady x (x + dx.scale h) δ) :
    (g.toData S).eval (x + dx.scale h) δ
      = (g.toData S).eval x δ + ((g.toData S).jvpCtx x dx δ).scale h + (g.remainder h x dx δ).scale (h * h) := by
  induction g with
  | nil =>
    simp only [toData, GraphData.eval, GraphData.jvpCtx, remainder]
    rw [Context.scale_zeros, context_add_zeros]
  | snoc g _ _ form hypothesis =>
    have before := hypothesis differentiated.1 here.1 there.1 steady.1
    have form_there := there.2
    have form_steady := steady.2
    simp only [toData, GraphData.eval, GraphData.jvpCtx, remainder, Form.nodeData] at *
    rw [before] at form_there form_steady ⊢
    exact congrArg _ (form.forward_along differentiated.2 h _ _ _ δ here.2 form_there form_steady)

/-- A graph of forms keeps the local law at every node. -/
theorem lawful (g : FormGraph E Γ C) : ∃ G : Graph S (Context S E) Γ C, G.toData = g.toData S := by
  induction g with
  | nil => exact ⟨.nil, rfl⟩
  | snoc g name reads form hypothesis =>
    obtain ⟨G, same⟩ := hypothesis
    exact ⟨G.snoc (form.node name reads), by rw [Graph.toData, same, Form.node_toNodeData]; rfl⟩

/--
Backpropagation is the adjoint of the derivative: seen by any seed, the values along a line grow by `h` times
the product of the direction with `backpropCtx`, but for `h² · R`.
-/
theorem eval_along_dot (g : FormGraph E Γ C) (differentiated : g.Differentiated) (h : S) (x dx : Context S Γ)
    (δ : Context S E) (seed : Context S C) (here : g.Divides x δ) (there : g.Divides (x + dx.scale h) δ)
    (steady : g.Steady x (x + dx.scale h) δ) :
    ((g.toData S).eval (x + dx.scale h) δ).dot seed
      = ((g.toData S).eval x δ).dot seed + h * dx.dot ((g.toData S).backpropCtx x δ seed)
        + h * h * (g.remainder h x dx δ).dot seed := by
  obtain ⟨G, same⟩ := g.lawful (S := S)
  have adjoint := G.adjoint x dx δ seed
  simp only [Graph.jvpCtx, Graph.backpropCtx, same] at adjoint
  rw [g.eval_along differentiated h x dx δ here there steady, Context.dot_add_left, Context.dot_add_left,
    Context.dot_scale_left, Context.dot_scale_left, adjoint]

end FormGraph

end Adjudge
