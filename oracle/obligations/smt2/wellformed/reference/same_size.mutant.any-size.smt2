; Wrong: the sizes need not be equal.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const p Int)
(declare-const to Int)
(declare-const from Int)
(assert (! (and (<= 0 p) (< p to)) :named position))
(assert (! (and (<= 1 to 9) (<= 1 from 9)) :named small))
(assert (! (not (and (<= 0 p) (< p from))) :named negated-goal))
(check-sat)
(get-value (p to from))
