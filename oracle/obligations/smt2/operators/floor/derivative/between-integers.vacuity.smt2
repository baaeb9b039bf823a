; What operators/floor/derivative/between-integers assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIRA)
(declare-const x0.0 Real)
(declare-const dx0.0 Real)
(define-fun $1 () Real (+ x0.0 (* 1.0 dx0.0)))
(define-fun $2 () Real (to_real (to_int x0.0)))
(assert (! (< $2 $1) :named above))
(assert (! (< $1 (+ $2 1.0)) :named below))
(check-sat)
