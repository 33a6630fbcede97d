"use client";

import { createContext, type ReactNode, useContext, useMemo, useState } from "react";
import { RuleNetwork } from "@/app/rules/[id]/_components/rule-network";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";
import { type Evaluation, evaluate } from "@/lib/engine/evaluate";
import { whatIfBase, withBase } from "@/lib/engine/run-facts";

/** The inputs of a tryout. */
export interface TryoutSubject {
  /** Of the rule. */
  version: number;
  definition: RuleDefinition;
  facts: RuleFacts;
  names: AccountNames;
}

interface Tryout extends TryoutSubject {
  amountInCents: number;
  setAmountInCents: (amountInCents: number) => void;
  /** The facts of the evaluation (`whatIfBase`). */
  triedFacts: RuleFacts;
  evaluation: Evaluation;
}

const TryoutContext = createContext<Tryout | null>(null);

/** Shares one amount between the drawing and the dry run below. Evaluated in the browser, without requests. */
export function TryoutProvider({
  subject,
  initialInCents,
  children,
}: {
  subject: TryoutSubject;
  initialInCents: number;
  children: ReactNode;
}) {
  const [amountInCents, setAmountInCents] = useState(initialInCents);
  const tryout = useMemo(() => {
    const { definition, facts } = subject;
    const { trigger } = definition;
    const triedFacts = withBase(facts, trigger.accountId, whatIfBase(trigger, amountInCents));
    const evaluation = evaluate(definition, triedFacts);
    return { ...subject, amountInCents, setAmountInCents, triedFacts, evaluation };
  }, [subject, amountInCents]);
  return <TryoutContext value={tryout}>{children}</TryoutContext>;
}

export function useTryout(): Tryout {
  const tryout = useContext(TryoutContext);
  if (!tryout) throw new Error("useTryout was called outside of TryoutProvider");
  return tryout;
}

/** The rule's drawing, with the amounts of the dry run below. */
export function TriedNetwork() {
  const { definition, names, amountInCents, evaluation } = useTryout();
  return (
    <RuleNetwork
      rule={definition}
      names={names}
      incomingAmountInCents={amountInCents}
      plan={evaluation.kind === "PLANNED" ? evaluation.plan : null}
    />
  );
}
