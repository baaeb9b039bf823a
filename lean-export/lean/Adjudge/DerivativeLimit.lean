module

public import Adjudge.Derivative
public import Adjudge.Derive

/-!
# Tangents are the derivative, as a limit

Over the rational numbers, where the divisors at a point are not zero: the remainder of `Adjudge.Derivative` is
bounded near the point, and so are the divisors away from zero. So for every `ε > 0` there is a neighbourhood
where the values along a line differ from `eval x + h · jvpCtx x dx` by no more than `ε · |h|`, and no other tangents do
that.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind Sums

variable {E Γ C : ContextType} {τ σ : Shape}

/-- What holds of all numbers near zero. -/
def Near (P : Rat → Prop) : Prop := ∃ ρ : Rat, 0 < ρ ∧ ∀ h, -ρ < h → h < ρ → P h

/-- Near zero the function stays between two numbers. -/
def Bounded (f : Rat → Rat) : Prop := ∃ M : Rat, Near fun h => -M ≤ f h ∧ f h ≤ M

namespace Near

variable {P Q : Rat → Prop}

/-- What holds of all numbers holds near zero. -/
theorem always (p : ∀ h, P h) : Near P := ⟨1, by decide, fun h _ _ => p h⟩

/-- What follows from what holds near zero holds near zero. -/
theorem imp (near : Near P) (follows : ∀ h, P h → Q h) : Near Q :=
  match near with
  | ⟨ρ, positive, p⟩ => ⟨ρ, positive, fun h low high => follows h (p h low high)⟩

/-- Two things that hold near zero hold together. -/
theorem and (p : Near P) (q : Near Q) : Near fun h => P h ∧ Q h := by
  obtain ⟨ρ, ρ_positive, p⟩ := p
  obtain ⟨σ, σ_positive, q⟩ := q
  refine ⟨min ρ σ, by grind, fun h low high => ⟨p h (by grind) (by grind), q h (by grind) (by grind)⟩⟩

/-- So do finitely many. -/
theorem all : {n : Nat} → {P : Fin n → Rat → Prop} → (∀ i, Near (P i)) → Near fun h => ∀ i, P i h
  | 0, _, _ => always fun _ i => i.elim0
  | _ + 1, _, near => ((near 0).and (all fun i => near i.succ)).imp fun _ ⟨first, others⟩ i =>
    Fin.cases first others i

end Near

/-- The product of two numbers between bounds is at most that of the bounds. -/
theorem product_le {a b m n : Rat} (a_low : -m ≤ a) (a_high : a ≤ m) (b_low : -n ≤ b) (b_high : b ≤ n) :
    a * b ≤ m * n := by
  have h1 : 0 ≤ (m - a) * (n + b) := Rat.mul_nonneg (by grind) (by grind)
  have h2 : 0 ≤ (m + a) * (n - b) := Rat.mul_nonneg (by grind) (by grind)
  grind

/-- The function has this derivative at zero: it is `f 0 + h · t`, up to as little a part of `h` as one likes. -/
def IsDerivative (f : Rat → Rat) (t : Rat) : Prop :=
  ∀ ε : Rat, 0 < ε → ∃ ρ : Rat, 0 < ρ ∧ ∀ h, max h (-h) < ρ →
    max (f h - (f 0 + h * t)) (-(f h - (f 0 + h * t))) ≤ ε * max h (-h)

/-- A magnitude's bound, from both sides. -/
theorem of_magnitude_le {a c : Rat} (h : max a (-a) ≤ c) : a ≤ c ∧ -a ≤ c := by grind

/-- There is a number between zero and two positive ones. -/
theorem below_both {ρ σ : Rat} (ρ_positive : 0 < ρ) (σ_positive : 0 < σ) :
    ∃ h : Rat, 0 < h ∧ max h (-h) = h ∧ h < ρ ∧ h < σ := by
  have half {m : Rat} (positive : 0 < m) : 0 < m / 2 ∧ max (m / 2) (-(m / 2)) = m / 2 ∧ m / 2 < m := by grind
  rcases Rat.le_total (a := ρ) (b := σ) with less | less
  · exact ⟨ρ / 2, (half ρ_positive).1, (half ρ_positive).2.1, (half ρ_positive).2.2, by grind⟩
  · exact ⟨σ / 2, (half σ_positive).1, (half σ_positive).2.1, by grind, (half σ_positive).2.2⟩

