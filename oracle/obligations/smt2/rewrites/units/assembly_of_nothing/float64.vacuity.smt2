; What rewrites/units/assembly_of_nothing/float64 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 11 53))
(define-fun zero () Scalar (fp #b0 #b00000000000 #b0000000000000000000000000000000000000000000000000000))
(define-fun subtract ((a Scalar) (b Scalar)) Scalar (fp.sub RNE a b))
(declare-const x Scalar)
(define-fun t0 () Scalar (subtract x zero))
(check-sat)
