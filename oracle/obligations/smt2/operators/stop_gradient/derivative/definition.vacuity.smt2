; What operators/stop_gradient/derivative/definition assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const dx0.0 Real)
(declare-const h Real)
(define-fun $1 () Real (* h dx0.0))
(define-fun $2 () Bool (= 0.0 0.0))
(check-sat)
