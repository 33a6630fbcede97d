/**
 * Goal: a mandate's pages show what the database counts, and the suggestion keeps its own rule. Method: the readers against a
 * real database, through the commands that members and keys use.
 */
import { describe, expect, it } from "vitest";
import { newMandateHref } from "@/lib/contract/hrefs";
import type { MandateTerms } from "@/lib/contract/mandates/mandate";
import { endReplacedKeys, replaceApiKey } from "@/lib/core/keys/replace-api-key";
import { revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import { endMandate } from "@/lib/core/mandates/end-mandate";
import { noteSuggestionShown, stopSuggesting, suggestAgain } from "@/lib/core/mandates/suggestions";
import { writeMandate } from "@/lib/core/mandates/write-mandate";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { askTransfer, moveAnything, readEverything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { signedMandate, termsBetween } from "@/lib/testing/mandates/signed-mandate";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { getKey } from "@/lib/views/keys/get-key";
import { readKeyMandatesPage } from "@/lib/views/mandates/list-key-mandates";
import { listWaitingMandates } from "@/lib/views/mandates/list-waiting-mandates";
import { readNarrowMandate, readNewMandate } from "@/lib/views/mandates/read-mandate-form";
import { readMandatePage } from "@/lib/views/mandates/read-mandate-page";
import { readSuggestion } from "@/lib/views/mandates/read-suggestion";
import { phrasesText } from "@/lib/words/rules/phrases";

const database = useTestDatabase();
const TIME_ZONE = "America/New_York";
const DAY_MS = 86_400_000;

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId, owner } = organization;
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 1_000_000,
    floorInCents: 80_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const profit = await organization.addAccount({ name: "Profit", type: "POD" });
  const viewer = await organization.addMember("VIEWER", "Tomas");
  const key = await organization.addKey([moveAnything(true), ...readEverything], "claude");
  const keyId = key.context.actor.id;
  const readingOf = (of: Context<MemberActor> = owner) => ({
    services,
    context: { ...of, now: clock.now() },
    time: { nowAt: clock.now().toISOString(), timeZone: TIME_ZONE, locale: "en-US" },
  });
  const ask = (amountInCents: number, destinationAccountId = taxes) =>
    askTransfer(
      services,
      { ...key.context, now: clock.now() },
      { sourceAccountId: operating, destinationAccountId, amountInCents },
    );
  const sign = (changed: Partial<MandateTerms> = {}) =>
    signedMandate(services, owner, keyId, termsBetween([operating], [taxes], changed));
  const write = (changed: Partial<MandateTerms> = {}) =>
    writeMandate(
      services,
      { ...owner, now: clock.now() },
      {
        apiKeyId: keyId,
        terms: termsBetween([operating], [taxes], changed),
      },
    );
  /** As a person decided it, so long before now. */
  const decide = async (id: string, state: "APPROVED" | "DENIED", daysAgo: number) => {
    await database.ownerPool.query(
      `update proposals set state = $3, decided_at = $4, decided_by = $5, decision_method = 'PASSWORD'
        where organization_id = $1 and id = $2`,
      [organizationId, id, state, new Date(clock.now().getTime() - daysAgo * DAY_MS), owner.actor.id],
    );
  };
  return {
    services,
    clock,
    organization,
    organizationId,
    owner,
    viewer,
    operating,
    taxes,
    profit,
    keyId,
    readingOf,
    ask,
    sign,
    write,
    decide,
  };
}

