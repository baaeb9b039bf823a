; What operators/take/derivative/2x2-at-1 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.2 Real)
(declare-const x0.3 Real)
(declare-const dx0.2 Real)
(declare-const dx0.3 Real)
(declare-const h Real)
(define-fun $1 () Real (* h dx0.2))
(define-fun $2 () Real (* h dx0.3))
(define-fun $3 () Real (* h (* h 0.0)))
(check-sat)
