; Wrong: the sum of nothing is −0
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 11 53))
(define-fun zero () Scalar (fp #b0 #b00000000000 #b0000000000000000000000000000000000000000000000000000))
(define-fun minus_zero () Scalar (fp #b1 #b00000000000 #b0000000000000000000000000000000000000000000000000000))
(assert (! (not (= zero minus_zero)) :named negated-goal))
(check-sat)
