module

public import Adjudge.Derive.Places
public import Adjudge.Operators.Rule
public import Adjudge.Theorems.Sparse

/-!
# Graphs of forms, and writing one

A graph whose nodes are forms is data, so that it can be rewritten. `Written` is one in the making, with the
places of what is looked for in it; nodes are appended, and `pull` appends those of one step of the backward
sweep, as the rules in `spec/derivatives/` do with the builder.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind Sums

variable {S : Type} [Scalar S] {E Γ A B C D K : ContextType} {τ σ ρ : Shape}

/-- A graph over inputs `Γ` with a form at every node: no functions, but what says what they are. -/
inductive FormGraph (E Γ : ContextType) : ContextType → Type where
  | nil : FormGraph E Γ Γ
  | snoc {C : ContextType} {τ : Shape} (g : FormGraph E Γ C) (name : String) (reads : List Nat) (form : Form E C τ) :
      FormGraph E Γ (.snoc C τ)

/-- What a graph of forms means over given scalars. -/
def FormGraph.toData (S : Type) [Scalar S] {C : ContextType} :
    FormGraph E Γ C → GraphData S (Context S E) Γ C
  | nil => .nil
  | snoc g name reads form => .snoc (g.toData S) (form.nodeData name reads)

/-- The term with its operand at another place. -/
def LinearTerm.from (places : Places D C) (term : LinearTerm C τ) : LinearTerm D τ :=
  ⟨places.place term.place, term.negated, term.moves⟩

/-- The form with its operands at other places. -/
def Form.from (places : Places D C) : Form E C τ → Form E D τ
  | constant entry => .constant entry
  | literal number => .literal number
  | linear terms => .linear (terms.map (LinearTerm.from places))
  | detached terms => .detached (terms.map (LinearTerm.from places))
  | bilinear left right products => .bilinear (places.place left) (places.place right) products
  | quotient left right => .quotient (places.place left) (places.place right)
  | pointwise function terms => .pointwise function (terms.map (LinearTerm.from places))

/-- Terms give of other places what stands there. -/
theorem LinearTerm.forwardAll_from (places : Places D C) (terms : List (LinearTerm C τ)) (ctx : Context S D) :
    forwardAll (terms.map (LinearTerm.from places)) ctx = forwardAll terms (places.read ctx) := by
  induction terms with
  | nil => rfl
  | cons term rest hypothesis =>
    simp only [List.map_cons, forwardAll, hypothesis, forward, LinearTerm.from, Places.get_place]

/-- Terms give the same arguments of other places. -/
theorem LinearTerm.arguments_from (places : Places D C) (terms : List (LinearTerm C τ)) (ctx : Context S D)
    (i : Fin τ.size) : arguments (terms.map (LinearTerm.from places)) ctx i = arguments terms (places.read ctx) i := by
  funext k
  induction terms generalizing k with
  | nil => rfl
  | cons term rest hypothesis =>
    cases k with
    | zero => simp only [List.map_cons, arguments, forward, LinearTerm.from, Places.get_place]
    | succ k => exact hypothesis k

/-- A form computes of other places what stands there. -/
theorem Form.forward_from (places : Places D C) (form : Form E C τ) (ctx : Context S D) (δ : Context S E) :
    (form.from places).forward ctx δ = form.forward (places.read ctx) δ := by
  cases form with
  | constant entry => rfl
  | literal _ => rfl
  | linear terms | detached terms => exact LinearTerm.forwardAll_from places terms ctx
  | bilinear left right products => simp only [Form.from, forward, Places.get_place]
  | quotient left right => simp only [Form.from, forward, Places.get_place]
  | pointwise function terms => simp only [Form.from, forward, LinearTerm.arguments_from]

/-- A graph that is being written, and where three contexts stand in it: values, cotangents, and others. -/
structure Written (E Γ A B K : ContextType) where
  {type : ContextType}
  graph : FormGraph E Γ type
  values : Places type A
  bars : Places type B
  kept : Places type K

namespace Written

/-- All that the graph computes. -/
def eval (w : Written E Γ A B K) (x : Context S Γ) (δ : Context S E) : Context S w.type :=
  (w.graph.toData S).eval x δ

/-- What stands in the graph at a point. -/
structure Says (w : Written E Γ A B K) (x : Context S Γ) (δ : Context S E) (v : Context S A) (b : Context S B)
    (k : Context S K) : Prop where
  values : w.values.read (w.eval x δ) = v
  bars : w.bars.read (w.eval x δ) = b
  kept : w.kept.read (w.eval x δ) = k

