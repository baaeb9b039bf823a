module

/-!
# Shapes and tensors [SEMANTICS §1.1, §1.2]

`spec/shapes/shape.ts` and `reference/tensor.ts`. A tensor is a function of row-major positions, so that two
tensors are equal when their elements are; `Adjudge.Replay` has them as lists of numbers.
-/

@[expose] public noncomputable section

namespace Adjudge

variable {S : Type}

/-- The extents of a tensor; a scalar is `[]`, and an extent may be zero. -/
abbrev Shape := List Nat

/-- The number of elements of a tensor of this shape. -/
def Shape.size : Shape → Nat
  | [] => 1
  | extent :: rest => extent * size rest

/-- A tensor: for each row-major position an element. -/
@[ext]
structure Tensor (S : Type) (shape : Shape) where
  get : Fin shape.size → S

namespace Tensor

variable {shape : Shape}

/-- Element by element. -/
def add [Add S] (x y : Tensor S shape) : Tensor S shape where
  get i := x.get i + y.get i

instance [Add S] : Add (Tensor S shape) := ⟨add⟩

/-- Zero everywhere. -/
def zeros [Zero S] (shape : Shape) : Tensor S shape where
  get _ := 0

end Tensor

/-- `f 0 + f 1 + … + f (n - 1)`, upwards from zero. -/
def sumUp [Zero S] [Add S] : (n : Nat) → (Fin n → S) → S
  | 0, _ => 0
  | n + 1, f => sumUp n (fun i => f i.castSucc) + f (Fin.last n)

/-- The sum of the products of the elements. -/
def Tensor.dot [Zero S] [Add S] [Mul S] {shape : Shape} (x y : Tensor S shape) : S :=
  sumUp shape.size fun i => x.get i * y.get i

end Adjudge
