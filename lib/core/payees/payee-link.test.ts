/** A link takes one account, once, and what it takes is never in force by itself. */
import { describe, expect, it } from "vitest";
import type { MemberRole } from "@/lib/contract/members";
import { confirmPayee, removePayee } from "@/lib/core/payees/decide-payee";
import { findPayeeLink, sendPayeeLink } from "@/lib/core/payees/payee-link";
import { forgetExpired } from "@/lib/core/work/forget-expired";
import { BankUnavailable } from "@/lib/ports/bank/bank-port";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { addPayee, givePayeeAccount } from "@/lib/testing/as-entered";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

const HOUR_MS = 3_600_000;
const account = {
  holderName: "Ana Ruiz",
  accountKind: "CHECKING" as const,
  routingNumber: "101050001",
  accountNumber: "987654321",
};
let networks = 0;

async function arrange() {
  const { services, clock, woken } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId } = organization;
  const bank = createSandboxBank(database.pool);
  const here = (member = organization.owner) => ({ ...member, now: clock.now() });
  const payeeId = await addPayee(services, bank, here(), {
    name: "Ana Ruiz",
    kind: "INDIVIDUAL",
    account: null,
  });
  const network = `192.0.2.${++networks}`;
  const send = async (member = organization.owner) => {
    const setting = { isSandboxBank: true };
    await sendPayeeLink(services, here(member), { payeeId, email: "ana@example.com" }, setting);
    const { rows } = await database.pool.query<{ bodyText: string }>(
      `select body_text as "bodyText" from messages where organization_id = $1 and recipient = 'ana@example.com'
        order by id desc limit 1`,
      [organizationId],
    );
    return /\/payee\/([A-Za-z0-9_-]{43})/.exec(rows[0]?.bodyText ?? "")?.[1] ?? "";
  };
  const give = (token: string, given: Partial<Record<keyof typeof account, string>> = {}) =>
    givePayeeAccount(services, bank, token, { ...account, ...given } as typeof account, network);
  const details = async () => {
    const { rows } = await database.pool.query(
      `select id, state, given_by_kind as by, account_number_last4 as last4 from payee_details
        where organization_id = $1 and payee_id = $2 order by id`,
      [organizationId, payeeId],
    );
    return rows;
  };
  return { services, clock, woken, organization, organizationId, bank, here, payeeId, send, give, details };
}

