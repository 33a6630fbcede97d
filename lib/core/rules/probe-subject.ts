import type { AccountFacts } from "@/lib/contract/rules/facts";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { type Probe, probeKey, probeRule, probing } from "@/lib/engine/probe-rule";
import { inSlices } from "@/lib/platform/slices";

/** What a probe depends on. */
export interface ProbeSubject {
  definition: RuleDefinition;
  accounts: Readonly<Record<string, AccountFacts>>;
  /** Earlier days are ignored. */
  today: string;
}

/** Answers a subject: at once inside a transaction, in slices elsewhere. */
export type AskProbe = (subject: ProbeSubject) => Probe | Promise<Probe>;

/** Tries a rule in its corners in slices: other requests are answered in between. Not inside a transaction. */
export function probeInSlices({ definition, accounts, today }: ProbeSubject): Promise<Probe> {
  return inSlices(probing(definition, accounts, today));
}

const MAXIMUM_ATTEMPTS = 3;

/**
 * Runs a transaction that needs probes. It never waits for one: where one is not known yet, the transaction ends without
 * a trace, the probe is calculated in slices, and the transaction starts again. When its accounts change each time, the
 * last attempt calculates it at once, in bounded work.
 * @param transaction passes on what `ask` throws; has no effect outside the database
 * @throws what the transaction throws
 */
export async function withProbes<Result>(transaction: (ask: AskProbe) => Promise<Result>): Promise<Result> {
  const known = new Map<string, Probe>();
  const ask = (subject: ProbeSubject): Probe => {
    const probe = known.get(keyOf(subject));
    if (!probe) throw new ProbeMissing(subject);
    return probe;
  };
  for (let attempt = 1; attempt < MAXIMUM_ATTEMPTS; attempt += 1) {
    try {
      return await transaction(ask);
    } catch (error) {
      if (!(error instanceof ProbeMissing)) throw error;
      known.set(keyOf(error.subject), await probeInSlices(error.subject));
    }
  }
  return transaction(({ definition, accounts, today }) => probeRule(definition, accounts, today));
}

function keyOf({ definition, accounts, today }: ProbeSubject): string {
  return probeKey(definition, accounts, today);
}

/** Ends a transaction that needs a probe. */
class ProbeMissing extends Error {
  override readonly name = "ProbeMissing";
  constructor(readonly subject: ProbeSubject) {
    super("A transaction needs a probe that is not known yet");
  }
}
