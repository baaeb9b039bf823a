; What operators/scatter_add/derivative/2_0-of-none assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const x0.1 Real)
(declare-const dx0.0 Real)
(declare-const dx0.1 Real)
(declare-const h Real)
(define-fun $1 () Real (* h dx0.0))
(define-fun $2 () Real (* h dx0.1))
(define-fun $3 () Real (* h (* h 0.0)))
(check-sat)
