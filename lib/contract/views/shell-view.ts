import type { MemberRole } from "@/lib/contract/members";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** What a member chose; `SYSTEM` follows the device. Kept in the cookie `theme`. */
export type Theme = "LIGHT" | "DARK" | "SYSTEM";

/** The list pages in the navigation. */
export type NavigationId =
  | "OVERVIEW"
  | "APPROVALS"
  | "ACCOUNTS"
  | "MOVEMENTS"
  | "PAYEES"
  | "RULES"
  | "CARDS"
  | "PROFILE"
  | "API_KEYS"
  | "ASSISTANTS"
  | "WEBHOOKS"
  | "AUDIT"
  | "REFERENCE"
  | "SANDBOX"
  | "MEMBERS"
  | "SETTINGS";

/** Closed gates: nothing of the organization moves until an owner or co-owner opens them. */
export interface ClosedGatesView {
  closingId: string;
  /** Business time. */
  closedAt: string;
  /** Null: the reader. */
  closedByName: string | null;
  /** Whether the reader opens with a passkey. */
  hasPasskey: boolean;
  time: TimeContext;
}

/** What surrounds every page of a signed-in member. */
export interface ShellView {
  /** The member and organization this page showed, sent with every request (lib/contract/shown.ts). */
  shown: string;
  organization: { id: string; name: string };
  /** All organizations of this member, the current one included. */
  organizations: { id: string; name: string }[];
  user: { name: string; email: string; role: MemberRole };
  /** Proposals that wait for this member's decision. */
  waitingCount: number;
  /** Versions of rules that wait for their activation. */
  rulesCount: number;
  /** Of the data this page was rendered from: when they differ, it is out of date. */
  stamps: LiveView["stamps"];
  /** Null while the gates are open. */
  closedGates: ClosedGatesView | null;
  /** Where the first steps of a new organization continue; null once ended, and for readers who may not take them. */
  onboardingHref: string | null;
  /** True until a real bank is configured: the shell then says that no real money moves. */
  isSandbox: boolean;
  /** Whether members may simulate the outside world, because none of it is real. */
  hasSandboxPage: boolean;
  /** Whether cards are offered: nothing invented is, beside real money. */
  hasCards: boolean;
  theme: Theme;
}

/** The theme cookie. It holds no secret and identifies nobody. */
export const THEME_COOKIE = "theme";

/** A year, in seconds. */
export const THEME_COOKIE_MAX_AGE_SECONDS = 31_536_000;

/** The theme in a cookie's value; anything unknown follows the device. */
export function parseTheme(value: string | undefined): Theme {
  return value === "LIGHT" || value === "DARK" ? value : "SYSTEM";
}

/** The value of `data-theme` on `<html>`; undefined follows the device. */
export function themeAttribute(theme: Theme): "light" | "dark" | undefined {
  if (theme === "SYSTEM") return undefined;
  return theme === "LIGHT" ? "light" : "dark";
}

/** The cookie that switches single-key shortcuts off. It holds no secret. */
export const KEYS_COOKIE = "keys";

/** A year, in seconds. */
export const KEYS_COOKIE_MAX_AGE_SECONDS = 31_536_000;

/** Whether single-key shortcuts work in this browser; only `off` disables them. */
export function parseSingleKeys(value: string | undefined): boolean {
  return value !== "off";
}

interface Named {
  id: string;
  name: string;
}

/** A tab shows one member or organization while the session has become another's. */
export type ElsewhereView =
  | {
      kind: "ORGANIZATION";
      /** On screen. Null: not an organization of this member, or not any longer. */
      shown: Named | null;
      /** Chosen since, in another tab. */
      current: Named;
      /** What a form for switching back sends (`SHOWN_FIELD`). */
      sends: string;
    }
  /** Signed in since, in another tab. Nothing tells who the tab showed: the session may no longer know. */
  | { kind: "PERSON"; name: string };

/** Why a tab that shows another member can do nothing. */
export function signedInAs(name: string): string {
  return `You are signed in as ${name} now. Look again.`;
}

/**
 * Parses a poll's 409 answer by hand, like `parseLiveView`.
 * @throws Error for any other shape
 */
export function parseElsewhere(answer: unknown): ElsewhereView {
  const { kind, shown, current, sends, name } = Object(answer);
  if (kind === "PERSON" && typeof name === "string") return { kind, name };
  const parsedCurrent = parseNamed(current);
  if (!parsedCurrent) throw new Error("The answer names neither an organization nor a person");
  return {
    kind: "ORGANIZATION",
    shown: parseNamed(shown),
    current: parsedCurrent,
    sends: typeof sends === "string" ? sends : "",
  };
}

function parseNamed(given: unknown): Named | null {
  const { id, name } = Object(given);
  return typeof id === "string" && typeof name === "string" ? { id, name } : null;
}

/** What `GET /live` answers. */
export interface LiveView {
  /** Proposals that wait. */
  waitingCount: number;
  /** Versions of rules that wait for their activation. */
  rulesCount: number;
  /** One each for what waits, money and deliveries; a stamp changes with any of its data. */
  stamps: { waiting: string; money: string; webhooks: string };
}

/**
 * Parsed by hand: a schema library, for these five fields, would be a tenth of every page's scripts.
 * @throws Error for any other shape
 */
export function parseLiveView(answer: unknown): LiveView {
  const { waitingCount, rulesCount, stamps } = Object(answer);
  const { waiting, money, webhooks } = Object(stamps);
  const areStamps = [waiting, money, webhooks].every((stamp) => typeof stamp === "string");
  const areCounts = [waitingCount, rulesCount].every((count) => Number.isSafeInteger(count) && count >= 0);
  if (!areCounts || !areStamps) {
    throw new Error("GET /live returned an unexpected answer");
  }
  return { waitingCount, rulesCount, stamps: { waiting, money, webhooks } };
}
