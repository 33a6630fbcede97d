import { composeSms } from "@/lib/core/notifications/render/compose-sms";
import { formatWeekdayTime } from "@/lib/core/notifications/render/format-moment";
import type { MessageSetting, RenderedEmail } from "@/lib/core/notifications/render/message";
import { amountInWords, moveInWords, type WaitingProposal } from "@/lib/core/notifications/render/proposal";
import { proposalEmail } from "@/lib/core/notifications/render/proposal-email";

/** A proposal was made: the subject is the question. */
export function renderApprovalAsked(
  proposal: WaitingProposal,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const amount = amountInWords(proposal.move);
  const until = formatWeekdayTime(proposal.expiresAt, setting.timeZone);
  return {
    email: proposalEmail(proposal, setting, { subject: `${moveInWords(proposal.move)}?`, sentence: null }),
    sms: composeSms(`Sluice: ${amount} waits for your approval until ${until}.`, proposal.approvalUrl),
  };
}
