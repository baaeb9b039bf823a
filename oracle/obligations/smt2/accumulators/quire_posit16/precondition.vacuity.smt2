; What accumulators/quire_posit16/precondition assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(define-fun within ((sum Int) (k Int)) Bool (and (<= (- (* 26959946667150639794667015087019630673637144422540572481103610249216 k)) sum) (<= sum (* 26959946667150639794667015087019630673637144422540572481103610249216 k))))
(declare-const start Int)
(assert (! (= start 0) :named empty))
(check-sat)
