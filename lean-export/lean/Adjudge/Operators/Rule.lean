module

public import Adjudge.Operators.Adjoint
public import Adjudge.Operators.Pairs

/-!
# The rule of each operator, in terms of tensors

`reference/operators/`. A form lists positions; a rule is what a textbook writes down: the value, the tangent
and the pulled back cotangent of an operator. Here is that the operators that go element by element follow
their rules, and what it takes for those that move elements.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind Sums

variable {E C : ContextType} {τ σ : Shape}

/-- The product, element by element. -/
def Tensor.multiply {S : Type} [CommRing S] (x y : Tensor S τ) : Tensor S τ where
  get i := x.get i * y.get i

/-- The quotient, element by element. -/
def Tensor.divide {S : Type} [Scalar S] (x y : Tensor S τ) : Tensor S τ where
  get i := x.get i * (y.get i)⁻¹

/-- Sums of equals are equal. -/
theorem Sums.plus_congr {α : Type} [Add α] {a b c d : α} (left : a = b) (right : c = d) : a + c = b + d := by
  rw [left, right]

/-- What an operator computes over all scalars: the value, its tangent, and what its cotangent gives. -/
structure Rule (E C : ContextType) (τ : Shape) where
  value : (S : Type) → [Scalar S] → Context S C → Context S E → Tensor S τ
  tangent : (S : Type) → [Scalar S] → Context S C → Context S C → Tensor S τ
  pullback : (S : Type) → [Scalar S] → Context S C → Tensor S τ → Context S C

/-- The form computes what the rule says. -/
structure Form.Follows (form : Form E C τ) (rule : Rule E C τ) : Prop where
  forward : ∀ (S : Type) [Scalar S] (ctx : Context S C) (δ : Context S E),
    form.forward ctx δ = rule.value S ctx δ
  jvp : ∀ (S : Type) [Scalar S] (ctx dctx : Context S C), form.jvp ctx dctx = rule.tangent S ctx dctx
  vjp : ∀ (S : Type) [Scalar S] (ctx : Context S C) (c : Tensor S τ), form.vjp ctx c = rule.pullback S ctx c

/-- The operator accepts these operands and computes what the rule says. -/
def Operator.Follows (op : Operator) (places : List ((σ : Shape) × Place C σ)) (rule : Rule E C τ) : Prop :=
  ∃ form : Form E C τ, op.formAt? places = some ⟨τ, form⟩ ∧ form.Follows rule

/-- `tangent` and `pullback` of a rule that an operator follows keep the local law. -/
theorem Operator.Follows.adjoint {op : Operator} {places : List ((σ : Shape) × Place C σ)} {rule : Rule E C τ}
    (follows : op.Follows places rule) (S : Type) [Scalar S] (ctx dctx : Context S C) (c : Tensor S τ) :
    (rule.tangent S ctx dctx).dot c = dctx.dot (rule.pullback S ctx c) := by
  obtain ⟨form, _, same⟩ := follows
  rw [← same.jvp, ← same.vjp, form.adjoint]

/-- A linear function of one operand and its adjoint. -/
def Rule.linear (x : Place C σ) (f : (S : Type) → [CommRing S] → Tensor S σ → Tensor S τ)
    (back : (S : Type) → [CommRing S] → Tensor S τ → Tensor S σ) : Rule E C τ where
  value S _ ctx _ := f S (x.get ctx)
  tangent S _ _ dctx := f S (x.get dctx)
  pullback S _ _ c := x.only (back S c)

/-- A form of one term computes what the term computes. -/
theorem LinearTerm.Computes.follows {term : LinearTerm C τ} {x : Place C σ}
    {f : (S : Type) → [CommRing S] → Tensor S σ → Tensor S τ}
    {back : (S : Type) → [CommRing S] → Tensor S τ → Tensor S σ} (computes : term.Computes x f back) :
    (Form.linear (E := E) [term]).Follows (.linear x f back) where
  forward S _ ctx _ := (tensor_add_zeros _).trans (computes.forward S ctx)
  jvp S _ _ dctx := (tensor_add_zeros _).trans (computes.forward S dctx)
  vjp S _ _ c := (context_add_zeros _).trans (computes.vjp S c)

/-- The value is an entry of `Δ`, and nothing is differentiated. -/
def Rule.constant (entry : Place E τ) : Rule E C τ where
  value _ _ _ δ := entry.get δ
  tangent _ _ _ _ := Tensor.zeros τ
  pullback _ _ _ _ := Context.zeros C

