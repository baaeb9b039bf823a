; What operators/take_along_axis/derivative/3-at-2-2 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.2 Real)
(declare-const dx0.2 Real)
(declare-const h Real)
(define-fun $1 () Real (* h dx0.2))
(define-fun $2 () Bool (= (+ (+ (+ x0.2 $1) (- x0.2)) (- $1)) (* h (* h 0.0))))
(check-sat)
