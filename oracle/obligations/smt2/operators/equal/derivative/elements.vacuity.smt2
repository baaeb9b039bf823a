; What operators/equal/derivative/elements assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const x0.1 Real)
(declare-const x1.0 Real)
(declare-const x1.1 Real)
(define-fun $1 () Real (ite (= x0.0 x1.0) 1.0 0.0))
(define-fun $2 () Real (ite (= x0.1 x1.1) 1.0 0.0))
(define-fun $3 () Bool (= 0.0 0.0))
(check-sat)
