module

public import Adjudge.Context

/-!
# Contexts as lists

What the proofs about tapes need of `reference/context.ts`.
-/

@[expose] public noncomputable section

namespace Adjudge

variable {S : Type} {C : ContextType} {τ : Shape}

namespace Context

/-- A context has one entry for each shape of its type. -/
@[simp] theorem length_toList (context : Context S C) : context.toList.length = C.length := by
  induction context with
  | nil => rfl
  | snoc earlier t ih => simp [toList, ContextType.length, ih]

/-- Splitting off the last entry splits the list of the entries. -/
theorem toList_unsnoc (context : Context S (.snoc C τ)) :
    context.toList = context.init.toList ++ [⟨context.last⟩] := by
  cases context; rfl

/-- Contexts are added entry by entry. -/
@[simp] theorem snoc_add_snoc [Add S] (a b : Context S C) (s t : Tensor S τ) :
    a.snoc s + b.snoc t = (a + b).snoc (s + t) := rfl

end Context

end Adjudge
