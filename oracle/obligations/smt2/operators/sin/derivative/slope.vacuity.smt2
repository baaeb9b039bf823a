; What operators/sin/derivative/slope assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const dx0.0 Real)
(declare-const cos.0 Real)
(define-fun $1 () Real (* cos.0 dx0.0))
(check-sat)
