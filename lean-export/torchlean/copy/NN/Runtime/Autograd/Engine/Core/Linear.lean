module

public import NN.Runtime.Autograd.Engine.Core.Base

/-! Nodes that join tensors. -/

@[expose] public noncomputable section

namespace Runtime.Autograd.Tape

open Spec TorchLean

variable {α : Type} [Storage α]

def concatLeadingAxis {n m : Nat} {s : Shape} (t : Tape α) (aId bId : Nat) : Result (Tape α × Nat) :=
  binary (s := n :: s) (u := m :: s) (v := (n + m) :: s) t aId bId (fun x y => ⟨x.entries ++ y.entries⟩)
    fun _ _ c => (⟨c.entries.take (n * s.size)⟩, ⟨c.entries.drop (n * s.size)⟩)

end Runtime.Autograd.Tape
