; Wrong: a contribution takes the place of what was there
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_UF)
(declare-sort Val 0)
(declare-const seed_9_0 Val)
(declare-const seed_10_0 Val)
(declare-fun add (Val Val) Val)

(define-fun graph_1 () Val (add seed_9_0 seed_10_0))
(assert (! true :named unit))
(assert (! (not (= seed_10_0 graph_1)) :named negated-goal))
(check-sat)
(get-value (seed_10_0 seed_9_0 graph_1))