describe("the page of a mandate", () => {
  it("asks while it waits: its limits, the worst case, and what it would have accepted and left waiting", async () => {
    const scene = await arrange();
    const small = await scene.ask(20_000);
    const denied = await scene.ask(21_200);
    const large = await scene.ask(42_000);
    await scene.decide(small.id, "APPROVED", 0);
    await scene.decide(denied.id, "DENIED", 0);
    await scene.decide(large.id, "APPROVED", 0);
    const { id } = await scene.write({ monthInCents: 150_000, purpose: "print invoices" });

    const page = await readMandatePage(scene.readingOf(), id);
    if (page?.kind !== "ASKED") throw new Error("It waits for a signature");
    expect(page.sentence.map(({ text }) => text).join("")).toMatch(
      /^may move \$350\.00 or less at a time from Operating to Taxes, up to \$1,500\.00 a calendar month/,
    );
    expect(phrasesText(page.worst.says)).toContain("$1,500.00 in a calendar month");
    expect(page.worst.together).toMatchObject({ isUnchanged: true, totalInCents: 1_000_000 });
    expect(page.backtest).toMatchObject({
      transferCount: 3,
      // Approved here without moving, so it counts as failed; the denied one counts as accepted.
      accepted: { count: 2, inCents: 41_200 },
      denied: [{ amountInCents: 21_200, byViewer: true }],
      waiting: [{ amountInCents: 42_000, because: "$70.00 above $350.00 at a time" }],
    });
    expect(page.checks.map(({ title }) => title)).toEqual(["Stops at its floor", "No rule follows"]);
    expect(page.signing).toMatchObject({
      needed: 1,
      given: 0,
      isOpen: true,
      viewer: { maySign: true, hasSigned: false },
    });
    const seen = await readMandatePage(scene.readingOf(scene.viewer), id);
    expect(seen?.signing.viewer.maySign).toBe(false);
  });

  it("says to its signers whose name looks like another one's: its key's, an account's", async () => {
    const scene = await arrange();
    const { id } = await scene.write();
    const titles = async () => {
      const page = await readMandatePage(scene.readingOf(), id);
      return page?.kind === "ASKED" ? page.checks.map(({ title, text }) => `${title}: ${text}`).at(-1) : null;
    };
    expect(await titles()).not.toContain("looks the same");
    await scene.organization.addAccount({ name: "T\u0430xes", type: "POD" });
    expect(await titles()).toContain(
      "Another account’s name looks the same: Taxes is not T\u0430xes (with Cyrillic",
    );
    await scene.organization.addKey([moveAnything(true)], "cl\u0430ude");
    expect(await titles()).toContain("claude is not cl\u0430ude (with Cyrillic");
  });

  it("shows what is left, its uses, and what waited instead", async () => {
    const scene = await arrange();
    const id = await scene.sign({ dayInCents: 60_000, monthInCents: 150_000 });
    const first = await scene.ask(20_000);
    const second = await scene.ask(30_000);
    const beyond = await scene.ask(42_000);
    expect([first.mandateId, second.mandateId, beyond.mandateId]).toEqual([id, id, null]);

    const page = await readMandatePage(scene.readingOf(), id);
    if (page?.kind !== "USED") throw new Error("It is in force");
    expect(page.standing).toEqual({ kind: "IN_USE" });
    expect(page.levels).toEqual([
      { part: "DAY", left: 10_000, of: 60_000 },
      { part: "MONTH", left: 100_000, of: 150_000 },
      { part: "USES", left: 998, of: 1_000 },
    ]);
    expect(page.uses.map(({ id: useId, amountInCents }) => [useId, amountInCents])).toEqual([
      [second.id, 30_000],
      [first.id, 20_000],
    ]);
    expect(page.waited).toMatchObject([{ id: beyond.id, because: "$70.00 above $350.00 at a time" }]);
    expect(page.history.steps).toMatchObject([{ kind: "SIGNED", byViewer: true }]);
  });

  it("says until when it is used up, that it ended, and nothing of another organization", async () => {
    const scene = await arrange();
    const id = await scene.sign({ dayInCents: 35_000 });
    await scene.ask(35_000);
    const usedUp = await readMandatePage(scene.readingOf(), id);
    expect(usedUp?.standing).toMatchObject({ kind: "USED_UP", isForGood: false });

    await endMandate(scene.services, { ...scene.owner, now: scene.clock.now() }, id);
    const ended = await readMandatePage(scene.readingOf(), id);
    expect(ended).toMatchObject({ kind: "USED", standing: { kind: "ENDED" }, endedByName: "Mara" });

    const { services } = createTestServices(database);
    const stranger = await createTestOrganization(database, services, "Elsewhere");
    expect(await readMandatePage(scene.readingOf(stranger.owner), id)).toBeNull();
    expect(await readNewMandate(scene.readingOf(stranger.owner), scene.keyId, NOTHING)).toBeNull();
    expect(await readKeyMandatesPage(scene.readingOf(stranger.owner), scene.keyId)).toBeNull();
  });
});

