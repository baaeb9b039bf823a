module

public import Adjudge.Operators.Adjoint

/-!
# The local law by operator [SEMANTICS §2.5]

`reference/operators/` and its law `adjoint`: a sentence for each operator.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

/--
Over all scalars, whatever the operator makes of its operands keeps the local law
`dot (jvp ctx dctx) c = dot dctx (vjp ctx c)`.
-/
def Operator.Lawful (op : Operator) : Prop :=
  ∀ {S : Type} [Scalar S] {E C : ContextType} {τ : Shape} (places : List ((σ : Shape) × Place C σ))
    (form : Form E C τ), op.formAt? places = some ⟨τ, form⟩ →
    ∀ (ctx dctx : Context S C) (c : Tensor S τ), (form.jvp ctx dctx).dot c = dctx.dot (form.vjp ctx c)

/-- Every operator keeps the local law. -/
theorem Operator.lawful (op : Operator) : op.Lawful := fun places form made => op.adjoint places form made

/-- `constant` keeps the local law. -/
theorem constant_adjoint (entry : Nat) : (Operator.constant entry).Lawful := Operator.lawful _

/-- `add` keeps the local law. -/
theorem add_adjoint : Operator.add.Lawful := Operator.lawful _

/-- `subtract` keeps the local law. -/
theorem subtract_adjoint : Operator.subtract.Lawful := Operator.lawful _

/-- `negative` keeps the local law. -/
theorem negative_adjoint : Operator.negative.Lawful := Operator.lawful _

/-- `multiply` keeps the local law. -/
theorem multiply_adjoint : Operator.multiply.Lawful := Operator.lawful _

/-- `divide` keeps the local law. -/
theorem divide_adjoint : Operator.divide.Lawful := Operator.lawful _

/-- `sum` keeps the local law. -/
theorem sum_adjoint (axes : List Nat) (keepdims : Bool) : (Operator.sum axes keepdims).Lawful := Operator.lawful _

/-- `broadcast_to` keeps the local law. -/
theorem broadcast_to_adjoint (shape : Shape) : (Operator.broadcast_to shape).Lawful := Operator.lawful _

/-- `reshape` keeps the local law. -/
theorem reshape_adjoint (shape : Shape) : (Operator.reshape shape).Lawful := Operator.lawful _

/-- `permute_dims` keeps the local law. -/
theorem permute_dims_adjoint (axes : List Nat) : (Operator.permute_dims axes).Lawful := Operator.lawful _

/-- `take` keeps the local law. -/
theorem take_adjoint (axis : Nat) (indices : List Nat) : (Operator.take axis indices).Lawful := Operator.lawful _

/-- `slice` keeps the local law. -/
theorem slice_adjoint (starts stops steps : List Int) : (Operator.slice starts stops steps).Lawful :=
  Operator.lawful _

/-- `pad` keeps the local law. -/
theorem pad_adjoint (low high interior : List Nat) : (Operator.pad low high interior).Lawful := Operator.lawful _

/-- `take_along_axis` keeps the local law. -/
theorem take_along_axis_adjoint (axis : Nat) (entry : Shape) (indices : List Nat) :
    (Operator.take_along_axis axis entry indices).Lawful := Operator.lawful _

/-- `gather` keeps the local law. -/
theorem gather_adjoint (entry : Shape) (indices : List Nat) : (Operator.gather entry indices).Lawful :=
  Operator.lawful _

/-- `scatter_add` keeps the local law. -/
theorem scatter_add_adjoint (entry : Shape) (indices : List Nat) : (Operator.scatter_add entry indices).Lawful :=
  Operator.lawful _

/-- `cumulative_sum` keeps the local law. -/
theorem cumulative_sum_adjoint (axis : Nat) : (Operator.cumulative_sum axis).Lawful := Operator.lawful _

/-- `iota` keeps the local law. -/
theorem iota_adjoint (shape : Shape) (axis : Nat) : (Operator.iota shape axis).Lawful := Operator.lawful _

/-- `bernoulli_mask` keeps the local law. -/
theorem bernoulli_mask_adjoint (shape : Shape) (first second numerator denominator : Nat) :
    (Operator.bernoulli_mask shape first second numerator denominator).Lawful := Operator.lawful _

/-- `concat` keeps the local law. -/
theorem concat_adjoint (axis : Nat) : (Operator.concat axis).Lawful := Operator.lawful _

/-- `matmul` keeps the local law. -/
theorem matmul_adjoint : Operator.matmul.Lawful := Operator.lawful _

/-- `relu` keeps the local law. -/
theorem relu_adjoint : Operator.relu.Lawful := Operator.lawful _

/-- `floor` keeps the local law. -/
theorem floor_adjoint : Operator.floor.Lawful := Operator.lawful _

/-- `maximum` keeps the local law. -/
theorem maximum_adjoint : Operator.maximum.Lawful := Operator.lawful _

/-- `less` keeps the local law. -/
theorem less_adjoint : Operator.less.Lawful := Operator.lawful _

/-- `equal` keeps the local law. -/
theorem equal_adjoint : Operator.equal.Lawful := Operator.lawful _

/-- `where` keeps the local law. -/
theorem where_adjoint : Operator.where.Lawful := Operator.lawful _

/-- `det` keeps the local law. -/
theorem det_adjoint : Operator.det.Lawful := Operator.lawful _

/-- `solve` keeps the local law. -/
theorem solve_adjoint : Operator.solve.Lawful := Operator.lawful _

end Adjudge
