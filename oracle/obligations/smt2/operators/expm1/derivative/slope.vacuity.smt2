; What operators/expm1/derivative/slope assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const dx0.0 Real)
(declare-const expm1.0 Real)
(declare-const exp.1 Real)
(assert (! (= expm1.0 (+ exp.1 (- 1.0))) :named expm1))
(check-sat)