/-- There is no other derivative. -/
theorem IsDerivative.unique {f : Rat → Rat} {t u : Rat} (t_is : IsDerivative f t) (u_is : IsDerivative f u) :
    t = u := by
  have no_more {t q : Rat} (t_is : IsDerivative f t) (u_is : IsDerivative f (t + 4 * q)) : ¬0 < q := fun more => by
    obtain ⟨ρ, ρ_positive, near⟩ := t_is q more
    obtain ⟨σ, σ_positive, near'⟩ := u_is q more
    obtain ⟨h, positive, size, below, below'⟩ := below_both ρ_positive σ_positive
    have one := (of_magnitude_le (near h (by rw [size]; exact below))).1
    have other := (of_magnitude_le (near' h (by rw [size]; exact below'))).2
    have product := Rat.mul_pos more positive
    rw [size] at one other
    clear near near' t_is u_is
    generalize f h = a at one other
    generalize f 0 = b at one other
    grind
  have there : t + 4 * ((u - t) / 4) = u := by grind
  have back : u + 4 * ((t - u) / 4) = t := by grind
  have up : ¬0 < (u - t) / 4 := no_more (q := (u - t) / 4) t_is (there.symm ▸ u_is)
  have down : ¬0 < (t - u) / 4 := no_more (q := (t - u) / 4) u_is (back.symm ▸ t_is)
  clear no_more t_is u_is there back
  grind

/-- Nothing of a direction is added. -/
theorem Context.add_scale_zero {S : Type} [Scalar S] (x dx : Context S C) : x + dx.scale 0 = x := by
  have none : {C : ContextType} → (dx : Context S C) → dx.scale 0 = Context.zeros C := fun {C} dx => by
    induction dx with
    | nil => rfl
    | snoc earlier t hypothesis =>
      have last : t.scale 0 = Tensor.zeros _ := Tensor.ext (funext fun _ => Semiring.zero_mul _)
      rw [Context.scale, hypothesis, last, Context.zeros]
  rw [none, context_add_zeros]

/-- If `h · r` is at most `ε`, then `h² · r` is at most `ε · |h|`. -/
theorem within_product {ε h r a b : Rat} (low : -ε ≤ h * r) (high : h * r ≤ ε) :
    max (a + h * b + h * h * r - (a + h * b)) (-(a + h * b + h * h * r - (a + h * b))) ≤ ε * max h (-h) := by
  have same : a + h * b + h * h * r - (a + h * b) = h * (h * r) := by grind
  rw [same]
  clear same
  generalize h * r = s at low high
  rcases Rat.le_total (a := 0) (b := h) with above | below
  · have size : max h (-h) = h := by grind
    have up := Rat.mul_le_mul_of_nonneg_left high above
    have down := Rat.mul_le_mul_of_nonneg_left low above
    rw [size, Rat.mul_comm ε]
    grind
  · have above : 0 ≤ -h := by grind
    have size : max h (-h) = -h := by grind
    have up := Rat.mul_le_mul_of_nonneg_left high above
    have down := Rat.mul_le_mul_of_nonneg_left low above
    rw [size, Rat.mul_comm ε]
    grind

namespace Bounded

variable {f g : Rat → Rat}

/-- A constant is bounded. -/
theorem const (c : Rat) : Bounded fun _ => c := ⟨max c (-c), .always fun _ => by grind⟩

/-- The number itself is bounded near zero. -/
theorem self : Bounded fun h => h := ⟨1, 1, by decide, fun _ low high => by grind⟩

/-- A negative is bounded. -/
theorem neg (f_bounded : Bounded f) : Bounded fun h => -f h :=
  match f_bounded with
  | ⟨M, near⟩ => ⟨M, near.imp fun _ _ => by grind⟩

/-- A sum is bounded. -/
theorem add (f_bounded : Bounded f) (g_bounded : Bounded g) : Bounded fun h => f h + g h :=
  match f_bounded, g_bounded with
  | ⟨M, f_near⟩, ⟨N, g_near⟩ => ⟨M + N, (f_near.and g_near).imp fun _ _ => by grind⟩

/-- A product is bounded. -/
theorem mul (f_bounded : Bounded f) (g_bounded : Bounded g) : Bounded fun h => f h * g h :=
  match f_bounded, g_bounded with
  | ⟨M, f_near⟩, ⟨N, g_near⟩ => ⟨M * N, (f_near.and g_near).imp fun h ⟨⟨low, high⟩, ⟨low', high'⟩⟩ => by
    have := product_le low high low' high'
    have := product_le (a := -f h) (m := M) (by grind) (by grind) low' high'
    grind⟩

/-- A bound may be taken to be positive. -/
theorem positive (f_bounded : Bounded f) : ∃ M : Rat, 0 < M ∧ Near fun h => -M ≤ f h ∧ f h ≤ M :=
  match f_bounded with
  | ⟨M, near⟩ => ⟨max M 1, by grind, near.imp fun _ _ => by grind⟩

