; What operators/stop_gradient/derivative/elements assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const x0.1 Real)
(define-fun $1 () Bool (= 0.0 0.0))
(check-sat)
