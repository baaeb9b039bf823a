; What rewrites/common_subexpressions/sums/float32 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 8 24))
(define-fun add ((a Scalar) (b Scalar)) Scalar (fp.add RNE a b))
(declare-const x Scalar)
(declare-const y Scalar)
(define-fun t0 () Scalar (add x y))
(define-fun t1 () Scalar (add y x))
(check-sat)
