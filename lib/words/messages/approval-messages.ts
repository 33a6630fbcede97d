import { writeCents } from "@/lib/contract/format-cents";
import { composeSms } from "@/lib/words/messages/compose-sms";
import {
  emailLayout,
  type MessageSetting,
  paragraphRow,
  type RenderedEmail,
  row,
} from "@/lib/words/messages/email-layout";
import { formatMoment, formatWeekdayTime } from "@/lib/words/messages/format-moment";
import { type Html, html, WRAPPED } from "@/lib/words/messages/html";
import {
  amountInWords,
  type DecidedMove,
  knockOnInWords,
  largeAmount,
  moveInWords,
  noveltyInWords,
  type ProposedMove,
  type Requester,
  requesterInWords,
  transfers,
  type WaitingProposal,
} from "@/lib/words/messages/proposal";
import { isolatedName, nameText, quoteHtml, quoteText } from "@/lib/words/messages/untrusted-text";

/** A new proposal: the subject is the question. */
export function renderApprovalAsked(
  proposal: WaitingProposal,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const amount = amountInWords(proposal.move);
  const until = formatWeekdayTime(proposal.expiresAt, setting.timeZone);
  return {
    email: proposalEmail(proposal, setting, {
      subject: `${moveInWords(proposal.move)}?`,
      sentence: sentences(
        noveltyInWords(proposal),
        capSentence(proposal.aboveCapInCents) ?? reversalSentence(proposal.move, setting),
      ),
      pushTitle: `${deviceTitle(proposal.move)} needs your decision`,
    }),
    sms: composeSms(
      `Sluice: ${amount} waits for your approval until ${until}.${smsNovelty(proposal)}`,
      proposal.approvalUrl,
    ),
  };
}

/** After a signature, to those who may still sign. */
export function renderApprovalSigned(
  proposal: WaitingProposal,
  signedBy: string,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const amount = amountInWords(proposal.move);
  const until = formatWeekdayTime(proposal.expiresAt, setting.timeZone);
  return {
    email: proposalEmail(proposal, setting, {
      subject: `Your signature: ${moveInWords(proposal.move)}?`,
      sentence: sentences(
        noveltyInWords(proposal),
        `${isolatedName(signedBy)} has signed, and it needs another signature. Yours would count.`,
      ),
      pushTitle: `${deviceTitle(proposal.move)} needs your signature`,
    }),
    sms: composeSms(
      `Sluice: ${amount} is signed and needs your signature too, until ${until}.${smsNovelty(proposal)}`,
      proposal.approvalUrl,
    ),
  };
}

/** In a text message, without names. */
function smsNovelty({ payees }: Pick<WaitingProposal, "payees">): string {
  if (payees.length === 0) return "";
  if (payees.every(({ isOwn }) => isOwn)) return " Newly registered account.";
  return payees.some(({ novelty }) => novelty === "FIRST") ? " New payee." : " Changed payee.";
}

function sentences(...parts: (string | null)[]): string | null {
  const known = parts.filter((part) => part !== null);
  return known.length === 0 ? null : known.join(" ");
}

/** The proposal in the first line of a notification: `$1,250.00 to Payroll`; `$900.00 by Pay rent`. */
function deviceTitle(move: ProposedMove): string {
  if (move.kind === "TRANSFER") return `${amountInWords(move)} to ${isolatedName(move.destinationName)}`;
  if (move.kind === "BATCH") return `${amountInWords(move)} in ${transfers(move.transferCount)}`;
  if (move.amountInCents === null) return `A run of ${isolatedName(move.ruleName)}`;
  return `${amountInWords(move)} by ${isolatedName(move.ruleName)}`;
}

/** Why a key that usually needs no approval asks for one. */
function capSentence(capInCents: number | null): string | null {
  if (capInCents === null) return null;
  return `It is above this key’s daily cap of ${writeCents(capInCents)}, so it needs your approval.`;
}

function reversalSentence(move: ProposedMove, setting: MessageSetting): string | null {
  if (move.kind !== "TRANSFER" || move.reversesSettledAt === null) return null;
  return `It reverses the transfer from ${isolatedName(move.destinationName)} to ${isolatedName(move.sourceName)} that settled ${formatMoment(move.reversesSettledAt, setting.timeZone)}.`;
}

