import { createHash } from "node:crypto";
import { z } from "zod";
import type { CheckView } from "@/lib/contract/approvals/approval";
import { writeCents } from "@/lib/contract/format-cents";
import { MAXIMUM_DOCUMENTS } from "@/lib/contract/limits";
import type {
  ApprovalFacts,
  RunApprovalFacts,
  TransferApprovalFacts,
} from "@/lib/core/approvals/approval-facts";
import type { ProposalPolicy } from "@/lib/core/approvals/proposal-policy";
import { movesOf } from "@/lib/engine/forecast/forecast-arrivals";

/**
 * Identifies what an approver saw: parties, amounts, labels, reason, a run's rule version, and the outcome of each check.
 * Balances are left out, because they may change without changing an outcome (docs/behavior/approvals.md).
 *
 * `<SHA-256>.<seen>`: compared as a whole; the second part only serves to tell a person what changed.
 */
export function approvalDigest(facts: ApprovalFacts, checks: readonly CheckView[]): string {
  const outcomes = Object.fromEntries(checks.map((check) => [check.kind, check.outcome]));
  const subject = facts.kind === "TRANSFER" ? seenOfTransfer(facts) : seenOfRun(facts);
  // Spread, so that proposals without a cap keep the digest that they had before caps existed.
  const cap = facts.aboveCap && { aboveCap: facts.aboveCap };
  const outside = facts.outsideMandate && { outsideMandate: facts.outsideMandate };
  const payees = seenOfPayees(facts);
  const paid = payees.length > 0 && { payees };
  const documents = seenOfDocuments(facts);
  const attached = documents.length > 0 && { documents };
  const less = facts.requestedAmountInCents !== null && { asked: facts.requestedAmountInCents };
  // Spread, so that proposals without a policy keep the digest that they had before policies existed.
  const asks = facts.policy && { policy: asksOf(facts.policy) };
  const seen = {
    id: facts.id,
    reason: facts.reason,
    subject,
    outcomes,
    ...cap,
    ...outside,
    ...paid,
    ...less,
    ...attached,
    ...asks,
  };
  const hash = createHash("sha256").update(JSON.stringify(seen)).digest("base64url");
  const amounts = amountsOf(facts);
  const shown: Seen = {
    outcomes,
    ...(amounts.length <= LISTED_AMOUNTS && { amounts }),
    ...(attached && { documentIds: documents.map(({ id }) => id) }),
  };
  return `${hash}.${Buffer.from(JSON.stringify(shown)).toString("base64url")}`;
}

/** Which rule of which version says who must sign: fewer signatures than were shown approve nothing. */
function asksOf({ asks }: ProposalPolicy) {
  return asks.map(({ version, ruleIndex }) => ({ version, ruleIndex }));
}

/**
 * What a signature binds to: parties, amounts, labels, reason, plan, versions of payees and of the policy. The outcomes of
 * checks are left out: they change while others sign, and the next signer is shown what changed.
 */
export function signedSubjectHash(facts: ApprovalFacts): string {
  const bound = {
    id: facts.id,
    reason: facts.reason,
    subject: facts.kind === "TRANSFER" ? seenOfTransfer(facts) : seenOfRun(facts),
    labels: facts.kind === "TRANSFER" ? facts.labels : null,
    payees: seenOfPayees(facts),
    documents: seenOfDocuments(facts),
    policyVersions: facts.policy?.asks.map(({ version }) => version) ?? [],
  };
  return createHash("sha256").update(JSON.stringify(bound)).digest("base64url");
}

/** A payee in another version is another account. */
function seenOfPayees(facts: ApprovalFacts) {
  return facts.payees.map(({ id, version }) => ({ id, version }));
}

function seenOfDocuments(facts: ApprovalFacts) {
  return facts.kind === "TRANSFER"
    ? facts.documents.map(({ id, name, sha256 }) => ({ id, name, sha256 }))
    : [];
}

/** Names too: the approver reads names, not ids, so renaming an account changes what was shown. */
function seenOfTransfer({ amountInCents, description, source, destination }: TransferApprovalFacts) {
  return {
    amountInCents,
    description,
    source: { id: source.id, name: source.name, isClosed: source.isClosed },
    destination: { id: destination.id, name: destination.name, isClosed: destination.isClosed },
  };
}

function seenOfRun({ rule, version, definitionHash, plan, missing, accounts }: RunApprovalFacts) {
  const party = (id: string) => ({ id, name: accounts[id]?.name, isClosed: accounts[id]?.isClosed });
  return {
    rule: { id: rule.id, name: rule.name, version, definitionHash },
    missing,
    stepIndexMatched: plan?.stepIndexMatched ?? null,
    moves: plan?.moves.map((move) => ({
      source: party(move.sourceAccountId),
      destination: party(move.destinationAccountId),
      description: move.description,
      outcome: move.outcome,
      errorCode: move.errorCode,
      // Skipped moves move nothing, whatever their computed amount.
      amountInCents: move.outcome === "SKIPPED" ? 0 : move.amountInCents,
    })),
  };
}

/** Above this, changed amounts are not listed. */
const LISTED_AMOUNTS = 20;

/** What it moves to each account, by name: a run as its facts are, a transfer as much as a member approves. */
function amountsOf(facts: ApprovalFacts): [string, number][] {
  if (facts.kind === "TRANSFER") {
    return facts.requestedAmountInCents === null ? [] : [[facts.destination.name, facts.amountInCents]];
  }
  if (facts.plan === null) return [];
  const amounts = new Map<string, number>();
  for (const move of movesOf(facts.plan)) {
    const name = facts.accounts[move.destinationAccountId]?.name ?? "";
    amounts.set(name, (amounts.get(name) ?? 0) + move.amountInCents);
  }
  return [...amounts];
}

