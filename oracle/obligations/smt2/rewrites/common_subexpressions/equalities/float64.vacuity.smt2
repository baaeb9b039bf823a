; What rewrites/common_subexpressions/equalities/float64 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 11 53))
(define-fun equal ((a Scalar) (b Scalar)) Scalar (ite (fp.eq a b) (fp #b0 #b01111111111 #b0000000000000000000000000000000000000000000000000000) (fp #b0 #b00000000000 #b0000000000000000000000000000000000000000000000000000)))
(declare-const x Scalar)
(declare-const y Scalar)
(define-fun t0 () Scalar (equal x y))
(define-fun t1 () Scalar (equal y x))
(check-sat)