/-- The graph with a node more, whose value is in the last place. -/
def push (w : Written E Γ A B K) (form : Form E w.type τ) : Written E Γ A B K where
  type := .snoc w.type τ
  graph := w.graph.snoc "" [] form
  values := w.values.lift
  bars := w.bars.lift
  kept := w.kept.lift

/-- A node more changes nothing that stood there. -/
theorem Says.push {w : Written E Γ A B K} {x : Context S Γ} {δ : Context S E} {v : Context S A} {b : Context S B}
    {k : Context S K} (says : w.Says x δ v b k) (form : Form E w.type τ) : (w.push form).Says x δ v b k where
  values := (Places.read_lift _ _ _).trans says.values
  bars := (Places.read_lift _ _ _).trans says.bars
  kept := (Places.read_lift _ _ _).trans says.kept

/-- The value of the last node. -/
theorem get_pushed (w : Written E Γ A B K) (form : Form E w.type τ) (x : Context S Γ) (δ : Context S E) :
    (Place.last : Place (.snoc w.type τ) τ).get ((w.push form).eval x δ) = form.forward (w.eval x δ) δ := rfl

end Written

/-- The moves of every element to its own position. -/
def sameMoves (n : Nat) : List (Move n n) := (moves? n n ((below n).map fun i => (i, i))).getD []

/-- They move nothing. -/
theorem moved_sameMoves {n : Nat} (x : Fin n → S) (i : Fin n) : moved (sameMoves n) x i = x i := by
  obtain ⟨moves, found, means⟩ := moves?_gathers (n := n) _ id id rfl fun _ => rfl
  rw [sameMoves, show (fun i => (i, i)) = (fun i : Nat => (i, id i)) from rfl, found]
  exact (means S).1 x i

/-- The products of elements at the same position. -/
def sameProducts (n : Nat) : List (Product n n n) := (products? n n n ((below n).map fun i => (i, i, i))).getD []

/-- They multiply element by element. -/
theorem multiplied_sameProducts {n : Nat} (x y : Fin n → S) (i : Fin n) :
    multiplied (sameProducts n) x y i = x i * y i := by
  obtain ⟨products, found, _, _, means⟩ := products?_elementwise (n := n)
  rw [sameProducts, found]
  exact means S x y i

/-- The operand itself. -/
def Form.same (x : Place C τ) : Form E C τ := .linear [⟨x, false, sameMoves τ.size⟩]

/-- The operand with the other sign. -/
def Form.negative (x : Place C τ) : Form E C τ := .linear [⟨x, true, sameMoves τ.size⟩]

/-- `x + y` -/
def Form.add (x y : Place C τ) : Form E C τ := .linear [⟨x, false, sameMoves τ.size⟩, ⟨y, false, sameMoves τ.size⟩]

/-- `x * y`, element by element. -/
def Form.multiply (x y : Place C τ) : Form E C τ := .bilinear x y (sameProducts τ.size)

/-- The value of `Form.add`. -/
theorem Form.forward_add (x y : Place C τ) (ctx : Context S C) (δ : Context S E) :
    (Form.add x y : Form E C τ).forward ctx δ = x.get ctx + y.get ctx := by
  ext i
  simp only [Form.forward, Form.add, LinearTerm.forwardAll, tensor_add_zeros]
  change moved _ _ i + moved _ _ i = _
  rw [moved_sameMoves, moved_sameMoves]
  rfl

namespace Written

/-- Adds the value of a form to the cotangent of an entry. -/
def contribute (w : Written E Γ A B K) (place : Place B σ) (form : Form E w.type σ) : Written E Γ A B K :=
  let pushed := w.push form
  let summed := pushed.push (.add (pushed.bars.place place) .last)
  { summed with bars := summed.bars.set place .last }

/-- What is contributed arrives, and nothing else changes. -/
theorem Says.contribute {w : Written E Γ A B K} {x : Context S Γ} {δ : Context S E} {v : Context S A}
    {b : Context S B} {k : Context S K} (says : w.Says x δ v b k) (place : Place B σ) (form : Form E w.type σ)
    (t : Tensor S σ) (value : form.forward (w.eval x δ) δ = t) :
    (w.contribute place form).Says x δ v (b + place.only t) k := by
  have pushed := says.push form
  have summed := pushed.push (.add ((w.push form).bars.place place) .last)
  refine ⟨summed.values, ?_, summed.kept⟩
  refine (Places.read_set _ place _ _ t ?_).trans (congrArg (· + place.only t) summed.bars)
  refine (get_pushed _ _ x δ).trans ((Form.forward_add _ _ _ δ).trans (Sums.plus_congr ?_ value))
  exact (Places.get_place _ _ _).trans (congrArg place.get (pushed.bars.trans summed.bars.symm))

