import { writeCents } from "@/lib/contract/format-cents";
import { type Html, html } from "@/lib/words/messages/html";
import { isolatedName, nameList } from "@/lib/words/messages/untrusted-text";

interface TransferMove {
  kind: "TRANSFER";
  amountInCents: number;
  sourceName: string;
  destinationName: string;
  /** It moves back a transfer of the same amount, which settled then. Null for any other. */
  reversesSettledAt: Date | null;
}

interface RunMove {
  kind: "RULE_RUN";
  ruleName: string;
  /** Total of the run's transfers. Null: it would move nothing right now, or cannot be computed. */
  amountInCents: number | null;
  sourceName: string;
  transferCount: number;
}

/** Transfers that are decided together. */
interface BatchMove {
  kind: "BATCH";
  /** Of all of them; once it is approved, of those that were. */
  amountInCents: number;
  sourceName: string;
  transferCount: number;
}

/** The move of a proposal that was decided. */
export type DecidedMove = TransferMove | RunMove | BatchMove;

/** The move that a waiting proposal asks for. */
export type ProposedMove =
  | RunMove
  | BatchMove
  | (TransferMove & {
      /** Null: unknown, or not ours to reveal. */
      sourceBalanceInCents: number | null;
      destinationBalanceInCents: number | null;
    });

/** A proposal that waits for an owner or co-owner (decisions, "Approval"). */
export interface WaitingProposal {
  move: ProposedMove;
  askedBy: Requester;
  /** Earlier proposals of the same requester; null if none were decided. */
  trackRecord: { approved: number; decided: number } | null;
  /** The caller's own words. */
  reason: string | null;
  /** The daily cap above which the key needs approval; null: it waits for another reason. */
  aboveCapInCents: number | null;
  /** Payees that it pays for the first time, or for the first time since they changed. */
  payees: readonly {
    name: string;
    /** The organization's own account at another bank, registered at ours. */
    isOwn: boolean;
    novelty: "FIRST" | "CHANGED";
    accountNumberLast4: string | null;
  }[];
  /** Runs that the approval would start, based on current balances. */
  alsoRuns: readonly { ruleName: string; movedInCents: number }[];
  expiresAt: Date;
  approvalUrl: string;
}

/** The move in plain words, for subjects and lists: `Move $4,250.00 from Operating to Taxes`. */
export function moveInWords(move: DecidedMove): string {
  const source = isolatedName(move.sourceName);
  if (move.kind === "TRANSFER") {
    const back = move.reversesSettledAt === null ? "" : " back";
    return `Move ${writeCents(move.amountInCents)}${back} from ${source} to ${isolatedName(move.destinationName)}`;
  }
  if (move.kind === "BATCH") {
    return `Move ${writeCents(move.amountInCents)} from ${source} in ${transfers(move.transferCount)}`;
  }
  const run = `Run ${isolatedName(move.ruleName)}`;
  if (move.amountInCents === null) return `${run} on ${source}`;
  return `${run}: move ${writeCents(move.amountInCents)} from ${source} in ${transfers(move.transferCount)}`;
}

/** The proposal for an SMS, which contains no caller's words: `$4,250.00`; `A rule run`. */
export function amountInWords({ amountInCents }: ProposedMove): string {
  return amountInCents === null ? "A rule run" : writeCents(amountInCents);
}

/** `First payment to Harbor Print Shop, account ending in 4321.`; null: all payees were paid before. */
export function noveltyInWords({ payees }: Pick<WaitingProposal, "payees">): string | null {
  if (payees.length === 0) return null;
  return payees
    .map(({ name, novelty, accountNumberLast4 }) => {
      const ending = accountNumberLast4 === null ? "" : `, account ending in ${accountNumberLast4}`;
      const since = novelty === "FIRST" ? "" : " since it changed";
      return `First payment to ${isolatedName(name)}${since}${ending}.`;
    })
    .join(" ");
}

/** After "If you approve,"; null: nothing else runs. */
export function knockOnInWords({ alsoRuns }: Pick<WaitingProposal, "alsoRuns">): string | null {
  if (alsoRuns.length === 0) return null;
  const names = [...new Set(alsoRuns.map(({ ruleName }) => ruleName))];
  const moved = writeCents(alsoRuns.reduce((sum, { movedInCents }) => sum + movedInCents, 0));
  return names.length === 1
    ? `the rule ${nameList(names)} also runs and moves ${moved}, based on current balances.`
    : `the rules ${nameList(names)} also run and move ${moved} in total, based on current balances.`;
}

/** `1 transfer`, `5 transfers`. */
export function transfers(count: number): string {
  return `${count} ${count === 1 ? "transfer" : "transfers"}`;
}

/** The requester of an approval. */
export interface Requester {
  name: string;
  isPerson: boolean;
  /** For an assistant: who connected it. Null for others. */
  connectedBy: string | null;
}

/**
 * `claude-bookkeeping`; `The assistant Claude, connected by Mara,`: for the start of a sentence. An assistant chose
 * its own name, which could be a member's or a bank's.
 */
export function requesterInWords({ name, connectedBy }: Pick<Requester, "name" | "connectedBy">): string {
  if (connectedBy === null) return isolatedName(name);
  return `The assistant ${isolatedName(name)}, connected by ${isolatedName(connectedBy)},`;
}

/** Never wrapped, since the cents could be read as another number; so beyond a million it is smaller. */
export function largeAmount(amountInCents: number): Html {
  const amount = writeCents(amountInCents);
  const isLong = amount.length > "$999,999.99".length;
  const size = isLong
    ? "font-size:36px;line-height:48px"
    : "font-size:64px;line-height:70px;letter-spacing:-2px";
  const centsSize = isLong ? "font-size:24px" : "font-size:34px";
  return html`<span class="${isLong ? "" : "big"}" style="white-space:nowrap;${size}">${amount.slice(0, -3)}<span class="i2" style="${centsSize};color:#52676a;letter-spacing:0">${amount.slice(-3)}</span></span>`;
}
