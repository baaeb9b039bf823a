; What rewrites/common_subexpressions/products/float16 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 5 11))
(define-fun multiply ((a Scalar) (b Scalar)) Scalar (fp.mul RNE a b))
(declare-const x Scalar)
(declare-const y Scalar)
(define-fun t0 () Scalar (multiply x y))
(define-fun t1 () Scalar (multiply y x))
(check-sat)
