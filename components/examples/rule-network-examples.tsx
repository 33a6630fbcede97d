import { RULE_NAMES, SPLIT_RULE, splitFacts } from "@/components/examples/rule-examples";
import type { DrawnRule } from "@/components/rules/network-branches";
import { Phrases } from "@/components/rules/phrases";
import { RuleNetwork } from "@/components/rules/rule-network";
import { SmallNetwork } from "@/components/rules/small-network";
import { WaitingNetwork } from "@/components/rules/waiting-network";
import { evaluate } from "@/lib/engine/evaluate";
import { ruleSentence } from "@/lib/engine/words/rule-sentence";

const drawn = (incomingAmountInCents: number): DrawnRule => {
  const evaluation = evaluate(SPLIT_RULE, splitFacts(incomingAmountInCents));
  const plan = evaluation.kind === "PLANNED" ? evaluation.plan : null;
  return { rule: SPLIT_RULE, plan, names: RULE_NAMES, incomingAmountInCents };
};

/** The sentence of a rule and its drawings: a large deposit, a small one, one that moves nothing; small and waiting. */
export function RuleNetworkExamples() {
  return (
    <>
      <h1 className="h1">A rule, told and drawn</h1>
      <p className="sentence display">
        <Phrases phrases={ruleSentence(SPLIT_RULE, RULE_NAMES)} />
      </p>
      {[620_000, 62_000, 6_200].map((amount) => (
        <RuleNetwork key={amount} {...drawn(amount)} />
      ))}
      <RuleNetwork {...drawn(620_000)} plan={null} incomingAmountInCents={null} />
      <div className="cols">
        <WaitingNetwork {...drawn(620_000)} gate="WAITS" />
        <SmallNetwork {...drawn(620_000)} width={334} />
      </div>
    </>
  );
}
