; What rewrites/units/twice_negative/float32 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 8 24))
(define-fun negative ((a Scalar)) Scalar (fp.neg a))
(declare-const x Scalar)
(define-fun t0 () Scalar (negative x))
(define-fun t1 () Scalar (negative t0))
(check-sat)
