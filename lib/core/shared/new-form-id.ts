import { newId } from "@/lib/platform/ids";

/** Names a form from when its page was opened: what it sends again, after an answer that was lost, is the same act. */
export function newFormId({ now }: { now: Date }): string {
  return newId(now);
}
