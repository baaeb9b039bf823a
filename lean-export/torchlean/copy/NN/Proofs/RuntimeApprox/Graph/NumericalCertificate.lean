module

public import NN.IR.Semantics

/-!
Intervals that enclose the values of a graph. What an operation does to an interval is not copied: here it is
the set of what comes of its elements, of which TorchLean's theorems of the same names hold, too.
-/

@[expose] public noncomputable section

namespace FloatLib

/-- A number of binary32, by its bits. -/
structure Floats.ExecFloat.Binary (exponentBits fractionBits : Nat) where
  bits : UInt32

def Floats.ExecFloat.Binary.ofBits32 (bits : UInt32) : Floats.ExecFloat.Binary 8 23 := ⟨bits⟩

/-- An interval by its ends; which real numbers are in it is not copied. -/
structure Numerics.Interval (β : Type) where
  lo : β
  hi : β
  has : Real → Prop := fun _ => True

end FloatLib

open FloatLib.Numerics (Interval)
open FloatLib.Floats.ExecFloat (Binary)

namespace FloatLib.Floats.ExecFloat.Binary.Interval

def Valid (_ : Interval (Binary 8 23)) : Prop := True

def image (f : Real → Real → Real) (a b : Interval (Binary 8 23)) : Interval (Binary 8 23) :=
  ⟨a.lo, a.hi, fun z => ∃ x y, a.has x ∧ b.has y ∧ z = f x y⟩

def add (a b : Interval (Binary 8 23)) : Interval (Binary 8 23) := image (· + ·) a b
def sub (a b : Interval (Binary 8 23)) : Interval (Binary 8 23) := image (· - ·) a b
def mul (a b : Interval (Binary 8 23)) : Interval (Binary 8 23) := image (· * ·) a b
def inv (a : Interval (Binary 8 23)) : Interval (Binary 8 23) := image (fun x _ => x⁻¹) a a
def sqrt (a : Interval (Binary 8 23)) : Interval (Binary 8 23) := image (fun x _ => Real.sqrt x) a a
def relu (a : Interval (Binary 8 23)) : Interval (Binary 8 23) := image (fun x _ => max x 0) a a

end FloatLib.Floats.ExecFloat.Binary.Interval

namespace Proofs.RuntimeApprox.NumericalCertificate

open Spec TorchLean NN.IR

structure SourceRange where
  nodeId : Nat
  enclosure : Interval (Binary 8 23)

structure NodeRange where
  nodeId : Nat
  outShape : Shape
  enclosure : Interval (Binary 8 23)

structure CheckedNodeRange extends NodeRange where
  valid : Binary.Interval.Valid enclosure

structure RegistryCheckedCertificate where
  graph : Graph
  ranges : Array CheckedNodeRange

def RealEncloses (interval : Interval (Binary 8 23)) (value : Real) : Prop := interval.has value

def nonnegativeEndpoint (_ : Binary 8 23) : Bool := true

def TensorEnclosed (interval : Interval (Binary 8 23)) {shape : Shape} (tensor : Tensor Real shape) : Prop :=
  ∀ x ∈ tensor.entries, RealEncloses interval x

theorem inv_realEncloses {a : Interval (Binary 8 23)} {x : Real} (_ : Binary.Interval.Valid a)
    (_ : Binary.Interval.Valid (Binary.Interval.inv a)) (hx : RealEncloses a x) :
    RealEncloses (Binary.Interval.inv a) x⁻¹ :=
  ⟨x, x, hx, hx, rfl⟩

theorem tensor_map_enclosed (op : Real → Real) (input output : Interval (Binary 8 23))
    (sound : ∀ {x}, RealEncloses input x → RealEncloses output (op x)) {shape : Shape} {x : Tensor Real shape}
    (hx : TensorEnclosed input x) : TensorEnclosed output (Tensor.mapSpec op x) := by
  intro y among
  obtain ⟨z, there, rfl⟩ := List.mem_map.mp among
  exact sound (hx z there)

theorem mem_zipWith {f : Real → Real → Real} {z : Real} : ∀ {xs ys : List Real}, z ∈ xs.zipWith f ys →
    ∃ x y, x ∈ xs ∧ y ∈ ys ∧ z = f x y
  | [], _, h => by cases h
  | _ :: _, [], h => by cases h
  | x :: xs, y :: ys, h => by
    cases h with
    | head => exact ⟨x, y, .head _, .head _, rfl⟩
    | tail _ h =>
      obtain ⟨u, v, hu, hv, e⟩ := mem_zipWith h
      exact ⟨u, v, .tail _ hu, .tail _ hv, e⟩

