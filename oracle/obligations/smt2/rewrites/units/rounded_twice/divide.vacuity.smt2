; What rewrites/units/rounded_twice/divide assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(declare-const a (_ FloatingPoint 3 3))
(declare-const b (_ FloatingPoint 3 3))
(check-sat)
