module

public import Adjudge.Context

/-!
# Contexts as lists

What the proofs need of `reference/context.ts`.
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

/-- A place's id is one of the context's. -/
theorem Place.id_lt (place : Place C τ) : place.id < C.length := by
  induction place with
  | last => simp [Place.id, ContextType.length]
  | earlier place ih => simp only [Place.id, ContextType.length]; omega

/-- Adding a zero tensor changes nothing. -/
theorem Tensor.add_zeros [Zero S] [Add S] (add_zero : ∀ x : S, x + 0 = x) (t : Tensor S τ) : t + Tensor.zeros τ = t :=
  congrArg Tensor.mk (funext fun i => add_zero (t.get i))

/-- Adding the zero context changes nothing. -/
theorem Context.add_zeros [Zero S] [Add S] (add_zero : ∀ x : S, x + 0 = x) (a : Context S C) : a + Context.zeros C = a := by
  induction a with
  | nil => rfl
  | snoc a t ih => simp [Context.zeros, ih, Tensor.add_zeros add_zero]

end Adjudge
