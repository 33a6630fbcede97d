import { randomInt } from "node:crypto";
import { AppError } from "@/lib/contract/error";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { queueToMember } from "@/lib/core/shared/queue-message";
import {
  byMemberTexting,
  byNetworkTexting,
  byNumberTexted,
  refundAttempt,
  takeAttempt,
} from "@/lib/core/shared/throttle";
import { hashPassword } from "@/lib/core/sign-in/password";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

export const PHONE_CODE_LIFETIME_MS = 10 * 60_000;
export const PHONE_CODE_TRIES = 5;

/** A new code that is not stored yet. */
interface NewPhoneCode {
  phone: string;
  code: string;
  hash: string;
}

/** The hashed text: it binds the code to one member and number. */
export function phoneCodeSecret(userId: string, phone: string, code: string): string {
  return `sluice phone code ${userId} ${phone} ${code}`;
}

/**
 * Creates a code for a number, if the limits of member, network and number allow it. Run it before the transaction that
 * stores it: hashing is slow on purpose, and the attempt stays counted.
 * @param networkAddress null where the transport does not know it
 * @throws AppError `RATE_LIMIT_EXCEEDED`
 */
export async function makePhoneCode(
  services: Pick<Services, "pool" | "clock">,
  userId: string,
  phone: string,
  networkAddress: string | null,
): Promise<NewPhoneCode> {
  const own = await takeAttempt(services, [byMemberTexting(userId), byNetworkTexting(networkAddress)]);
  if (own.kind === "THROTTLED") throw tooMany(own.retryAfterSeconds);
  const ofNumber = await takeAttempt(services, [byNumberTexted(phone)]);
  if (ofNumber.kind === "THROTTLED") {
    // Nothing was sent, so it must not use up the member's day.
    await refundAttempt(services, own);
    throw tooMany(ofNumber.retryAfterSeconds);
  }
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  return { phone, code, hash: await hashPassword(phoneCodeSecret(userId, phone, code)) };
}

/** Stores the code, replacing any previous one, and queues the SMS, under the lock of the member's row. */
export async function writePhoneCode(
  client: Queryable,
  context: Context<MemberActor>,
  { phone, code, hash }: NewPhoneCode,
  now: Date,
): Promise<void> {
  const expiresAt = new Date(now.getTime() + PHONE_CODE_LIFETIME_MS);
  await endPhoneCode(client, context.actor.id);
  await client.query(
    "insert into phone_codes (user_id, phone, code_hash, expires_at) values ($1, $2, $3, $4)",
    [context.actor.id, phone, hash, expiresAt],
  );
  await queueToMember(client, context, {
    kind: "PHONE_CODE",
    channel: "SMS",
    recipient: phone,
    subject: null,
    text: `Sluice: ${code} verifies this number. It is valid for 10 minutes. Sluice never asks you for it.`,
    goodUntil: expiresAt,
  });
}

/** Ends the pending code, if any, even if its SMS was not sent yet. */
export async function endPhoneCode(client: Queryable, userId: string): Promise<void> {
  await client.query("delete from phone_codes where user_id = $1", [userId]);
  await client.query(
    `update messages set status = 'FAILED', due_at = null, body_text = '', last_error = 'It was no longer needed.'
      where user_id = $1 and kind = 'PHONE_CODE' and status = 'QUEUED'`,
    [userId],
  );
}

function tooMany(retryAfterSeconds: number): AppError {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
  return new AppError(
    "RATE_LIMIT_EXCEEDED",
    `Too many codes were requested. Nothing was changed. Try again in ${wait}.`,
  );
}

/** A member's number in E.164. `verifiedAt` (real time) is null until they have proved that it is theirs. */
export type OwnPhone = { phone: null; verifiedAt: null } | { phone: string; verifiedAt: Date | null };

export async function readOwnPhone(database: Queryable, userId: string): Promise<OwnPhone> {
  const { rows } = await database.query<PhoneRow>(
    `select phone, phone_verified_at as "phoneVerifiedAt" from users where id = $1`,
    [userId],
  );
  return toOwnPhone(rows[0]);
}

/** Locked until the commit, so that changes of one member's number are serialized. */
export async function lockOwnPhone(client: Queryable, userId: string): Promise<OwnPhone> {
  const { rows } = await client.query<PhoneRow>(
    `select phone, phone_verified_at as "phoneVerifiedAt" from users where id = $1 for no key update`,
    [userId],
  );
  return toOwnPhone(rows[0]);
}

interface PhoneRow {
  phone: string | null;
  phoneVerifiedAt: Date | null;
}

function toOwnPhone(row: PhoneRow | undefined): OwnPhone {
  if (!row) throw new Error("A signed-in member was not found.");
  if (row.phone === null) return { phone: null, verifiedAt: null };
  return { phone: row.phone, verifiedAt: row.phoneVerifiedAt };
}
