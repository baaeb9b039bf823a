; What operators/cos/derivative/slope assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const dx0.0 Real)
(declare-const sin.0 Real)
(check-sat)
