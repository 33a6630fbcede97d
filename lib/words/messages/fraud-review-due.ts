import { composeNoticeSms } from "@/lib/words/messages/compose-sms";
import {
  emailLayout,
  type MessageSetting,
  paragraphRow,
  type RenderedEmail,
} from "@/lib/words/messages/email-layout";
import { formatMoment } from "@/lib/words/messages/format-moment";

/** The yearly review of fraud monitoring is due. Sent once, not every day. */
export function renderFraudReviewDue(
  { lastSignedAt, reviewUrl }: { lastSignedAt: Date | null; reviewUrl: string },
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const heading = "Your yearly review of fraud monitoring is due";
  const lines = [
    "Nacha requires each business that sends ACH payments to review its fraud monitoring at least once a year.",
    lastSignedAt === null
      ? "Your organization sends ACH payments and has not signed a review yet."
      : `The last review was signed ${formatMoment(lastSignedAt, setting.timeZone)}.`,
    "An owner reads the written process, which Sluice generates from your settings, and signs it.",
  ];
  const email = emailLayout(
    {
      subject: heading,
      preview: lines[1] ?? "",
      heading,
      rows: lines.map((line) => paragraphRow(line)),
      action: { label: "Read and sign", url: reviewUrl },
      note: "Nothing is blocked until then. Overview shows it until a review is signed.",
      why: "SECURITY",
      paragraphs: [heading, ...lines],
    },
    setting,
  );
  return {
    email,
    sms: composeNoticeSms("Sluice: your yearly review of fraud monitoring is due.", reviewUrl),
  };
}
