; What rewrites/units/choice_decided_not_negative/float32 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 8 24))
(define-fun minus_zero () Scalar (fp #b1 #b00000000 #b00000000000000000000000))
(define-fun select ((a Scalar) (b Scalar) (c Scalar)) Scalar (ite (fp.isZero a) c b))
(declare-const x Scalar)
(declare-const y Scalar)
(define-fun t0 () Scalar (select minus_zero x y))
(check-sat)
