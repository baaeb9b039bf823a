module

public import Adjudge.Tensor

/-!
# Contexts [SEMANTICS §1.3]

`reference/context.ts`. The type of a context is the list of the shapes of its entries, newest last. It is
built from the left, as evaluation builds it, so that `snoc` and `unsnoc` are its constructor and its inverse.
-/

@[expose] public noncomputable section

namespace Adjudge

variable {S : Type}

/-- The shapes of the entries of a context, in the order of their ids. -/
inductive ContextType where
  | nil
  | snoc (earlier : ContextType) (last : Shape)

/-- The number of entries: the id that the next one gets. -/
def ContextType.length : ContextType → Nat
  | nil => 0
  | snoc earlier _ => earlier.length + 1

/-- A list of tensors; a position in it is a node id. -/
inductive Context (S : Type) : ContextType → Type where
  | nil : Context S .nil
  | snoc {C : ContextType} {τ : Shape} (earlier : Context S C) (last : Tensor S τ) : Context S (.snoc C τ)

/-- A tensor whose shape is known only at run time. -/
structure AnyTensor (S : Type) where
  {shape : Shape}
  tensor : Tensor S shape

namespace Context

variable {C : ContextType} {τ : Shape}

/-- All entries but the last. -/
def init : Context S (.snoc C τ) → Context S C
  | snoc earlier _ => earlier

/-- The last entry. -/
def last : Context S (.snoc C τ) → Tensor S τ
  | snoc _ t => t

/-- Splits off the last entry. -/
def unsnoc (context : Context S (.snoc C τ)) : Context S C × Tensor S τ :=
  (context.init, context.last)

/-- Adds two contexts of one type, entry by entry. -/
def add [Add S] : {C : ContextType} → Context S C → Context S C → Context S C
  | .nil, nil, nil => nil
  | .snoc _ _, snoc a s, snoc b t => snoc (add a b) (s + t)

instance [Add S] : Add (Context S C) := ⟨add⟩

/-- Zero everywhere. -/
def zeros [Zero S] : (C : ContextType) → Context S C
  | .nil => nil
  | .snoc C τ => snoc (zeros C) (Tensor.zeros τ)

/-- The sum over the entries of the sums of products. -/
def dot [Zero S] [Add S] [Mul S] : {C : ContextType} → Context S C → Context S C → S
  | .nil, nil, nil => 0
  | .snoc _ _, snoc a s, snoc b t => dot a b + s.dot t

/-- The entries in the order of their ids, the shapes erased. -/
def toList : {C : ContextType} → Context S C → List (AnyTensor S)
  | .nil, nil => []
  | .snoc _ _, snoc earlier t => earlier.toList ++ [⟨t⟩]

end Context

/-- A place in a context of type `C` where a tensor of shape `τ` is. -/
inductive Place : ContextType → Shape → Type where
  | last {C : ContextType} {τ : Shape} : Place (.snoc C τ) τ
  | earlier {C : ContextType} {σ τ : Shape} : Place C τ → Place (.snoc C σ) τ

namespace Place

variable {C : ContextType} {τ : Shape}

/-- The node id: the number of entries before. -/
def id : {C : ContextType} → Place C τ → Nat
  | .snoc C _, last => C.length
  | .snoc _ _, earlier place => place.id

/-- The entry there. -/
def get : {C : ContextType} → Place C τ → Context S C → Tensor S τ
  | .snoc _ _, last, context => context.last
  | .snoc _ _, earlier place, context => place.get context.init

/-- The context that is zero but for one entry: what an operator's `vjp` gives to one parent. -/
def only [Zero S] : {C : ContextType} → Place C τ → Tensor S τ → Context S C
  | .snoc C _, last, t => .snoc (.zeros C) t
  | .snoc _ σ, earlier place, t => .snoc (place.only t) (.zeros σ)

end Place

end Adjudge
