import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { PAYEE_LINK_LIFETIME_MS, type PayeeKind, type payeeAccountSchema } from "@/lib/contract/payee";
import { type GivingServices, registerAtBank, writeDetails } from "@/lib/core/payees/give-details";
import { lockPayee, recordPayeeEvent } from "@/lib/core/payees/payee-record";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { readBusinessTime } from "@/lib/core/shared/read-business-time";
import { requireDecider } from "@/lib/core/shared/roles";
import { byNetwork, takeAttempt, takeInvitation } from "@/lib/core/shared/throttle";
import { SEND_MESSAGES, SEND_NOTICES } from "@/lib/core/shared/work-names";
import { emailSchema } from "@/lib/core/sign-in/person";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import type { BankPort } from "@/lib/ports/bank/bank-port";
import { renderPayeeLink } from "@/lib/words/messages/payee-link";

export const newPayeeLinkSchema = z.object({ payeeId: z.uuid(), email: emailSchema });

/**
 * Emails a link through which the payee enters their own account: valid once and for 72 hours. An earlier link ends. What
 * is entered waits for a member, who still has to call back: anyone who reads that mailbox can use the link.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` for an invalid address and where
 * there is no such payee; `RATE_LIMIT_EXCEEDED` after too many invitations.
 */
export async function sendPayeeLink(
  services: Pick<Services, "pool" | "clock" | "wake" | "appUrl">,
  context: Context<MemberActor>,
  { payeeId, email }: z.output<typeof newPayeeLinkSchema>,
  setting: { isSandboxBank: boolean },
): Promise<void> {
  const { organizationId, actor } = context;
  await requireDecider(services.pool, context, "send a payee a link");
  await takeInvitation(services, organizationId, { email, noun: "links" });
  const realNow = services.clock.now();
  const expiresAt = new Date(realNow.getTime() + PAYEE_LINK_LIFETIME_MS);
  const token = randomBytes(32).toString("base64url");
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "send a payee a link");
    const payee = await lockPayee(client, organizationId, payeeId);
    await client.query("delete from payee_links where organization_id = $1 and payee_id = $2", [
      organizationId,
      payeeId,
    ]);
    await client.query(
      `insert into payee_links (organization_id, id, payee_id, token_hash, sent_to, sent_by, sent_at, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [organizationId, newId(realNow), payeeId, hashToken(token), email, actor.id, realNow, expiresAt],
    );
    await client.query("update payees set email = $3 where organization_id = $1 and id = $2", [
      organizationId,
      payeeId,
      email,
    ]);
    await queueLink(client, context, { email, expiresAt, url: `${services.appUrl}/payee/${token}` }, setting);
    await recordPayeeEvent(client, context, {
      payeeId,
      kind: "INVITED",
      by: { kind: "MEMBER", id: actor.id, name: actor.name },
      name: payee.name,
      accountNumberLast4: null,
      version: null,
      note: email,
    });
  });
  services.wake(SEND_MESSAGES);
  services.wake(SEND_NOTICES);
}

/** The link is in this message only, whose text is deleted once it is sent. */
async function queueLink(
  client: Queryable,
  { organizationId, actor, now }: Context<MemberActor>,
  { email, expiresAt, url }: { email: string; expiresAt: Date; url: string },
  { isSandboxBank }: { isSandboxBank: boolean },
): Promise<void> {
  const { rows } = await client.query<{ name: string; timeZone: string }>(
    `select name, time_zone as "timeZone" from organizations where id = $1`,
    [organizationId],
  );
  const organizationName = rows[0]?.name ?? "";
  const rendered = renderPayeeLink(
    { sentBy: actor.name, expiresAt, url },
    { organizationName, timeZone: rows[0]?.timeZone ?? "UTC", isSandboxBank },
  );
  await client.query(
    `insert into messages (organization_id, id, kind, channel, user_id, recipient, subject, body_text, body_html, status,
        created_at, due_at, good_until)
     values ($1, $2, 'INVITATION', 'EMAIL', null, $3, $4, $5, $6, 'QUEUED', $7, '-infinity', $8)`,
    [organizationId, newId(now), email, rendered.subject, rendered.text, rendered.html, now, expiresAt],
  );
}

const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

const hashToken = (token: string) => createHash("sha256").update(token).digest();

/** What a link is for; shows nothing else of the payee, since mailboxes are read by others. */
export interface FoundPayeeLink {
  linkId: string;
  organizationId: string;
  organizationName: string;
  payeeId: string;
  payeeName: string;
  payeeKind: PayeeKind;
  sentBy: string;
}

/** Valid: not used, replaced or expired, and its sender may still decide. */
const FIND_LINK = `
  select l.id as "linkId", l.organization_id as "organizationId", o.name as "organizationName", p.id as "payeeId", p.name as "payeeName",
      p.kind as "payeeKind", l.sent_by as "sentBy"
    from payee_links l
    join organizations o on o.id = l.organization_id
    join payees p on p.organization_id = l.organization_id and p.id = l.payee_id and p.removed_at is null
    join memberships m on m.organization_id = l.organization_id and m.user_id = l.sent_by
      and m.role in ('OWNER', 'CO_OWNER')
   where l.token_hash = $1 and l.expires_at > $2`;

/** What a link is for. Null: not or no longer valid, without revealing why. */
export async function findPayeeLink(
  services: { pool: Queryable; clock: Services["clock"] },
  token: string,
): Promise<FoundPayeeLink | null> {
  if (!TOKEN_PATTERN.test(token)) return null;
  const { rows } = await services.pool.query<FoundPayeeLink>({
    name: "find_payee_link",
    text: FIND_LINK,
    values: [hashToken(token), services.clock.now()],
  });
  return rows[0] ?? null;
}

export type GivePayeeAccountResult =
  | { kind: "GIVEN" }
  | { kind: "OVER" }
  | { kind: "THROTTLED"; retryAfterSeconds: number };

/**
 * Takes what a payee typed: registers the account at the bank, then consumes the link and lets the details wait for a
 * member. An account that the bank refuses leaves the link usable; of concurrent uses one succeeds.
 * @throws AppError `INVALID_PARAMETERS` for an invalid field or an account that the bank refuses; no message repeats a digit
 */
export async function givePayeeAccount(
  services: GivingServices & Pick<Services, "clock">,
  bank: BankPort,
  token: string,
  account: z.output<typeof payeeAccountSchema>,
  networkAddress: string | null,
): Promise<GivePayeeAccountResult> {
  const attempt = await takeAttempt(services, [byNetwork(networkAddress)]);
  if (attempt.kind === "THROTTLED") return attempt;
  const link = await findPayeeLink(services, token);
  if (!link) return { kind: "OVER" };
  const { organizationId, payeeId } = link;
  const now = await readBusinessTime(services, organizationId);
  const by = { organizationId, now };
  const details = await registerAtBank(services, bank, by, link.payeeKind, account, link.linkId);
  const isGiven = await inTransaction(services.pool, async (client) => {
    // The payee before its link, as in removePayee.
    await client.query("select lock_payees($1, $2)", [organizationId, [payeeId]]);
    const current = await findPayeeLink({ pool: client, clock: services.clock }, token);
    if (!current) return false;
    await client.query("delete from payee_links where organization_id = $1 and payee_id = $2", [
      organizationId,
      payeeId,
    ]);
    await writeDetails(
      client,
      { organizationId, now },
      {
        payeeId,
        name: current.payeeName,
        kind: current.payeeKind,
        rail: "ACH",
        by: { kind: "PAYEE", id: current.sentBy, name: current.payeeName },
        details,
      },
    );
    return true;
  });
  if (!isGiven) return { kind: "OVER" };
  services.wake(SEND_NOTICES);
  return { kind: "GIVEN" };
}