/**
 * The email about one waiting proposal: the question, who asks and why, what it starts, and how to decide.
 * @param opening.subject the subject line, built from the question
 * @param opening.sentence comes first; null when the question speaks for itself
 * @param opening.pushTitle the first line on a device, which has no room for the question
 */
function proposalEmail(
  proposal: WaitingProposal,
  setting: MessageSetting,
  opening: { subject: string; sentence: string | null; pushTitle: string },
): RenderedEmail {
  const deadline = formatMoment(proposal.expiresAt, setting.timeZone);
  const asks = `${requesterInWords(proposal.askedBy)} asks.`;
  const ifApproved = knockOnInWords(proposal);
  return emailLayout(
    {
      subject: opening.subject,
      preview: `${opening.sentence ?? asks} Open until ${deadline}. Nothing moves until you approve.`,
      heading: questionHeading(proposal.move),
      rows: [
        ...(opening.sentence ? [paragraphRow(opening.sentence)] : []),
        ...channelRows(proposal.move),
        reasonRow(proposal),
        ...(ifApproved ? [paragraphRow(html`<b>If you approve,</b> ${ifApproved}`)] : []),
      ],
      action: { label: "Review and decide", url: proposal.approvalUrl },
      note: `Open until ${deadline}. Without a decision it is denied and nothing moves. You confirm with your passkey or password; this email alone cannot approve anything.`,
      why: "DECIDES",
      paragraphs: [
        `${moveInWords(proposal.move)}?`,
        ...(opening.sentence ? [opening.sentence] : []),
        reasonText(proposal),
        ...(ifApproved ? [`If you approve, ${ifApproved}`] : []),
      ],
      push: {
        title: opening.pushTitle,
        sentence: `${[noveltyInWords(proposal), `From ${isolatedName(proposal.move.sourceName)}.`].filter(Boolean).join(" ")} ${asks} Open until ${deadline}.`,
        about: proposal.approvalUrl,
        canDeny: true,
      },
    },
    setting,
  );
}

function questionHeading(move: ProposedMove): Html {
  const source = html`<bdi>${nameText(move.sourceName)}</bdi>`;
  if (move.kind === "TRANSFER") {
    const back = move.reversesSettledAt === null ? "" : "back ";
    return html`Move<br>${largeAmount(move.amountInCents)}<br>${back}from ${source} to <bdi>${nameText(move.destinationName)}</bdi>?`;
  }
  if (move.kind === "BATCH") {
    return html`Move<br>${largeAmount(move.amountInCents)}<br>from ${source} in ${transfers(move.transferCount)}?`;
  }
  const rule = html`<bdi>${nameText(move.ruleName)}</bdi>`;
  if (move.amountInCents === null) return html`Run ${rule} on ${source}?`;
  return html`Run ${rule}: move<br>${largeAmount(move.amountInCents)}<br>from ${source} in ${transfers(move.transferCount)}?`;
}

/** The closed gate between two waters; decorative, so hidden from screen readers, which have the question. */
function channelRows(move: ProposedMove): Html[] {
  if (move.kind !== "TRANSFER") return [];
  const { sourceName, destinationName, sourceBalanceInCents, destinationBalanceInCents } = move;
  return [
    row(
      html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" aria-hidden="true" style="table-layout:fixed;${WRAPPED}"><tr class="ink" style="font-size:14px;font-weight:600;color:#123036"><td width="46%" style="padding-bottom:8px"><bdi>${nameText(sourceName)}</bdi></td><td width="24"></td><td align="right" style="padding-bottom:8px"><bdi>${nameText(destinationName)}</bdi></td></tr><tr><td class="wt" height="14" bgcolor="#bfe0de" style="border-top:1px solid #5f7679;border-bottom:1px solid #5f7679;font-size:0;line-height:0">&nbsp;</td><td align="center" style="padding:0"><table role="presentation" cellpadding="0" cellspacing="0"><tr><td width="8" height="34" bgcolor="#d99a1c" style="font-size:0;line-height:0">&nbsp;</td></tr></table></td><td height="14" style="border-top:1px solid #5f7679;border-bottom:1px solid #5f7679;font-size:0;line-height:0">&nbsp;</td></tr><tr class="i2" style="font-size:13px;color:#52676a"><td style="padding-top:8px">${balanceNow(sourceBalanceInCents)}</td><td></td><td align="right" style="padding-top:8px">${balanceNow(destinationBalanceInCents)}</td></tr></table>`,
    ),
  ];
}

