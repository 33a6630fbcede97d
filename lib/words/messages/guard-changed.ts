import { composeNoticeSms } from "@/lib/words/messages/compose-sms";
import {
  emailLayout,
  type MessageSetting,
  paragraphRow,
  type RenderedEmail,
} from "@/lib/words/messages/email-layout";
import { formatMoment } from "@/lib/words/messages/format-moment";
import { isolatedName } from "@/lib/words/messages/untrusted-text";

/** A setting that bounds what can move, changed so that more may move, or sooner. */
export interface ChangedGuard {
  kind: "TIME_ZONE" | "KEY_CAP" | "PAYEE_COOL_OFF";
  /** Of a cap: the key's name. */
  subject: string | null;
  /** In words. Null: there was or is none. */
  before: string | null;
  after: string | null;
  changedBy: string;
  changedAt: Date;
  url: string;
}

const SMS: Readonly<Record<ChangedGuard["kind"], string>> = {
  TIME_ZONE: "the time zone was changed, so periods of limits begin at another hour.",
  KEY_CAP: "the cap of an API key was raised or removed.",
  PAYEE_COOL_OFF: "the cool-off of new payees was loosened.",
};

const EFFECT: Readonly<Record<ChangedGuard["kind"], string>> = {
  TIME_ZONE:
    "Periods of rule limits and card limits begin at midnight in the new zone, so more may move sooner. Caps on money out and caps of keys are unaffected: they count the last 24 hours.",
  KEY_CAP: "The key can move more without approval than before.",
  PAYEE_COOL_OFF: "More can leave to new and changed payees before their cool-off ends.",
};

const ACTION: Readonly<Record<ChangedGuard["kind"], string>> = {
  TIME_ZONE: "See the settings",
  KEY_CAP: "See the keys",
  PAYEE_COOL_OFF: "See the settings",
};

/** Also sent to who did it: someone else may have used their browser. */
export function renderGuardChanged(
  change: ChangedGuard,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const heading = headline(change);
  const lines = [EFFECT[change.kind], `Changed ${formatMoment(change.changedAt, setting.timeZone)}.`];
  const email = emailLayout(
    {
      subject: heading,
      preview: lines[0] ?? "",
      heading,
      rows: lines.map((line) => paragraphRow(line)),
      action: { label: ACTION[change.kind], url: change.url },
      note: "If this was not intended, close all gates first: nothing leaves while they are closed. Then change it back.",
      why: "SECURITY",
      paragraphs: [heading, ...lines],
    },
    setting,
  );
  const sentence = `Sluice: ${SMS[change.kind]} If this was not intended, close all gates.`;
  return { email, sms: composeNoticeSms(sentence, change.url) };
}

/** `Mara raised the daily cap of the key ops from $10.00 to $500.00`: with isolated names. */
function headline({ kind, subject, before, after, changedBy }: ChangedGuard): string {
  const who = isolatedName(changedBy);
  switch (kind) {
    case "TIME_ZONE":
      return `${who} changed the time zone from ${before} to ${after}`;
    case "PAYEE_COOL_OFF":
      return `${who} changed the cool-off of payees from ${before} to ${after}`;
    case "KEY_CAP": {
      const key = `the daily cap of the key ${isolatedName(subject ?? "")}`;
      return after === null
        ? `${who} removed ${key}, which was ${before}`
        : `${who} raised ${key} from ${before} to ${after}`;
    }
  }
}
