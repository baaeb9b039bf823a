; What rewrites/gradient_buffers/initial_value assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 8 24))
(define-fun zero () Scalar (fp #b0 #b00000000 #b00000000000000000000000))
(define-fun minus_zero () Scalar (fp #b1 #b00000000 #b00000000000000000000000))
(define-fun add ((a Scalar) (b Scalar)) Scalar (fp.add RNE a b))
(define-fun multiply ((a Scalar) (b Scalar)) Scalar (fp.mul RNE a b))
(declare-const a Scalar)
(define-fun t0 () Scalar (add zero zero))
(define-fun t1 () Scalar (multiply zero zero))
(check-sat)
