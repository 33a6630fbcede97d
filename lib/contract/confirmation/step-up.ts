import type { MemberRole } from "@/lib/contract/members";
import type { Permission } from "@/lib/contract/permissions";

/**
 * What a step-up can confirm besides decisions and runs, which carry their own confirmation. A proof given for one of
 * these counts for nothing else, and once.
 */
export const STEP_UP_KINDS = [
  /** Completes the sign-in where an organization requires a second factor. */
  "COMPLETE_SIGN_IN",
  "CHANGE_PASSWORD",
  "CHANGE_PHONE",
  "REMOVE_PHONE",
  "ADD_PASSKEY",
  "REMOVE_PASSKEY",
  "ADD_AUTHENTICATOR",
  "REMOVE_AUTHENTICATOR",
  "MAKE_RECOVERY_CODES",
  "REQUIRE_SECOND_FACTOR",
  "CHANGE_TIME_ZONE",
  "RAISE_OUTGOING_CAP",
  "LOWER_NEW_POD_FLOOR",
  "LOWER_FLOOR",
  "SET_OWN_BANK_ACCOUNT",
  "INVITE",
  "RESEND_INVITATION",
  "CHANGE_ROLE",
  "REMOVE_MEMBER",
  "CREATE_KEY",
  "REPLACE_KEY",
  "RAISE_KEY_CAP",
  "MAKE_HOOK_SECRET",
  "RUN_HOOK_WITHOUT_APPROVAL",
  "ADD_ENDPOINT",
  "RECREATE_ENDPOINT",
  "DELETE_ENDPOINT",
  "CONFIRM_PAYEE",
  "SHORTEN_COOL_OFF",
  "REGISTER_ACCOUNT",
  "DISCONNECT_BANK",
  "ISSUE_CARD",
  "THAW_CARD",
  "BOOK_BANK_LINE",
  "SIGN_FRAUD_REVIEW",
] as const;

type StepUpKind = (typeof STEP_UP_KINDS)[number];

/** The act, and where there are several things that it could be done to, `:` and what is changed: an ID or a value. */
export type StepUpAct = StepUpKind | `${StepUpKind}:${string}`;

const STEP_UP_ACT_LIMIT = 300;
/** Room for the longest lists that a key's permissions may hold. */
const CREATE_KEY_LIMIT = 400_000;

/** A passkey's ID can be longer than an act; its beginning is random enough to name it. */
export function removePasskeyAct(passkeyId: string): StepUpAct {
  return `REMOVE_PASSKEY:${passkeyId.slice(0, 200)}`;
}

/** Uses the stored form of the number, without spaces and hyphens. */
export function changePhoneAct(phone: string): StepUpAct {
  return `CHANGE_PHONE:${phone.replaceAll(/[\s-]/g, "").slice(0, 40)}`;
}

/** An email address is the same in capitals. */
export function inviteAct({ email, role }: { email: string; role: MemberRole }): StepUpAct {
  return `INVITE:${role}:${email.trim().toLowerCase().slice(0, 254)}`;
}

/** An address can be longer than an act: its beginning names the receiver. */
export function addEndpointAct(url: string): StepUpAct {
  return `ADD_ENDPOINT:${url.trim().slice(0, 250)}`;
}

/** Cap and permissions are part of what is confirmed. */
export function createKeyAct({ name, dailyCapInCents, permissions }: NewKeyFacts): StepUpAct {
  return `CREATE_KEY:${amountIn(dailyCapInCents)}:${name.trim().slice(0, 200)}:${JSON.stringify(inOrder(permissions))}`;
}

interface NewKeyFacts {
  name: string;
  permissions: readonly Permission[];
  dailyCapInCents?: number | null;
}

/** The same text for the same facts, in whatever order their fields were written. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(
    fields.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, field]) => [name, inOrder(field)]),
  );
}

/** An amount of cents inside an act; null where there is none. */
export function amountIn(cents: number | null | undefined): string {
  return cents === null || cents === undefined ? "NONE" : String(cents);
}

/** @returns null for an act of another kind, or one that is too long */
export function parseStepUpAct(given: unknown): StepUpAct | null {
  if (typeof given !== "string") return null;
  const [kind = ""] = given.split(":", 1);
  const limit = kind === "CREATE_KEY" ? CREATE_KEY_LIMIT : STEP_UP_ACT_LIMIT;
  return given.length <= limit && isKind(kind) && isActOf(given, kind) ? given : null;
}

function isKind(kind: string): kind is StepUpKind {
  return STEP_UP_KINDS.some((known) => known === kind);
}

function isActOf(given: string, kind: StepUpKind): given is StepUpAct {
  return given === kind || given.startsWith(`${kind}:`);
}