/-- Near zero, `h` times what is bounded is as small as one likes. -/
theorem small (f_bounded : Bounded f) {ε : Rat} (ε_positive : 0 < ε) :
    Near fun h => -ε ≤ h * f h ∧ h * f h ≤ ε := by
  obtain ⟨M, M_positive, near⟩ := f_bounded.positive
  have inverse := Rat.mul_inv_cancel M (by grind)
  have ρ_positive : 0 < ε * M⁻¹ := Rat.mul_pos ε_positive (Rat.inv_pos.mpr M_positive)
  refine (near.and ⟨ε * M⁻¹, ρ_positive, fun h low high => And.intro low high⟩).imp fun h ⟨⟨low, high⟩, close⟩ => ?_
  have up := product_le (a := h) (m := ε * M⁻¹) (by grind) (by grind) low high
  have down := product_le (a := -h) (m := ε * M⁻¹) (by grind) (by grind) low high
  have same : ε * M⁻¹ * M = ε := by rw [Rat.mul_assoc, Rat.mul_comm M⁻¹, inverse, Rat.mul_one]
  rw [same] at up down
  rw [Rat.neg_mul] at down
  exact ⟨by grind, up⟩

/-- Near a number that is not zero there are inverses, and they are bounded. -/
theorem inverse {y : Rat} {b : Rat → Rat} (b_bounded : Bounded b) (nonzero : y * y⁻¹ = 1) :
    (Near fun h => (y + h * b h) * (y + h * b h)⁻¹ = 1) ∧ Bounded fun h => (y + h * b h)⁻¹ := by
  have half : Near fun h => 0 < (y + h * b h) * y⁻¹ ∧ 1 ≤ 2 * ((y + h * b h) * y⁻¹) :=
    ((b_bounded.mul (const y⁻¹)).small (ε := 1 / 2) (by grind)).imp fun h _ => by grind
  have both : Near fun h => (y + h * b h) * (y + h * b h)⁻¹ = 1
      ∧ (-2 ≤ ((y + h * b h) * y⁻¹)⁻¹ ∧ ((y + h * b h) * y⁻¹)⁻¹ ≤ 2)
      ∧ (y + h * b h)⁻¹ = y⁻¹ * ((y + h * b h) * y⁻¹)⁻¹ := half.imp fun h ⟨positive, large⟩ => by
    have nonzero' : y + h * b h ≠ 0 := by
      intro zero
      rw [zero, Rat.zero_mul] at positive
      exact absurd positive (by decide)
    have own := Rat.mul_inv_cancel _ nonzero'
    have other := Rat.mul_inv_cancel ((y + h * b h) * y⁻¹) (by grind)
    have inverse_positive := Rat.inv_pos.mpr positive
    have := Rat.mul_nonneg (a := 2 * ((y + h * b h) * y⁻¹) - 1) (by grind) (Rat.le_of_lt inverse_positive)
    refine ⟨own, ⟨by grind, by grind⟩, by grind⟩
  refine ⟨both.imp fun _ h => h.1, ?_⟩
  obtain ⟨M, near⟩ := (const y⁻¹).mul (f := fun _ => y⁻¹) (g := fun h => ((y + h * b h) * y⁻¹)⁻¹)
    ⟨2, both.imp fun _ h => h.2.1⟩
  exact ⟨M, (near.and both).imp fun h ⟨within, _, _, same⟩ => by
    simp only [same]
    exact within⟩

/-- What moves give is bounded. -/
theorem moved {n m : Nat} (moves : List (Move n m)) {x : Rat → Fin m → Rat} (bounded : ∀ j, Bounded fun h => x h j)
    (i : Fin n) : Bounded fun h => Adjudge.moved moves (x h) i := by
  induction moves with
  | nil => exact const 0
  | cons move rest hypothesis =>
    simp only [Adjudge.moved]
    split
    · exact (bounded _).add hypothesis
    · exact (const 0).add hypothesis

/-- What products give is bounded. -/
theorem multiplied {n m k : Nat} (products : List (Product n m k)) {x : Rat → Fin m → Rat} {y : Rat → Fin k → Rat}
    (x_bounded : ∀ j, Bounded fun h => x h j) (y_bounded : ∀ j, Bounded fun h => y h j) (i : Fin n) :
    Bounded fun h => Adjudge.multiplied products (x h) (y h) i := by
  induction products with
  | nil => exact const 0
  | cons product rest hypothesis =>
    simp only [Adjudge.multiplied]
    split
    · exact ((x_bounded _).mul (y_bounded _)).add hypothesis
    · exact (const 0).add hypothesis

