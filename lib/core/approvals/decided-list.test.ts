import { describe, expect, it } from "vitest";
import { approvalPlaceSchema, approvalSearchSchema } from "@/lib/contract/search/search-schemas";
import { expireProposals } from "@/lib/core/approvals/expire-proposals";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { exportDecided } from "@/lib/views/approvals/export-decided";
import { listProposals } from "@/lib/views/approvals/list-proposals";

const database = useTestDatabase();

const DAY_MS = 86_400_000;

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 500_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const one = await organization.addKey([moveAnything(true)], "one");
  const other = await organization.addKey([moveAnything(true)], "=other");
  const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
  const propose = (key: typeof one, amountInCents: number) => {
    clock.advance(60_000);
    return askTransfer(services, key.context, {
      sourceAccountId: operating,
      destinationAccountId: taxes,
      amountInCents,
    });
  };
  /** Writes what the deciding command leaves, without its checks. */
  const deny = (id: string, member: Context<MemberActor>) =>
    database.ownerPool.query(
      `update proposals set state = 'DENIED', decided_at = $2, decided_by = $3, decision_method = 'PASSWORD',
          decision_note = 'No', remind_at = null where id = $1`,
      [id, clock.now(), member.actor.id],
    );
  const list = (query: Record<string, unknown> = {}, member = organization.owner) =>
    listProposals(
      { services, context: { ...member, now: clock.now() }, time },
      approvalSearchSchema.parse(query),
      approvalPlaceSchema.parse(query),
    );
  return { services, clock, organization, one, other, time, propose, deny, list };
}

const amounts = ({ decided }: Awaited<ReturnType<typeof listProposals>>) =>
  decided.rows.map(({ subject }) => subject.amountInCents);

describe("the decided proposals", () => {
  it("are filtered by state, decider, requester and days, and paged without gaps", async () => {
    const { services, clock, organization, one, other, propose, deny, list } = await arrange();
    const jonas = await organization.addMember("CO_OWNER", "Jonas");
    await deny((await propose(one, 1_000)).id, organization.owner);
    await deny((await propose(other, 2_000)).id, jonas);
    await propose(one, 3_000);
    clock.advance(2 * DAY_MS);
    await expireProposals(services, 64);
    expect(amounts(await list())).toEqual([3_000, 2_000, 1_000]);
    expect(amounts(await list({ decided: "denied" }))).toEqual([2_000, 1_000]);
    expect(amounts(await list({ decided: "expired" }))).toEqual([3_000]);
    expect(amounts(await list({ decided: "revoked" }))).toEqual([]);
    expect(amounts(await list({ decider: jonas.actor.id }))).toEqual([2_000]);
    expect(amounts(await list({ by: one.id }))).toEqual([3_000, 1_000]);
    expect((await list()).decided.sum).toBeNull();
    expect((await list({ by: one.id })).decided.sum).toEqual({ summedCount: 2, sumInCents: 4_000 });
    const day = (await list()).decided.rows[0]?.decidedAt.slice(0, 10);
    expect(amounts(await list({ from: day }))).toEqual([3_000]);
    expect((await list()).decided.deciders.map(({ name }) => name)).toEqual(["Jonas", "Mara"]);

    for (let amount = 10_000; amount < 10_025; amount += 1) {
      await deny((await propose(one, amount)).id, organization.owner);
    }
    const first = await list();
    expect([first.decided.count.count, first.decided.newerHref, first.decided.rows.length]).toEqual([
      28,
      null,
      20,
    ]);
    const query = Object.fromEntries(new URL(first.decided.olderHref ?? "", "http://x").searchParams);
    const second = await list(query);
    expect(second.decided.firstPosition).toBe(21);
    expect(second.decided.olderHref).toBeNull();
    expect(new Set([...first.decided.rows, ...second.decided.rows].map(({ id }) => id)).size).toBe(28);
  });

  it("are counted by day beside those asked, every day of the range, in the organization's zone", async () => {
    const { services, clock, organization, one, propose, deny, list } = await arrange();
    await deny((await propose(one, 1_000)).id, organization.owner);
    await propose(one, 2_000);
    clock.advance(DAY_MS - 60_000);
    await deny((await propose(one, 3_000)).id, organization.owner);
    clock.advance(2 * DAY_MS);
    await expireProposals(services, 64);
    const { days } = await list();
    expect(days).toHaveLength(30);
    expect(days.at(-1)?.date).toBe("2026-01-18");
    const ofDay = (date: string) => days.find((day) => day.date === date);
    expect(ofDay("2026-01-15")).toMatchObject({ asked: 2, denied: 1, approved: 0 });
    expect(ofDay("2026-01-16")).toMatchObject({ asked: 1, denied: 1, approved: 0 });
    expect(days.map(({ lapsed }) => lapsed).reduce((sum, count) => sum + count)).toBe(1);
    const stranger = await arrange();
    expect((await stranger.list()).days.every(({ asked, denied }) => asked + denied === 0)).toBe(true);
  });

  it("can be exported for the own organization, but not by a viewer", async () => {
    const { services, clock, organization, other, time, propose, deny } = await arrange();
    const stranger = await arrange();
    const { id } = await propose(other, 2_000);
    await deny(id, organization.owner);
    await database.ownerPool.query("insert into transfer_labels values ($1, $2, '=INV-7', $3)", [
      organization.organizationId,
      id,
      JSON.stringify([{ key: "invoice", value: "7" }]),
    ]);
    const open = (member: Context<MemberActor>) =>
      exportDecided(services, { ...member, now: clock.now() }, approvalSearchSchema.parse({}), time);
    const linesOf = async (member: Context<MemberActor>) => {
      const parts = [];
      for await (const part of open(member).lines) parts.push(part);
      return parts.join("").trimEnd().split("\r\n");
    };
    const [head, line] = await linesOf(await organization.addMember("ACCOUNTANT", "Ada"));
    expect(line).toContain(",TRANSFER,,Operating,Taxes,20.00,'=other,API_KEY,DENIED,Mara,No,DENIED,");
    expect(head).toMatch(/,External id,Metadata,Documents \(SHA-256\)$/);
    expect(line).toMatch(/,'=INV-7,"\[\{""key"":""invoice"",""value"":""7""\}\]",$/);
    expect(await linesOf(stranger.organization.owner)).toHaveLength(1);
    const viewer = await organization.addMember("VIEWER", "Vera");
    expect(() => open(viewer)).toThrow("Only owners, co-owners and accountants may export.");
  });
});
