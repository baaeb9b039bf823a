; What operators/tanh/adjoint/2 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const dx0.0 Real)
(declare-const dx0.1 Real)
(declare-const c.0 Real)
(declare-const c.1 Real)
(declare-const tanh.0 Real)
(declare-const tanh.1 Real)
(define-fun $1 () Real (+ 1.0 (- (* tanh.0 tanh.0))))
(define-fun $2 () Real (+ 1.0 (- (* tanh.1 tanh.1))))
(check-sat)
