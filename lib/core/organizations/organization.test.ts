import { describe, expect, it } from "vitest";
import { listBeneficiaries, removeBeneficiary, setDefaultBeneficiary } from "@/lib/core/ledger/beneficiaries";
import { reopenAccount } from "@/lib/core/ledger/close-account";
import { createAccount, createAccountAsMember } from "@/lib/core/ledger/create-account";
import { changeMemberRole, removeMember } from "@/lib/core/organizations/change-member";
import { readLimitsUsed } from "@/lib/core/rules/read-rule-facts";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { WriteRequest } from "@/lib/core/shared/write-once";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { newId } from "@/lib/platform/ids";
import {
  changeTimeZone,
  createBeneficiary,
  renameBeneficiary,
  renameOrganization,
  setNewPodFloor,
} from "@/lib/testing/as-entered";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { readRecordedChanges } from "@/lib/testing/recorded-changes";
import { createTestServices } from "@/lib/testing/services";
import { readNewPodFloor, readOrganization } from "@/lib/views/organization/read-organization";

const database = useTestDatabase();

const REQUEST: WriteRequest = {
  sent: {
    method: "POST",
    path: "/platform/v1/accounts",
    idempotencyKey: null,
    calledReason: null,
    body: null,
  },
  auditAction: null,
  status: 201,
  idempotency: null,
};
const TIME = { nowAt: "2026-01-15T17:00:00.000Z", timeZone: "UTC", locale: "en-US" };

async function arrange() {
  const created = createTestServices(database);
  return { ...created, ...(await createTestOrganization(database, created.services)) };
}

type Arranged = Awaited<ReturnType<typeof arrange>>;

async function openPod({ services, owner }: Arranged, beneficiaryId?: string): Promise<string> {
  return createAccountAsMember(services, owner, {
    type: "POD",
    name: "A pod",
    floorInCents: null,
    ...(beneficiaryId && { beneficiaryId }),
  });
}

const floorOf = async (accountId: string) => {
  const { rows } = await database.pool.query<{ floor: number | null }>(
    "select floor_in_cents as floor from accounts where id = $1",
    [accountId],
  );
  return rows[0]?.floor;
};

