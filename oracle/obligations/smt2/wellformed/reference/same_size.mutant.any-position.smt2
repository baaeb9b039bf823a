; Wrong: the position is anything.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const p Int)
(declare-const to Int)
(declare-const from Int)
(assert (! (= to from) :named rule))
(assert (! (and (and (<= 1 to 9) (<= 1 from 9)) (and (<= (- 9) p 20))) :named small))
(assert (! (not (and (<= 0 p) (< p from))) :named negated-goal))
(check-sat)
(get-value (p to from))
