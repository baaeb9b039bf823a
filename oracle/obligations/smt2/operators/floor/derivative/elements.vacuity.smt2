; What operators/floor/derivative/elements assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIRA)
(declare-const x0.0 Real)
(declare-const x0.1 Real)
(define-fun $1 () Real (to_real (to_int x0.0)))
(define-fun $2 () Real (to_real (to_int x0.1)))
(define-fun $3 () Bool (= 0.0 0.0))
(check-sat)
