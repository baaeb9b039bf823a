; What rewrites/units/maximum_of_nothing/float32 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 8 24))
(define-fun minus_infinity () Scalar (fp #b1 #b11111111 #b00000000000000000000000))
(check-sat)
