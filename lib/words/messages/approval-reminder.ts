import { composeSms } from "@/lib/words/messages/compose-sms";
import { formatWeekdayTime } from "@/lib/words/messages/format-moment";
import type { MessageSetting, RenderedEmail } from "@/lib/words/messages/message";
import { amountInWords, moveInWords, type WaitingProposal } from "@/lib/words/messages/proposal";
import { proposalEmail } from "@/lib/words/messages/proposal-email";

/** Two hours before a proposal expires. Names the hour, not how long is left: the message may arrive late. */
export function renderApprovalReminder(
  proposal: WaitingProposal,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const amount = amountInWords(proposal.move);
  const until = formatWeekdayTime(proposal.expiresAt, setting.timeZone);
  return {
    email: proposalEmail(proposal, setting, {
      subject: `Only until ${until}: ${moveInWords(proposal.move)}?`,
      sentence: `Nobody has decided yet. At ${until} it is denied and nothing moves.`,
    }),
    sms: composeSms(
      `Sluice: ${amount} still waits for your approval, only until ${until}.`,
      proposal.approvalUrl,
    ),
  };
}