describe("a payee's link", () => {
  it("takes an account that waits for a member, and tells the owners", async () => {
    const { services, here, organizationId, payeeId, send, give, details, woken } = await arrange();
    const token = await send();
    expect(await findPayeeLink(services, token)).toMatchObject({ payeeId, payeeName: "Ana Ruiz" });
    expect(await give(token)).toEqual({ kind: "GIVEN" });
    const [given] = await details();
    expect(given).toMatchObject({ state: "WAITING", by: "PAYEE", last4: "4321" });
    const { rows } = await database.pool.query(
      `select e.kind, e.by_kind as "byKind", e.note from notices n join payee_events e
          on e.organization_id = n.organization_id and e.id = n.subject_id
        where n.organization_id = $1 order by n.id`,
      [organizationId],
    );
    expect(rows).toEqual([
      { kind: "PROPOSED", byKind: "MEMBER", note: null },
      { kind: "INVITED", byKind: "MEMBER", note: "ana@example.com" },
      { kind: "DETAILS_GIVEN", byKind: "PAYEE", note: null },
    ]);
    expect(woken).toContain("send-messages");
    await confirmPayee(services, here(), { payeeId, detailsId: given?.id, callBackNote: null });
    expect(await details()).toMatchObject([{ state: "CONFIRMED" }]);
  });

  it("registers what was typed once, also if the bank's answer was lost", async () => {
    const { services, bank, send, give, details } = await arrange();
    const token = await send();
    const registered: string[] = [];
    const silent: typeof bank = {
      ...bank,
      registerOutsideAccount: async ({ outsideAccountId }) => {
        registered.push(outsideAccountId);
        throw new BankUnavailable("no answer");
      },
    };
    for (const _ of [1, 2]) {
      const given = givePayeeAccount(services, silent, token, account, null);
      await expect(given).rejects.toThrow("The bank has not answered");
    }
    expect(registered).toHaveLength(2);
    expect(new Set(registered).size).toBe(1);
    expect(await give(token)).toEqual({ kind: "GIVEN" });
    expect(await details()).toHaveLength(1);
  });

  it("works once, also when it is used many times at once", async () => {
    const { send, give, details } = await arrange();
    const token = await send();
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => give(token)));
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(["GIVEN", "OVER", "OVER", "OVER", "OVER"]);
    expect(await details()).toHaveLength(1);
    expect(await give(token)).toEqual({ kind: "OVER" });
  });

  it("ends after 72 hours, with a newer one, and with the payee", async () => {
    const { services, clock, here, payeeId, send, give, details, organizationId } = await arrange();
    const first = await send();
    const second = await send();
    expect(await give(first)).toEqual({ kind: "OVER" });
    clock.advance(72 * HOUR_MS - 1);
    expect(await findPayeeLink(services, second)).not.toBeNull();
    clock.advance(1);
    expect(await give(second)).toEqual({ kind: "OVER" });
    await forgetExpired(services, 100);
    const third = await send();
    const { rows } = await database.pool.query("select 1 from payee_links where organization_id = $1", [
      organizationId,
    ]);
    expect(rows).toHaveLength(1);
    await removePayee(services, here(), payeeId);
    expect(await give(third)).toEqual({ kind: "OVER" });
    expect(await details()).toEqual([]);
  });

  it("ends when its sender is no longer an owner or co-owner", async () => {
    const { organization, organizationId, send, give } = await arrange();
    const jonas = await organization.addMember("CO_OWNER", "Jonas");
    const token = await send(jonas);
    await database.ownerPool.query(
      "update memberships set role = 'VIEWER' where organization_id = $1 and user_id = $2",
      [organizationId, jonas.actor.id],
    );
    expect(await give(token)).toEqual({ kind: "OVER" });
    await expect(send(jonas)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  });

  it("stays over when its sender regains the role, or returns after being removed", async () => {
    const { services, clock, organization, organizationId, send, give } = await arrange();
    const jonas = await organization.addMember("CO_OWNER", "Jonas");
    const change = (role: MemberRole) =>
      database.pool.query("select change_member_role($1, $2, $3, $4)", [
        organizationId,
        organization.owner.actor.id,
        jonas.actor.id,
        role,
      ]);
    const demoted = await send(jonas);
    await change("OWNER");
    expect(await findPayeeLink(services, demoted)).not.toBeNull();
    await change("VIEWER");
    await change("CO_OWNER");
    expect(await give(demoted)).toEqual({ kind: "OVER" });
    const removed = await send(jonas);
    await database.pool.query("select remove_member($1, $2, $3, $4, $4)", [
      organizationId,
      organization.owner.actor.id,
      jonas.actor.id,
      clock.now(),
    ]);
    await database.ownerPool.query(
      "insert into memberships (organization_id, user_id, role, created_at) values ($1, $2, 'CO_OWNER', now())",
      [organizationId, jonas.actor.id],
    );
    expect(await give(removed)).toEqual({ kind: "OVER" });
  });

  it("stays usable after a mistake, and no refusal repeats a digit", async () => {
    const { send, give } = await arrange();
    const token = await send();
    const refused = await give(token, { routingNumber: "123456789" }).then(() => "", String);
    expect(refused).not.toBe("");
    expect(refused).not.toMatch(/123456789|987654321/);
    expect(await give(token)).toEqual({ kind: "GIVEN" });
  });

  it("is guessed at no more often than a network may try", async () => {
    const { give, send } = await arrange();
    const token = await send();
    for (let attempt = 0; attempt < 100; attempt++) await give("x".repeat(43));
    expect(await give(token)).toMatchObject({ kind: "THROTTLED" });
  });

  it("is stored only as a hash, beside the message that is still to be sent", async () => {
    const { send } = await arrange();
    const token = await send();
    const { rows } = await database.ownerPool.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
    );
    const found: string[] = [];
    for (const { name } of rows) {
      const { rowCount } = await database.ownerPool.query(
        `select 1 from ${name} r where position($1 in r::text) > 0 limit 1`,
        [token],
      );
      if (rowCount !== 0) found.push(name);
    }
    expect(found).toEqual(["messages"]);
  });
});
