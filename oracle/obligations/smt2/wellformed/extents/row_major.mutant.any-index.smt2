; Wrong: the outer index is anything.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NIA)
(declare-const i Int)
(declare-const inner Int)
(declare-const m Int)
(declare-const n Int)
(assert (! (and (<= 0 inner) (< inner n)) :named inner_position))
(assert (! (and (and (<= 1 m 6) (<= 1 n 6)) (and (<= (- 9) i 9))) :named small))
(assert (! (not (and (<= 0 (+ (* i n) inner)) (< (+ (* i n) inner) (* m n)))) :named negated-goal))
(check-sat)
(get-value (i inner m n))
