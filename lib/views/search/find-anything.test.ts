import { describe, expect, it } from "vitest";
import { askTransfer } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { findAnything } from "@/lib/views/search/find-anything";

const database = useTestDatabase();

/** Two pods, a key whose transfers need approval, and one waiting transfer of $4,250.00. */
async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const from = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 1_000_000 });
  const to = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey([
    {
      type: "MANUAL_TRANSFER",
      entries: [{ source: "ANY", target: "ANY", max_amount: 10_000_000 }],
    },
  ]);
  const ask = (amountInCents: number, simulation = false) =>
    askTransfer(services, key.context, {
      sourceAccountId: from,
      destinationAccountId: to,
      amountInCents,
      simulation,
    });
  const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
  const find = (text: string, as = organization.owner) => findAnything({ services, context: as, time }, text);
  return { services, organization, from, to, key, ask, find };
}

describe("the palette", () => {
  it("finds transfers of an exact amount, waiting ones first", async () => {
    const { ask, find } = await arrange();
    const waiting = await ask(425_000);
    const dryRun = await ask(425_000, true);
    await ask(425_001);
    const { ofThisAmount } = await find("$4,250.00");
    expect(ofThisAmount.map(({ id, href, isDryRun }) => ({ id, href, isDryRun }))).toEqual([
      { id: waiting.id, href: `/?approvalTransferId=${waiting.id}`, isDryRun: false },
      { id: dryRun.id, href: `/transfers/${dryRun.id}`, isDryRun: true },
    ]);
    expect(ofThisAmount[0]).toMatchObject({ sourceName: "Operating", destinationName: "Taxes" });
    expect(ofThisAmount[0]?.expiresAt).not.toBeNull();
  });

  it("finds what waits for a decision by what one does with it, narrowed by names", async () => {
    const { ask, find, organization } = await arrange();
    const soon = await ask(425_000);
    const later = await ask(100);
    await ask(200, true);
    for (const typed of ["approve", "Appr", "deny", "pending", "approve taxes", "decide operating"]) {
      expect((await find(typed)).waiting.map(({ id }) => id)).toEqual([soon.id, later.id]);
    }
    const viewer = await organization.addMember("VIEWER", "Tomas");
    expect((await find("waiting", viewer)).waiting[0]).toMatchObject({
      href: `/?approvalTransferId=${soon.id}`,
      subject: { sourceName: "Operating", destinationName: "Taxes", amountInCents: 425_000 },
    });
    for (const typed of ["approve payroll", "ap", "taxes", ""])
      expect((await find(typed)).waiting).toEqual([]);
    const stranger = await arrange();
    expect((await stranger.find("approve")).waiting).toEqual([]);
  });

  it("finds a transfer, an account, and a key by the full ID or its beginning", async () => {
    const { ask, find, from, key } = await arrange();
    const { id } = await ask(100);
    expect((await find(id)).transfersOfThisId.map((found) => found.id)).toEqual([id]);
    // All but the last digit: nothing else was created at that moment.
    expect((await find(id.slice(0, -1))).transfersOfThisId.map((found) => found.id)).toContain(id);
    expect((await find(from)).things.map(({ kind, href }) => [kind, href])).toEqual([
      ["ACCOUNT", `/accounts/${from}`],
    ]);
    expect((await find(key.id)).things.map(({ kind }) => kind)).toEqual(["API_KEY"]);
  });

  it("finds named things by part of the name, prefix matches first, and treats wildcards as literal", async () => {
    const { organization, find } = await arrange();
    await organization.addAccount({ name: "Old taxes", type: "POD" });
    await organization.addAccount({ name: "100% off_site", type: "POD" });
    expect((await find("tax")).things.map(({ name }) => name)).toEqual(["Taxes", "Old taxes"]);
    expect((await find("TAXES")).things.map(({ name }) => name)).toEqual(["Taxes", "Old taxes"]);
    expect((await find("0% off_")).things.map(({ name }) => name)).toEqual(["100% off_site"]);
    for (const wildcard of ["%", "_", "T%", "T_xes", "\\", "' or true --"]) {
      expect((await find(wildcard)).things.filter(({ name }) => name === "Taxes")).toEqual([]);
    }
    expect((await find("mara")).things.map(({ kind, name }) => [kind, name])).toEqual([["MEMBER", "Mara"]]);
  });

  it("finds nothing of another organization, by name, amount or id", async () => {
    const here = await arrange();
    const there = await arrange();
    const { id } = await there.ask(987_654);
    expect((await here.find("9876.54")).ofThisAmount).toEqual([]);
    expect((await here.find(id)).transfersOfThisId).toEqual([]);
    expect((await here.find(there.from)).things).toEqual([]);
    expect((await here.find(there.key.id)).things).toEqual([]);
    const accounts = (await here.find("Operating")).things.map((found) => found.id);
    expect(accounts).toEqual([here.from]);
    expect((await here.find(there.organization.owner.actor.id)).things).toEqual([]);
  });

  it("shows viewers what owners find, because viewers can read all of it on its pages", async () => {
    const { organization, ask, find } = await arrange();
    const viewer = await organization.addMember("VIEWER", "Tomas");
    await ask(425_000);
    for (const text of ["4250", "Operating", "test-key"]) {
      expect(await find(text, viewer)).toEqual(await find(text));
    }
  });

  it("finds at most eight of a kind, and nothing for an empty query", async () => {
    const { organization, ask, find } = await arrange();
    for (let number = 0; number < 10; number += 1) {
      await organization.addAccount({ name: `Reserve ${number}`, type: "POD" });
      await ask(777);
    }
    expect((await find("reserve")).things).toHaveLength(8);
    expect((await find("7.77")).ofThisAmount).toHaveLength(8);
    for (const nothing of ["", "   "]) {
      expect(await find(nothing)).toMatchObject({ ofThisAmount: [], transfersOfThisId: [], things: [] });
    }
  });
});
