; What operators/sqrt/derivative/slope assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const dx0.0 Real)
(declare-const sqrt.0 Real)
(declare-const reciprocal.1 Real)
(declare-const reciprocal.2 Real)
(assert (! (= (* reciprocal.1 (+ sqrt.0 sqrt.0)) 1.0) :named inverse.1))
(assert (! (= (* reciprocal.2 (+ x0.0 x0.0)) 1.0) :named inverse.2))
(assert (! (= (* sqrt.0 sqrt.0) x0.0) :named square-of.sqrt.0))
(check-sat)