/-- The cotangent of the last entry, kept, and the entries before it. -/
def stepBack (w : Written E Γ (.snoc A σ) (.snoc B τ) K) : Written E Γ A B (.snoc K τ) where
  type := w.type
  graph := w.graph
  values := w.values.init
  bars := w.bars.init
  kept := w.kept.snoc w.bars.last

/-- They stand where they stood. -/
theorem Says.stepBack {w : Written E Γ (.snoc A σ) (.snoc B τ) K} {x : Context S Γ} {δ : Context S E}
    {v : Context S (.snoc A σ)} {b : Context S (.snoc B τ)} {k : Context S K} (says : w.Says x δ v b k) :
    w.stepBack.Says x δ v.init b.init (k.snoc b.last) where
  values := (Places.read_init _ _).trans (congrArg Context.init says.values)
  bars := (Places.read_init _ _).trans (congrArg Context.init says.bars)
  kept := congr (congrArg Context.snoc says.kept) ((Places.get_last _ _).trans (congrArg Context.last says.bars))

/-- What terms pull back of the cotangent that was kept last. -/
def pullAll : List (LinearTerm B τ) → Written E Γ A B (.snoc K τ) → Written E Γ A B (.snoc K τ)
  | [], w => w
  | term :: rest, w =>
    pullAll rest (w.contribute term.place (.linear [⟨w.kept.last, term.negated, transposed term.moves⟩]))

/-- They pull back what they should. -/
theorem Says.pullAll {x : Context S Γ} {δ : Context S E} {v : Context S A} {k : Context S (.snoc K τ)}
    (terms : List (LinearTerm B τ)) {b : Context S B} {w : Written E Γ A B (.snoc K τ)} (says : w.Says x δ v b k) :
    (w.pullAll terms).Says x δ v (b + LinearTerm.vjpAll terms k.last) k := by
  induction terms generalizing w b with
  | nil =>
    rw [LinearTerm.vjpAll, context_add_zeros]
    exact says
  | cons term rest hypothesis =>
    rw [LinearTerm.vjpAll, ← Context.add_assoc Semiring.add_assoc]
    refine hypothesis (says.contribute _ _ _ ?_)
    refine (tensor_add_zeros _).trans ?_
    simp only [LinearTerm.forward, Places.get_last, says.kept]

/--
Writes what operands get of the last cotangent that was kept, times the slopes of a function of `all` operands:
for those left, the slopes from `k` on.
-/
def pullWeighted (function : Expression) (all : List (LinearTerm C τ)) (k : Nat) :
    List (LinearTerm B τ) → Written E Γ C B (.snoc K τ) → Written E Γ C B (.snoc K τ)
  | [], w => w
  | term :: rest, w =>
    let scaled := w.push (.pointwise (.multiply (.argument 0) (function.derivative k).shifted)
      (⟨w.kept.last, false, sameMoves τ.size⟩ :: all.map (LinearTerm.from w.values)))
    pullWeighted function all (k + 1) rest
      (scaled.contribute term.place (.linear [⟨.last, term.negated, transposed term.moves⟩]))

/-- They pull back what they should. -/
theorem Says.pullWeighted {x : Context S Γ} {δ : Context S E} {v : Context S C} {k : Context S (.snoc K τ)}
    (function : Expression) (all : List (LinearTerm C τ)) (first : Nat) (terms : List (LinearTerm B τ))
    {b : Context S B} {w : Written E Γ C B (.snoc K τ)} (says : w.Says x δ v b k) :
    (w.pullWeighted function all first terms).Says x δ v
      (b + LinearTerm.vjpWeighted (fun j i => (function.derivative (first + j)).value (LinearTerm.arguments all v i))
        terms k.last) k := by
  induction terms generalizing w b first with
  | nil =>
    rw [LinearTerm.vjpWeighted, context_add_zeros]
    exact says
  | cons term rest hypothesis =>
    rw [LinearTerm.vjpWeighted, ← Context.add_assoc Semiring.add_assoc]
    let scaled := w.push (.pointwise (.multiply (.argument 0) (function.derivative first).shifted)
      (⟨w.kept.last, false, sameMoves τ.size⟩ :: all.map (LinearTerm.from w.values)))
    have value : Place.last.get (scaled.eval x δ) = (⟨fun i => k.last.get i
        * (function.derivative first).value (LinearTerm.arguments all v i)⟩ : Tensor S τ) := by
      refine (get_pushed _ _ x δ).trans (Tensor.ext (funext fun i => ?_))
      have own : moved (sameMoves τ.size) (w.kept.last.get (w.eval x δ)).get i = k.last.get i := by
        rw [moved_sameMoves, Places.get_last, says.kept]
      have others : LinearTerm.arguments (all.map (LinearTerm.from w.values)) (w.eval x δ) i
          = LinearTerm.arguments all v i := by rw [LinearTerm.arguments_from, says.values]
      simp only [Form.forward, Expression.value, Expression.value_shifted]
      change moved (sameMoves τ.size) (w.kept.last.get (w.eval x δ)).get i * (function.derivative first).value
        (LinearTerm.arguments (all.map (LinearTerm.from w.values)) (w.eval x δ) i) = _
      rw [own, others]
    have contributed := (says.push (.pointwise (.multiply (.argument 0) (function.derivative first).shifted)
      (⟨w.kept.last, false, sameMoves τ.size⟩ :: all.map (LinearTerm.from w.values)))).contribute term.place
      (.linear [⟨.last, term.negated, transposed term.moves⟩]) _
      ((tensor_add_zeros _).trans (by simp only [LinearTerm.forward]; rw [value]))
    have next := hypothesis (first + 1) contributed
    simp only [Nat.add_assoc, Nat.add_comm 1] at next
    exact next

