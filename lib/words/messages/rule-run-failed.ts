import { writeCents } from "@/lib/contract/format-cents";
import { composeNoticeSms } from "@/lib/words/messages/compose-sms";
import {
  emailLayout,
  type MessageSetting,
  paragraphRow,
  type RenderedEmail,
} from "@/lib/words/messages/email-layout";
import { formatMoment } from "@/lib/words/messages/format-moment";
import { html } from "@/lib/words/messages/html";
import { transfers } from "@/lib/words/messages/proposal";
import { isolatedName, nameText, sentenceText } from "@/lib/words/messages/untrusted-text";

export interface FailedRun {
  ruleName: string;
  /** Total of its completed transfers. 0: the whole run failed. */
  movedInCents: number;
  /** Number of completed transfers. */
  completedCount: number;
  startedAt: Date;
  /** Null: unknown. */
  startedBy: RunStarter | null;
  /** Why, in our words with untrusted names; null if not recorded. */
  problem: string | null;
  runUrl: string;
}

/** Names are those of keys, assistants, members and rules. */
export type RunStarter =
  | { kind: "ARRIVAL" | "SCHEDULE" | "HOOK" }
  | { kind: "API_KEY" | "ASSISTANT" | "MEMBER"; name: string };

/** A live run of a rule failed, in whole or in part. */
export function renderRuleRunFailed(
  run: FailedRun,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const isPartial = run.completedCount > 0;
  const failed = isPartial ? "failed in part" : "failed";
  const began = `It ran ${formatMoment(run.startedAt, setting.timeZone)}${starterWords(run.startedBy)}.`;
  const moved = isPartial
    ? `${writeCents(run.movedInCents)} moved in ${transfers(run.completedCount)}, and stays where it is.`
    : "Nothing moved.";
  const problem = run.problem === null ? null : sentenceText(run.problem);
  // Most problems already end with these words.
  const outcome = problem?.endsWith(moved) ? began : `${began} ${moved}`;
  const email = emailLayout(
    {
      subject: `${isolatedName(run.ruleName)} ${failed}`,
      preview: problem === null ? outcome : `${problem} ${outcome}`,
      heading: html`<bdi>${nameText(run.ruleName)}</bdi> ${failed}`,
      rows: [...(problem === null ? [] : [paragraphRow(problem)]), paragraphRow(outcome)],
      action: { label: "See the run", url: run.runUrl },
      note: "It will not be retried automatically. The rule runs again on its next trigger.",
      why: "CHOSEN",
      paragraphs: [
        `${isolatedName(run.ruleName)} ${failed}`,
        ...(problem === null ? [] : [problem]),
        outcome,
      ],
    },
    setting,
  );
  const sentence = isPartial
    ? `Sluice: a rule run failed in part. ${writeCents(run.movedInCents)} moved.`
    : "Sluice: a rule run failed. Nothing moved.";
  return { email, sms: composeNoticeSms(sentence, run.runUrl) };
}

function starterWords(starter: RunStarter | null): string {
  if (starter === null) return "";
  switch (starter.kind) {
    case "ARRIVAL":
      return ", started by money that arrived";
    case "SCHEDULE":
      return ", on its schedule";
    case "HOOK":
      return ", started through its webhook";
    case "ASSISTANT":
      return `, started by the assistant ${isolatedName(starter.name)}`;
    default:
      return `, started by ${isolatedName(starter.name)}`;
  }
}