const seenSchema = z.object({
  outcomes: z.record(z.string(), z.enum(["CLEAR", "UNCHECKED", "LOOK", "BLOCKS"])),
  amounts: z
    .array(z.tuple([z.string().max(200), z.int()]))
    .max(LISTED_AMOUNTS)
    .optional(),
  documentIds: z.array(z.string().max(36)).max(MAXIMUM_DOCUMENTS).optional(),
});
type Seen = z.infer<typeof seenSchema>;

/** One sentence for each amount and check outcome that differs from the digest; never empty. */
export function describeChanges(
  seenDigest: string,
  facts: ApprovalFacts,
  checks: readonly CheckView[],
): string[] {
  const seen = readSeen(seenDigest);
  const changes = [
    ...(seen.amounts ? changedAmounts(seen.amounts, amountsOf(facts)) : []),
    ...addedDocuments(seen.documentIds ?? [], facts),
    ...checks.filter((check) => hasChanged(seen, check)).map(changeOf),
  ];
  return changes.length > 0 ? changes : ["This request changed after the page was loaded."];
}

/** The check of documents comes with the first one, which is named by itself. */
function hasChanged({ outcomes }: Seen, { kind, outcome }: CheckView): boolean {
  const isFirst = kind === "SAME_DOCUMENT" && outcomes[kind] === undefined;
  return outcomes[kind] !== outcome && !(isFirst && outcome === "CLEAR");
}

function changeOf({ kind, outcome }: CheckView): string {
  if (outcome === "UNCHECKED") return "The key has no limit for this route now.";
  return CHANGE[kind][outcome === "CLEAR" ? "clear" : "flagged"];
}

function changedAmounts(seen: readonly [string, number][], now: readonly [string, number][]): string[] {
  const before = new Map(seen);
  const after = new Map(now);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const from = before.get(name) ?? 0;
    const to = after.get(name) ?? 0;
    return from === to ? [] : [`${name} would get ${writeCents(to)}, not ${writeCents(from)}.`];
  });
}

/** Documents are only ever added. */
function addedDocuments(seenIds: readonly string[], facts: ApprovalFacts): string[] {
  if (facts.kind !== "TRANSFER") return [];
  const added = facts.documents.filter(({ id }) => !seenIds.includes(id));
  return added.map(({ name }) => `A document was added since you looked: \u201c${name}\u201d.`);
}

/** The digest comes from the browser and is untrusted. */
function readSeen(digest: string): Seen {
  try {
    const text = Buffer.from(digest.split(".")[1] ?? "", "base64url").toString("utf8");
    return seenSchema.parse(JSON.parse(text));
  } catch {
    return { outcomes: {} };
  }
}

const CHANGE: Record<CheckView["kind"], { clear: string; flagged: string }> = {
  LOOK_ALIKE: {
    clear: "No other name looks like one of these anymore.",
    flagged: "Another name looks like one of these.",
  },
  ENOUGH_MONEY: {
    clear: "There is now enough money for it.",
    flagged: "There is no longer enough money for it.",
  },
  OUTGOING_CAP: {
    clear: "It is now within what may leave Sluice within 24 hours.",
    flagged: "It would now exceed what may leave Sluice within 24 hours.",
  },
  // It never changes: the proposal records the cap.
  OUTSIDE_MANDATE: {
    clear: "It is inside what its key may do by itself.",
    flagged: "It is outside what its key may do by itself.",
  },
  DAILY_CAP: { clear: "It is no longer held by a cap.", flagged: "It is held by the key’s daily cap." },
  KEY_LIMIT: {
    clear: "It is now within the key’s limit.",
    flagged: "It is no longer within the key’s limit.",
  },
  FLOOR: {
    clear: "The source now stays above its floor.",
    flagged: "The source would now go below its floor.",
  },
  PAYEE: {
    clear: "The payee was paid before on this account.",
    flagged: "The payee was changed.",
  },
  KNOWN_ROUTE: { clear: "This route is known now.", flagged: "This route is no longer known." },
  SIMILAR_LATELY: {
    clear: "The similar transfer is now more than 24 hours ago.",
    flagged: "There is now a similar transfer in the last 24 hours.",
  },
  USUAL_AMOUNT: {
    clear: "The amount is now usual for this route.",
    flagged: "The amount is no longer usual for this route.",
  },
  LESS: {
    clear: "All that was proposed would move now.",
    flagged: "Less than proposed would move now.",
  },
  EXTERNAL_ID: {
    clear: "No other transfer has its externalId anymore.",
    flagged: "Another transfer now has its externalId.",
  },
  SAME_DOCUMENT: {
    clear: "No other transfer carries the same document anymore.",
    flagged: "Another transfer now carries the same document.",
  },
  KEY_MAY_RUN: {
    clear: "The key may run this rule now.",
    flagged: "The key may no longer run this rule.",
  },
  ASSISTANT_MAY_ASK: {
    clear: "The member who connected the assistant can use it for proposals again.",
    flagged: "The member who connected the assistant can no longer use it for proposals.",
  },
  RULE_RUNS: {
    clear: "The rule runs in this version now.",
    flagged: "The rule no longer runs in this version.",
  },
  RUN_MONEY: {
    clear: "There is now enough money for it.",
    flagged: "It can no longer be completed.",
  },
  RUN_FLOORS: {
    clear: "Every account now stays above its floor.",
    flagged: "An account would now go below its floor.",
  },
  NOT_RUN_TWICE: {
    clear: "The other run of this rule is now more than 24 hours ago.",
    flagged: "The rule has now run in the last 24 hours.",
  },
  NEWER_VERSION: {
    clear: "No newer version of the rule is waiting now.",
    flagged: "A newer version of the rule is waiting now.",
  },
};
