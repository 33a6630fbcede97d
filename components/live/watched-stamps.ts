import type { LiveView } from "@/lib/contract/views/live-view";

type Stamp = keyof LiveView["stamps"];

/** The pages that keep up by themselves, and what each of them shows. Others change only when somebody acts on them. */
const WATCHED: readonly { path: RegExp; stamps: readonly Stamp[] }[] = [
  { path: /^\/$/, stamps: ["waiting", "money"] },
  { path: /^\/approvals$/, stamps: ["waiting"] },
  { path: /^\/transfers(\/(cards|outside|[0-9a-f-]{36}))?$/, stamps: ["money"] },
  { path: /^\/accounts(\/[0-9a-f-]{36})?$/, stamps: ["waiting", "money"] },
  { path: /^\/rules\/[0-9a-f-]{36}\/runs(\/[0-9a-f-]{36})?$/, stamps: ["waiting", "money"] },
  { path: /^\/settings\/webhooks(\/[0-9a-f-]{36})?$/, stamps: ["webhooks"] },
];

/** Whether what this page shows has changed since it was rendered. */
export function isOutOfDate(path: string, shown: LiveView["stamps"], now: LiveView["stamps"]): boolean {
  const stamps = WATCHED.find((watched) => watched.path.test(path))?.stamps ?? [];
  return stamps.some((stamp) => shown[stamp] !== now[stamp]);
}
