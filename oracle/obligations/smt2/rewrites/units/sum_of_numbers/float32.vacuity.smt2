; What rewrites/units/sum_of_numbers/float32 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 8 24))
(define-fun one () Scalar (fp #b0 #b01111111 #b00000000000000000000000))
(define-fun number_2 () Scalar (fp #b0 #b10000000 #b00000000000000000000000))
(define-fun add ((a Scalar) (b Scalar)) Scalar (fp.add RNE a b))
(declare-const x Scalar)
(define-fun t0 () Scalar (add one one))
(define-fun t1 () Scalar (add x t0))
(define-fun t2 () Scalar (add x number_2))
(check-sat)
