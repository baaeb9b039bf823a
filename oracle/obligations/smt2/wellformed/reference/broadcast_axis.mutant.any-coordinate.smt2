; Wrong: the coordinate is anything.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const c Int)
(declare-const from Int)
(declare-const to Int)
(assert (! (or (= from 1) (= from to)) :named rule))
(assert (! (and (and (<= 1 from 6) (<= 1 to 6)) (and (<= 0 c 20))) :named small))
(assert (! (not (and (<= 0 (ite (= from 1) 0 c)) (< (ite (= from 1) 0 c) from))) :named negated-goal))
(check-sat)
(get-value (c from to))