theorem tensor_image_enclosed (f : Real → Real → Real) {shape : Shape} {x y : Tensor Real shape}
    {a b : Interval (Binary 8 23)} (hx : TensorEnclosed a x) (hy : TensorEnclosed b y) :
    TensorEnclosed (Binary.Interval.image f a b) (Tensor.map2Spec f x y) := by
  intro z among
  obtain ⟨u, v, hu, hv, e⟩ := mem_zipWith among
  exact ⟨u, v, hx u hu, hy v hv, e⟩

theorem tensor_add_enclosed {shape : Shape} {x y : Tensor Real shape} {a b : Interval (Binary 8 23)}
    (_ : Binary.Interval.Valid a) (_ : Binary.Interval.Valid b)
    (_ : Binary.Interval.Valid (Binary.Interval.add a b)) (hx : TensorEnclosed a x) (hy : TensorEnclosed b y) :
    TensorEnclosed (Binary.Interval.add a b) (Tensor.addSpec x y) :=
  tensor_image_enclosed _ hx hy

theorem tensor_sub_enclosed {shape : Shape} {x y : Tensor Real shape} {a b : Interval (Binary 8 23)}
    (_ : Binary.Interval.Valid a) (_ : Binary.Interval.Valid b)
    (_ : Binary.Interval.Valid (Binary.Interval.sub a b)) (hx : TensorEnclosed a x) (hy : TensorEnclosed b y) :
    TensorEnclosed (Binary.Interval.sub a b) (Tensor.subSpec x y) :=
  tensor_image_enclosed _ hx hy

theorem tensor_mul_enclosed {shape : Shape} {x y : Tensor Real shape} {a b : Interval (Binary 8 23)}
    (_ : Binary.Interval.Valid a) (_ : Binary.Interval.Valid b)
    (_ : Binary.Interval.Valid (Binary.Interval.mul a b)) (hx : TensorEnclosed a x) (hy : TensorEnclosed b y) :
    TensorEnclosed (Binary.Interval.mul a b) (Tensor.mulSpec x y) :=
  tensor_image_enclosed _ hx hy

theorem tensor_relu_enclosed {shape : Shape} {x : Tensor Real shape} {a : Interval (Binary 8 23)}
    (_ : Binary.Interval.Valid a) (hx : TensorEnclosed a x) :
    TensorEnclosed (Binary.Interval.relu a) (Tensor.mapSpec (fun value => max value 0) x) :=
  tensor_map_enclosed (fun value => max value 0) a (Binary.Interval.relu a) (fun {u} hu => ⟨u, u, hu, hu, rfl⟩) hx

theorem tensor_sqrt_enclosed {shape : Shape} {x : Tensor Real shape} {a : Interval (Binary 8 23)}
    (_ : Binary.Interval.Valid a) (_ : nonnegativeEndpoint a.lo = true)
    (_ : Binary.Interval.Valid (Binary.Interval.sqrt a)) (hx : TensorEnclosed a x) :
    TensorEnclosed (Binary.Interval.sqrt a) (Tensor.mapSpec Real.sqrt x) :=
  tensor_map_enclosed Real.sqrt a (Binary.Interval.sqrt a) (fun {u} hu => ⟨u, u, hu, hu, rfl⟩) hx

def SomeTensorEnclosed (range : CheckedNodeRange) (value : SomeTensor Real) : Prop :=
  ∃ h : value.shape = range.outShape, TensorEnclosed range.enclosure (h ▸ value.tensor)

def ArraysRelated {α β : Type} (relation : α → β → Prop) (xs : Array α) (ys : Array β) : Prop :=
  xs.size = ys.size ∧ ∀ (i : Nat) (hxs : i < xs.size) (hys : i < ys.size), relation xs[i] ys[i]

structure ProvedRealEnclosure (certificate : RegistryCheckedCertificate) where
  payload : Payload Real
  input : SomeTensor Real
  values : Array (SomeTensor Real)
  denotation : certificate.graph.denoteAll payload input = .ok values
  enclosed : ArraysRelated SomeTensorEnclosed certificate.ranges values

end Proofs.RuntimeApprox.NumericalCertificate
