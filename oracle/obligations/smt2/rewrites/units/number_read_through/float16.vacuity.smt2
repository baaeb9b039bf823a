; What rewrites/units/number_read_through/float16 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 5 11))
(define-fun minus_zero () Scalar (fp #b1 #b00000 #b0000000000))
(define-fun add ((a Scalar) (b Scalar)) Scalar (fp.add RNE a b))
(declare-const x Scalar)
(define-fun t0 () Scalar (add x minus_zero))
(check-sat)
