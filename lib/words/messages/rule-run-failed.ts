import { writeCents } from "@/lib/contract/format-cents";
import { composeTellingSms } from "@/lib/words/messages/compose-sms";
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
  /** What its transfers that completed moved, all together. 0: it failed as a whole. */
  movedInCents: number;
  /** How many of them completed. */
  completedCount: number;
  startedAt: Date;
  /** Null: not known. */
  startedBy: RunStarter | null;
  /** Why, in our words with names in them; null where nothing was written down. */
  problem: string | null;
  runUrl: string;
}

/** Names are those of keys, assistants, members and rules. */
export type RunStarter =
  | { kind: "ARRIVAL" | "SCHEDULE" | "HOOK" }
  | { kind: "API_KEY" | "ASSISTANT" | "MEMBER"; name: string };

/** A live run of a rule that failed, or failed in part. */
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
  // Most problems end with these words themselves.
  const outcome = problem?.endsWith(moved) ? began : `${began} ${moved}`;
  const email = emailLayout(
    {
      subject: `${isolatedName(run.ruleName)} ${failed}`,
      preview: problem === null ? outcome : `${problem} ${outcome}`,
      heading: html`<bdi>${nameText(run.ruleName)}</bdi> ${failed}`,
      rows: [...(problem === null ? [] : [paragraphRow(problem)]), paragraphRow(outcome)],
      action: { label: "See the run", url: run.runUrl },
      note: "It is not tried again by itself. The rule goes on with the next thing that sets it off.",
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
  return { email, sms: composeTellingSms(sentence, run.runUrl) };
}

function starterWords(starter: RunStarter | null): string {
  if (starter === null) return "";
  switch (starter.kind) {
    case "ARRIVAL":
      return ", set off by money that arrived";
    case "SCHEDULE":
      return ", on its schedule";
    case "HOOK":
      return ", started by a program at its hook";
    case "ASSISTANT":
      return `, started by the assistant ${isolatedName(starter.name)}`;
    default:
      return `, started by ${isolatedName(starter.name)}`;
  }
}
