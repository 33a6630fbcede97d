import { writeCents } from "@/lib/contract/format-cents";
import { composeNoticeSms } from "@/lib/words/messages/compose-sms";
import {
  emailLayout,
  type MessageSetting,
  paragraphRow,
  type RenderedEmail,
} from "@/lib/words/messages/email-layout";
import { formatDate } from "@/lib/words/messages/format-moment";

/** Counts stop here; beyond it the message says "or more". */
export const MAXIMUM_COUNTED = 1_000;

export interface WeekReport {
  /** The Monday it began: `2026-11-16`. */
  beganOn: string;
  /** Across the border of the managed accounts (`border_flows`). */
  inInCents: number;
  outInCents: number;
  /** In all managed accounts, now. */
  totalInCents: number;
  approvedCount: number;
  deniedCount: number;
  expiredCount: number;
  /** Now. */
  waitingCount: number;
  runCount: number;
  /** Transfers of that week that failed or were returned. */
  failedCount: number;
  overviewUrl: string;
}

/** The week in five lines: money in, money out, total, decisions, runs and failures. */
export function renderWeek(week: WeekReport, setting: MessageSetting): { email: RenderedEmail; sms: string } {
  const lines = [
    `${writeCents(week.inInCents)} came in.`,
    `${writeCents(week.outInCents)} went out.`,
    `Your accounts in Sluice hold ${writeCents(week.totalInCents)} now.`,
    `${decidedWords(week)} ${waitingWords(week.waitingCount)}`,
    `${ranWords(week.runCount)} ${failedWords(week.failedCount)}`,
  ];
  const moved = `${writeCents(week.inInCents)} came in, ${writeCents(week.outInCents)} went out`;
  const subject = `Your week: ${moved}`;
  const heading = `Your week from ${formatDate(week.beganOn)}`;
  const email = emailLayout(
    {
      subject,
      preview: lines[3] ?? "",
      heading,
      rows: lines.map(paragraphRow),
      action: { label: "Open the overview", url: week.overviewUrl },
      note: "From Monday to Sunday, on your organization's clocks.",
      why: "CHOSEN",
      paragraphs: [heading, lines.join("\n")],
    },
    setting,
  );
  const waits = week.waitingCount === 0 ? "" : ` ${counted(week.waitingCount)} wait.`;
  const sentence = `Sluice: your week. ${moved}.${waits}`;
  return { email, sms: composeNoticeSms(sentence, week.overviewUrl) };
}

function counted(count: number): string {
  return count >= MAXIMUM_COUNTED ? `${MAXIMUM_COUNTED} or more` : String(count);
}

function decidedWords({ approvedCount, deniedCount, expiredCount }: WeekReport): string {
  const total = approvedCount + deniedCount + expiredCount;
  if (total === 0) return "Nothing was decided.";
  const parts = [
    `${counted(approvedCount)} approved`,
    `${counted(deniedCount)} denied`,
    ...(expiredCount === 0 ? [] : [`${counted(expiredCount)} closed with no decision`]),
  ];
  return `${total === 1 ? "One proposal" : `${counted(total)} proposals`}: ${parts.join(", ")}.`;
}

function waitingWords(count: number): string {
  if (count === 0) return "Nothing waits.";
  return count === 1 ? "One waits for you." : `${counted(count)} wait for you.`;
}

function ranWords(count: number): string {
  if (count === 0) return "No rule ran.";
  return count === 1 ? "A rule ran once." : `Rules ran ${counted(count)} times.`;
}

function failedWords(count: number): string {
  if (count === 0) return "No transfer failed.";
  return count === 1
    ? "One transfer failed or was returned."
    : `${counted(count)} transfers failed or were returned.`;
}