describe("the organization's settings", () => {
  it("are changed by owners and co-owners, seen by all, and each change is recorded with its author", async () => {
    const { services, owner, addMember } = await arrange();
    const jonas = await addMember("CO_OWNER", "Jonas");
    await renameOrganization(services, owner, { name: "  Northwind Studio LLC " });
    await changeTimeZone(services, jonas, { timeZone: "Europe/Berlin" });
    await setNewPodFloor(services, jonas, { floorInCents: 50_000 });
    // An unchanged value is not a change.
    await renameOrganization(services, jonas, { name: "Northwind Studio LLC" });
    const view = await readOrganization({
      services,
      context: await addMember("VIEWER", "Tomas"),
      time: TIME,
    });
    expect(view).toMatchObject({
      name: "Northwind Studio LLC",
      timeZone: "Europe/Berlin",
      newPodFloorInCents: 50_000,
      viewer: { canChange: false },
    });
    const changes = await readRecordedChanges(database, owner.organizationId);
    expect(changes.map(({ kind, before, after, byName }) => [kind, before, after, byName])).toEqual([
      ["NEW_POD_FLOOR", null, "50000", "Jonas"],
      ["TIME_ZONE", "America/New_York", "Europe/Berlin", "Jonas"],
      ["RENAMED", "Northwind", "Northwind Studio LLC", "Mara"],
    ]);
  });

  it.each(["VIEWER", "ACCOUNTANT"] as const)(
    "a %s can change none of them, nor a beneficiary",
    async (role) => {
      const { services, owner, addMember, beneficiaryId } = await arrange();
      const by = await addMember(role, "Tomas");
      for (const act of [
        () => renameOrganization(services, by, { name: "Mine" }),
        () => changeTimeZone(services, by, { timeZone: "Europe/Berlin" }),
        () => setNewPodFloor(services, by, { floorInCents: 100 }),
        () => renameBeneficiary(services, by, { beneficiaryId, name: "Mine" }),
        () => removeBeneficiary(services, by, beneficiaryId),
        () => setDefaultBeneficiary(services, by, beneficiaryId),
      ]) {
        await expect(act()).rejects.toMatchObject({ code: "ACCESS_DENIED" });
      }
      const view = await readOrganization({ services, context: owner, time: TIME });
      expect([view.name, view.timeZone]).toEqual(["Northwind", "America/New_York"]);
      expect(await readRecordedChanges(database, owner.organizationId)).toEqual([]);
    },
  );

  it("requires step-up to lower the floor of new pods, but not to raise it", async () => {
    const { clock, services, owner } = await arrange();
    await setNewPodFloor(services, owner, { floorInCents: 50_000 });
    clock.advance(6 * 60_000);
    for (const floorInCents of [null, 49_999]) {
      await expect(setNewPodFloor(services, owner, { floorInCents })).rejects.toThrow(NotConfirmed);
    }
    await setNewPodFloor(services, owner, { floorInCents: 60_000 });
    expect(await readNewPodFloor({ services, context: owner })).toBe(60_000);
  });

  it("a member who lost their role since the page was loaded can change nothing", async () => {
    const { services, owner, addMember } = await arrange();
    const jonas = await addMember("CO_OWNER", "Jonas");
    await changeMemberRole(services, owner, { userId: jonas.actor.id, role: "VIEWER" });
    const renamed = renameOrganization(services, jonas, { name: "Mine" });
    await expect(renamed).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  });

  it("a new time zone requires step-up, and one unknown to the database is refused", async () => {
    const { services, clock, owner } = await arrange();
    for (const timeZone of ["Mars/Olympus", "+05:00", "", "EST5EDT4", "EST"]) {
      const changed = changeTimeZone(services, owner, { timeZone });
      await expect(changed).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    }
    clock.advance(6 * 60_000);
    const changed = changeTimeZone(services, owner, { timeZone: "Europe/Berlin" });
    await expect(changed).rejects.toThrow(NotConfirmed);
  });

  it("a limit's day begins at the new zone's midnight, recounted from the same transfers", async () => {
    const { services, owner, addAccount } = await arrange();
    const { organizationId } = owner;
    const [from, to] = [
      await addAccount({ name: "Operating", type: "POD" }),
      await addAccount({ name: "Taxes", type: "POD" }),
    ];
    const ruleId = newId(services.clock.now());
    // 02:00 on the 15th in Berlin, still the 14th in New York.
    const at = new Date("2026-01-15T01:00:00.000Z");
    await database.ownerPool.query(
      `insert into rules (organization_id, id, name, latest_version, source_account_ids, created_at, updated_at)
       values ($1, $2, 'Rent', 1, '{}', $3, $3)`,
      [organizationId, ruleId, at],
    );
    await database.ownerPool.query(
      `insert into transfers (organization_id, id, status, execution_mode, direction, origin, amount_in_cents,
         source_account_id, destination_account_id, rule_id, rule_limit_id, proposed_by_kind, proposed_by_name, accepted_at,
         created_at, updated_at)
       select $1, $2, 'COMPLETE', 'LIVE', 'INTERNAL', 'RULE', 30000, $3, $4, $5, 'rent', 'RULE', 'Rent', $6, $6, $6`,
      [organizationId, newId(at), from, to, ruleId, at],
    );
    const used = async (timeZone: string) =>
      readLimitsUsed(
        database.pool,
        { organizationId, now: services.clock.now(), timeZone },
        {
          ruleId,
          definition: { limits: [{ id: "rent", period: "DAY", amountInCents: 100_000 }] },
        },
      );
    expect(await used("America/New_York")).toEqual({ rent: 0 });
    await changeTimeZone(services, owner, { timeZone: "Europe/Berlin" });
    const { timeZone } = await readOrganization({ services, context: owner, time: TIME });
    expect(await used(timeZone)).toEqual({ rent: 30_000 });
  });

  it("a floor of new pods binds pods that keys open, prefills members' forms, and leaves others alone", async () => {
    const arranged = await arrange();
    const { services, owner, addKey } = arranged;
    const before = await openPod(arranged);
    await setNewPodFloor(services, owner, { floorInCents: 50_000 });
    expect(await readNewPodFloor({ services, context: owner })).toBe(50_000);
    expect(await floorOf(before)).toBeNull();
    // A member cleared the field on purpose.
    expect(await floorOf(await openPod(arranged))).toBeNull();
    const key = await addKey([{ type: "CREATE_ACCOUNTS" }]);
    const open = async (type: "POD" | "INCOME_SOURCE") => {
      await createAccount(services, key.context, { type, name: `By a key ${type}` }, REQUEST);
      const { rows } = await database.pool.query<{ id: string }>(
        "select id from accounts where organization_id = $1 and name = $2",
        [owner.organizationId, `By a key ${type}`],
      );
      return rows[0]?.id ?? "";
    };
    expect(await floorOf(await open("POD"))).toBe(50_000);
    expect(await floorOf(await open("INCOME_SOURCE"))).toBeNull();
    for (const floorInCents of [0, -1, 1.5]) {
      await expect(setNewPodFloor(services, owner, { floorInCents })).rejects.toMatchObject({
        code: "INVALID_PARAMETERS",
      });
    }
  });
});

