module

public import NN.Runtime.Autograd.Engine.Core.Backward
public import NN.Spec.Core.Context.Rational

/-! Programs that record a tape. -/

@[expose] public noncomputable section

namespace Runtime.Autograd

open Spec TorchLean

abbrev TapeM (α : Type) [Storage α] : Type → Type := StateT (Tape α) Result

namespace TapeM

variable {α : Type} [Storage α]

def run {β : Type} (t : Tape α) (m : TapeM α β) : Result (β × Tape α) := StateT.run m t

def exec {β : Type} (t : Tape α) (m : TapeM α β) : Result (Tape α) := do
  let (_, t') ← run t m
  pure t'

def getTape : TapeM α (Tape α) := get

/-- Records what an operation appends. -/
def record (op : Tape α → Result (Tape α × Nat)) : TapeM α Nat := do
  let (t', id) ← liftM (op (← get))
  set t'
  pure id

def leaf {s : Shape} (value : Tensor α s) (requiresGrad : Bool := true) : TapeM α Nat :=
  record fun t => .ok (t.leaf value requiresGrad)

def add [Add α] {s : Shape} (aId bId : Nat) : TapeM α Nat :=
  record fun t => t.binary (s := s) (u := s) (v := s) aId bId (·.zip (· + ·) ·) fun _ _ c => (c, c)

def sub [Sub α] [Zero α] {s : Shape} (aId bId : Nat) : TapeM α Nat :=
  record fun t => t.binary (s := s) (u := s) (v := s) aId bId (·.zip (· - ·) ·)
    fun _ _ c => (c, c.map (0 - ·))

def mul [Mul α] {s : Shape} (aId bId : Nat) : TapeM α Nat :=
  record fun t => t.binary (s := s) (u := s) (v := s) aId bId (·.zip (· * ·) ·)
    fun x y c => (c.zip (· * ·) y, c.zip (· * ·) x)

def div [Context α] {s : Shape} (aId bId : Nat) : TapeM α Nat :=
  record fun t => t.binary (s := s) (u := s) (v := s) aId bId (·.zip (· / ·) ·) fun x y c =>
    (c.zip (· / ·) y, (c.zip (· * ·) ((x.zip (· / ·) y).zip (· / ·) y)).map (0 - ·))

def scale [Mul α] {s : Shape} (xId : Nat) (c : α) : TapeM α Nat :=
  record fun t => t.unary (s := s) (u := s) xId (·.map (· * c)) fun _ dy => dy.map (· * c)

def sum [Add α] [Zero α] {s : Shape} (xId : Nat) : TapeM α Nat :=
  record fun t => t.unary (s := s) (u := Shape.scalar) xId (fun x => .scalar x.total)
    fun _ dy => .full s (dy.entry 0)

def matmul [Context α] {m n p : Nat} (aId bId : Nat) : TapeM α Nat :=
  record fun t => t.binary (s := [m, n]) (u := [n, p]) (v := [m, p]) aId bId
    (fun x y => .matrix m p fun i k => total n fun j => x.entry (i * n + j) * y.entry (j * p + k))
    fun x y c =>
      (.matrix m n fun i j => total p fun k => c.entry (i * p + k) * y.entry (j * p + k),
       .matrix n p fun j k => total m fun i => x.entry (i * n + j) * c.entry (i * p + k))
where
  total (count : Nat) (f : Nat → α) : α := (List.range count).foldl (fun sum i => sum + f i) 0

end TapeM

end Runtime.Autograd