/-- `constant` is an entry of `Δ`: its tangent is zero and its cotangent goes nowhere. -/
theorem constant_follows (id : Nat) (entry : Place E τ) (found : E.place? id = some ⟨τ, entry⟩) :
    (Operator.constant id).Follows [] (.constant entry : Rule E C τ) :=
  ⟨.constant entry, by unfold Operator.formAt?; simp only [found], fun _ _ _ _ => rfl, fun _ _ _ _ => rfl,
    fun _ _ _ _ => rfl⟩

/-- `x + y`; the cotangent goes to both. -/
def Rule.add (x y : Place C τ) : Rule E C τ where
  value _ _ ctx _ := x.get ctx + y.get ctx
  tangent _ _ _ dctx := x.get dctx + y.get dctx
  pullback _ _ _ c := x.only c + y.only c

/-- `add` is `x + y`, its tangent `dx + dy`, and its cotangent `c` goes to both operands. -/
theorem add_follows (x y : Place C τ) : Operator.add.Follows [⟨τ, x⟩, ⟨τ, y⟩] (.add x y : Rule E C τ) := by
  obtain ⟨left, foundLeft, computesLeft⟩ := elementwise_computes x false
  obtain ⟨right, foundRight, computesRight⟩ := elementwise_computes y false
  refine ⟨.linear [left, right], by unfold Operator.formAt?; simp only [foundLeft, foundRight], ?_, ?_, ?_⟩
  · exact fun S _ ctx _ => plus_congr (computesLeft.forward S ctx)
      ((tensor_add_zeros _).trans (computesRight.forward S ctx))
  · exact fun S _ _ dctx => plus_congr (computesLeft.forward S dctx)
      ((tensor_add_zeros _).trans (computesRight.forward S dctx))
  · exact fun S _ _ c => plus_congr (computesLeft.vjp S c)
      ((context_add_zeros _).trans (computesRight.vjp S c))

/-- `x - y`; the cotangent goes to `x`, its negative to `y`. -/
def Rule.subtract (x y : Place C τ) : Rule E C τ where
  value _ _ ctx _ := x.get ctx + (y.get ctx).negative
  tangent _ _ _ dctx := x.get dctx + (y.get dctx).negative
  pullback _ _ _ c := x.only c + y.only c.negative

/-- `subtract` is `x + (-y)`, its tangent `dx + (-dy)`; its cotangent goes as `c` to `x`, as `-c` to `y`. -/
theorem subtract_follows (x y : Place C τ) :
    Operator.subtract.Follows [⟨τ, x⟩, ⟨τ, y⟩] (.subtract x y : Rule E C τ) := by
  obtain ⟨left, foundLeft, computesLeft⟩ := elementwise_computes x false
  obtain ⟨right, foundRight, computesRight⟩ := elementwise_computes y true
  refine ⟨.linear [left, right], by unfold Operator.formAt?; simp only [foundLeft, foundRight], ?_, ?_, ?_⟩
  · exact fun S _ ctx _ => plus_congr (computesLeft.forward S ctx)
      ((tensor_add_zeros _).trans (computesRight.forward S ctx))
  · exact fun S _ _ dctx => plus_congr (computesLeft.forward S dctx)
      ((tensor_add_zeros _).trans (computesRight.forward S dctx))
  · exact fun S _ _ c => plus_congr (computesLeft.vjp S c)
      ((context_add_zeros _).trans (computesRight.vjp S c))

/-- `negative` is `-x`, its tangent `-dx`, and its cotangent goes as `-c` to `x`. -/
theorem negative_follows (x : Place C τ) : Operator.negative.Follows [⟨τ, x⟩]
    (.linear x (fun _ => Tensor.negative) (fun _ => Tensor.negative) : Rule E C τ) := by
  obtain ⟨term, found, computes⟩ := elementwise_computes x true
  exact ⟨.linear [term], by unfold Operator.formAt?; simp only [found], computes.follows⟩

/-- `x * y`, with the product rule. -/
def Rule.multiply (x y : Place C τ) : Rule E C τ where
  value _ _ ctx _ := (x.get ctx).multiply (y.get ctx)
  tangent _ _ ctx dctx := (x.get dctx).multiply (y.get ctx) + (x.get ctx).multiply (y.get dctx)
  pullback _ _ ctx c := x.only (c.multiply (y.get ctx)) + y.only ((x.get ctx).multiply c)