const NOTHING = { source: null, destination: null, maximumInCents: null, monthInCents: null, from: null };

describe("lists and forms", () => {
  it("a key's page counts what it moves by itself once", async () => {
    const scene = await arrange();
    await scene.sign({ dayInCents: 70_000 });
    await scene.write();
    const key = await getKey(scene.readingOf(), scene.keyId);
    expect(key?.mandates).toMatchObject({
      inForce: [{ brief: "$350.00 at a time, $700.00 a day" }],
      waiting: [{ destinationName: "Taxes" }],
      pastCount: 0,
      sentence: { count: 1, dayInCents: 70_000, destinationNames: ["Taxes"] },
    });
    expect(key?.most).toMatchObject({ byItselfInCents: 70_000, totalInCents: 1_000_000 });
    expect(key?.most?.rows[0]).toMatchObject({ reason: { kind: "MANDATE" }, inCents: 70_000 });
    expect(
      key?.most?.rows.find(({ sourceName, reason }) => sourceName === "Operating" && reason.kind === "ALL"),
    ).toMatchObject({
      inCents: 930_000,
    });
  });

  it("a key's page counts no mandate that is used up, and of one in use only what is left for good", async () => {
    const scene = await arrange();
    await scene.sign({ maximumUses: 1, maximumInCents: 5_000 });
    await scene.sign({ totalInCents: 40_000, maximumInCents: 30_000 });
    await scene.ask(5_000);
    await scene.ask(30_000);
    const key = () => getKey(scene.readingOf(), scene.keyId);
    // A use that is on its way may fail, and then no longer counts.
    expect((await key())?.mandates.sentence).toMatchObject({ count: 2, dayInCents: 45_000 });
    await bookDueTransfers(scene.services, 10);
    expect((await key())?.mandates).toMatchObject({
      inForce: [{ useCount: 1 }, { useCount: 1 }],
      sentence: { count: 1, dayInCents: 10_000 },
    });
    expect((await key())?.most?.rows.filter(({ reason }) => reason.kind === "MANDATE")).toMatchObject([
      { inCents: 10_000 },
    ]);
  });

  it("says twice a day's budget once the organization's day touches two of the mandate's", async () => {
    const scene = await arrange();
    await scene.sign({ dayInCents: 70_000 });
    const { id } = await scene.write();
    await database.ownerPool.query("update organizations set time_zone = 'Asia/Tokyo' where id = $1", [
      scene.owner.organizationId,
    ]);
    const key = await getKey(scene.readingOf(), scene.keyId);
    expect(key?.mandates?.sentence?.dayInCents).toBe(140_000);
    expect(key?.most?.rows[0]).toMatchObject({ reason: { kind: "MANDATE" }, inCents: 140_000 });
    const page = await readMandatePage(scene.readingOf(), id);
    expect(page?.kind === "ASKED" && page.worst.together.totalInCents).toBe(1_000_000);
  });

  it("what waits is listed until it expires, and can be changed by who decides", async () => {
    const scene = await arrange();
    const { id } = await scene.write();
    const listed = () => listWaitingMandates(scene.services.pool, scene.readingOf().context, 5);
    expect(await listed()).toMatchObject({
      count: 1,
      listed: [{ id, title: "Taxes, up to $350.00 at a time", proposedBy: { kind: "MEMBER", name: "Mara" } }],
    });
    expect(await readNarrowMandate(scene.readingOf(), id)).toMatchObject({
      revision: 1,
      form: { asked: null },
    });
    expect(await readNarrowMandate(scene.readingOf(scene.viewer), id)).toBeNull();
    scene.clock.advance(2 * DAY_MS);
    expect((await listed()).count).toBe(0);
    expect(await readNarrowMandate(scene.readingOf(), id)).toBeNull();
    expect((await readMandatePage(scene.readingOf(), id))?.standing).toEqual({ kind: "EXPIRED" });
  });

  it("a suggestion fills the form in", async () => {
    const scene = await arrange();
    const view = await readNewMandate(scene.readingOf(), scene.keyId, {
      ...NOTHING,
      source: scene.operating,
      destination: scene.taxes,
      maximumInCents: 35_000,
      monthInCents: 150_000,
    });
    expect(view?.form.terms).toMatchObject({
      sourceAccountIds: [scene.operating],
      destinationAccountIds: [scene.taxes],
      maximumInCents: 35_000,
      monthInCents: 150_000,
    });
    expect(view?.suggested).toBeNull();
  });

  it("names on a replaced key's successor what it lost, and fills in the form to sign that again", async () => {
    const scene = await arrange();
    const { services, owner, clock, keyId } = scene;
    const id = await scene.sign({ monthInCents: 150_000, purpose: "prints" });
    const another = await scene.sign({ maximumUses: 3 });
    const over = await scene.sign({ from: "2026-01-01", until: "2026-01-02" });
    const at = { ...owner, now: clock.now(), actor: { ...owner.actor, authenticatedAt: clock.now() } };
    const made = await replaceApiKey(services, at, { keyId, grace: "ONE_HOUR" });
    if (made.kind !== "CREATED") throw new Error("Nobody else signs");
    const lost = async () =>
      (await getKey(scene.readingOf(), made.id))?.mandates.toRenew.map(({ id: lostId }) => lostId);
    expect(await lost()).toEqual([another, id]);
    clock.advance(2 * 3_600_000);
    await endReplacedKeys(services, 10);
    expect(await lost()).toEqual([another, id]);
    expect((await getKey(scene.readingOf(), keyId))?.mandates).toMatchObject({ inForce: [], toRenew: [] });

    const view = await readNewMandate(scene.readingOf(), made.id, { ...NOTHING, from: id });
    expect(view).toMatchObject({
      isRenewed: true,
      form: { terms: { monthInCents: 150_000, purpose: "prints", from: "2026-01-15", until: "2026-12-31" } },
    });
    const outdated = await readNewMandate(scene.readingOf(), made.id, { ...NOTHING, from: over });
    expect(outdated?.form.terms.until).toBe("2026-04-15");
    const ended = await readMandatePage(scene.readingOf(), id);
    expect(ended).toMatchObject({ renewHref: newMandateHref(made.id, { from: id }) });

    await writeMandate(services, at, {
      apiKeyId: made.id,
      terms: termsBetween([scene.operating], [scene.taxes]),
    });
    // It replaces one of the two on its route.
    expect(await lost()).toEqual([id]);
    await revokeApiKey(services, at, made.id);
    expect(await readMandatePage(scene.readingOf(), id)).toMatchObject({ renewHref: null });

    const stranger = await createTestOrganization(database, services, "Elsewhere");
    const { id: foreignKey } = (await stranger.addKey([moveAnything(true)])).context.actor;
    const foreign = await readNewMandate(scene.readingOf(stranger.owner), foreignKey, {
      ...NOTHING,
      from: id,
    });
    expect(foreign).toMatchObject({ isRenewed: false, form: { terms: { sourceAccountIds: [] } } });
  });

  it("offers none to a key whose transfers need no approval", async () => {
    const scene = await arrange();
    const free = await scene.organization.addKey([moveAnything(false)], "free");
    const freeId = free.context.actor.id;
    expect(await readNewMandate(scene.readingOf(), freeId, NOTHING)).toMatchObject({
      key: { mayHave: false },
    });
    expect(await readKeyMandatesPage(scene.readingOf(), freeId)).toMatchObject({ key: { mayHave: false } });
    expect(await readKeyMandatesPage(scene.readingOf(), scene.keyId)).toMatchObject({
      key: { mayHave: true },
    });
  });
});

