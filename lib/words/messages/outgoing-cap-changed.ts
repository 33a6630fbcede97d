import { formatCents } from "@/lib/contract/format-cents";
import { composeNoticeSms } from "@/lib/words/messages/compose-sms";
import {
  emailLayout,
  type MessageSetting,
  paragraphRow,
  type RenderedEmail,
} from "@/lib/words/messages/email-layout";
import { formatMoment } from "@/lib/words/messages/format-moment";
import { isolatedName } from "@/lib/words/messages/untrusted-text";

export interface ChangedOutgoingCap {
  /** Null: no cap. */
  beforeInCents: number | null;
  afterInCents: number | null;
  changedBy: string;
  changedAt: Date;
  settingsUrl: string;
}

/** What may leave within 24 hours was changed. Also sent to who did it: someone else may have used their browser. */
export function renderOutgoingCapChanged(
  change: ChangedOutgoingCap,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const heading = outgoingCapHeadline(change);
  const lines = [
    change.afterInCents === null
      ? "Payments of any amount can now leave Sluice, as keys, rules and approvals allow."
      : `At most ${formatCents(change.afterInCents)} can now leave Sluice within 24 hours.`,
    `${change.beforeInCents === null ? "There was no cap before." : `It was ${formatCents(change.beforeInCents)} before.`} Changed ${formatMoment(change.changedAt, setting.timeZone)}.`,
  ];
  const email = emailLayout(
    {
      subject: heading,
      preview: lines[0] ?? "",
      heading,
      rows: lines.map((line) => paragraphRow(line)),
      action: { label: "See the cap", url: change.settingsUrl },
      note: "If this was not intended, close all gates first: nothing leaves while they are closed. Then lower the cap.",
      why: "SECURITY",
      paragraphs: [heading, ...lines],
    },
    setting,
  );
  const sentence =
    change.afterInCents === null
      ? "Sluice: the cap on money out was lifted. If this was not intended, close all gates."
      : `Sluice: the cap on money out is now ${formatCents(change.afterInCents)} in 24 hours. If this was not intended, close all gates.`;
  return { email, sms: composeNoticeSms(sentence, change.settingsUrl) };
}

/** `Mara lifted the cap on money out`: with an isolated name. */
function outgoingCapHeadline({
  afterInCents,
  changedBy,
}: Pick<ChangedOutgoingCap, "afterInCents" | "changedBy">): string {
  const who = isolatedName(changedBy);
  return afterInCents === null
    ? `${who} lifted the cap on money out`
    : `${who} set the cap on money out to ${formatCents(afterInCents)} within 24 hours`;
}
