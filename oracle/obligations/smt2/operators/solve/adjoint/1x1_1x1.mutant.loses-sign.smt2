; Wrong: solve loses the sign of the matrix's cotangent
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x1.0 Real)
(declare-const reciprocal.0 Real)
(define-fun $1 () Real (+ 0.0 1.0))
(define-fun $2 () Real (* (+ 0.0 (* $1 x1.0)) reciprocal.0))
(define-fun $3 () Real (* (+ 0.0 (* $1 2.0)) reciprocal.0))
(assert (! (= (* reciprocal.0 1.0) 1.0) :named given.inverse.0))
(assert (! (not (= (+ 0.0 (* (* (+ (+ 0.0 (+ (* (+ 0.0 0.0) x1.0) (* $1 6.0))) (- (* $2 3.0))) reciprocal.0) 2.0)) (+ (+ 0.0 (+ 0.0 (* 3.0 (- (- (+ 0.0 (* $3 $2))))))) (+ 0.0 (* 6.0 $3))))) :named negated-goal))
(check-sat)
(get-value (x1.0 reciprocal.0))
