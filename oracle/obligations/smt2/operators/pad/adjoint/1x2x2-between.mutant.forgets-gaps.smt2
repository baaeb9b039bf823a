; Wrong: pad forgets the gaps between elements
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const dx0.0 Real)
(declare-const dx0.1 Real)
(declare-const dx0.2 Real)
(declare-const dx0.3 Real)
(define-fun $1 () Real (* dx0.0 158.0))
(assert (! (not (= (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ 0.0 (* 0.0 2.0)) (* 0.0 4.0)) (* 0.0 8.0)) (* 0.0 14.0)) (* 0.0 22.0)) (* 0.0 32.0)) (* 0.0 44.0)) (* 0.0 58.0)) (* 0.0 74.0)) (* 0.0 92.0)) (* 0.0 112.0)) (* 0.0 134.0)) $1) (* 0.0 184.0)) (* dx0.1 212.0)) (* 0.0 242.0)) (* 0.0 274.0)) (* 0.0 308.0)) (* dx0.2 344.0)) (* 0.0 382.0)) (* dx0.3 422.0)) (* 0.0 464.0)) (* 0.0 508.0)) (* 0.0 554.0)) (+ 0.0 (+ (+ (+ (+ 0.0 $1) (* dx0.1 184.0)) (* dx0.2 242.0)) (* dx0.3 274.0))))) :named negated-goal))
(check-sat)
(get-value (dx0.0 dx0.1 dx0.2 dx0.3))
