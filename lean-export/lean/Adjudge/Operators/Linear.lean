module

public import Adjudge.Operators.Sums

/-!
# The operators are linear in tangents and in cotangents

`reference/operators/` and its law that `vjp` is linear in the seed. `jvp` is linear in the tangent and `vjp` in
the cotangent, at every point, also for the bilinear operators.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

/-- Every element times `a`. -/
def Tensor.scale {S : Type} [Mul S] {shape : Shape} (a : S) (t : Tensor S shape) : Tensor S shape where
  get i := a * t.get i

/-- Every element of every entry times `a`. -/
def Context.scale {S : Type} [Mul S] (a : S) : {C : ContextType} → Context S C → Context S C
  | .nil, nil => nil
  | .snoc _ _, snoc earlier t => snoc (scale a earlier) (t.scale a)

namespace Sums

variable {S : Type} [CommRing S] {E C : ContextType} {τ : Shape} {n m k : Nat}

omit [CommRing S] in
/-- Contexts are equal if their last entries and what is before them are. -/
theorem snoc_congr {x y : Context S C} {s t : Tensor S τ} (earlier : x = y) (last : s = t) :
    x.snoc s = y.snoc t := by rw [earlier, last]

/-- Zero tensors add nothing. -/
theorem tensor_zeros_add (t : Tensor S τ) : Tensor.zeros τ + t = t :=
  Tensor.ext (funext fun i => (Semiring.add_comm _ _).trans (Semiring.add_zero (t.get i)))

/-- Elements may be added in another order and grouping. -/
theorem add_exchange (a b c d : S) : (a + b) + (c + d) = (a + c) + (b + d) := by grind

/-- Tensors may be added in another order and grouping. -/
theorem tensor_add_exchange (s t u v : Tensor S τ) : (s + t) + (u + v) = (s + u) + (t + v) :=
  Tensor.ext (funext fun i => add_exchange (s.get i) (t.get i) (u.get i) (v.get i))

/-- A factor is distributed over a sum of tensors. -/
theorem tensor_scale_add (a : S) (s t : Tensor S τ) : (s + t).scale a = s.scale a + t.scale a :=
  Tensor.ext (funext fun i => Semiring.left_distrib a (s.get i) (t.get i))

/-- Zero times a factor is zero. -/
theorem tensor_scale_zeros (a : S) : (Tensor.zeros τ).scale a = Tensor.zeros τ :=
  Tensor.ext (funext fun _ => Semiring.mul_zero a)

/-- Zero contexts add nothing. -/
theorem context_zeros_add : {C : ContextType} → (x : Context S C) → Context.zeros C + x = x
  | .nil, .nil => rfl
  | .snoc _ _, .snoc x t => snoc_congr (context_zeros_add x) (tensor_zeros_add t)

/-- Contexts may be added in another order and grouping. -/
theorem context_add_exchange : {C : ContextType} → (x y z w : Context S C) →
    (x + y) + (z + w) = (x + z) + (y + w)
  | .nil, .nil, .nil, .nil, .nil => rfl
  | .snoc _ _, .snoc x s, .snoc y t, .snoc z u, .snoc w v =>
    snoc_congr (context_add_exchange x y z w) (tensor_add_exchange s t u v)

/-- A factor is distributed over a sum of contexts. -/
theorem context_scale_add : {C : ContextType} → (a : S) → (x y : Context S C) →
    (x + y).scale a = x.scale a + y.scale a
  | .nil, _, .nil, .nil => rfl
  | .snoc _ _, a, .snoc x s, .snoc y t => snoc_congr (context_scale_add a x y) (tensor_scale_add a s t)

/-- Zero times a factor is zero. -/
theorem context_scale_zeros : {C : ContextType} → (a : S) → (Context.zeros C).scale a = Context.zeros C
  | .nil, _ => rfl
  | .snoc _ _, a => snoc_congr (context_scale_zeros a) (tensor_scale_zeros a)

