import { writeCents } from "@/lib/contract/format-cents";
import { composeSms } from "@/lib/words/messages/compose-sms";
import { formatWeekdayTime } from "@/lib/words/messages/format-moment";
import type { MessageSetting, RenderedEmail } from "@/lib/words/messages/message";
import { amountInWords, moveInWords, type WaitingProposal } from "@/lib/words/messages/proposal";
import { proposalEmail } from "@/lib/words/messages/proposal-email";

/** A proposal was made: the subject is the question. */
export function renderApprovalAsked(
  proposal: WaitingProposal,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const amount = amountInWords(proposal.move);
  const until = formatWeekdayTime(proposal.expiresAt, setting.timeZone);
  return {
    email: proposalEmail(proposal, setting, {
      subject: `${moveInWords(proposal.move)}?`,
      sentence: capSentence(proposal.aboveCapInCents),
    }),
    sms: composeSms(`Sluice: ${amount} waits for your approval until ${until}.`, proposal.approvalUrl),
  };
}

/** Why a key asks that need not ask otherwise. */
function capSentence(capInCents: number | null): string | null {
  if (capInCents === null) return null;
  return `It is above this key’s daily cap of ${writeCents(capInCents)}, so it waits for you.`;
}
