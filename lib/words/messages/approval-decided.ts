import { type Asker, askerInWords } from "@/lib/words/messages/asker";
import { emailLayout, paragraphRow, row } from "@/lib/words/messages/email-layout";
import { formatMoment } from "@/lib/words/messages/format-moment";
import { html } from "@/lib/words/messages/html";
import type { MessageSetting, RenderedEmail } from "@/lib/words/messages/message";
import { moveInWords, type ProposedMove } from "@/lib/words/messages/proposal";
import { quoteHtml, quoteText } from "@/lib/words/messages/quote";
import { isolatedName, nameText } from "@/lib/words/messages/untrusted-text";

export interface DecidedProposal {
  move: ProposedMove;
  askedBy: Asker;
  decision: "APPROVED" | "DENIED";
  /** Name of the member who decided. */
  decidedBy: string;
  decidedAt: Date;
  /** What the member wrote when denying. */
  denialReason: string | null;
  approvalUrl: string;
}

/** To the other owners and co-owners, who were asked too: there is nothing left to do. No SMS; it can wait. */
export function renderApprovalDecided(
  decided: DecidedProposal,
  setting: MessageSetting,
): { email: RenderedEmail } {
  const verb = decided.decision === "APPROVED" ? "approved" : "denied";
  const when = formatMoment(decided.decidedAt, setting.timeZone);
  const outcome = decided.decision === "APPROVED" ? "It is on its way." : "Nothing moves.";
  const asked = `${askerInWords(decided.askedBy)} asked. Decided ${when}. ${outcome}`;
  const { denialReason } = decided;
  const words = moveInWords(decided.move);
  const email = emailLayout(
    {
      subject: `${isolatedName(decided.decidedBy)} ${verb}: ${words}`,
      preview: `${asked} You have nothing to do.`,
      heading: html`<bdi>${nameText(decided.decidedBy)}</bdi> ${verb}:<br>${words}`,
      rows: [paragraphRow(asked), ...(denialReason === null ? [] : [row(quoteHtml(denialReason))])],
      action: { label: "See what happened", url: decided.approvalUrl },
      note: "You have nothing to do.",
      why: "CHOSEN",
      paragraphs: [
        `${isolatedName(decided.decidedBy)} ${verb}: ${words}`,
        asked,
        ...(denialReason === null ? [] : [`They wrote:\n${quoteText(denialReason)}`]),
      ],
    },
    setting,
  );
  return { email };
}
