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

/** A code that was made and not stored yet. */
interface NewPhoneCode {
  phone: string;
  code: string;
  hash: string;
}

/** What is hashed: a code that another member was sent, or for another number, fits nowhere else. */
export function phoneCodeSecret(userId: string, phone: string, code: string): string {
  return `sluice phone code ${userId} ${phone} ${code}`;
}

/**
 * Makes a code for a number, if this member, their network and the number may have another one. Run it before the
 * transaction that stores it: hashing is slow on purpose, and what was asked for stays counted.
 * @param networkAddress null where the door does not know it
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
    // Nothing was sent: the day of a member who is in a hurry must not be used up by it.
    await refundAttempt(services, own);
    throw tooMany(ofNumber.retryAfterSeconds);
  }
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  return { phone, code, hash: await hashPassword(phoneCodeSecret(userId, phone, code)) };
}

/** Stores the code in the place of any before it, and queues the SMS; under the lock of the member's row. */
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
    text: `Sluice: ${code} verifies this number. It is good for 10 minutes. Nobody from Sluice asks for it.`,
    goodUntil: expiresAt,
  });
}

/** Ends the code that waits, if there is one, also where its SMS has not left yet. */
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
    `Too many codes were asked for. Nothing was changed. Try again in ${wait}.`,
  );
}

/** A member's number in E.164. `verifiedAt` (real time) is null while nobody has shown that it is theirs. */
export type OwnPhone = { phone: null; verifiedAt: null } | { phone: string; verifiedAt: Date | null };

export async function readOwnPhone(database: Queryable, userId: string): Promise<OwnPhone> {
  const { rows } = await database.query<PhoneRow>(
    "select phone, phone_verified_at from users where id = $1",
    [userId],
  );
  return toOwnPhone(rows[0]);
}

/** The same under a lock until the commit: changes of one member's number come one after the other. */
export async function lockOwnPhone(client: Queryable, userId: string): Promise<OwnPhone> {
  const { rows } = await client.query<PhoneRow>(
    "select phone, phone_verified_at from users where id = $1 for no key update",
    [userId],
  );
  return toOwnPhone(rows[0]);
}

interface PhoneRow {
  phone: string | null;
  phone_verified_at: Date | null;
}

function toOwnPhone(row: PhoneRow | undefined): OwnPhone {
  if (!row) throw new Error("A member who is signed in was not found.");
  if (row.phone === null) return { phone: null, verifiedAt: null };
  return { phone: row.phone, verifiedAt: row.phone_verified_at };
}
