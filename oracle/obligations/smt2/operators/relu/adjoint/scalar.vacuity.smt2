; What operators/relu/adjoint/scalar assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const dx0.0 Real)
(declare-const c.0 Real)
(define-fun $1 () Bool (< 0.0 x0.0))
(check-sat)