/-- What is positive stays so near zero. -/
theorem stays_positive {y : Rat} {b : Rat → Rat} (b_bounded : Bounded b) (positive : 0 < y) :
    Near fun h => 0 < y + h * b h :=
  (b_bounded.small (ε := y / 2) (by grind)).imp fun h _ => by grind

/-- What is bounded but for what is known near zero is bounded. -/
theorem congr {f g : Rat → Rat} (f_bounded : Bounded f) (same : Near fun h => f h = g h) : Bounded g :=
  match f_bounded with
  | ⟨M, near⟩ => ⟨M, (near.and same).imp fun _ ⟨within, same⟩ => same ▸ within⟩

end Bounded

/-- The greatest integer stays the same between two integers. -/
theorem floor_eq {x y : Rat} (above : (x.floor : Rat) < y) (below : y < (x.floor : Rat) + 1) : y.floor = x.floor := by
  have low : x.floor ≤ y.floor := Rat.le_floor_iff.mpr (Rat.le_of_lt above)
  have high : y.floor < x.floor + 1 := Rat.floor_lt_iff.mpr (by grind)
  omega

namespace Expression

/-- No choice is at a tie: of what is compared neither is the other, and `floor` is not of an integer. -/
def Apart (x : Nat → Rat) : Expression → Prop
  | argument _ | zero | one => True
  | add a b | multiply a b => a.Apart x ∧ b.Apart x
  | negative a | inverse a => a.Apart x
  | floor a => a.Apart x ∧ ((a.value x).floor : Rat) < a.value x
  | ifLess a b yes no =>
    a.Apart x ∧ b.Apart x ∧ a.value x ≠ b.value x ∧ if a.value x < b.value x then yes.Apart x else no.Apart x

