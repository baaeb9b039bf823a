module

public import NN.Runtime.Autograd.Engine.Core.Base

/-! Nodes that move elements. -/

@[expose] public noncomputable section

namespace Runtime.Autograd.Tape

open Spec TorchLean

variable {α : Type} [Storage α]

def reshape {s₁ s₂ : Shape} (t : Tape α) (xId : Nat) (h : Shape.size s₁ = Shape.size s₂) :
    Result (Tape α × Nat) :=
  unary (s := s₁) (u := s₂) t xId (fun x => x.reshape s₂ h) fun _ c => c.reshape s₁ h.symm

def broadcastTo [Add α] [Zero α] {s₁ s₂ : Shape} (_ : Shape.CanBroadcastTo s₁ s₂) (t : Tape α) (xId : Nat) :
    Result (Tape α × Nat) :=
  unary (s := s₁) (u := s₂) t xId (fun x => x.broadcastTo s₂) fun _ c => c.reduceFromBroadcastTo s₁

def swapAdjacentAtDepth [Zero α] {s : Shape} (t : Tape α) (depth : Nat) (xId : Nat) : Result (Tape α × Nat) :=
  unary (s := s) (u := s.swapAdjacentAtDepth depth) t xId (fun x => x.swapAdjacent depth)
    fun _ c => ⟨(c.swapAdjacent depth).entries⟩

end Runtime.Autograd.Tape