/-- Writes what a node pulls back of its cotangent, which was kept last, to what it reads. -/
def pull (w : Written E Γ C C (.snoc K τ)) : Form E C τ → Written E Γ C C (.snoc K τ)
  | .constant _ | .detached _ => w
  | .literal _ => w
  | .linear terms => w.pullAll terms
  | .bilinear left right products =>
    let w := w.contribute left (.bilinear w.kept.last (w.values.place right) (towardsLeft products))
    w.contribute right (.bilinear (w.values.place left) w.kept.last (towardsRight products))
  | .quotient left right =>
    let w := w.contribute left (.quotient w.kept.last (w.values.place right))
    let w := w.push (.quotient (w.values.place left) (w.values.place right))
    let w := w.push (.multiply w.kept.last .last)
    let w := w.push (.quotient .last (w.values.place right))
    w.contribute right (.negative .last)
  | .pointwise function terms => w.pullWeighted function terms 0 terms

/-- It pulls back what `vjp` says. -/
theorem Says.pull {x : Context S Γ} {δ : Context S E} {v : Context S C} {b : Context S C} {k : Context S (.snoc K τ)}
    {w : Written E Γ C C (.snoc K τ)} (says : w.Says x δ v b k) (form : Form E C τ) :
    (w.pull form).Says x δ v (b + form.vjp v k.last) k := by
  cases form with
  | constant entry =>
    rw [Form.vjp, context_add_zeros]
    exact says
  | literal _ =>
    rw [Form.vjp, context_add_zeros]
    exact says
  | detached terms =>
    rw [Form.vjp, context_add_zeros]
    exact says
  | linear terms => exact says.pullAll terms
  | bilinear left right products =>
    rw [Form.vjp, ← Context.add_assoc Semiring.add_assoc]
    have first := says.contribute left (.bilinear w.kept.last (w.values.place right) (towardsLeft products)) _ rfl
    simp only [Form.forward, Places.get_last, Places.get_place, says.kept, says.values] at first
    refine first.contribute right _ _ ?_
    simp only [Form.forward, Places.get_last, Places.get_place, first.kept, first.values]
  | quotient left right =>
    rw [Form.vjp, ← Context.add_assoc Semiring.add_assoc]
    have first := says.contribute left (.quotient w.kept.last (w.values.place right)) _ rfl
    simp only [Form.forward, Places.get_last, Places.get_place, says.kept, says.values] at first
    let w₁ := w.contribute left (.quotient w.kept.last (w.values.place right))
    have second := first.push (.quotient (w₁.values.place left) (w₁.values.place right))
    let w₂ := w₁.push (.quotient (w₁.values.place left) (w₁.values.place right))
    have third := second.push (.multiply w₂.kept.last .last)
    let w₃ := w₂.push (.multiply w₂.kept.last .last)
    have fourth := third.push (.quotient .last (w₃.values.place right))
    refine fourth.contribute right (.negative .last) _ ?_
    ext i
    refine (Semiring.add_zero _).trans ?_
    change -moved _ _ i = _
    rw [moved_sameMoves, get_pushed]
    change -((Place.last.get _).get i * (((w₃.values.place right).get _).get i)⁻¹) = _
    rw [get_pushed]
    change -(multiplied _ _ _ i * _) = _
    rw [multiplied_sameProducts, get_pushed, Places.get_place, Places.get_last, third.values, second.kept]
    change -(_ * (((w₁.values.place left).get _).get i * (((w₁.values.place right).get _).get i)⁻¹) * _) = _
    rw [Places.get_place, Places.get_place, first.values]
  | pointwise function terms =>
    have pulled := says.pullWeighted function terms 0 terms
    simp only [Nat.zero_add] at pulled
    exact pulled

end Written

end Adjudge