/--
`multiply` is `x * y` element by element, its tangent `dx * y + x * dy`, and its cotangent goes as `c * y` to
`x`, as `x * c` to `y`.
-/
theorem multiply_follows (x y : Place C τ) :
    Operator.multiply.Follows [⟨τ, x⟩, ⟨τ, y⟩] (.multiply x y : Rule E C τ) := by
  obtain ⟨products, found, left, right, means⟩ := products?_elementwise (n := τ.size)
  have product (S : Type) [CommRing S] (s t : Tensor S τ) : (⟨multiplied products s.get t.get⟩ : Tensor S τ)
      = s.multiply t := Tensor.ext (funext (means S s.get t.get))
  refine ⟨.bilinear x y products, by unfold Operator.formAt?; simp only [if_true, multiplying, found], ?_, ?_, ?_⟩
  · exact fun S _ ctx _ => product S (x.get ctx) (y.get ctx)
  · intro S _ ctx dctx
    exact plus_congr (product S (x.get dctx) (y.get ctx)) (product S (x.get ctx) (y.get dctx))
  · intro S _ ctx c
    simp only [Form.vjp, left, right, Rule.multiply]
    rw [← product S c, ← product S (x.get ctx)]

/-- `x / y`, with the quotient rule. -/
def Rule.divide (x y : Place C τ) : Rule E C τ where
  value _ _ ctx _ := (x.get ctx).divide (y.get ctx)
  tangent _ _ ctx dctx :=
    let quotient := (x.get ctx).divide (y.get ctx)
    (x.get dctx).divide (y.get ctx) + ((quotient.multiply (y.get dctx)).divide (y.get ctx)).negative
  pullback _ _ ctx c :=
    let quotient := (x.get ctx).divide (y.get ctx)
    x.only (c.divide (y.get ctx)) + y.only ((c.multiply quotient).divide (y.get ctx)).negative

/--
`divide` is `q = x / y` element by element, its tangent `dx / y + -(q * dy / y)`, and its cotangent goes as
`c / y` to `x`, as `-(c * q / y)` to `y`.
-/
theorem divide_follows (x y : Place C τ) : Operator.divide.Follows [⟨τ, x⟩, ⟨τ, y⟩] (.divide x y : Rule E C τ) :=
  ⟨.quotient x y, by unfold Operator.formAt? dividing; simp only [dite_true], fun _ _ _ _ => rfl, fun _ _ _ _ => rfl,
    fun _ _ _ _ => rfl⟩

/-- The value is the operand's, and nothing is differentiated. -/
def Rule.stopGradient (x : Place C τ) : Rule E C τ where
  value _ _ ctx _ := x.get ctx
  tangent _ _ _ _ := Tensor.zeros τ
  pullback _ _ _ _ := Context.zeros C

/-- `stop_gradient` is `x`; its tangent is zero and its cotangent goes nowhere. -/
theorem stop_gradient_follows (x : Place C τ) :
    Operator.stop_gradient.Follows [⟨τ, x⟩] (.stopGradient x : Rule E C τ) := by
  obtain ⟨term, found, computes⟩ := elementwise_computes x false
  exact ⟨.detached [term], by unfold Operator.formAt?; simp only [found],
    fun S _ ctx _ => (tensor_add_zeros _).trans (computes.forward S ctx), fun _ _ _ _ => rfl, fun _ _ _ _ => rfl⟩

/-- `gathering` makes a gather, whose adjoint is the scatter with the same map. -/
theorem gathering_follows (x : Place C σ) (f : Nat → Nat) (source : Fin τ.size → Fin σ.size)
    (same : ∀ i, f i.val = (source i).val) :
    ∃ form : Form E C τ, gathering ⟨σ, x⟩ τ f = some ⟨τ, form⟩ ∧
      form.Follows (.linear x (fun _ => Tensor.gathered source) (fun _ => Tensor.scattered source)) := by
  obtain ⟨term, found, computes⟩ := moving_gathers x _ source f rfl same
  exact ⟨.linear [term], by simp only [gathering, found], computes.follows⟩

/-- `scattering` makes a scatter, whose adjoint is the gather with the same map. -/
theorem scattering_follows (x : Place C σ) (f : Nat → Nat) (target : Fin σ.size → Fin τ.size)
    (same : ∀ j, f j.val = (target j).val) :
    ∃ form : Form E C τ, scattering ⟨σ, x⟩ τ f = some ⟨τ, form⟩ ∧
      form.Follows (.linear x (fun _ => Tensor.scattered target) (fun _ => Tensor.gathered target)) := by
  obtain ⟨term, found, computes⟩ := moving_scatters x _ target f rfl same
  exact ⟨.linear [term], by simp only [scattering, found], computes.follows⟩

end Adjudge
