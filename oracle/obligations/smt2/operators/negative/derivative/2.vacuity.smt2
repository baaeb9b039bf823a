; What operators/negative/derivative/2 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const x0.1 Real)
(declare-const dx0.0 Real)
(declare-const dx0.1 Real)
(declare-const h Real)
(define-fun $1 () Real (* h (* h 0.0)))
(check-sat)
