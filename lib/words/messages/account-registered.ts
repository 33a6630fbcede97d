import { composeNoticeSms } from "@/lib/words/messages/compose-sms";
import {
  emailLayout,
  type MessageSetting,
  paragraphRow,
  type RenderedEmail,
} from "@/lib/words/messages/email-layout";
import { formatMoment } from "@/lib/words/messages/format-moment";
import { isolatedName } from "@/lib/words/messages/untrusted-text";

export interface RegisteredAccount {
  name: string;
  institutionName: string | null;
  accountNumberLast4: string;
  registeredBy: string;
  /** Null: no payment waits. */
  coolsOffUntil: Date | null;
  accountUrl: string;
}

/** A connected account was registered at the bank. Also sent to who did it: someone else may have used their browser. */
export function renderAccountRegistered(
  account: RegisteredAccount,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const heading = registeredHeadline(account);
  const at = account.institutionName === null ? "" : ` at ${isolatedName(account.institutionName)}`;
  const lines = [
    `The account${at} ends in ${account.accountNumberLast4}. Transfers, rules and keys may now use it.`,
    account.coolsOffUntil === null
      ? null
      : `Larger amounts leave no earlier than ${formatMoment(account.coolsOffUntil, setting.timeZone)}.`,
  ].filter((line) => line !== null);
  const email = emailLayout(
    {
      subject: heading,
      preview: lines[0] ?? "",
      heading,
      rows: lines.map((line) => paragraphRow(line)),
      action: { label: "See the account", url: account.accountUrl },
      note: "If this was not intended, close all gates, then disconnect its institution. That closes the account and ends transfers to it that have not left yet.",
      why: "SECURITY",
      paragraphs: [heading, ...lines],
    },
    setting,
  );
  const sms =
    "Sluice: an account was registered at the bank. If this was not intended, disconnect its institution.";
  return { email, sms: composeNoticeSms(sms, account.accountUrl) };
}

/** `Mara registered the account Harbor Checking at the bank`: with isolated names. */
function registeredHeadline({
  name,
  registeredBy,
}: Pick<RegisteredAccount, "name" | "registeredBy">): string {
  return `${isolatedName(registeredBy)} registered the account ${isolatedName(name)} at the bank`;
}