/-- Near a point where no choice is at a tie and no divisor is zero it is so along the line. -/
theorem remainder_bounded (e : Expression) (x dx : Nat → Rat) {r : Rat → Nat → Rat} (apart : e.Apart x)
    (here : ∀ divisor ∈ e.divisors x, divisor * divisor⁻¹ = 1) (bounded : ∀ k, Bounded fun h => r h k) :
    (Near fun h => e.Steady x (fun k => x k + h * dx k + h * h * r h k)
      ∧ ∀ divisor ∈ e.divisors (fun k => x k + h * dx k + h * h * r h k), divisor * divisor⁻¹ = 1)
    ∧ Bounded fun h => e.remainder h x dx (r h) := by
  have along (a : Expression) {P : Rat → Prop} (near : Near P)
      (follows : ∀ h, P h → a.Steady x (fun k => x k + h * dx k + h * h * r h k)
        ∧ ∀ divisor ∈ a.divisors (fun k => x k + h * dx k + h * h * r h k), divisor * divisor⁻¹ = 1)
      (here : ∀ divisor ∈ a.divisors x, divisor * divisor⁻¹ = 1) :
      Near fun h => a.value (fun k => x k + h * dx k + h * h * r h k)
        = a.value x + h * (a.tangent x dx + h * a.remainder h x dx (r h)) := near.imp fun h holds => by
    rw [a.value_along h x dx (r h) (follows h holds).1 here (follows h holds).2]
    grind
  have slope (a : Expression) (own : Bounded fun h => a.remainder h x dx (r h)) :
      Bounded fun h => a.tangent x dx + h * a.remainder h x dx (r h) := (Bounded.const _).add (Bounded.self.mul own)
  induction e with
  | argument k => exact ⟨.always fun _ => ⟨trivial, fun _ none => nomatch none⟩, bounded k⟩
  | zero | one => exact ⟨.always fun _ => ⟨trivial, fun _ none => nomatch none⟩, .const 0⟩
  | add a b first second =>
    simp only [Apart, divisors, List.mem_append] at apart here
    obtain ⟨near, left⟩ := first apart.1 fun d m => here d (.inl m)
    obtain ⟨near', right⟩ := second apart.2 fun d m => here d (.inr m)
    refine ⟨(near.and near').imp fun h ⟨left_holds, right_holds⟩ => ⟨⟨left_holds.1, right_holds.1⟩, fun d m => ?_⟩, left.add right⟩
    exact (List.mem_append.mp m).elim (left_holds.2 d) (right_holds.2 d)
  | multiply a b first second =>
    simp only [Apart, divisors, List.mem_append] at apart here
    obtain ⟨near, left⟩ := first apart.1 fun d m => here d (.inl m)
    obtain ⟨near', right⟩ := second apart.2 fun d m => here d (.inr m)
    refine ⟨(near.and near').imp fun h ⟨left_holds, right_holds⟩ => ⟨⟨left_holds.1, right_holds.1⟩, fun d m => ?_⟩, ?_⟩
    · exact (List.mem_append.mp m).elim (left_holds.2 d) (right_holds.2 d)
    · exact ((Bounded.const _).add (left.mul ((Bounded.const _).add (Bounded.self.mul (.const _))))).add
        ((((Bounded.const _).add (Bounded.self.mul (.const _))).add ((Bounded.self.mul .self).mul left)).mul right)
  | negative a hypothesis =>
    obtain ⟨near, own⟩ := hypothesis apart here
    exact ⟨near, own.neg⟩
  | floor a hypothesis =>
    obtain ⟨near, own⟩ := hypothesis apart.1 here
    have value := along a near (fun _ holds => holds) here
    have above := (slope a own).stays_positive (y := a.value x - (a.value x).floor) (by have := apart.2; grind)
    have below := (slope a own).neg.stays_positive (y := ((a.value x).floor : Rat) + 1 - a.value x)
      (by have := Rat.lt_floor_add_one (a.value x); grind)
    refine ⟨(near.and (value.and (above.and below))).imp fun h ⟨holds, value, above, below⟩ => ⟨?_, holds.2⟩, .const 0⟩
    change ((Rat.floor (a.value x) : Int) : Rat) = (Rat.floor (a.value fun k => x k + h * dx k + h * h * r h k) : Int)
    have same : Rat.floor (a.value fun k => x k + h * dx k + h * h * r h k) = Rat.floor (a.value x) :=
      floor_eq (by rw [value]; grind) (by rw [value]; grind)
    rw [same]
  | inverse a hypothesis =>
    simp only [divisors, List.mem_cons] at here
    obtain ⟨near, own⟩ := hypothesis apart fun d m => here d (.inr m)
    have value := along a near (fun _ holds => holds) fun d m => here d (.inr m)
    obtain ⟨divides, inverse⟩ := (slope a own).inverse (here _ (.inl rfl))
    refine ⟨(near.and (value.and divides)).imp fun h ⟨holds, value, divides⟩ => ⟨holds.1, fun d m => ?_⟩, ?_⟩
    · rcases List.mem_cons.mp m with rfl | m
      · rw [value]; exact divides
      · exact holds.2 d m
    · refine Bounded.mul ?_ (inverse.congr (value.imp fun h value => by rw [value]))
      exact (Bounded.const _).add (((Bounded.const _).add (Bounded.self.mul (.const _))).mul own).neg
  | ifLess a b yes no first second third fourth =>
    simp only [Apart, divisors, List.mem_append] at apart here
    obtain ⟨apart_a, apart_b, unequal, apart⟩ := apart
    have here_a := fun d m => here d (.inl (.inl m))
    have here_b := fun d m => here d (.inl (.inr m))
    obtain ⟨near_a, own_a⟩ := first apart_a here_a
    obtain ⟨near_b, own_b⟩ := second apart_b here_b
    have value_a := along a near_a (fun _ holds => holds) here_a
    have value_b := along b near_b (fun _ holds => holds) here_b
    by_cases chosen : a.value x < b.value x
    · have is_chosen : Scalar.less (a.value x) (b.value x) = true := _root_.decide_eq_true chosen
      rw [if_pos chosen] at apart
      simp only [is_chosen, cond_true] at here
      obtain ⟨near, own⟩ := third apart fun d m => here d (.inr m)
      have stays := ((slope b own_b).add (slope a own_a).neg).stays_positive (y := b.value x - a.value x) (by grind)
      refine ⟨(((near_a.and near_b).and near).and ((value_a.and value_b).and stays)).imp
        fun h ⟨⟨⟨holds_a, holds_b⟩, holds⟩, ⟨value_a, value_b⟩, stays⟩ => ?_, ?_⟩
      · have again : Scalar.less (a.value fun k => x k + h * dx k + h * h * r h k)
            (b.value fun k => x k + h * dx k + h * h * r h k) = true := _root_.decide_eq_true (by rw [value_a, value_b]; grind)
        refine ⟨?_, fun d m => ?_⟩
        · simp only [Steady, is_chosen, again, cond_true, true_and]
          exact holds.1
        · simp only [divisors, again, cond_true, List.mem_append] at m
          rcases m with (m | m) | m
          · exact holds_a.2 d m
          · exact holds_b.2 d m
          · exact holds.2 d m
      · simp only [remainder, is_chosen, cond_true]
        exact own
    · have is_chosen : Scalar.less (a.value x) (b.value x) = false := _root_.decide_eq_false chosen
      rw [if_neg chosen] at apart
      simp only [is_chosen, cond_false] at here
      obtain ⟨near, own⟩ := fourth apart fun d m => here d (.inr m)
      have stays := ((slope a own_a).add (slope b own_b).neg).stays_positive (y := a.value x - b.value x) (by grind)
      refine ⟨(((near_a.and near_b).and near).and ((value_a.and value_b).and stays)).imp
        fun h ⟨⟨⟨holds_a, holds_b⟩, holds⟩, ⟨value_a, value_b⟩, stays⟩ => ?_, ?_⟩
      · have again : Scalar.less (a.value fun k => x k + h * dx k + h * h * r h k)
            (b.value fun k => x k + h * dx k + h * h * r h k) = false :=
          _root_.decide_eq_false (by rw [value_a, value_b]; grind)
        refine ⟨?_, fun d m => ?_⟩
        · simp only [Steady, is_chosen, again, cond_false, true_and]
          exact holds.1
        · simp only [divisors, again, cond_false, List.mem_append] at m
          rcases m with (m | m) | m
          · exact holds_a.2 d m
          · exact holds_b.2 d m
          · exact holds.2 d m
      · simp only [remainder, is_chosen, cond_false]
        exact own

end Expression

/-- Each element of each entry is bounded near zero. -/
def BoundedContext (r : Rat → Context Rat C) : Prop :=
  ∀ {σ : Shape} (place : Place C σ) (i : Fin σ.size), Bounded fun h => (place.get (r h)).get i

/-- What operands give is bounded where they are. -/
theorem LinearTerm.forwardAll_bounded (terms : List (LinearTerm C τ)) {r : Rat → Context Rat C}
    (bounded : BoundedContext r) (i : Fin τ.size) : Bounded fun h => (forwardAll terms (r h)).get i := by
  induction terms with
  | nil => exact .const 0
  | cons term rest hypothesis =>
    have one := Bounded.moved term.moves (bounded term.place) i
    simp only [forwardAll, Tensor.get_add, forward]
    refine Bounded.add ?_ hypothesis
    split
    · exact one.neg
    · exact one

/-- Arguments are bounded where operands are. -/
theorem LinearTerm.arguments_bounded (terms : List (LinearTerm C τ)) {r : Rat → Context Rat C}
    (bounded : BoundedContext r) (i : Fin τ.size) (k : Nat) : Bounded fun h => arguments terms (r h) i k := by
  induction terms generalizing k with
  | nil => exact .const 0
  | cons term rest hypothesis =>
    cases k with
    | succ k => exact hypothesis k
    | zero =>
      have one := forwardAll_bounded [term] bounded i
      simp only [forwardAll, tensor_add_zeros] at one
      exact one

namespace Form

/-- No choice of the form is at a tie. -/
def Apart (form : Form E C τ) (ctx : Context Rat C) : Prop :=
  match form with
  | pointwise function terms => ∀ i, function.Apart (LinearTerm.arguments terms ctx i)
  | _ => True

/--
Near a point where a form divides by no zero and chooses at no tie it divides by none and chooses the same, and
its remainder is bounded.
-/
theorem remainder_bounded (form : Form E C τ) (ctx dctx : Context Rat C) (here : form.Divides ctx)
    (apart : form.Apart ctx) {r : Rat → Context Rat C} (bounded : BoundedContext r) :
    (Near fun h => form.Divides (ctx.along h dctx (r h)) ∧ form.Steady ctx (ctx.along h dctx (r h)))
      ∧ ∀ i, Bounded fun h => (form.remainder h ctx dctx (r h)).get i := by
  match form with
  | constant _ | detached _ => exact ⟨.always fun _ => ⟨trivial, trivial⟩, fun _ => .const 0⟩
  | literal _ => exact ⟨.always fun _ => ⟨trivial, trivial⟩, fun _ => .const 0⟩
  | linear terms => exact ⟨.always fun _ => ⟨trivial, trivial⟩, LinearTerm.forwardAll_bounded terms bounded⟩
  | pointwise function terms =>
    have each (i : Fin τ.size) := function.remainder_bounded (LinearTerm.arguments terms ctx i)
      (LinearTerm.arguments terms dctx i) (r := fun h => LinearTerm.arguments terms (r h) i) (apart i) (here i)
      (LinearTerm.arguments_bounded terms bounded i)
    refine ⟨(Near.all fun i => (each i).1).imp fun h all => ⟨fun i => ?_, fun i => ?_⟩, fun i => (each i).2⟩
    · rw [funext (LinearTerm.arguments_along terms h ctx dctx (r h) i)]
      exact (all i).2
    · rw [funext (LinearTerm.arguments_along terms h ctx dctx (r h) i)]
      exact (all i).1
  | bilinear left right products =>
    refine ⟨.always fun _ => ⟨trivial, trivial⟩, fun i => ?_⟩
    refine ((Bounded.const _).add (.multiplied products (bounded left) (fun j => ?_) i)).add
      (.multiplied products (fun j => ?_) (bounded right) i)
    · exact (Bounded.const _).add (Bounded.self.mul (.const _))
    · exact ((Bounded.const _).add (Bounded.self.mul (.const _))).add ((Bounded.self.mul .self).mul (bounded left j))
  | quotient left right =>
    have slope (i : Fin τ.size) : Bounded fun h => (right.get dctx).get i + h * (right.get (r h)).get i :=
      (Bounded.const _).add (Bounded.self.mul (bounded right i))
    have divisor (i : Fin τ.size) (h : Rat) : (right.get (ctx.along h dctx (r h))).get i
        = (right.get ctx).get i + h * ((right.get dctx).get i + h * (right.get (r h)).get i) := by
      rw [Context.get_along, Tensor.get_along]; grind
    constructor
    · refine Near.imp (P := fun h => ∀ i, (right.get (ctx.along h dctx (r h))).get i
        * ((right.get (ctx.along h dctx (r h))).get i)⁻¹ = 1) (Near.all fun i => ?_) fun _ all => ⟨all, trivial⟩
      simp only [divisor]
      exact ((slope i).inverse (here i)).1
    · intro i
      simp only [remainder, divisor]
      refine Bounded.mul ?_ ((slope i).inverse (here i)).2
      exact ((bounded left i).add (Bounded.const _)).add
        (((Bounded.const _).add (Bounded.self.mul (.const _))).mul (bounded right i)).neg

end Form

namespace FormGraph

/-- No choice in the graph is at a tie. -/
def Apart {C : ContextType} : FormGraph E Γ C → Context Rat Γ → Context Rat E → Prop
  | nil, _, _ => True
  | snoc g _ _ form, x, δ => g.Apart x δ ∧ form.Apart ((g.toData Rat).eval x δ)

/--
Near a point where a graph divides by no zero and chooses at no tie it divides by none and chooses the same, and
its remainder is bounded.
-/
theorem remainder_bounded (g : FormGraph E Γ C) (differentiated : g.Differentiated) (x dx : Context Rat Γ)
    (δ : Context Rat E) (here : g.Divides x δ) (apart : g.Apart x δ) :
    (Near fun h => g.Divides (x + dx.scale h) δ ∧ g.Steady x (x + dx.scale h) δ)
      ∧ BoundedContext fun h => g.remainder h x dx δ := by
  induction g with
  | nil =>
    refine ⟨.always fun _ => ⟨trivial, trivial⟩, fun place i => ?_⟩
    simp only [remainder, get_zeros]
    exact .const 0
  | snoc g _ _ form hypothesis =>
    obtain ⟨before, bounded⟩ := hypothesis differentiated.1 here.1 apart.1
    obtain ⟨own, own_bounded⟩ := form.remainder_bounded ((g.toData Rat).eval x δ) ((g.toData Rat).jvpCtx x dx δ)
      here.2 apart.2 bounded
    refine ⟨(before.and own).imp fun h ⟨⟨there, steady⟩, divides⟩ => ?_, fun place => ?_⟩
    · have along := g.eval_along differentiated.1 h x dx δ here.1 there steady
      refine ⟨⟨there, ?_⟩, steady, ?_⟩
      · rw [along]
        exact divides.1
      · rw [along]
        exact divides.2
    · match place with
      | .last => exact own_bounded
      | .earlier place => exact bounded place

/--
Over the rational numbers tangents are the derivative: where no divisor is zero and no choice is at a tie, every
element of every value, along every line through the point, has its tangent as its derivative.
-/
theorem jvpCtx_is_derivative (g : FormGraph E Γ C) (differentiated : g.Differentiated) (x dx : Context Rat Γ)
    (δ : Context Rat E) (here : g.Divides x δ) (apart : g.Apart x δ) (place : Place C σ) (i : Fin σ.size) :
    IsDerivative (fun h => (place.get ((g.toData Rat).eval (x + dx.scale h) δ)).get i)
      ((place.get ((g.toData Rat).jvpCtx x dx δ)).get i) := by
  intro ε positive
  obtain ⟨there, bounded⟩ := g.remainder_bounded differentiated x dx δ here apart
  obtain ⟨ρ, ρ_positive, near⟩ := there.and ((bounded place i).small positive)
  refine ⟨ρ, ρ_positive, fun h close => ?_⟩
  obtain ⟨⟨divides, steady⟩, low, high⟩ := near h (by grind) (by grind)
  have along := g.eval_along differentiated h x dx δ here divides steady
  have entry := congrArg (fun ctx => (place.get ctx).get i) along
  have split := Context.get_along h place ((g.toData Rat).eval x δ) ((g.toData Rat).jvpCtx x dx δ)
    (g.remainder h x dx δ)
  have element := congrArg (fun t => t.get i) split
  simp only [Context.along, Tensor.get_along] at entry element
  rw [element] at entry
  simp only [entry, Context.add_scale_zero]
  exact within_product low high

end FormGraph

/-- Nodes of other operators than `stop_gradient` are differentiated. -/
theorem SomeForms.extended?_differentiated (nodes : List Instruction)
    (others : ∀ node ∈ nodes, node.op ≠ .stop_gradient) (g h : SomeForms E Γ) (before : g.2.Differentiated)
    (extended : g.extended? nodes = some h) : h.2.Differentiated := by
  induction nodes generalizing g with
  | nil =>
    cases extended
    exact before
  | cons node rest hypothesis =>
    simp only [extended?] at extended
    split at extended
    · next τ form found =>
      split at extended
      · have differentiated : form.isDetached = false := by
          unfold Operator.form? at found
          split at found
          · exact node.op.isDetached_eq_false _ form (others node (.head _)) found
          · cases found
        have step : (g.2.snoc (reprStr node.op) node.parents form).Differentiated := ⟨before, differentiated⟩
        exact hypothesis (fun node among => others node (.tail _ among)) ⟨_, g.2.snoc _ _ form⟩ step extended
      · cases extended
    · cases extended

/--
The graph of every program without `stop_gradient` has its tangents as its derivative, over the rational
numbers, where no divisor is zero and no choice is at a tie.
-/
theorem Program.jvpCtx_is_derivative (p : Program) (g : SomeForms (.ofList p.environment) (.ofList p.inputs))
    (denotes : p.forms? = some g) (others : ∀ node ∈ p.nodes, node.op ≠ .stop_gradient)
    (x dx : Context Rat (.ofList p.inputs)) (δ : Context Rat (.ofList p.environment)) (here : g.2.Divides x δ)
    (apart : g.2.Apart x δ) (place : Place g.1 σ) (i : Fin σ.size) :
    IsDerivative (fun h => (place.get ((g.2.toData Rat).eval (x + dx.scale h) δ)).get i)
      ((place.get ((g.2.toData Rat).jvpCtx x dx δ)).get i) :=
  g.2.jvpCtx_is_derivative
    (SomeForms.extended?_differentiated p.nodes others ⟨.ofList p.inputs, .nil⟩ g trivial denotes) x dx δ here apart place
    i

namespace Refutations

/-- The position of a number's one element. -/
def first : Fin (Shape.size []) := ⟨0, by decide⟩

/-- `stop_gradient` of a number. -/
def stopped : FormGraph .nil (.snoc .nil []) (.snoc (.snoc .nil []) []) :=
  .snoc .nil "stop_gradient" [0] (.detached [⟨.last, false, [⟨first, first⟩]⟩])

/-- Where `stop_gradient` is, tangents are not the derivative. -/
theorem stopped_not_derivative : ¬∀ x dx : Context Rat (.snoc .nil []),
    IsDerivative (fun h => ((stopped.toData Rat).eval (x + dx.scale h) .nil).last.get first)
      (((stopped.toData Rat).jvpCtx x dx .nil).last.get first) := by
  intro all
  have wrong := all (.snoc .nil ⟨fun _ => 0⟩) (.snoc .nil ⟨fun _ => 1⟩)
  have right : IsDerivative (fun h => ((stopped.toData Rat).eval (Context.snoc .nil ⟨fun _ => 0⟩
      + (Context.snoc .nil ⟨fun _ => 1⟩ : Context Rat (.snoc .nil [])).scale h) .nil).last.get first) 1 := by
    have value (h : Rat) : ((stopped.toData Rat).eval (Context.snoc .nil ⟨fun _ => 0⟩
        + (Context.snoc .nil ⟨fun _ => 1⟩ : Context Rat (.snoc .nil [])).scale h) .nil).last.get first = h := by
      change (0 + h * 1 + 0) + 0 = h
      grind
    intro ε positive
    refine ⟨1, by grind, fun h _ => ?_⟩
    simp only [value]
    have size : 0 ≤ max h (-h) := by grind
    have := Rat.mul_nonneg (Rat.le_of_lt positive) size
    grind
  have none : ((stopped.toData Rat).jvpCtx (Context.snoc .nil ⟨fun _ => 0⟩) (.snoc .nil ⟨fun _ => 1⟩) .nil).last.get first
      = (0 : Rat) := rfl
  have := wrong.unique right
  rw [none] at this
  exact absurd this (by decide)

end Refutations

end Adjudge
