; What operators/sinh/derivative/slope assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const dx0.0 Real)
(declare-const cosh.0 Real)
(define-fun $1 () Real (* cosh.0 dx0.0))
(check-sat)
