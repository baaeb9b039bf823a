; What rewrites/zeros/product_with_zero assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(define-sort Scalar () Real)
(define-fun zero () Scalar 0.0)
(define-fun multiply ((a Scalar) (b Scalar)) Scalar (* a b))
(declare-const x Scalar)
(define-fun t0 () Scalar (multiply x zero))
(check-sat)
