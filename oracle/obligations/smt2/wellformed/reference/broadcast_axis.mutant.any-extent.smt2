; Wrong: the shape rule accepts every extent.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const c Int)
(declare-const from Int)
(declare-const to Int)
(assert (! (and (<= 0 c) (< c to)) :named coordinate))
(assert (! (and (<= 1 from 6) (<= 1 to 6)) :named small))
(assert (! (not (and (<= 0 (ite (= from 1) 0 c)) (< (ite (= from 1) 0 c) from))) :named negated-goal))
(check-sat)
(get-value (c from to))