describe("the suggestion on a proposal's page", () => {
  async function decided(scene: Awaited<ReturnType<typeof arrange>>, approved: number, denied: number) {
    for (let count = 0; count < approved + denied; count += 1) {
      const { id } = await scene.ask(10_000 + count);
      await scene.decide(id, count < approved ? "APPROVED" : "DENIED", 1);
    }
  }

  it("appears from 25 decided with one denied, on one page in 30 days, until it is switched off", async () => {
    const scene = await arrange();
    await decided(scene, 23, 1);
    const waiting = await scene.ask(9_900);
    const suggest = (id: string, of = scene.owner) => readSuggestion(scene.readingOf(of), id);
    expect(await suggest(waiting.id)).toBeNull();
    await decided(scene, 1, 0);
    expect(await suggest(waiting.id, scene.viewer)).toBeNull();
    const shown = await suggest(waiting.id);
    expect(shown).toMatchObject({ approvedCount: 24, decidedCount: 25, maximumInCents: 15_000 });
    expect(shown?.href).toContain(`source=${scene.operating}`);
    const see = (proposalId: string, of = scene.owner) =>
      noteSuggestionShown(
        scene.services,
        { ...of, now: scene.clock.now() },
        { proposalId, timeZone: TIME_ZONE },
      );
    const next = await scene.ask(9_800);
    // A page that was only loaded ahead does not count, and a viewer has none before them.
    await see(waiting.id, scene.viewer);
    expect(await suggest(next.id)).toEqual(shown);
    await see(waiting.id);
    expect(await suggest(waiting.id)).toEqual(shown);
    expect(await suggest(next.id)).toBeNull();
    await see(next.id);
    expect(await suggest(waiting.id)).toEqual(shown);
    scene.clock.advance(30 * DAY_MS);
    expect(await suggest(next.id)).not.toBeNull();
    await see(next.id);
    const switchOnForm = async () =>
      (
        await readNewMandate(scene.readingOf(), scene.keyId, {
          ...NOTHING,
          source: scene.operating,
          destination: scene.taxes,
        })
      )?.suggested;
    expect(await switchOnForm()).toMatchObject({ destinationName: "Taxes", isOn: true });
    const route = {
      apiKeyId: scene.keyId,
      sourceAccountId: scene.operating,
      destinationAccountId: scene.taxes,
    };
    const at = { ...scene.owner, now: scene.clock.now() };
    await stopSuggesting(scene.services, at, route);
    expect(await suggest(next.id)).toBeNull();
    expect(await switchOnForm()).toMatchObject({ isOn: false });
    await suggestAgain(scene.services, at, route);
    expect(await suggest(next.id)).not.toBeNull();
    expect(await switchOnForm()).toMatchObject({ isOn: true });
  });

  it("never after two denials, and never where a mandate names the route", async () => {
    const scene = await arrange();
    await decided(scene, 25, 2);
    const waiting = await scene.ask(9_900);
    expect(await readSuggestion(scene.readingOf(), waiting.id)).toBeNull();

    const other = await arrange();
    await decided(other, 25, 0);
    await other.sign({ maximumInCents: 5_000 });
    const beyond = await other.ask(9_900);
    expect(await readSuggestion(other.readingOf(), beyond.id)).toBeNull();
  });
});