function balanceNow(balanceInCents: number | null): string {
  return balanceInCents === null ? "" : `${writeCents(balanceInCents)} now`;
}

function reasonRow(proposal: WaitingProposal): Html {
  const who = html`${requesterMarkup(proposal.askedBy)} asks.${trackRecord(proposal)}${proposal.reason === null ? ` ${noReason(proposal.askedBy)}` : ""}`;
  const quote = proposal.reason === null ? null : quoteHtml(proposal.reason);
  return row(
    html`<p class="i2" style="${WRAPPED};margin:0 0 10px;font-size:14px;line-height:20px;color:#52676a">${who}</p>${quote}`,
  );
}

function requesterMarkup({ name, connectedBy }: Requester): Html {
  const strong = html`<b class="ink" style="color:#123036"><bdi>${nameText(name)}</bdi></b>`;
  if (connectedBy === null) return strong;
  return html`The assistant ${strong}, connected by <bdi>${nameText(connectedBy)}</bdi>,`;
}

function reasonText(proposal: WaitingProposal): string {
  const who = `${requesterInWords(proposal.askedBy)} asks.${trackRecord(proposal)}`;
  return proposal.reason === null
    ? `${who} ${noReason(proposal.askedBy)}`
    : `${who} ${proposal.askedBy.isPerson ? "They" : "It"} wrote:\n${quoteText(proposal.reason)}`;
}

function noReason({ isPerson }: Requester): string {
  return `${isPerson ? "They" : "It"} gave no reason.`;
}

function trackRecord({ trackRecord: record }: WaitingProposal): string {
  return record === null ? "" : ` It had ${record.approved} of ${record.decided} proposals approved.`;
}

/** Sent two hours before a proposal expires. Names the hour, not the time left: the message may arrive late. */
export function renderApprovalReminder(
  proposal: WaitingProposal,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const amount = amountInWords(proposal.move);
  const until = formatWeekdayTime(proposal.expiresAt, setting.timeZone);
  return {
    email: proposalEmail(proposal, setting, {
      subject: `Only until ${until}: ${moveInWords(proposal.move)}?`,
      sentence: sentences(
        noveltyInWords(proposal),
        `Nobody has decided yet. Without a decision by ${until} it is denied and nothing moves.`,
      ),
      pushTitle: `Only until ${until}: ${deviceTitle(proposal.move)}`,
    }),
    sms: composeSms(
      `Sluice: ${amount} still waits for your approval, only until ${until}.${smsNovelty(proposal)}`,
      proposal.approvalUrl,
    ),
  };
}

export interface DecidedProposal {
  move: DecidedMove;
  askedBy: Requester;
  decision: "APPROVED" | "DENIED" | "WITHDRAWN";
  /** The member who decided; of a withdrawal, the program that requested it. */
  decidedBy: string;
  decidedAt: Date;
  /** What the member wrote when denying. */
  denialReason: string | null;
  approvalUrl: string;
}

const VERBS = { APPROVED: "approved", DENIED: "denied", WITHDRAWN: "withdrew" } as const;

/** To the other owners and co-owners, who were asked too: nothing is left to do. No SMS; it can wait. */
export function renderApprovalDecided(
  decided: DecidedProposal,
  setting: MessageSetting,
): { email: RenderedEmail } {
  const verb = VERBS[decided.decision];
  const when = formatMoment(decided.decidedAt, setting.timeZone);
  const outcome = decided.decision === "APPROVED" ? "It is in progress." : "Nothing moves.";
  const asked =
    decided.decision === "WITHDRAWN"
      ? `Withdrawn ${when}, before a decision. ${outcome}`
      : `${requesterInWords(decided.askedBy)} asked. Decided ${when}. ${outcome}`;
  const { denialReason } = decided;
  const words = moveInWords(decided.move);
  const email = emailLayout(
    {
      subject: `${isolatedName(decided.decidedBy)} ${verb}: ${words}`,
      preview: `${asked} No action needed.`,
      heading: html`<bdi>${nameText(decided.decidedBy)}</bdi> ${verb}:<br>${words}`,
      rows: [paragraphRow(asked), ...(denialReason === null ? [] : [row(quoteHtml(denialReason))])],
      action: { label: "See what happened", url: decided.approvalUrl },
      note: "No action needed.",
      why: "CHOSEN",
      paragraphs: [
        `${isolatedName(decided.decidedBy)} ${verb}: ${words}`,
        asked,
        ...(denialReason === null ? [] : [`They wrote:\n${quoteText(denialReason)}`]),
      ],
      // Replaces the question on devices that still show it.
      push: {
        title: `${isolatedName(decided.decidedBy)} ${verb}: ${words}`,
        sentence: `${asked} No action needed.`,
        about: decided.approvalUrl,
      },
    },
    setting,
  );
  return { email };
}

