import { describe, expect, it } from "vitest";
import type { AuditSearch } from "@/lib/contract/search/audit-search";
import { readAuditPlace, readAuditSearch } from "@/lib/core/audit/audit-search";
import { listAuditLog } from "@/lib/core/audit/list-audit-log";
import { sealAuditEntries } from "@/lib/core/audit/seal-audit-entries";
import { newId } from "@/lib/platform/ids";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { testEntry, writeEntries } from "@/lib/testing/audit";
import { useTestDatabase } from "@/lib/testing/database";
import { parseCsv } from "@/lib/testing/exported-books";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { exportFoundEntries } from "@/lib/views/audit/export-found-entries";
import { readAuditPage } from "@/lib/views/audit/read-audit-page";

const ZONE = "America/New_York";
const DAY_MS = 86_400_000;

const database = useTestDatabase();

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId, owner } = organization;
  /** An entry from so many days ago. */
  const entry = (daysAgo: number, fields: Parameters<typeof testEntry>[2] = {}) => {
    const at = new Date(clock.now().getTime() - daysAgo * DAY_MS);
    return testEntry(services, organizationId, { id: newId(at), createdAt: at.toISOString(), ...fields });
  };
  const write = async (...entries: ReturnType<typeof entry>[]) => {
    await writeEntries(database.pool, entries);
    await sealAuditEntries(services, 1_000);
  };
  const look = (search: AuditSearch = {}, place: Record<string, string> = {}) =>
    readAuditPage({ services, context: owner }, { search, place: readAuditPlace(place), timeZone: ZONE });
  return { services, clock, organization, owner, entry, write, look };
}

const follow = (href: string | null) => Object.fromEntries(new URL(href ?? "", "http://x").searchParams);

