import { z } from "zod";
import { changePhoneAct } from "@/lib/contract/confirmation/step-up";
import { AppError } from "@/lib/contract/error";
import { phoneCodeSchema, phoneSchema } from "@/lib/contract/notifications";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { maskPhone, queueToMember } from "@/lib/core/shared/queue-message";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import { verifyPassword } from "@/lib/core/sign-in/password";
import {
  endPhoneCode,
  lockOwnPhone,
  makePhoneCode,
  type OwnPhone,
  PHONE_CODE_TRIES,
  phoneCodeSecret,
  readOwnPhone,
  writePhoneCode,
} from "@/lib/core/sign-in/phone-code";
import { checkPresence, requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";
import { wrongCode } from "@/lib/words/wrong-code";

export const newPhoneSchema = z.object({ phone: phoneSchema });

/**
 * Sets or changes the member's own number and sends a code to it. Until it is entered, neither the new nor the old number
 * gets other messages. The member is notified by email, and a verified old number by SMS.
 * @param networkAddress null where the transport does not know it
 * @throws NotConfirmed without presence, where a verified number would be replaced: someone at an unattended browser must
 * not redirect or silence notifications. AppError `INVALID_PARAMETERS` for an invalid number or the current verified one,
 * `RATE_LIMIT_EXCEEDED` after too many codes.
 */
export async function setPhone(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
  { phone }: z.output<typeof newPhoneSchema>,
  networkAddress: string | null,
): Promise<void> {
  const now = services.clock.now();
  const { actor } = context;
  // Checked before anything is counted or hashed, and again under the lock.
  const own = await readOwnPhone(services.pool, actor.id);
  if (mustConfirm(own, phone)) await checkPresence(services.pool, actor, now, changePhoneAct(phone));
  const code = await makePhoneCode(services, actor.id, phone, networkAddress);
  await inTransaction(services.pool, async (client) => {
    const before = await lockOwnPhone(client, actor.id);
    if (mustConfirm(before, phone)) await requirePresence(client, actor, now, changePhoneAct(phone));
    await client.query("update users set phone = $2, phone_verified_at = null where id = $1", [
      actor.id,
      phone,
    ]);
    await writePhoneCode(client, context, code, now);
    if (before.verifiedAt)
      await notePhoneChange(client, context, { kind: "CHANGED", oldPhone: before.phone });
  });
  services.wake(SEND_MESSAGES);
}

/** @throws AppError where this is the verified number */
function mustConfirm(before: OwnPhone, phone: string): boolean {
  if (!before.verifiedAt) return false;
  if (before.phone === phone)
    throw new AppError("INVALID_PARAMETERS", "This number is already verified. Nothing was changed.");
  return true;
}

/**
 * Sends a new code to the member's own unverified number, replacing the previous one.
 * @param networkAddress null where the transport does not know it
 * @throws AppError `INVALID_PARAMETERS` where there is nothing to verify, `RATE_LIMIT_EXCEEDED` after too many codes.
 */
export async function sendPhoneCode(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
  networkAddress: string | null,
): Promise<void> {
  const userId = context.actor.id;
  const { phone, verifiedAt } = await readOwnPhone(services.pool, userId);
  if (phone === null || verifiedAt) throw nothingToVerify();
  const code = await makePhoneCode(services, userId, phone, networkAddress);
  await inTransaction(services.pool, async (client) => {
    const current = await lockOwnPhone(client, userId);
    // Changed or verified in another tab since: this code would be for a replaced number.
    if (current.phone !== phone || current.verifiedAt) throw nothingToVerify();
    await writePhoneCode(client, context, code, services.clock.now());
  });
  services.wake(SEND_MESSAGES);
}

const nothingToVerify = () =>
  new AppError("INVALID_PARAMETERS", "There is no number to verify. Reload the page.");

interface TriedCode {
  phone: string;
  hash: string;
  triesLeft: number;
}

/**
 * Checks the code for the member's number, which then receives messages. A code works once, within ten minutes and five
 * tries.
 * @throws AppError `INVALID_PARAMETERS` with a sentence for the member.
 */
export async function verifyPhone(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
  input: { code: string },
): Promise<void> {
  const code = phoneCodeSchema.safeParse(input.code).data;
  if (code === undefined) throw refused("The code has six digits. Nothing was verified.");
  const now = services.clock.now();
  const userId = context.actor.id;
  const tried = await takeTry(services.pool, userId, now);
  if (!tried) throw ranOut();
  // Slow, and in constant time wherever the digits differ.
  if (!(await verifyPassword(tried.hash, phoneCodeSecret(userId, tried.phone, code))))
    throw refused(wrongCode(tried.triesLeft));
  await inTransaction(services.pool, async (client) => {
    const own = await lockOwnPhone(client, userId);
    if (own.phone !== tried.phone || !(await spendCode(client, userId, tried, now))) throw ranOut();
    await endPhoneCode(client, userId);
    await client.query("update users set phone_verified_at = $2 where id = $1", [userId, now]);
    await notePhoneChange(client, context, { kind: "VERIFIED", phone: tried.phone });
  });
  services.wake(SEND_MESSAGES);
}

/** Counts before the code is compared: of concurrent tries no more than five are compared. */
async function takeTry(database: Queryable, userId: string, now: Date): Promise<TriedCode | null> {
  const { rows } = await database.query<{ phone: string; codeHash: string; tries: number }>(
    `update phone_codes set tries = tries + 1 where user_id = $1 and expires_at > $2 and tries < $3
     returning phone, code_hash as "codeHash", tries`,
    [userId, now, PHONE_CODE_TRIES],
  );
  const row = rows[0];
  return row ? { phone: row.phone, hash: row.codeHash, triesLeft: PHONE_CODE_TRIES - row.tries } : null;
}

async function spendCode(
  client: Queryable,
  userId: string,
  { hash }: TriedCode,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await client.query(
    "delete from phone_codes where user_id = $1 and code_hash = $2 and expires_at > $3",
    [userId, hash, now],
  );
  return rowCount === 1;
}

const refused = (message: string) => new AppError("INVALID_PARAMETERS", message);

const ranOut = () => refused("This code is no longer valid. Request a new one.");

/**
 * Removes the member's own number; no more SMS go there. For a verified one the member is notified by email, and the
 * number by SMS.
 * @throws NotConfirmed without presence where the number is verified; AppError `INVALID_PARAMETERS` where there is none.
 */
export async function removePhone(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
): Promise<void> {
  const now = services.clock.now();
  const { actor } = context;
  await inTransaction(services.pool, async (client) => {
    const before = await lockOwnPhone(client, actor.id);
    if (before.phone === null)
      throw new AppError("INVALID_PARAMETERS", "You have no number. Nothing was changed.");
    if (before.verifiedAt) await requirePresence(client, actor, now, "REMOVE_PHONE");
    await endPhoneCode(client, actor.id);
    await client.query("update users set phone = null, phone_verified_at = null where id = $1", [actor.id]);
    if (before.verifiedAt)
      await notePhoneChange(client, context, { kind: "REMOVED", oldPhone: before.phone });
  });
  services.wake(SEND_MESSAGES);
}

type PhoneChange =
  | { kind: "CHANGED"; oldPhone: string }
  | { kind: "REMOVED"; oldPhone: string }
  | { kind: "VERIFIED"; phone: string };

const IF_NOT_YOU =
  "If this was not you, someone else is signed in as you. Sign in to Sluice, correct your number under Notifications, and check your sign-in methods under Security.";

const TO_OLD_NUMBER =
  "Sluice: messages to you no longer come to this number. If this was not you, sign in and check Notifications.";

/**
 * Queues an email to the member and an SMS to the verified number that was replaced: the author may be someone else, and
 * the new number would not reach the member. Plain text without a link.
 */
async function notePhoneChange(
  client: Queryable,
  context: Context<MemberActor>,
  change: PhoneChange,
): Promise<void> {
  const { subject, sentence } = wordsOf(change);
  await queueToMember(client, context, {
    kind: "PHONE_CHANGED",
    channel: "EMAIL",
    recipient: context.actor.email,
    subject,
    text: [sentence, IF_NOT_YOU, ""].join("\n\n"),
    goodUntil: null,
  });
  if (change.kind === "VERIFIED") return;
  await queueToMember(client, context, {
    kind: "PHONE_CHANGED",
    channel: "SMS",
    recipient: change.oldPhone,
    subject: null,
    text: TO_OLD_NUMBER,
    goodUntil: null,
  });
}

function wordsOf(change: PhoneChange): { subject: string; sentence: string } {
  if (change.kind === "VERIFIED") {
    return {
      subject: "Your phone number was verified",
      sentence: `Text messages from Sluice now go to ${maskPhone(change.phone)}.`,
    };
  }
  const noLonger = `Text messages from Sluice no longer go to ${maskPhone(change.oldPhone)}.`;
  if (change.kind === "REMOVED") return { subject: "Your phone number was removed", sentence: noLonger };
  return {
    subject: "Your phone number was changed",
    sentence: `${noLonger} They will go to the new number once it is verified.`,
  };
}
