import { z } from "zod";
import type { Permission } from "@/lib/contract/permissions";
import { plainText } from "@/lib/contract/plain-text";

/** How many names of one kind the process lists; the rest are counted. */
export const MAXIMUM_LISTED = 50;
/** How many of one kind the alerts of the year count. */
export const MAXIMUM_COUNTED_ALERTS = 5_000;

export const signReviewSchema = z.strictObject({
  /** SHA-256 of the process that was shown, in hex: nothing else is signed. */
  shownDigest: z.string().regex(/^[0-9a-f]{64}$/),
  note: plainText(1_000).trim().nullable(),
});

/** The settings that the process describes. Lists have one more than `MAXIMUM_LISTED` when some are left out. */
export interface ProcessFacts {
  organizationName: string;
  deciders: { name: string; role: "OWNER" | "CO_OWNER" }[];
  requiresSecondFactor: boolean;
  /** Keys that may move money, or ask for it. */
  keys: { name: string; permissions: Permission[]; dailyCapInCents: number | null }[];
  assistantCount: number;
  activeRules: string[];
  /** Rules whose webhook runs them without approval. */
  openHooks: string[];
  coolOff: { aboveInCents: number; hours: number };
  /** Null: a sandbox, from which no real money leaves. */
  moneyOut: { capInCents: number | null } | null;
  floors: { name: string; floorInCents: number }[];
  newPodFloorInCents: number | null;
  /** Owners and co-owners who turned off the email of a topic. */
  silenced: { topic: AlertTopic; name: string }[];
}

export const ALERT_TOPICS = ["RETURNS", "RECONCILIATION", "UNUSUAL_USE"] as const;
export type AlertTopic = (typeof ALERT_TOPICS)[number];

export const ALERT_KINDS = [
  "RETURNED",
  "REFUSED",
  "DIFFERENCE",
  "DECISION",
  "PAYEE",
  "CORRECTION",
  "KEY_USE",
  "RULE_PAUSED",
  "GATES",
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** The alerts of one kind in a year. */
export interface AlertGroup {
  kind: AlertKind;
  /** By code or event, the most frequent first. */
  counts: { code: string; count: number }[];
  /** More exist than were counted. */
  isCut: boolean;
}

/** One sentence of the process; `isInPlace` is false for a control that is missing. */
export interface ProcessLine {
  isInPlace: boolean;
  text: string;
}

export interface ProcessSection {
  title: string;
  /** Where its settings are; null in a text that was read back. */
  change: { href: string; label: string } | null;
  lines: ProcessLine[];
}

export interface ProcessDocument {
  title: string;
  intro: string;
  sections: ProcessSection[];
}
