module

public import Adjudge.Derive

/-!
# A cube, derived twice; and a wrong derivative

The derivative of a derived graph, computed by the kernel; and that a sweep which pulls back to the left
operand of a product alone is refuted by the same graph.
-/

@[expose] public noncomputable section

namespace Adjudge.Examples

/-- `x * x * x` -/
def cube : FormGraph .nil (.snoc .nil []) (.snoc (.snoc (.snoc .nil []) []) []) :=
  .snoc (.snoc .nil "multiply" [0, 0] (.multiply .last .last)) "multiply" [1, 0] (.multiply .last (.earlier .last))

/-- A number as a tensor. -/
def scalar (x : Int) : Tensor Int [] := ⟨fun _ => x⟩

/-- A point. -/
def point (x : Int) : Context Int (.snoc .nil []) := .snoc .nil (scalar x)

/-- A seed of 1 at the cube. -/
def seedOfCube : Context Int (.snoc (.snoc (.snoc .nil []) []) []) :=
  .snoc (.snoc (.snoc .nil (scalar 0)) (scalar 0)) (scalar 1)

/-- Where the cotangent of `x` stands in the derivative. -/
def slope : Place cube.derive.type [] := cube.derive.bars.place (.earlier (.earlier .last))

/-- The derivative of `x³` at 2 is 12. -/
theorem cube_derived :
    (slope.get ((cube.derive.graph.toData Int).eval ((point 2).append seedOfCube) .nil)).elements = [12] := by
  decide +kernel

/-- The derivative again, of the slope: a graph too. -/
def cubeTwice := cube.derive.graph.derive

/-- Where the cotangent of `x` stands in the second derivative: `x` is the first entry of all. -/
def bend : Place cubeTwice.type [] :=
  cubeTwice.bars.place (cube.derive.values.place .last)

/-- The second derivative of `x³` at 5 is 30. -/
theorem cube_derived_twice :
    (bend.get ((cubeTwice.graph.toData Int).eval (((point 5).append seedOfCube).append (slope.only (scalar 1))) .nil)).elements
      = [30] := by
  decide +kernel

/-- A wrong step: of a product it pulls back to the left operand alone. -/
def pullLeft {E Γ C K : ContextType} {τ : Shape} (w : Written E Γ C C (.snoc K τ)) :
    Form E C τ → Written E Γ C C (.snoc K τ)
  | .bilinear left right products =>
    w.contribute left (.bilinear w.kept.last (w.values.place right) (towardsLeft products))
  | form => w.pull form

/-- The derivative that it writes. -/
def cubeWrong := cube.sweepBy pullLeft (cube.trace (.start .nil _ _))

/-- A sweep that forgets right operands does not write the derivative. -/
theorem pullLeft_not_sound : ¬ ∀ (x : Context Int (.snoc .nil [])) (seeds : Context Int _),
    cubeWrong.bars.read ((cubeWrong.graph.toData Int).eval (x.append seeds) .nil)
      = (cube.toData Int).backpropAllCtx x .nil seeds := by
  intro sound
  have numbers := congrArg Context.numbers (sound (point 2) seedOfCube)
  revert numbers
  decide +kernel

end Adjudge.Examples
