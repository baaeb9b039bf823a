; What rewrites/units/maximum_of_nothing/float64 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 11 53))
(define-fun minus_infinity () Scalar (fp #b1 #b11111111111 #b0000000000000000000000000000000000000000000000000000))
(check-sat)
