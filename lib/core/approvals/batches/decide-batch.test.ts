import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beginBatch } from "@/lib/core/approvals/batches/decide-batch";
import { proposeBatch } from "@/lib/core/approvals/batches/propose-batch";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { expireProposals } from "@/lib/core/approvals/expire-proposals";
import { revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import { closeGates } from "@/lib/core/keys/switch-gates";
import { moveAnything } from "@/lib/testing/api";
import { arrangeBatches, batchDenial, signedBatch } from "@/lib/testing/approvals/batches";
import { auditBooks } from "@/lib/testing/conservation";
import { countQueries, useTestDatabase } from "@/lib/testing/database";
import { overlap } from "@/lib/testing/overlap";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";

const database = useTestDatabase();
const DAY_MS = 86_400_000;

const arrange = (changed?: Parameters<typeof arrangeBatches>[1]) => arrangeBatches(database, changed);

describe("a batch", () => {
  it("moves what was signed and denies what was struck out", async () => {
    const { propose, line, look, decide, read, balances, taxes, profit, operating } = await arrange();
    const { id, lines } = await propose([line(6_000), line(9_000, profit), line(12_000)]);
    expect(lines.map(({ status }: { status: string }) => status)).toEqual(Array(3).fill("APPROVAL_PENDING"));
    expect(await decide(signedBatch(await look(id), [2]))).toEqual({ kind: "DECIDED" });
    expect(await read(id)).toMatchObject({
      status: "APPROVED",
      totalInCents: 27_000,
      approvedInCents: 18_000,
      approvalUrl: null,
      lines: [
        { line: 1, status: "COMPLETE", decision: { outcome: "APPROVED" }, checks: null },
        { line: 2, status: "APPROVAL_DENIED", decision: { outcome: "DENIED" } },
        { line: 3, status: "COMPLETE", decision: { outcome: "APPROVED" } },
      ],
    });
    const after = await balances();
    expect([after.get(taxes), after.get(profit), after.get(operating)]).toEqual([18_000, 0, 982_000]);
    expect(await look(lines[1].transferId)).toMatchObject({
      id,
      status: "APPROVED",
      lines: [{}, { isStruck: true }, {}],
    });
  });

  it("is all or none: if one signed line is not covered, nothing is decided and the answer names it", async () => {
    const { propose, line, look, decide, read, balances, operating } = await arrange({
      balanceInCents: 20_000,
    });
    const { id } = await propose([line(6_000), line(9_000), line(12_000)]);
    const view = await look(id);
    expect(await decide(signedBatch(view))).toEqual({
      kind: "WOULD_FAIL",
      message: expect.stringContaining("Line 3: Operating does not have $120.00"),
    });
    expect(await read(id)).toMatchObject({ status: "WAITING", approvedInCents: 0 });
    expect((await balances()).get(operating)).toBe(20_000);
    expect(await decide(signedBatch(view, [1]))).toMatchObject({ kind: "WOULD_FAIL" });
    expect(await decide(signedBatch(view, [3]))).toEqual({ kind: "DECIDED" });
    expect((await balances()).get(operating)).toBe(5_000);
  });

  it("counts what an earlier line moves into a source", async () => {
    const { propose, line, look, decide, balances, taxes, profit } = await arrange();
    const { id } = await propose([line(6_000), line(5_000, profit, taxes)]);
    expect(await decide(signedBatch(await look(id)))).toEqual({ kind: "DECIDED" });
    const after = await balances();
    expect([after.get(taxes), after.get(profit)]).toEqual([1_000, 5_000]);
  });

  it("is decided only as it was shown: another name, another strike or another amount of a line needs another look", async () => {
    const { propose, line, look, decide, read, taxes, services, at } = await arrange();
    const { id } = await propose([line(6_000), line(9_000)]);
    const view = await look(id);
    await database.ownerPool.query("update accounts set name = 'Tax office' where id = $1", [taxes]);
    expect(await decide(signedBatch(view))).toMatchObject({
      kind: "CHANGED",
      changes: [expect.stringContaining("Line 1"), expect.anything()],
    });
    const now = signedBatch(await look(id));
    const [first] = now.lines;
    if (!first) throw new Error("no line");
    for (const wrong of [
      { ...now, lines: [first] },
      { ...now, lines: [first, first] },
      { ...now, lines: [], struckIds: now.lines.map(({ transferId }) => transferId) },
      { ...now, struckIds: [first.transferId] },
    ]) {
      expect(await decide(wrong)).toMatchObject({
        kind: "REFUSED",
        message: expect.stringContaining("not the lines"),
      });
    }
    expect(await decide({ ...now, money: "" })).toMatchObject({ kind: "CHANGED" });
    expect(await beginBatch(services, at().actor, now)).toEqual({ kind: "NONE" });
    expect(await read(id)).toMatchObject({ status: "WAITING" });
    expect(await decide(now)).toEqual({ kind: "DECIDED" });
  });

  it("shows that a line would take its source below the floor, which a person may sign", async () => {
    const { propose, line, look, decide } = await arrange({ balanceInCents: 20_000, floorInCents: 10_000 });
    const { id } = await propose([line(6_000), line(6_000)]);
    const view = await look(id);
    expect(signedBatch(view).money).toContain("LOOK");
    expect(await decide({ ...signedBatch(view), money: signedBatch(view, [1]).money })).toMatchObject({
      kind: "CHANGED",
    });
    expect(await decide(signedBatch(view))).toEqual({ kind: "DECIDED" });
  });

  it("is denied as a whole with one reason, which holds back each of its requests", async () => {
    const { propose, line, look, decide, read, post, balances, operating } = await arrange();
    const { id } = await propose([line(6_000), line(9_000)]);
    const reason = { kind: "DO_NOT_ASK_AGAIN" as const, text: "Paid already", notBefore: null };
    expect(await decide({ ...batchDenial(id), reason })).toEqual({ kind: "DECIDED" });
    expect(await read(id)).toMatchObject({
      status: "DENIED",
      lines: [
        { decision: { outcome: "DENIED", reason: { text: "Paid already" } } },
        { status: "APPROVAL_DENIED" },
      ],
    });
    expect((await balances()).get(operating)).toBe(1_000_000);
    const again = await post([line(1_000), line(9_000)]);
    expect([again.status, Object(again.body).error]).toMatchObject([
      403,
      { code: "REPEATS_DENIAL", details: [{ field: "transfers.1" }] },
    ]);
    expect(await decide(batchDenial(id))).toMatchObject({ kind: "ALREADY_DECIDED", decision: "DENIED" });
    expect(await look(id)).toMatchObject({ status: "DENIED", shared: { decision: { kind: "DENIED" } } });
  });

  it("has lines that nobody decides alone", async () => {
    const { propose, line, services, at, read } = await arrange();
    const { id, lines } = await propose([line(6_000), line(9_000)]);
    const [{ transferId }] = lines;
    for (const decision of ["APPROVE", "DENY"] as const) {
      const input = {
        proposalId: transferId,
        decision,
        digest: "",
        note: null,
        confirmation: { kind: "NONE" as const },
      };
      expect(await decideProposal(services, at(), input)).toMatchObject({
        kind: "REFUSED",
        message: expect.stringContaining("batch"),
      });
    }
    await expect(
      database.pool.query("select write_decision($1)", [
        JSON.stringify({
          organizationId: at().organizationId,
          proposalId: transferId,
          state: "APPROVED",
          now: at().now,
        }),
      ]),
    ).rejects.toThrow("no rows");
    expect(await read(id)).toMatchObject({ status: "WAITING" });
  });

  it("is taken back as a whole by its program with any of its lines while it waits, and no later", async () => {
    const { propose, line, call, key, organization, look, decide, read } = await arrange();
    const { id, lines } = await propose([line(6_000), line(9_000)]);
    const other = await organization.addKey([moveAnything(true)], "another");
    const cancel = (by: string, of = lines) => call(by, "POST", `/transfers/${of[1].transferId}/cancel`);
    expect((await cancel(other.text)).status).toBe(403);
    for (let times = 0; times < 2; times += 1) {
      expect((await cancel(key.text)).body).toMatchObject({ data: { status: "APPROVAL_DENIED" } });
    }
    expect(await read(id)).toMatchObject({
      status: "WITHDRAWN",
      lines: [{ status: "APPROVAL_DENIED", decision: { outcome: "WITHDRAWN" } }, {}],
    });
    expect(await decide(batchDenial(id))).toMatchObject({ kind: "REFUSED" });
    const second = await propose([line(6_000), line(7_000)]);
    expect(await decide(signedBatch(await look(second.id), [2]))).toEqual({ kind: "DECIDED" });
    const late = await cancel(key.text, second.lines);
    expect([late.status, late.text]).toEqual([409, expect.stringContaining("denied it")]);
    expect(await read(second.id)).toMatchObject({ status: "APPROVED", approvedInCents: 6_000 });
  });

  it("expires, ends with its key, and waits while the gates are closed", async () => {
    const { propose, line, clock, services, read, look, decide, key, at } = await arrange();
    const { id } = await propose([line(6_000), line(9_000)]);
    const view = await look(id);
    await closeGates(services, at());
    expect(await decide(signedBatch(view))).toMatchObject({
      kind: "REFUSED",
      message: expect.stringContaining("gates"),
    });
    await database.ownerPool.query("delete from gate_closings where organization_id = $1", [
      at().organizationId,
    ]);
    clock.advance(DAY_MS);
    expect(await decide(signedBatch(view))).toEqual({ kind: "EXPIRED" });
    await expireProposals(services, 1);
    // The worker has reached one line and not the other.
    expect(await decide(signedBatch(view))).toEqual({ kind: "EXPIRED" });
    expect(await read(id)).toMatchObject({ status: "EXPIRED" });
    await expireProposals(services, 100);
    expect((await read(id)).lines.map(({ status }: { status: string }) => status)).toEqual([
      "APPROVAL_DENIED",
      "APPROVAL_DENIED",
    ]);
    const { id: second } = await propose([line(6_000), line(9_000)]);
    await revokeApiKey(services, at(), key.id);
    expect(await look(second)).toMatchObject({ status: "REVOKED" });
    expect(await decide(batchDenial(second))).toMatchObject({ kind: "ALREADY_DECIDED" });
  });
});

describe("proposing a batch", () => {
  it("takes up to a hundred lines and reads them in a few statements", async () => {
    const { post, line, look, decide, balances, taxes } = await arrange();
    expect((await post(Array.from({ length: 101 }, () => line(100)))).body).toMatchObject({
      error: {
        code: "INVALID_PARAMETERS",
        details: [{ field: "transfers", message: "must have 1 to 100 transfers" }],
      },
    });
    expect((await post([])).status).toBe(400);
    const response = await post(Array.from({ length: 100 }, (_, index) => line(100 + index)));
    const { id } = Object(response.body).data;
    const counted = countQueries(database.pool);
    await look(id, undefined, counted.pool);
    expect(counted.queries.length, counted.queries.join()).toBeLessThan(40);
    expect(await decide(signedBatch(await look(id)))).toEqual({ kind: "DECIDED" });
    expect((await balances()).get(taxes)).toBe(14_950);
  });

  it("proposes all lines or none, and names the line that is wrong", async () => {
    const { post, line, organization, key } = await arrange();
    const before = await database.ownerPool.query(
      "select count(*)::int as n from transfers where organization_id = $1",
      [organization.organizationId],
    );
    const nowhere = "0199c0de-0000-7000-8000-000000000000";
    expect((await post([line(100), line(0)])).body).toMatchObject({
      error: { details: [{ field: "transfers.1.amountInCents" }] },
    });
    expect((await post([line(100), line(100, nowhere)])).body).toMatchObject({
      error: {
        code: "TRANSFER_DESTINATION_NOT_FOUND",
        details: [{ field: "transfers.1.destinationAccountId" }],
      },
    });
    const narrow = await organization.addKey(
      [
        {
          type: "MANUAL_TRANSFER",
          entries: [{ source: "ANY", target: "ANY", max_amount: 500 }],
          approval: { required: true },
        },
      ],
      "narrow",
    );
    expect((await post([line(500), line(501)], {}, narrow.text)).body).toMatchObject({
      error: { code: "MAXIMUM_AMOUNT_EXCEEDED", message: expect.stringContaining("transfers.1") },
    });
    const after = await database.ownerPool.query(
      "select count(*)::int as n from transfers where organization_id = $1",
      [organization.organizationId],
    );
    expect(after.rows).toEqual(before.rows);
    expect(key.id).toBeDefined();
  });

  it("waits for a person also where the key may move money alone", async () => {
    const { propose, line, balances, operating } = await arrange({ permissions: [moveAnything(false)] });
    expect(await propose([line(100)])).toMatchObject({
      status: "WAITING",
      approvalUrl: expect.stringContaining("approvalTransferId="),
    });
    expect((await balances()).get(operating)).toBe(1_000_000);
  });

  it("is written once for one idempotency key, and answers the same", async () => {
    const { post, line, organization } = await arrange();
    const key = { "idempotency-key": "batch-1" };
    const [first, second] = await Promise.all([post([line(100)], key), post([line(100)], key)]);
    expect(first.body).toEqual(second.body);
    expect((await post([line(200)], key)).body).toMatchObject({
      error: { code: "IDEMPOTENCY_KEY_MISMATCH" },
    });
    const { rows } = await database.ownerPool.query(
      "select count(*)::int as n from transfer_batches where organization_id = $1",
      [organization.organizationId],
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  it("flags two lines to one account as possible duplicates, and no lines that are only alike", async () => {
    const { propose, line, profit, look } = await arrange();
    const { id, lines } = await propose([line(6_000), line(6_000, profit), line(6_000)]);
    const codes = lines.map(({ checks }: { checks: { code: string; level: string }[] }) =>
      checks.filter(({ level }) => level === "REVIEW").map(({ code }) => code),
    );
    expect(codes).toEqual([
      ["NEW_ROUTE", "POSSIBLE_DUPLICATE"],
      ["NEW_ROUTE"],
      ["NEW_ROUTE", "POSSIBLE_DUPLICATE"],
    ]);
    const view = await look(id);
    expect(view.lines.map(({ sameAccountLines }) => sameAccountLines)).toEqual([[3], [], [1]]);
  });

  it("counts as one of the key's proposals, and at most ten wait", async () => {
    const { post, line, call, key } = await arrange();
    for (let count = 0; count < 10; count += 1) expect((await post([line(100), line(200)])).status).toBe(202);
    const refused = await post([line(100)]);
    expect([refused.status, refused.text]).toEqual([429, expect.stringContaining("are batches")]);
    const whoami = await call(key.text, "GET", "/whoami");
    expect(JSON.stringify(whoami.body)).toContain('"waiting":10');
    const single = await call(key.text, "POST", "/transfers", { body: line(100) });
    expect(single.status).toBe(202);
  });

  it("asks the deciders once", async () => {
    const { propose, line, organization, look, decide } = await arrange();
    const { id } = await propose([line(100), line(200), line(300)]);
    await decide(signedBatch(await look(id)));
    const { rows } = await database.ownerPool.query(
      "select kind, count(*)::int as n from notices where organization_id = $1 and kind like 'APPROVAL%' group by 1 order by 1",
      [organization.organizationId],
    );
    expect(rows).toEqual([
      { kind: "APPROVAL_ASKED", n: 1 },
      { kind: "APPROVAL_DECIDED", n: 1 },
    ]);
  });

  it("is a member's own from a form, which proposes it once, and they may sign it", async () => {
    const { services, at, line, look, decide, balances, taxes, organization } = await arrange();
    const formId = "0199c0de-0000-7000-8000-00000000000f";
    const input = { formId, reason: "From a file", lines: [{ ...line(100), description: null }] };
    const hrefs = await Promise.all([
      proposeBatch(services, at(), input),
      proposeBatch(services, at(), input),
    ]);
    expect(new Set(hrefs).size).toBe(1);
    const view = await look(formId);
    expect(view.shared.requester).toMatchObject({ kind: "MEMBER", name: organization.owner.actor.name });
    expect(await decide(signedBatch(view))).toEqual({ kind: "DECIDED" });
    expect((await balances()).get(taxes)).toBe(100);
  });
});

describe("another organization", () => {
  it("neither reads, decides nor cancels a batch", async () => {
    const { propose, line, read, look } = await arrange();
    const { id, lines } = await propose([line(100)]);
    const view = await look(id);
    const stranger = await arrange();
    expect((await stranger.call(stranger.key.text, "GET", `/transfer-batches/${id}`)).status).toBe(404);
    expect(
      (await stranger.call(stranger.key.text, "POST", `/transfers/${lines[0].transferId}/cancel`)).status,
    ).toBe(404);
    expect(await stranger.decide(signedBatch(view))).toMatchObject({ kind: "REFUSED" });
    expect(await stranger.decide(batchDenial(id))).toMatchObject({ kind: "REFUSED" });
    await expect(stranger.look(id)).rejects.toThrow("no such batch");
    expect((await stranger.post([line(100)])).status).toBe(400);
    expect(await read(id)).toMatchObject({ status: "WAITING" });
  });
});

describe("races", () => {
  it("two deciders who strike different lines: one decides, and the books follow that one", async () => {
    const { propose, line, look, decide, read, organization, balances, taxes } = await arrange();
    const { id } = await propose([line(100), line(1_000), line(10_000)]);
    const other = await organization.addMember("CO_OWNER", "Jonas");
    const view = await look(id);
    const results = await Promise.all([
      decide(signedBatch(view, [1])),
      decide(signedBatch(view, [2]), {}, other),
      decide(batchDenial(id), {}, other),
      decide(signedBatch(view)),
    ]);
    expect(results.filter(({ kind }) => kind === "DECIDED")).toHaveLength(1);
    expect(results.filter(({ kind }) => kind === "ALREADY_DECIDED")).toHaveLength(3);
    const batch = await read(id);
    expect((await balances()).get(taxes)).toBe(batch.approvedInCents);
  });

  it("a decision and the closing of the gates: all of it happened before, or nothing", async () => {
    const { propose, line, look, decide, read, services, at, balances, taxes } = await arrange();
    const { id } = await propose([line(100), line(1_000)]);
    const view = await look(id);
    const [result] = await Promise.all([decide(signedBatch(view)), closeGates(services, at())]);
    const { status, approvedInCents } = await read(id);
    expect([status, approvedInCents]).toEqual(
      result.kind === "DECIDED" ? ["APPROVED", 1_100] : ["WAITING", 0],
    );
    expect((await balances()).get(taxes)).toBe(approvedInCents);
  });

  it("a decision waits for a withdrawal in progress, and finds it withdrawn", async () => {
    const { propose, line, look, decide, at, key } = await arrange();
    const { id, lines } = await propose([line(100)]);
    const view = await look(id);
    const { hasWaited, result } = await overlap(
      database,
      (client) =>
        client.query("select cancel_own_transfer($1, $2, $3, $4)", [
          at().organizationId,
          lines[0].transferId,
          key.id,
          at().now,
        ]),
      () => decide(signedBatch(view)),
    );
    expect([hasWaited, result]).toEqual([true, expect.objectContaining({ kind: "REFUSED" })]);
  });
});

const ROUNDS = proofSize(12, 150);
const amount = fc.integer({ min: 100, max: 40_000 });

it("conserves money, and moves exactly the signed lines, for any batch and any strikes", async () => {
  const world = await arrange({ balanceInCents: 100_000, floorInCents: 5_000 });
  const pods = [world.operating, world.taxes, world.profit];
  const route = fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 2 }), amount, fc.boolean());
  await fc.assert(
    fc.asyncProperty(fc.array(route, { minLength: 1, maxLength: 8 }), async (routes) => {
      const lines = routes.map(([from, by, cents]) =>
        world.line(cents, pods[(from + by) % 3] ?? "", pods[from] ?? ""),
      );
      const struck = routes.flatMap(([, , , isStruck], index) => (isStruck ? [index + 1] : []));
      const { id } = await world.propose(lines);
      const before = await world.balances();
      const view = await world.look(id);
      const result =
        struck.length === routes.length
          ? await world.decide(batchDenial(id))
          : await world.decide(signedBatch(view, struck));
      const after = await world.balances();
      const expected = new Map(before);
      let isCovered = true;
      for (const [index, { sourceAccountId, destinationAccountId, amountInCents }] of lines.entries()) {
        if (struck.includes(index + 1)) continue;
        const left = (expected.get(sourceAccountId) ?? 0) - amountInCents;
        if (left < 0) isCovered = false;
        expected.set(sourceAccountId, left);
        expected.set(destinationAccountId, (expected.get(destinationAccountId) ?? 0) + amountInCents);
      }
      expect(result.kind).toBe(isCovered ? "DECIDED" : "WOULD_FAIL");
      expect(after).toEqual(isCovered ? expected : before);
      if (!isCovered) await world.decide(batchDenial(id));
      world.clock.advance(60_000);
    }),
    { numRuns: ROUNDS, seed: proofSeed },
  );
  const books = await auditBooks(database, world.organization.organizationId);
  expect(books).toMatchObject({ wrongLedgers: [], negative: [], wrongHolds: [] });
});
