; What rewrites/common_subexpressions/products/float32 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 8 24))
(define-fun multiply ((a Scalar) (b Scalar)) Scalar (fp.mul RNE a b))
(declare-const x Scalar)
(declare-const y Scalar)
(define-fun t0 () Scalar (multiply x y))
(define-fun t1 () Scalar (multiply y x))
(check-sat)
