import { createHash } from "node:crypto";
import { z } from "zod";
import type { CheckView } from "@/lib/contract/views/approval-view";
import type { ApprovalFacts } from "@/lib/core/approvals/approval-facts";

/**
 * Names what an approver saw: the parties, the amount, the label, the reason and the outcome of each check, not the
 * balances, which may move without changing an outcome (decisions page, "Approval").
 *
 * `<SHA-256>.<outcomes>`: only equality of the whole counts; the outcomes ride along so that a screen whose digest no
 * longer holds can be told what changed.
 */
export function approvalDigest(facts: ApprovalFacts, checks: readonly CheckView[]): string {
  const outcomes = Object.fromEntries(checks.map((check) => [check.kind, check.outcome]));
  const seen = {
    id: facts.id,
    amountInCents: facts.amountInCents,
    description: facts.description,
    reason: facts.reason,
    // Names too: the approver reads names, not ids, so a renamed account is another question.
    source: { id: facts.source.id, name: facts.source.name, isClosed: facts.source.isClosed },
    destination: {
      id: facts.destination.id,
      name: facts.destination.name,
      isClosed: facts.destination.isClosed,
    },
    outcomes,
  };
  const hash = createHash("sha256").update(JSON.stringify(seen)).digest("base64url");
  return `${hash}.${Buffer.from(JSON.stringify(outcomes)).toString("base64url")}`;
}

const outcomesSchema = z.record(z.string(), z.enum(["CLEAR", "LOOK", "BLOCKS"]));

/** One sentence for each check whose outcome is no longer what the digest says; never empty. */
export function describeChanges(seenDigest: string, checks: readonly CheckView[]): string[] {
  const seen = readOutcomes(seenDigest);
  const changes = checks
    .filter((check) => seen[check.kind] !== check.outcome)
    .map((check) => CHANGE[check.kind][check.outcome === "CLEAR" ? "clear" : "flagged"]);
  return changes.length > 0 ? changes : ["What is asked changed since this page was loaded."];
}

/** The digest comes back from a browser: anything may be in it. */
function readOutcomes(digest: string): Record<string, string> {
  try {
    const text = Buffer.from(digest.split(".")[1] ?? "", "base64url").toString("utf8");
    return outcomesSchema.parse(JSON.parse(text));
  } catch {
    return {};
  }
}

const CHANGE: Record<CheckView["kind"], { clear: string; flagged: string }> = {
  ENOUGH_MONEY: {
    clear: "There is now enough money for it.",
    flagged: "There is no longer enough money for it.",
  },
  KEY_LIMIT: {
    clear: "It is now within the key’s limit.",
    flagged: "It is no longer within the key’s limit.",
  },
  FLOOR: {
    clear: "The source now stays above its floor.",
    flagged: "The source would now go below its floor.",
  },
  KNOWN_ROUTE: { clear: "This route is known now.", flagged: "This route is no longer known." },
  SIMILAR_LATELY: {
    clear: "The similar transfer is now more than 24 hours ago.",
    flagged: "There is now a similar transfer in the last 24 hours.",
  },
  USUAL_AMOUNT: {
    clear: "The amount is now usual for this route.",
    flagged: "The amount is now larger than usual for this route.",
  },
};
