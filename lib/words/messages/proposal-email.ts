import { writeCents } from "@/lib/contract/format-cents";
import { type Asker, askerInWords } from "@/lib/words/messages/asker";
import { emailLayout, paragraphRow, row, WRAPPED } from "@/lib/words/messages/email-layout";
import { formatMoment } from "@/lib/words/messages/format-moment";
import { type Html, html } from "@/lib/words/messages/html";
import { largeAmount } from "@/lib/words/messages/large-amount";
import type { MessageSetting, RenderedEmail } from "@/lib/words/messages/message";
import {
  moveInWords,
  type ProposedMove,
  transfers,
  type WaitingProposal,
} from "@/lib/words/messages/proposal";
import { quoteHtml, quoteText } from "@/lib/words/messages/quote";
import { nameText, sentenceText } from "@/lib/words/messages/untrusted-text";

/**
 * The email about one waiting proposal: the question, who asks and why, what it sets off, and the way to decide.
 * @param opening.subject the subject line, made of the question
 * @param opening.sentence said before anything else; null when the question speaks for itself
 */
export function proposalEmail(
  proposal: WaitingProposal,
  setting: MessageSetting,
  opening: { subject: string; sentence: string | null },
): RenderedEmail {
  const deadline = formatMoment(proposal.expiresAt, setting.timeZone);
  const asks = `${askerInWords(proposal.askedBy)} asks.`;
  const ifApproved = proposal.ifApproved === null ? null : sentenceText(proposal.ifApproved);
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
      note: `Open until ${deadline}. With no decision it is denied and nothing moves. You confirm with your passkey or password; this email alone cannot approve anything.`,
      why: "DECIDES",
      paragraphs: [
        `${moveInWords(proposal.move)}?`,
        ...(opening.sentence ? [opening.sentence] : []),
        reasonText(proposal),
        ...(ifApproved ? [`If you approve, ${ifApproved}`] : []),
      ],
    },
    setting,
  );
}

function questionHeading(move: ProposedMove): Html {
  const source = html`<bdi>${nameText(move.sourceName)}</bdi>`;
  if (move.kind === "TRANSFER") {
    return html`Move<br>${largeAmount(move.amountInCents)}<br>from ${source} to <bdi>${nameText(move.destinationName)}</bdi>?`;
  }
  const rule = html`<bdi>${nameText(move.ruleName)}</bdi>`;
  if (move.amountInCents === null) return html`Run ${rule} on ${source}?`;
  return html`Run ${rule}: move<br>${largeAmount(move.amountInCents)}<br>from ${source} in ${transfers(move.transferCount)}?`;
}

/** The closed gate between two waters; a drawing, so hidden from screen readers, which have the question. */
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
  const who = html`${askerMarkup(proposal.askedBy)} asks.${trackRecord(proposal)}${proposal.reason === null ? " It gave no reason." : ""}`;
  const quote = proposal.reason === null ? null : quoteHtml(proposal.reason);
  return row(
    html`<p class="i2" style="${WRAPPED};margin:0 0 10px;font-size:14px;line-height:20px;color:#52676a">${who}</p>${quote}`,
  );
}

function askerMarkup({ name, connectedBy }: Asker): Html {
  const strong = html`<b class="ink" style="color:#123036"><bdi>${nameText(name)}</bdi></b>`;
  if (connectedBy === null) return strong;
  return html`The assistant ${strong}, connected by <bdi>${nameText(connectedBy)}</bdi>,`;
}

function reasonText(proposal: WaitingProposal): string {
  const who = `${askerInWords(proposal.askedBy)} asks.${trackRecord(proposal)}`;
  return proposal.reason === null
    ? `${who} It gave no reason.`
    : `${who} It wrote:\n${quoteText(proposal.reason)}`;
}

function trackRecord({ trackRecord: record }: WaitingProposal): string {
  return record === null ? "" : ` It had ${record.approved} of ${record.decided} proposals approved.`;
}
