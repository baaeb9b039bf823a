; What rewrites/common_subexpressions/equalities/float16 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 5 11))
(define-fun equal ((a Scalar) (b Scalar)) Scalar (ite (fp.eq a b) (fp #b0 #b01111 #b0000000000) (fp #b0 #b00000 #b0000000000)))
(declare-const x Scalar)
(declare-const y Scalar)
(define-fun t0 () Scalar (equal x y))
(define-fun t1 () Scalar (equal y x))
(check-sat)