describe("the audit log on the dashboard", () => {
  it("holds the whole log, where the API's list ends after 90 days", async () => {
    const { services, clock, organization, entry, write, look } = await arrange();
    await write(entry(400, { reason: "long ago" }), entry(10));
    const page = await look();
    expect(page.entries.map(({ reason }) => reason)).toEqual([null, "long ago"]);
    const key = await organization.addKey([{ type: "READ_AUDIT_LOGS" }]);
    const now = clock.now();
    const listed = await listAuditLog(services, key.context, {
      filter: {},
      window: { from: new Date(now.getTime() - 90 * DAY_MS), to: now, truncated: true },
      page: 1,
      pageSize: 50,
    });
    expect(listed.items).toHaveLength(1);
  });

  it("pages forward and back through its entries, each once", async () => {
    const { entry, write, look } = await arrange();
    await write(...Array.from({ length: 60 }, (_, index) => entry(60 - index, { requestId: `r-${index}` })));
    const seen: string[] = [];
    let page = await look();
    for (;;) {
      seen.push(...page.entries.map(({ requestId }) => requestId));
      if (!page.olderHref) break;
      page = await look({}, follow(page.olderHref));
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => `r-${59 - index}`));
    const back = await look({}, follow(page.newerHref));
    expect(back.entries.map(({ requestId }) => requestId)).toEqual(seen.slice(25, 50));
    const first = await look({}, follow(back.newerHref));
    expect(first.entries.map(({ requestId }) => requestId)).toEqual(seen.slice(0, 25));
    expect(first.newerHref).toBeNull();
  });

  it("is filtered by caller, action, outcome, error, request and days of the organization's zone", async () => {
    const { entry, write, look } = await arrange();
    // Midnight of 11 January in New York is 05:00 UTC.
    const before = entry(0, { id: newId(new Date("2026-01-11T04:59:59.999Z")), requestId: "before" });
    const wanted = entry(0, {
      id: newId(new Date("2026-01-11T05:00:00.000Z")),
      requestId: "wanted",
      action: "CREATE_TRANSFER",
      outcome: "FAILURE",
      errorCode: "ACCESS_DENIED",
    });
    await write(before, wanted);
    const found = async (search: AuditSearch) =>
      (await look(search)).entries.map(({ requestId }) => requestId);
    expect(await found({ from: "2026-01-11" })).toEqual(["wanted"]);
    expect(await found({ to: "2026-01-10" })).toEqual(["before"]);
    expect(await found({ caller: wanted.apiKeyId })).toEqual(["wanted"]);
    expect(await found({ action: "CREATE_TRANSFER" })).toEqual(["wanted"]);
    expect(await found({ outcome: "SUCCESS" })).toEqual(["before"]);
    expect(await found({ error: "ACCESS_DENIED", outcome: "FAILURE" })).toEqual(["wanted"]);
    expect(await found({ request: "before" })).toEqual(["before"]);
    expect((await look({ outcome: "FAILURE" })).found).toEqual({ count: 1, failed: 1, isMore: false });
  });

  it("finds a failed request by what was wrong, by its reason and by its id, and shows the field and value", async () => {
    const { entry, write, look } = await arrange();
    await write(
      entry(3, { reason: "Rent for 50% of May", requestId: "aaaa-bbbb-cccc" }),
      entry(2, {
        requestId: "dddd-eeee-ffff",
        outcome: "FAILURE",
        errorCode: "INVALID_PARAMETERS",
        errorDetail: "amountInCents 5: must be at least 100 cents",
      }),
      entry(1, { reason: "Rent for 500 days", requestId: "gggg-hhhh-jjjj" }),
    );
    const found = async (q: string) =>
      (await look(readAuditSearch({ q }))).entries.map(({ requestId }) => requestId);
    expect(await found("AMOUNTincents 5")).toEqual(["dddd-eeee-ffff"]);
    expect(await found("rent")).toEqual(["gggg-hhhh-jjjj", "aaaa-bbbb-cccc"]);
    expect(await found("50% of")).toEqual(["aaaa-bbbb-cccc"]);
    expect(await found("DDDD-eeee-ffff")).toEqual(["dddd-eeee-ffff"]);
    const [failed] = (await look(readAuditSearch({ q: "at least 100" }))).entries;
    expect(failed).toMatchObject({ errorDetail: "amountInCents 5: must be at least 100 cents" });
    expect((await look(readAuditSearch({ q: "rent", outcome: "FAILURE" }))).found.count).toBe(0);
  });

  it("ignores invalid filters in the address", () => {
    expect(
      readAuditSearch({
        caller: "1",
        action: "X",
        outcome: "",
        error: "NO",
        from: "2026-02-30",
        request: [],
      }),
    ).toEqual({});
    expect(readAuditPlace({ entry: "x", before: "'", after: "1" })).toEqual({});
  });

  it("opens one entry with its seal, and shows when the entry no longer matches it", async () => {
    const { organization, entry, write, look } = await arrange();
    const [first, second] = [entry(2, { reason: "true" }), entry(1)];
    await write(first, second);
    const opened = (await look({}, { entry: first.id })).opened;
    expect(opened?.entry).toMatchObject({ reason: "true", method: "GET" });
    expect(opened?.seal).toMatchObject({ sequence: 1, holds: true });
    expect((await look()).chain).toMatchObject({ count: 2, checked: 2, broken: 0, isLate: false });

    await database.ownerPool.query("alter table audit_entries disable trigger audit_entries_append_only");
    await database.ownerPool.query(
      "update audit_entries set reason = 'false' where organization_id = $1 and id = $2",
      [organization.organizationId, first.id],
    );
    await database.ownerPool.query("alter table audit_entries enable trigger audit_entries_append_only");
    expect((await look({}, { entry: first.id })).opened?.seal?.holds).toBe(false);
    expect((await look()).chain).toMatchObject({ checked: 2, broken: 1 });
  });

  it("shows the reason of the proposal that a request made or is about, apart from that of the call", async () => {
    const { services, clock, organization, entry, write, look } = await arrange();
    const pod = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 90_000 });
    const tax = await organization.addAccount({ name: "Taxes", type: "POD" });
    const key = await organization.addKey([moveAnything(true)]);
    const other = await organization.addKey([moveAnything(true)]);
    const propose = async (of: typeof key, reasonForApproval?: string) => {
      const route = { sourceAccountId: pod, destinationAccountId: tax, amountInCents: 1_000 };
      const asked = await askTransfer(services, of.context, {
        ...route,
        ...(reasonForApproval && { reasonForApproval }),
      });
      return asked.id;
    };
    const id = await propose(key, "Q4 estimated tax");
    // Of the same moment, and of another key.
    await propose(other, "Rent");
    const ofKey = { apiKeyId: key.id, apiKeyName: "agent" };
    const read = {
      ...ofKey,
      method: "GET",
      path: `/platform/v1/transfers/${id}?wait=5`,
      action: "GET_TRANSFER",
    };
    await write(
      entry(0, { ...read, requestId: "read", reason: "poll" }),
      entry(0, {
        ...ofKey,
        method: "GET",
        path: "/platform/v1/transfers",
        action: "LIST_TRANSFERS",
        requestId: "list",
      }),
      entry(0, {
        ...ofKey,
        method: "POST",
        path: `/platform/v1/transfers/${newId(clock.now())}/cancel`,
        requestId: "none",
      }),
    );
    const { entries } = await look();
    const shown = entries.map(({ path, callerId, reason, proposalReason }) => [
      path.replace("/platform/v1", "").replace(id, "ID").slice(0, 18),
      callerId === key.id,
      reason,
      proposalReason,
    ]);
    expect(shown).toEqual(
      expect.arrayContaining([
        ["/transfers", true, null, "Q4 estimated tax"],
        ["/transfers", false, null, "Rent"],
        ["/transfers/ID?wait", true, "poll", "Q4 estimated tax"],
        ["/transfers", true, null, null],
      ]),
    );
    expect(shown.filter(([, , , proposalReason]) => proposalReason !== null)).toHaveLength(3);
    const opened = entries.find(({ requestId }) => requestId === "read");
    expect((await look({}, { entry: opened?.id ?? "" })).opened).toMatchObject({
      entry: { reason: "poll" },
      proposalReason: "Q4 estimated tax",
    });
    // Another of the same key and moment, for something else: which of the two the request made is not known.
    await propose(key, "Something else");
    const after = (await look()).entries.filter(
      ({ callerId, method, path }) => callerId === key.id && method === "POST" && path.endsWith("/transfers"),
    );
    expect(after.map(({ proposalReason }) => proposalReason)).toEqual([null, null]);
  });

  it("neither lists nor opens another organization's entry", async () => {
    const one = await arrange();
    const other = await arrange();
    const secret = one.entry(1, { reason: "secret" });
    await one.write(secret);
    const page = await other.look({}, { entry: secret.id });
    expect(page).toMatchObject({ entries: [], opened: null, chain: { count: 0 } });
    const text = [];
    for await (const part of exportFoundEntries(other.services, other.owner, {
      search: {},
      timeZone: ZONE,
      format: "csv",
    })) {
      text.push(part);
    }
    expect(parseCsv(text.join(""))).toHaveLength(1);
  });
});

