; What operators/broadcast_to/derivative/scalar-to-3 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const dx0.0 Real)
(declare-const h Real)
(define-fun $1 () Real (* h dx0.0))
(define-fun $2 () Bool (= (+ (+ (+ x0.0 $1) (- x0.0)) (- $1)) (* h (* h 0.0))))
(check-sat)