/-- The context with one entry is additive in it. -/
theorem only_add : {C : ContextType} → (place : Place C τ) → (s t : Tensor S τ) →
    place.only (s + t) = place.only s + place.only t
  | .snoc C _, .last, s, t => congrArg (Context.snoc · (s + t)) (context_zeros_add (Context.zeros C)).symm
  | .snoc _ σ, .earlier place, s, t =>
    snoc_congr (only_add place s t) (tensor_zeros_add (Tensor.zeros σ)).symm

/-- The context with one entry is homogeneous in it. -/
theorem only_scale : {C : ContextType} → (place : Place C τ) → (a : S) → (t : Tensor S τ) →
    place.only (t.scale a) = (place.only t).scale a
  | .snoc C _, .last, a, t => congrArg (Context.snoc · (t.scale a)) (context_scale_zeros (C := C) a).symm
  | .snoc _ σ, .earlier place, a, t =>
    snoc_congr (only_scale place a t) (tensor_scale_zeros (τ := σ) a).symm

/-- An entry of a sum of contexts is the sum of the entries. -/
theorem get_add : {C : ContextType} → (place : Place C τ) → (x y : Context S C) →
    place.get (x + y) = place.get x + place.get y
  | .snoc _ _, .last, .snoc _ _, .snoc _ _ => rfl
  | .snoc _ _, .earlier place, .snoc x _, .snoc y _ => get_add place x y

/-- An entry of a scaled context is the scaled entry. -/
theorem get_scale : {C : ContextType} → (place : Place C τ) → (a : S) → (x : Context S C) →
    place.get (x.scale a) = (place.get x).scale a
  | .snoc _ _, .last, _, .snoc _ _ => rfl
  | .snoc _ _, .earlier place, a, .snoc x _ => get_scale place a x

/-- Moving a sum is adding what is moved. -/
theorem moved_add (moves : List (Move n m)) (x y : Fin m → S) (i : Fin n) :
    moved moves (fun j => x j + y j) i = moved moves x i + moved moves y i := by
  induction moves with
  | nil => exact (Semiring.add_zero 0).symm
  | cons move rest hypothesis => simp only [moved, hypothesis]; split <;> grind

/-- Moving multiples is multiplying what is moved. -/
theorem moved_scale (moves : List (Move n m)) (a : S) (x : Fin m → S) (i : Fin n) :
    moved moves (fun j => a * x j) i = a * moved moves x i := by
  induction moves with
  | nil => exact (Semiring.mul_zero a).symm
  | cons move rest hypothesis => simp only [moved, hypothesis]; split <;> grind

