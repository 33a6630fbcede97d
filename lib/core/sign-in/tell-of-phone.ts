import type { Context, MemberActor } from "@/lib/core/shared/context";
import { maskPhone } from "@/lib/core/shared/mask-recipient";
import { queueToMember } from "@/lib/core/shared/queue-to-member";
import type { Queryable } from "@/lib/db/transaction";

export type PhoneChange =
  | { kind: "CHANGED"; oldPhone: string }
  | { kind: "REMOVED"; oldPhone: string }
  | { kind: "VERIFIED"; phone: string };

const IF_NOT_YOU =
  "If that was not you, somebody else is signed in as you. Sign in to Sluice, open Notifications to set your number right, and Security to see how you sign in.";

const TO_OLD_NUMBER =
  "Sluice: messages to you no longer come to this number. If that was not you, sign in and look at Notifications.";

/**
 * Queues an email to the member whose number changed and an SMS to the verified number that they left: who changed it
 * may be somebody else, and the new number would not tell the member. In plain text and without a link.
 */
export async function tellOfPhone(
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
    sentence: `${noLonger} They will go to another number once that is verified.`,
  };
}
