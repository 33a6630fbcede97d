import {
  formatClock,
  formatInSentence,
  formatMoment,
  formatToSecond,
  formatWeekdayMoment,
  isToday,
} from "@/components/time/format-instant";
import type { TimeContext } from "@/lib/contract/time-context";
import type { DeliveryRowView, DeliveryView } from "@/lib/views/webhooks/read-delivery";

/** Poll while an attempt is due within this. */
const SOON_MS = 10_000;

/** An attempt is running or starts within seconds. */
export function isUnderWay({ state }: Pick<DeliveryRowView, "state">, { nowAt }: TimeContext): boolean {
  if (state.kind !== "WAITING" && state.kind !== "RETRYING") return false;
  return !state.isHeld && Date.parse(state.dueAt) <= Date.parse(nowAt) + SOON_MS;
}

/** Future attempts if it keeps failing; none while paused or ended. */
export function comingAttempts({
  state,
  nextAttempts,
}: Pick<DeliveryView, "state" | "nextAttempts">): string[] {
  if ((state.kind !== "WAITING" && state.kind !== "RETRYING") || state.isHeld) return [];
  return [state.dueAt, ...nextAttempts];
}

/** What comes next, or how it ended. */
export function deliveryWords(delivery: DeliveryView, time: TimeContext): { title: string; remark: string } {
  const { state, attempts } = delivery;
  const tries = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  switch (state.kind) {
    case "DELIVERED":
      return { title: `Delivered ${formatInSentence(state.at, time)}`, remark: `After ${tries}` };
    case "GAVE_UP":
      return { title: `Failed after ${tries}`, remark: "Redeliver it when the receiver works" };
    case "WAITING":
    case "RETRYING":
      if (state.isHeld) return { title: "Paused", remark: "Sent when the endpoint is switched on" };
      return {
        title: isUnderWay(delivery, time) ? "On its way now" : `Next try ${nextWords(state.dueAt, time)}`,
        remark: "Retries spread over 24 hours, then stop",
      };
  }
}

function nextWords(dueAt: string, time: TimeContext): string {
  const words = formatInSentence(dueAt, time);
  return words.startsWith("today ") ? words.slice("today ".length) : words;
}

/** The drawing as text. */
export function scheduleInWords(
  delivery: Pick<DeliveryView, "history" | "state" | "nextAttempts">,
  time: TimeContext,
): string {
  const { history } = delivery;
  const failed = history.filter(({ problem }) => problem !== null);
  const [first, last] = [failed[0], failed.at(-1)];
  const sentences: string[] = [];
  if (first && last) {
    sentences.push(
      failed.length === 1
        ? `One attempt failed ${formatInSentence(first.at, time)}.`
        : `${failed.length} attempts failed, the first ${formatInSentence(first.at, time)}, the last ${formatInSentence(last.at, time)}.`,
    );
  }
  const delivered = history.find(({ problem }) => problem === null);
  if (delivered) sentences.push(`It was delivered ${formatInSentence(delivered.at, time)}.`);
  const coming = comingAttempts(delivery);
  if (coming.length > 0) {
    const times = coming.map((at) => formatMoment(at, time).replace(/^Today/, "today"));
    sentences.push(`If it keeps failing, the next attempts are: ${times.join("; ")}.`);
  }
  return sentences.join(" ");
}

/** Clock time, with the weekday unless today. */
export function markWords(at: string, time: TimeContext): { clock: string; day: string | null } {
  const [weekday = ""] = formatWeekdayMoment(at, time).split(/[ ,]/);
  return { clock: formatClock(at, time), day: isToday(at, time) ? null : weekday };
}

/** With seconds if today. */
export function whenWords(at: string, time: TimeContext): string {
  return isToday(at, time) ? formatToSecond(at, time) : formatMoment(at, time);
}

/** The server stops counting here. */
const COUNTED_UP_TO = 1_000;

/** `1 delivery`, `12 deliveries`, `1,000 or more deliveries`. */
export function deliveryCount(count: number): string {
  return `${countWords(count)} ${count === 1 ? "delivery" : "deliveries"}`;
}

/** `12`, `1,000 or more`. */
export function countWords(count: number): string {
  const number = count.toLocaleString("en-US");
  return count >= COUNTED_UP_TO ? `${number} or more` : number;
}

/** `98.7%`; `100%` only if none failed. @param share 0 to 1 */
export function shareWords(share: number): string {
  if (share === 1) return "100%";
  // Rounded down: 99.96% is not all.
  return `${(Math.floor(share * 1_000) / 10).toFixed(1)}%`;
}
