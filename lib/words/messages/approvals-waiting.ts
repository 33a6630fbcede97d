import { type Asker, askerInWords } from "@/lib/words/messages/asker";
import { composeSms } from "@/lib/words/messages/compose-sms";
import { emailLayout, paragraphRow } from "@/lib/words/messages/email-layout";
import { formatMoment, formatWeekdayTime } from "@/lib/words/messages/format-moment";
import { html } from "@/lib/words/messages/html";
import type { MessageSetting, RenderedEmail } from "@/lib/words/messages/message";
import { moveInWords, type ProposedMove } from "@/lib/words/messages/proposal";

/** Proposals that a message lists by name; the rest are counted. */
export const MAX_LISTED_PROPOSALS = 10;

export interface WaitingProposals {
  askedBy: Asker;
  /** All that wait, also those not in `proposals`. */
  waitingCount: number;
  /** Soonest to expire first; the first MAX_LISTED_PROPOSALS are listed. At least one. */
  proposals: { move: ProposedMove; expiresAt: Date }[];
  /** The page on which all of them wait. */
  approvalsUrl: string;
}

/**
 * Several proposals of one asker, told together (decisions, "Approval": after 5 in an hour, every 15 minutes).
 * @throws RangeError without a proposal, or with more of them than wait
 */
export function renderApprovalsWaiting(
  waiting: WaitingProposals,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const soonest = waiting.proposals[0];
  if (!soonest || waiting.waitingCount < waiting.proposals.length) {
    throw new RangeError("proposals must be 1 to waitingCount");
  }
  const wait = waiting.waitingCount === 1 ? "1 proposal waits" : `${waiting.waitingCount} proposals wait`;
  const until = formatWeekdayTime(soonest.expiresAt, setting.timeZone);
  const sentence = `${askerInWords(waiting.askedBy)} asks. The first is open until ${formatMoment(soonest.expiresAt, setting.timeZone)}.`;
  const lines = listLines(waiting, setting);
  const email = emailLayout(
    {
      subject: `${wait} for your approval`,
      preview: `${sentence} Nothing moves until you approve.`,
      heading: `${wait} for your approval`,
      rows: [paragraphRow(sentence), ...lines.map((line) => paragraphRow(html`${line}`))],
      action: { label: "Review and decide", url: waiting.approvalsUrl },
      note: "Each is decided by itself. With no decision it is denied and nothing moves; this email alone cannot approve anything.",
      why: "DECIDES",
      paragraphs: [`${wait} for your approval`, sentence, lines.map((line) => `- ${line}`).join("\n")],
    },
    setting,
  );
  const sms = composeSms(
    `Sluice: ${wait} for your approval, the first until ${until}.`,
    waiting.approvalsUrl,
  );
  return { email, sms };
}

function listLines(waiting: WaitingProposals, setting: MessageSetting): string[] {
  const listed = waiting.proposals.slice(0, MAX_LISTED_PROPOSALS);
  const lines = listed.map(
    ({ move, expiresAt }) => `${moveInWords(move)}, until ${formatMoment(expiresAt, setting.timeZone)}`,
  );
  const unlisted = waiting.waitingCount - listed.length;
  return unlisted > 0 ? [...lines, `and ${unlisted} more`] : lines;
}
