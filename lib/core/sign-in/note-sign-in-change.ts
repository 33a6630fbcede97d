import type { MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";

type SignInChange = "PASSWORD" | "AUTHENTICATOR_ON" | "AUTHENTICATOR_OFF";

const WORDS: Record<SignInChange, { subject: string; sentence: string }> = {
  PASSWORD: {
    subject: "Your password was changed",
    sentence: "The password of your Sluice account was changed, and you were signed out everywhere else.",
  },
  AUTHENTICATOR_ON: {
    subject: "An authenticator app was added",
    sentence: "Signing in to Sluice with your password now also requires a code from your authenticator app.",
  },
  AUTHENTICATOR_OFF: {
    subject: "Your authenticator app was removed",
    sentence: "You can sign in to Sluice with your password alone again, without a code.",
  },
};

const IF_NOT_YOU =
  "If this was not you, someone else is signed in as you. Ask an owner of your organization to remove you until this is resolved, or ask the operator of your Sluice to reset your sign-in.";

/**
 * Queues an email to the member whose sign-in method changed: the author may be someone else. Plain text without a link,
 * so that copies of it lead nowhere. Wake SEND_MESSAGES after it.
 * @param now real time
 */
export async function noteSignInChange(
  client: Queryable,
  person: Pick<MemberActor, "id" | "email" | "sessionId">,
  now: Date,
  change: SignInChange,
): Promise<void> {
  const { subject, sentence } = WORDS[change];
  await client.query(
    `insert into messages (organization_id, id, kind, channel, user_id, recipient, subject, body_text, status,
        created_at, due_at)
     select o.id, $2, 'SIGN_IN_CHANGED', 'EMAIL', $3, $4, $5, $6, 'QUEUED',
        $7::timestamptz + o.clock_offset_ms * interval '1 millisecond', '-infinity'
       from sessions s join organizations o on o.id = s.organization_id where s.id = $1`,
    [
      person.sessionId,
      newId(now),
      person.id,
      person.email,
      subject,
      [sentence, IF_NOT_YOU, ""].join("\n\n"),
      now,
    ],
  );
}
