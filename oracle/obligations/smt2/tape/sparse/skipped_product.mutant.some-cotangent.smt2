; Wrong: the cotangent is not zero
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-fun cotangent () (_ FloatingPoint 11 53) (fp #b0 #b01111111111 #x0000000000000))
(define-fun factor () (_ FloatingPoint 11 53) (fp #b0 #b01111111111 #x0000000000000))
(define-fun slot () (_ FloatingPoint 11 53) (fp #b0 #b01111111111 #x0000000000000))
(define-fun after () (_ FloatingPoint 11 53) (fp.add RNE slot (fp.mul RNE factor cotangent)))
(assert (! (not (or (fp.isInfinite factor) (fp.isNaN factor))) :named finite-factor))
(assert (! (not (and (fp.isZero slot) (fp.isNegative slot))) :named no-negative-zero))
(assert (! (not (= after slot)) :named negated-goal))
(check-sat)
(get-value (slot factor cotangent))