describe("the export of a search", () => {
  const all = async (parts: AsyncGenerator<string>) => {
    const texts: string[] = [];
    for await (const part of parts) texts.push(part);
    return texts.join("");
  };

  it("contains what the filter finds, in CSV and JSON, without text that a spreadsheet executes", async () => {
    const { services, owner, entry, write } = await arrange();
    await write(
      entry(3, { reason: "=1+1", requestId: "a" }),
      entry(2, { outcome: "FAILURE", errorCode: "ACCESS_DENIED", errorDetail: "no", requestId: "b" }),
    );
    const look = { search: {}, timeZone: ZONE };
    const [head, ...records] = parseCsv(
      await all(exportFoundEntries(services, owner, { ...look, format: "csv" })),
    );
    expect(records.map((record) => record[head?.indexOf("Request id") ?? -1])).toEqual(["b", "a"]);
    expect(records[1]?.[head?.indexOf("Reason") ?? -1]).toBe("'=1+1");
    const json = JSON.parse(
      await all(
        exportFoundEntries(services, owner, { ...look, search: { outcome: "FAILURE" }, format: "json" }),
      ),
    );
    expect(json).toMatchObject({
      entries: [{ requestId: "b", errorCode: "ACCESS_DENIED", errorDetail: "no" }],
      isWhole: true,
    });
  });

  it("says at its end where it was truncated", async () => {
    const { services, owner, entry, write } = await arrange();
    await write(entry(3), entry(2), entry(1));
    const look = { search: {}, timeZone: ZONE };
    const csv = await all(exportFoundEntries(services, owner, { ...look, format: "csv" }, 2));
    expect(parseCsv(csv)).toHaveLength(4);
    expect(csv).toContain("Choose fewer days");
    const json = JSON.parse(await all(exportFoundEntries(services, owner, { ...look, format: "json" }, 2)));
    expect(json).toMatchObject({ isWhole: false, entries: [{}, {}] });
  });

  it("is for owners, co-owners and accountants; viewers read the page only", async () => {
    const { services, organization, entry, write } = await arrange();
    await write(entry(1));
    for (const role of ["OWNER", "CO_OWNER", "ACCOUNTANT", "VIEWER"] as const) {
      const member = await organization.addMember(role, role);
      const make = () => exportFoundEntries(services, member, { search: {}, timeZone: ZONE, format: "csv" });
      const page = await readAuditPage(
        { services, context: member },
        { search: {}, place: {}, timeZone: ZONE },
      );
      expect(page.entries).toHaveLength(1);
      expect(page.exportHrefs === null).toBe(role === "VIEWER");
      if (role === "VIEWER") expect(make).toThrow(expect.objectContaining({ code: "ACCESS_DENIED" }));
      else expect(parseCsv(await all(make()))).toHaveLength(2);
    }
  });
});