/** Proposals listed by name in a message; the rest are counted. */
export const MAX_LISTED_PROPOSALS = 10;

export interface WaitingProposals {
  askedBy: Requester;
  /** All waiting proposals, including those not in `proposals`. */
  waitingCount: number;
  /** When the first of all that wait expires. */
  firstExpiresAt: Date;
  /** The gravest first; at least one, at most MAX_LISTED_PROPOSALS are listed. */
  proposals: Pick<WaitingProposal, "move" | "payees" | "expiresAt">[];
  /** The page with all of them. */
  approvalsUrl: string;
}

/**
 * A digest of several proposals of one requester (decisions, "Approval": after 5 in an hour, every 15 minutes).
 * @throws RangeError without a proposal, or with more of them than wait
 */
export function renderApprovalsWaiting(
  waiting: WaitingProposals,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  if (waiting.proposals.length === 0 || waiting.waitingCount < waiting.proposals.length) {
    throw new RangeError("proposals must be 1 to waitingCount");
  }
  const wait = waiting.waitingCount === 1 ? "1 proposal waits" : `${waiting.waitingCount} proposals wait`;
  const until = formatWeekdayTime(waiting.firstExpiresAt, setting.timeZone);
  const opening = `${requesterInWords(waiting.askedBy)} asks. The first is open until ${formatMoment(waiting.firstExpiresAt, setting.timeZone)}.`;
  const sentence = sentences(noveltyOfSeveral(waiting), opening) ?? opening;
  const lines = listLines(waiting, setting);
  const email = emailLayout(
    {
      subject: `${wait} for your approval`,
      preview: `${sentence} Nothing moves until you approve.`,
      heading: `${wait} for your approval`,
      rows: [paragraphRow(sentence), ...lines.map((line) => paragraphRow(html`${line}`))],
      action: { label: "Review and decide", url: waiting.approvalsUrl },
      note: "You decide each one separately. Without a decision it is denied and nothing moves; this email alone cannot approve anything.",
      why: "DECIDES",
      paragraphs: [`${wait} for your approval`, sentence, lines.map((line) => `- ${line}`).join("\n")],
    },
    setting,
  );
  const sms = composeSms(
    `Sluice: ${wait} for your approval, the first until ${until}.${smsNovelty({ payees: waiting.proposals.flatMap(({ payees }) => payees) })}`,
    waiting.approvalsUrl,
  );
  return { email, sms };
}

/** Said before the list, for a notification and the preview of an email, which show nothing else. */
function noveltyOfSeveral({ waitingCount, proposals }: WaitingProposals): string | null {
  const fresh = proposals.filter(({ payees }) => payees.length > 0);
  if (fresh.length === 0) return null;
  const areOwn = fresh.every(({ payees }) => payees.every(({ isOwn }) => isOwn));
  const [one, more] = areOwn
    ? ["a newly registered account", "newly registered accounts"]
    : ["a new or changed payee", "new or changed payees"];
  if (waitingCount === 1) return `It pays ${one}.`;
  return fresh.length === 1 ? `1 pays ${one}.` : `${fresh.length} pay ${more}.`;
}

function listLines(waiting: WaitingProposals, setting: MessageSetting): string[] {
  const listed = waiting.proposals.slice(0, MAX_LISTED_PROPOSALS);
  const lines = listed.map((proposal) => {
    const line = `${moveInWords(proposal.move)}, until ${formatMoment(proposal.expiresAt, setting.timeZone)}`;
    const novelty = noveltyInWords(proposal);
    return novelty === null ? line : `${line}. ${novelty}`;
  });
  const unlisted = waiting.waitingCount - listed.length;
  return unlisted > 0 ? [...lines, `and ${unlisted} more`] : lines;
}