/-- Products are additive in the left operand. -/
theorem multiplied_add_left (products : List (Product n m k)) (x x' : Fin m → S) (y : Fin k → S) (i : Fin n) :
    multiplied products (fun j => x j + x' j) y i = multiplied products x y i + multiplied products x' y i := by
  induction products with
  | nil => exact (Semiring.add_zero 0).symm
  | cons product rest hypothesis => simp only [multiplied, hypothesis]; split <;> grind

/-- Products are additive in the right operand. -/
theorem multiplied_add_right (products : List (Product n m k)) (x : Fin m → S) (y y' : Fin k → S) (i : Fin n) :
    multiplied products x (fun j => y j + y' j) i = multiplied products x y i + multiplied products x y' i := by
  induction products with
  | nil => exact (Semiring.add_zero 0).symm
  | cons product rest hypothesis => simp only [multiplied, hypothesis]; split <;> grind

/-- Products are homogeneous in the left operand. -/
theorem multiplied_scale_left (products : List (Product n m k)) (a : S) (x : Fin m → S) (y : Fin k → S)
    (i : Fin n) : multiplied products (fun j => a * x j) y i = a * multiplied products x y i := by
  induction products with
  | nil => exact (Semiring.mul_zero a).symm
  | cons product rest hypothesis => simp only [multiplied, hypothesis]; split <;> grind

/-- Products are homogeneous in the right operand. -/
theorem multiplied_scale_right (products : List (Product n m k)) (a : S) (x : Fin m → S) (y : Fin k → S)
    (i : Fin n) : multiplied products x (fun j => a * y j) i = a * multiplied products x y i := by
  induction products with
  | nil => exact (Semiring.mul_zero a).symm
  | cons product rest hypothesis => simp only [multiplied, hypothesis]; split <;> grind

end Sums

open Sums

variable {S : Type} [CommRing S] {E C : ContextType} {τ : Shape}

namespace LinearTerm

/-- What one operand gives is additive in the tangent. -/
theorem forward_add (term : LinearTerm C τ) (x y : Context S C) :
    term.forward (x + y) = term.forward x + term.forward y := by
  ext i
  have := moved_add term.moves (term.place.get x).get (term.place.get y).get i
  change (if term.negated then -moved term.moves (term.place.get (x + y)).get i
    else moved term.moves (term.place.get (x + y)).get i) = (if term.negated then _ else _)
      + (if term.negated then _ else _)
  rw [get_add]
  change (if term.negated then -moved term.moves (fun j => (term.place.get x).get j + (term.place.get y).get j) i
    else moved term.moves (fun j => (term.place.get x).get j + (term.place.get y).get j) i) = _
  split <;> grind

/-- What one operand gives is homogeneous in the tangent. -/
theorem forward_scale (term : LinearTerm C τ) (a : S) (x : Context S C) :
    term.forward (x.scale a) = (term.forward x).scale a := by
  ext i
  have := moved_scale term.moves a (term.place.get x).get i
  change (if term.negated then -moved term.moves (term.place.get (x.scale a)).get i
    else moved term.moves (term.place.get (x.scale a)).get i) = a * (if term.negated then _ else _)
  rw [get_scale]
  change (if term.negated then -moved term.moves (fun j => a * (term.place.get x).get j) i
    else moved term.moves (fun j => a * (term.place.get x).get j) i) = _
  split <;> grind

/-- What all operands give is additive in the tangent. -/
theorem forwardAll_add (terms : List (LinearTerm C τ)) (x y : Context S C) :
    forwardAll terms (x + y) = forwardAll terms x + forwardAll terms y := by
  induction terms with
  | nil => exact (tensor_zeros_add _).symm
  | cons term rest hypothesis =>
    rw [forwardAll, forwardAll, forwardAll, hypothesis, forward_add, tensor_add_exchange]

/-- What all operands give is homogeneous in the tangent. -/
theorem forwardAll_scale (terms : List (LinearTerm C τ)) (a : S) (x : Context S C) :
    forwardAll terms (x.scale a) = (forwardAll terms x).scale a := by
  induction terms with
  | nil => exact (tensor_scale_zeros a).symm
  | cons term rest hypothesis => rw [forwardAll, forwardAll, hypothesis, forward_scale, tensor_scale_add]

/-- What one operand gets is additive in the cotangent. -/
theorem vjp_add (term : LinearTerm C τ) (c d : Tensor S τ) : term.vjp (c + d) = term.vjp c + term.vjp d := by
  rw [vjp, vjp, vjp, ← only_add]
  congr 1; ext j
  have := moved_add (transposed term.moves) c.get d.get j
  change (if term.negated then -moved (transposed term.moves) (fun i => c.get i + d.get i) j
    else moved (transposed term.moves) (fun i => c.get i + d.get i) j) = (if term.negated then _ else _)
      + (if term.negated then _ else _)
  split <;> grind

/-- What one operand gets is homogeneous in the cotangent. -/
theorem vjp_scale (term : LinearTerm C τ) (a : S) (c : Tensor S τ) : term.vjp (c.scale a) = (term.vjp c).scale a := by
  rw [vjp, vjp, ← only_scale]
  congr 1; ext j
  have := moved_scale (transposed term.moves) a c.get j
  change (if term.negated then -moved (transposed term.moves) (fun i => a * c.get i) j
    else moved (transposed term.moves) (fun i => a * c.get i) j) = a * (if term.negated then _ else _)
  split <;> grind

/-- What all operands get is additive in the cotangent. -/
theorem vjpAll_add (terms : List (LinearTerm C τ)) (c d : Tensor S τ) :
    vjpAll terms (c + d) = vjpAll terms c + vjpAll terms d := by
  induction terms with
  | nil => exact (context_zeros_add _).symm
  | cons term rest hypothesis => rw [vjpAll, vjpAll, vjpAll, hypothesis, vjp_add, context_add_exchange]

/-- What all operands get is homogeneous in the cotangent. -/
theorem vjpAll_scale (terms : List (LinearTerm C τ)) (a : S) (c : Tensor S τ) :
    vjpAll terms (c.scale a) = (vjpAll terms c).scale a := by
  induction terms with
  | nil => exact (context_scale_zeros a).symm
  | cons term rest hypothesis => rw [vjpAll, vjpAll, hypothesis, vjp_scale, context_scale_add]

end LinearTerm

namespace Form

/-- `jvp` is additive in the tangent. -/
theorem jvp_add (form : Form E C τ) (ctx x y : Context S C) :
    form.jvp ctx (x + y) = form.jvp ctx x + form.jvp ctx y := by
  match form with
  | constant _ | detached _ => exact (tensor_zeros_add _).symm
  | linear terms => exact LinearTerm.forwardAll_add terms x y
  | bilinear left right products =>
    ext i
    simp only [jvp, get_add]
    have left_add := multiplied_add_left products (left.get x).get (left.get y).get (right.get ctx).get i
    have right_add := multiplied_add_right products (left.get ctx).get (right.get x).get (right.get y).get i
    exact (congr (congrArg HAdd.hAdd left_add) right_add).trans (add_exchange _ _ _ _)

/-- `jvp` is homogeneous in the tangent. -/
theorem jvp_scale (form : Form E C τ) (ctx : Context S C) (a : S) (x : Context S C) :
    form.jvp ctx (x.scale a) = (form.jvp ctx x).scale a := by
  match form with
  | constant _ | detached _ => exact (tensor_scale_zeros a).symm
  | linear terms => exact LinearTerm.forwardAll_scale terms a x
  | bilinear left right products =>
    ext i
    simp only [jvp, get_scale]
    have left_scale := multiplied_scale_left products a (left.get x).get (right.get ctx).get i
    have right_scale := multiplied_scale_right products a (left.get ctx).get (right.get x).get i
    exact (congr (congrArg HAdd.hAdd left_scale) right_scale).trans (Semiring.left_distrib a _ _).symm

/-- `vjp` is additive in the cotangent. -/
theorem vjp_add (form : Form E C τ) (ctx : Context S C) (c d : Tensor S τ) :
    form.vjp ctx (c + d) = form.vjp ctx c + form.vjp ctx d := by
  match form with
  | constant _ | detached _ => exact (context_zeros_add _).symm
  | linear terms => exact LinearTerm.vjpAll_add terms c d
  | bilinear left right products =>
    simp only [vjp]
    rw [context_add_exchange, ← only_add, ← only_add]
    congr 2 <;> ext j
    · exact multiplied_add_left (towardsLeft products) c.get d.get _ j
    · exact multiplied_add_right (towardsRight products) _ c.get d.get j

/-- `vjp` is homogeneous in the cotangent. -/
theorem vjp_scale (form : Form E C τ) (ctx : Context S C) (a : S) (c : Tensor S τ) :
    form.vjp ctx (c.scale a) = (form.vjp ctx c).scale a := by
  match form with
  | constant _ | detached _ => exact (context_scale_zeros a).symm
  | linear terms => exact LinearTerm.vjpAll_scale terms a c
  | bilinear left right products =>
    simp only [vjp]
    rw [context_scale_add, ← only_scale, ← only_scale]
    congr 2 <;> ext j
    · exact multiplied_scale_left (towardsLeft products) a c.get _ j
    · exact multiplied_scale_right (towardsRight products) a _ c.get j

end Form

end Adjudge
