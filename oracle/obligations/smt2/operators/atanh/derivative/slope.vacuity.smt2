; What operators/atanh/derivative/slope assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const dx0.0 Real)
(declare-const reciprocal.0 Real)
(declare-const reciprocal.1 Real)
(assert (! (= (* reciprocal.0 (* (+ 1.0 (- x0.0)) (+ 1.0 x0.0))) 1.0) :named inverse.0))
(assert (! (= (* reciprocal.1 (+ 1.0 (- (* x0.0 x0.0)))) 1.0) :named inverse.1))
(check-sat)
