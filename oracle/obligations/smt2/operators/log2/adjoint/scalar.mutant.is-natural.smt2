; Wrong: log2 is to base e
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const reciprocal.0 Real)
(declare-const log.1 Real)
(declare-const reciprocal.2 Real)
(assert (! (= (* reciprocal.0 x0.0) 1.0) :named given.inverse.0))
(assert (! (= (* reciprocal.2 log.1) 1.0) :named given.inverse.2))
(assert (! (not (= (+ 0.0 (* (* (* 3.0 reciprocal.0) reciprocal.2) 2.0)) (+ 0.0 (+ 0.0 (* 3.0 (* 2.0 reciprocal.0)))))) :named negated-goal))
(check-sat)
(get-value (x0.0 reciprocal.0 log.1 reciprocal.2))
