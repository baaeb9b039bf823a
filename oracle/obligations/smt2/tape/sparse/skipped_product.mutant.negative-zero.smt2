; Wrong: the slot may hold −0, which goes when +0 is added
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-fun cotangent () (_ FloatingPoint 11 53) (_ +zero 11 53))
(define-fun factor () (_ FloatingPoint 11 53) (fp #b0 #b01111111111 #x0000000000000))
(define-fun slot () (_ FloatingPoint 11 53) (_ -zero 11 53))
(define-fun after () (_ FloatingPoint 11 53) (fp.add RNE slot (fp.mul RNE factor cotangent)))
(assert (! (fp.isZero cotangent) :named zero-cotangent))
(assert (! (not (or (fp.isInfinite factor) (fp.isNaN factor))) :named finite-factor))
(assert (! (not (= after slot)) :named negated-goal))
(check-sat)
(get-value (slot factor cotangent))
