module

public import Adjudge.Graph
public import Adjudge.Tape

/-!
# Compilation [SEMANTICS §5.1]

`reference/compile.ts`: evaluates a graph and builds its tape.
-/

@[expose] public noncomputable section

namespace Adjudge

variable {S Δ : Type} {Γ : ContextType}

/-- A tape and the context of values it was built with. -/
structure Compiled (S : Type) (C : ContextType) where
  tape : Tape S
  context : Context S C

/-- One contribution for each entry of the context, from the id `first` on. -/
def contributionsFrom (first : Nat) : List (AnyTensor S) → List (Contribution S)
  | [] => []
  | cotangent :: rest => ⟨first, cotangent⟩ :: contributionsFrom (first + 1) rest

/-- The tape node of a graph's node: it checks the upstream shape and runs the stored `vjp`. -/
def tapeNode {C : ContextType} {τ : Shape} (node : NodeData S Δ C τ) (ctx : Context S C) (δ : Δ) : TapeNode S where
  name := node.name
  value := ⟨node.forward ctx δ⟩
  requiresGrad := true
  parents := node.reads
  backward upstream :=
    if h : upstream.shape = τ then
      .ok (contributionsFrom 0 (node.vjp ctx δ (h ▸ upstream.tensor)).toList)
    else .error (.upstreamShape C.length)

/-- One leaf for each input, in order. -/
def addLeaves (x : Context S Γ) : Tape S := x.toList.map leafNode

/-- Evaluates the graph and builds its tape. -/
def compile {C : ContextType} : GraphData S Δ Γ C → Context S Γ → Δ → Compiled S C
  | .nil, x, _ => ⟨addLeaves x, x⟩
  | .snoc g node, x, δ =>
    let ⟨tape, ctx⟩ := compile g x δ
    ⟨(addNode tape (tapeNode node ctx δ)).1, ctx.snoc (node.forward ctx δ)⟩

end Adjudge