describe("beneficiaries", () => {
  it("are renamed, made the default and removed, and removed ones are neither offered nor listed", async () => {
    const arranged = await arrange();
    const { services, owner, beneficiaryId } = arranged;
    const trust = await createBeneficiary(services, owner, { name: "Trust", beneficiaryType: "BUSINESS" });
    await renameBeneficiary(services, owner, { beneficiaryId: trust, name: "Okafor Family Trust" });
    await expect(
      renameBeneficiary(services, owner, { beneficiaryId: trust, name: "northwind" }),
    ).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    await expect(removeBeneficiary(services, owner, beneficiaryId)).rejects.toThrow(/is the default/);
    await setDefaultBeneficiary(services, owner, trust);
    await removeBeneficiary(services, owner, beneficiaryId);
    const listed = await listBeneficiaries(services, owner, { page: 1, pageSize: 100 });
    expect(listed.items.map(({ name }) => name)).toEqual(["Okafor Family Trust"]);
    await expect(openPod(arranged, beneficiaryId)).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    await openPod(arranged);
    const changes = await readRecordedChanges(database, owner.organizationId);
    expect(changes.map(({ kind, subject, after }) => [kind, subject, after])).toEqual([
      ["ACCOUNT_OPENED", "A pod", "POD"],
      ["BENEFICIARY_REMOVED", "Northwind", null],
      ["DEFAULT_BENEFICIARY", null, "Okafor Family Trust"],
      ["BENEFICIARY_RENAMED", "Trust", "Okafor Family Trust"],
    ]);
    // The name is available again.
    await createBeneficiary(services, owner, { name: "Northwind", beneficiaryType: "BUSINESS" });
  });

  it("with an open account stay, even one opened concurrently; a closed account still names them", async () => {
    const arranged = await arrange();
    const { services, owner } = arranged;
    const make = (name: string) =>
      createBeneficiary(services, owner, { name, beneficiaryType: "INDIVIDUAL" });
    const ada = await make("Ada");
    const account = await openPod(arranged, ada);
    await expect(removeBeneficiary(services, owner, ada)).rejects.toThrow(/A pod belongs to them/);
    await database.pool.query("update accounts set deleted_at = $2 where id = $1", [account, owner.now]);
    await removeBeneficiary(services, owner, ada);
    await expect(reopenAccount(services, owner, account)).rejects.toThrow(/has been removed/);

    for (const round of [1, 2, 3, 4, 5, 6]) {
      const rival = await make(`Rival ${round}`);
      const [opened, removed] = await Promise.allSettled([
        openPod(arranged, rival),
        removeBeneficiary(services, owner, rival),
      ]);
      expect([opened.status, removed.status].filter((status) => status === "fulfilled")).toHaveLength(1);
    }
  });

  it("of another organization cannot be changed", async () => {
    const [here, elsewhere] = [await arrange(), await arrange()];
    for (const act of [
      () =>
        renameBeneficiary(here.services, here.owner, { beneficiaryId: elsewhere.beneficiaryId, name: "X" }),
      () => removeBeneficiary(here.services, here.owner, elsewhere.beneficiaryId),
      () => setDefaultBeneficiary(here.services, here.owner, elsewhere.beneficiaryId),
    ]) {
      await expect(act()).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    }
    expect(await readRecordedChanges(database, elsewhere.owner.organizationId)).toEqual([]);
  });
});

describe("a change of a member", () => {
  const mailed = async (organizationId: string) => {
    const { rows } = await database.pool.query<{ userId: string; subject: string }>(
      `select user_id as "userId", subject from messages where organization_id = $1 and kind = 'MEMBER_CHANGED'
        order by subject, user_id`,
      [organizationId],
    );
    return rows;
  };
  const idsOf = (...contexts: Context<MemberActor>[]) => contexts.map(({ actor }) => actor.id).sort();

  it("is recorded, and every owner and the member are notified by email", async () => {
    const { services, owner, addMember } = await arrange();
    const [other, jonas, tomas] = [
      await addMember("OWNER", "Olga"),
      await addMember("CO_OWNER", "Jonas"),
      await addMember("VIEWER", "Tomas"),
    ];
    await changeMemberRole(services, owner, { userId: tomas.actor.id, role: "ACCOUNTANT" });
    // Setting the same role again is not a change.
    await changeMemberRole(services, owner, { userId: tomas.actor.id, role: "ACCOUNTANT" });
    await removeMember(services, owner, jonas.actor.id);
    const messages = await mailed(owner.organizationId);
    expect(messages.map(({ userId }) => userId).slice(0, 3)).toEqual(idsOf(owner, other, jonas));
    expect(messages.map(({ userId }) => userId).slice(3)).toEqual(idsOf(owner, other, tomas));
    expect(new Set(messages.map(({ subject }) => subject.replaceAll(/[\u2066-\u2069]/g, "")))).toEqual(
      new Set(["Jonas was removed", "Tomas is now accountant"]),
    );
    const changes = await readRecordedChanges(database, owner.organizationId);
    expect(changes.map(({ kind, subject, before, after }) => [kind, subject, before, after])).toEqual([
      ["MEMBER_REMOVED", "Jonas", "Co-owner", null],
      ["MEMBER_ROLE", "Tomas", "Viewer", "Accountant"],
    ]);
  });

  it("floods no mailbox: of many changes within an hour twenty are sent, all are recorded", async () => {
    const { services, owner, addMember } = await arrange();
    const tomas = await addMember("VIEWER", "Tomas");
    for (let round = 0; round < 24; round++) {
      const role = round % 2 === 0 ? "ACCOUNTANT" : "VIEWER";
      await changeMemberRole(services, owner, { userId: tomas.actor.id, role });
    }
    const toOwner = (await mailed(owner.organizationId)).filter(({ userId }) => userId === owner.actor.id);
    expect(toOwner).toHaveLength(20);
  });
});
