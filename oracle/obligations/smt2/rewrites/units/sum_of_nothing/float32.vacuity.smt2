; What rewrites/units/sum_of_nothing/float32 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 8 24))
(define-fun zero () Scalar (fp #b0 #b00000000 #b00000000000000000000000))
(check-sat)
