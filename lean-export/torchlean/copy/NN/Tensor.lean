module

/-! Shapes, tensors as row-major lists, and tensors of any shape. -/

@[expose] public noncomputable section

/-- The rational numbers. -/
abbrev ℚ : Type := Rat

namespace Spec

/-- A shape lists its extents, outermost first. -/
abbrev Shape := List Nat

/-- The shape of a number. -/
abbrev Shape.scalar : Shape := []

/-- The count of the elements. -/
def Shape.size (s : Shape) : Nat := s.foldr (· * ·) 1

/-- Two neighbouring axes change places. -/
def Shape.swapAdjacentAtDepth : Shape → Nat → Shape
  | n :: m :: s, 0 => m :: n :: s
  | n :: s, depth + 1 => n :: Shape.swapAdjacentAtDepth s depth
  | s, _ => s

/-- Aligned at the last axis, each extent is the other's or 1. -/
def Shape.fits : List Nat → List Nat → Bool
  | [], _ => true
  | _ :: _, [] => false
  | n :: s, m :: t => (n == m || n == 1) && Shape.fits s t

/-- The first shape broadcasts to the second. -/
def Shape.CanBroadcastTo (s t : Shape) : Prop := Shape.fits s.reverse t.reverse = true

instance (s t : Shape) : Decidable (Shape.CanBroadcastTo s t) :=
  inferInstanceAs (Decidable (_ = true))

end Spec

namespace TorchLean

open Spec

/-- How a tensor's elements are stored: here always as a list. -/
class Storage (α : Type) : Type

instance : Storage Rat where

/-- A tensor: its elements in row-major order. -/
structure Tensor (α : Type) [Storage α] (s : Shape) where
  entries : List α

namespace Tensor

variable {α : Type} [Storage α] {s t : Shape}

/-- A vector of these elements. -/
def «from» (xs : Array α) : Tensor α [xs.size] := ⟨xs.toList⟩

/-- The tensor of a number. -/
def scalar (x : α) : Tensor α Shape.scalar := ⟨[x]⟩

/-- The same elements in another shape. -/
def reshape (x : Tensor α s) (t : Shape) (_ : s.size = t.size) : Tensor α t := ⟨x.entries⟩

/-- A tensor of one number. -/
def full (s : Shape) (x : α) : Tensor α s := ⟨List.replicate s.size x⟩

/-- Applies an operation element by element. -/
def zip (f : α → α → α) (x y : Tensor α s) : Tensor α s := ⟨x.entries.zipWith f y.entries⟩

/-- Applies a function to each element. -/
def map (f : α → α) (x : Tensor α s) : Tensor α s := ⟨x.entries.map f⟩

/-- The sum of all elements. -/
def total [Add α] [Zero α] (x : Tensor α s) : α := x.entries.foldl (· + ·) 0

/-- The element at a place, or zero. -/
def entry [Zero α] (x : Tensor α s) (i : Nat) : α := x.entries.getD i 0

/-- A matrix, element by element. -/
def matrix (m n : Nat) (f : Nat → Nat → α) : Tensor α [m, n] :=
  ⟨(List.range m).flatMap fun i => (List.range n).map (f i)⟩

/-- The place that an element of the larger shape is read from; both shapes innermost axis first. -/
def source : List Nat → List Nat → Nat → Nat
  | n :: s, m :: t, i => (if n = 1 then 0 else i % m) + n * source s t (i / m)
  | _, _, _ => 0

/-- Repeats a tensor along the axes where its extent is 1 or missing. -/
def broadcastTo [Zero α] (x : Tensor α s) (t : Shape) : Tensor α t :=
  ⟨(List.range t.size).map fun i => x.entry (source s.reverse t.reverse i)⟩

/-- Adds up what each element was repeated to. -/
def reduceFromBroadcastTo [Add α] [Zero α] (c : Tensor α t) (s : Shape) : Tensor α s :=
  ⟨(List.range s.size).map fun j =>
    (List.range t.size).foldl
      (fun sum i => if source s.reverse t.reverse i = j then sum + c.entry i else sum) 0⟩

/-- The place that an element is read from, where two neighbouring axes of `s` change places. -/
def swapSource : List Nat → Nat → Nat → Nat
  | n :: m :: s, 0, i =>
    let rest := Shape.size s
    ((i / rest) % n * m + i / (rest * n)) * rest + i % rest
  | _ :: s, depth + 1, i => i / Shape.size s * Shape.size s + swapSource s depth (i % Shape.size s)
  | _, _, i => i

/-- Two neighbouring axes change places. -/
def swapAdjacent [Zero α] (x : Tensor α s) (depth : Nat) : Tensor α (s.swapAdjacentAtDepth depth) :=
  ⟨(List.range s.size).map fun i => x.entry (swapSource s depth i)⟩

end Tensor

end TorchLean

namespace Spec

open TorchLean

/-- A tensor of any shape. -/
structure SomeTensor (α : Type) [Storage α] where
  shape : Shape
  tensor : Tensor α shape

/-- Forgets a shape. -/
def SomeTensor.ofTensor {α : Type} [Storage α] {shape : Shape} (tensor : Tensor α shape) : SomeTensor α :=
  ⟨shape, tensor⟩

/-- Remembers a shape. -/
def SomeTensor.cast {α : Type} [Storage α] {s : Shape} (x : SomeTensor α) (h : x.shape = s) : Tensor α s :=
  h ▸ x.tensor

end Spec
