import { describe, expect, it } from "vitest";
import type { PermissionInput } from "@/lib/contract/permissions";
import { approvalPlaceSchema, approvalSearchSchema } from "@/lib/contract/search/search-schemas";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { countWaiting } from "@/lib/core/approvals/read-waiting";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import { runDueRules } from "@/lib/core/rules/run-due-rules";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { cancelTransfer } from "@/lib/core/transfers/cancel-transfer";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { newId } from "@/lib/platform/ids";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { createTestApi, moveAnything } from "@/lib/testing/api";
import { auditBooks } from "@/lib/testing/conservation";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { overlap } from "@/lib/testing/overlap";
import { anythingWithRules, makeActive, writeRule } from "@/lib/testing/rules/rules";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";
import { listProposals } from "@/lib/views/approvals/list-proposals";
import { readTransferDetail } from "@/lib/views/movements/read-transfer-detail";

/**
 * Goal: a program takes back what it requested itself, until it has left, and nothing of it moves. Method: over HTTP;
 * races with one transaction held open, so that their order is certain.
 */
const database = useTestDatabase();

const READS_ALL: readonly PermissionInput[] = [
  { type: "READ_TRANSFERS", accounts: "ALL" },
  { type: "READ_RULES", rules: "ALL" },
];

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId } = organization;
  const pod = (name: string) => organization.addAccount({ name, type: "POD", balanceInCents: 100_000 });
  const [operating, taxes] = [await pod("Operating"), await pod("Taxes")];
  const checking = await organization.addAccount({
    name: "Checking",
    type: "EXTERNAL_ACCOUNT",
    balanceInCents: 50_000,
  });
  const bank = createSandboxBank(database.pool);
  const call = createTestApi(services);
  const owner = () => ({ ...organization.owner, now: clock.now() });
  const addKey = async (
    approvalRequired: boolean,
    capInCents: number | null = null,
    more: readonly PermissionInput[] = [],
  ) => {
    const runs: PermissionInput = {
      type: "TRIGGER_RULES",
      rules: "ALL",
      approval: { required: approvalRequired },
    };
    const key = await organization.addKey([moveAnything(approvalRequired), runs, ...more], "brightpay");
    if (capInCents !== null) {
      await database.ownerPool.query("update api_keys set daily_cap_in_cents = $2 where id = $1", [
        key.id,
        capInCents,
      ]);
    }
    return key;
  };
  const propose = async (key: string, destinationAccountId = checking) => {
    const body = { sourceAccountId: operating, destinationAccountId, amountInCents: 10_000 };
    const answer = await call(key, "POST", "/transfers", { body });
    expect(answer.status).toBe(202);
    return String(Object(answer.body).data.id);
  };
  const cancel = async (key: string, path: string) => {
    const { status, body } = await call(key, "POST", `${path}/cancel`);
    const { data, error } = Object(body);
    return { status, data, code: error?.code ?? null, message: error?.message ?? null };
  };
  const decide = async (proposalId: string, decision: "APPROVE" | "DENY") => {
    const digest = (await look(proposalId)).digest;
    const confirmation = { kind: "NONE" as const };
    return decideProposal(services, owner(), { proposalId, decision, digest, note: null, confirmation });
  };
  const time = () => ({ nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" });
  const look = async (id: string) => {
    const view = await getApproval({ services, context: owner(), time: time() }, id);
    if (!view) throw new Error("There is no such proposal");
    return view;
  };
  const addRule = async () => {
    const writer = await organization.addKey(anythingWithRules(false));
    const move = (destinationAccountId: string) => ({
      type: "FIXED",
      sourceAccountId: operating,
      destinationAccountId,
      group: 0,
      amountInCents: 5_000,
    });
    const ruleId = await writeRule(services, writer.context, {
      trigger: { type: "MANUAL", accountId: operating },
      steps: [{ actions: [move(checking), move(taxes)] }],
    });
    await makeActive(database, ruleId);
    return ruleId;
  };
  const run = async (key: string, ruleId: string) => {
    const { status, body } = await call(key, "POST", `/rules/${ruleId}/trigger`, { body: {} });
    expect(status).toBe(202);
    return `/rules/${ruleId}/executions/${Object(body).data.executionId}`;
  };
  const held = async () => {
    const { rows } = await database.pool.query("select held_in_cents as held from ledgers where id = $1", [
      operating,
    ]);
    return rows[0]?.held;
  };
  const notices = async (id: string) => {
    const { rows } = await database.ownerPool.query(
      "select kind from notices where organization_id = $1 and (proposal_id = $2 or subject_id = $2) order by kind",
      [organizationId, id],
    );
    return rows.map(({ kind }) => kind);
  };
  const expectCleanBooks = async () => {
    const books = await auditBooks(database, organizationId);
    expect(books).toMatchObject({ wrongLedgers: [], wrongHolds: [], negative: [] });
  };
  return {
    services,
    clock,
    organization,
    organizationId,
    bank,
    call,
    owner,
    addKey,
    propose,
    cancel,
    decide,
    look,
    time,
    addRule,
    run,
    held,
    notices,
    taxes,
    expectCleanBooks,
  };
}

const lastOf = (path: string) => path.split("/").at(-1) ?? "";

describe("a transfer that waits", () => {
  it("is withdrawn: denied for programs, and said as withdrawn by its program wherever members see it", async () => {
    const { services, organizationId, clock, owner, addKey, propose, cancel, look, time, notices } =
      await arrange();
    const key = await addKey(true);
    const id = await propose(key.text);
    const first = await cancel(key.text, `/transfers/${id}`);
    expect(first).toMatchObject({ status: 200, data: { id, status: "APPROVAL_DENIED", approvalUrl: null } });
    expect(first.data.completedAt).not.toBeNull();
    expect(await cancel(key.text, `/transfers/${id}`)).toEqual(first);
    const view = await look(id);
    expect(view.status).toBe("WITHDRAWN");
    expect(view.history.at(-1)).toMatchObject({ kind: "WITHDRAWN", byName: "brightpay" });
    expect(await notices(id)).toEqual(["APPROVAL_ASKED", "APPROVAL_DECIDED"]);
    expect(await countWaiting(services.pool, organizationId, clock.now())).toBe(0);
    const inbox = (decided: string) =>
      listProposals(
        { services, context: owner(), time: time() },
        approvalSearchSchema.parse({ decided }),
        approvalPlaceSchema.parse({}),
      );
    expect((await inbox("withdrawn")).decided.rows).toMatchObject([
      { id, status: "WITHDRAWN", decision: null },
    ]);
    expect((await inbox("denied")).decided.rows).toEqual([]);
    const detail = await readTransferDetail({ services, context: owner(), time: time() }, id);
    expect(detail?.life.at(-1)).toMatchObject({ kind: "WITHDRAWN" });
  });

  it("is announced to deciders in place of the question, which is no longer sent", async () => {
    const { services, organizationId, addKey, propose, cancel } = await arrange();
    const key = await addKey(true);
    await cancel(key.text, `/transfers/${await propose(key.text)}`);
    await sendNotices(services, { isSandboxBank: true }, 50);
    const { rows } = await database.ownerPool.query(
      "select distinct kind, subject from messages where organization_id = $1 and channel = 'EMAIL'",
      [organizationId],
    );
    expect(rows).toEqual([
      { kind: "APPROVAL_DECIDED", subject: "brightpay withdrew: Move $100.00 from Operating to Checking" },
    ]);
  });

  it("cannot be decided afterwards, nor withdrawn after a decision or its expiry", async () => {
    const { clock, addKey, propose, cancel, decide } = await arrange();
    const key = await addKey(true);
    const [withdrawn, denied, expired] = [
      await propose(key.text),
      await propose(key.text),
      await propose(key.text),
    ];
    await cancel(key.text, `/transfers/${withdrawn}`);
    for (const decision of ["APPROVE", "DENY"] as const) {
      expect(await decide(withdrawn, decision)).toEqual({
        kind: "REFUSED",
        message: "The program that requested this withdrew it. Nothing was decided.",
      });
    }
    expect(await decide(denied, "DENY")).toEqual({ kind: "DECIDED" });
    const tooLate = (why: string) => ({
      status: 409,
      code: "TOO_LATE_TO_CANCEL",
      message: expect.stringContaining(why),
    });
    expect(await cancel(key.text, `/transfers/${denied}`)).toMatchObject(tooLate("A person has denied it."));
    clock.advance(25 * 60 * 60_000);
    expect(await cancel(key.text, `/transfers/${expired}`)).toMatchObject(
      tooLate("It expired without a decision."),
    );
  });

  it("is another key's business: refused, and unknown ids are not found", async () => {
    const { addKey, propose, cancel, look } = await arrange();
    // One that could not read it would be refused for that.
    const [own, other] = [await addKey(true), await addKey(true, null, READS_ALL)];
    const id = await propose(own.text);
    expect(await cancel(other.text, `/transfers/${id}`)).toMatchObject({
      status: 403,
      code: "ACCESS_DENIED",
    });
    expect((await look(id)).status).toBe("WAITING");
    const nothing = id.replace(/.{12}$/, "000000000000");
    expect(await cancel(own.text, `/transfers/${nothing}`)).toMatchObject({
      status: 404,
      code: "TRANSFER_NOT_FOUND",
    });
  });
});

describe("an accepted transfer", () => {
  it("is canceled while it waits for the bank's window, releases its hold, and still counts toward the key's cap", async () => {
    const { call, addKey, propose, cancel, held, owner, services, time, look, decide, expectCleanBooks } =
      await arrange();
    const key = await addKey(false, 15_000);
    const id = await propose(key.text);
    expect(await held()).toBe(10_000);
    const first = await cancel(key.text, `/transfers/${id}`);
    expect(first).toMatchObject({ status: 200, data: { status: "CANCELLED", errorCode: null } });
    expect(await cancel(key.text, `/transfers/${id}`)).toEqual(first);
    expect(await held()).toBe(0);
    const detail = await readTransferDetail({ services, context: owner(), time: time() }, id);
    expect(detail?.life.at(-1)).toMatchObject({ kind: "CANCELLED", byName: "brightpay" });
    // A member's cancel gives nothing of the cap back either: the next one is above it and waits.
    const next = await propose(key.text);
    const answer = await call(key.text, "GET", `/transfers/${next}`);
    expect(Object(answer.body).data.status).toBe("APPROVAL_PENDING");
    expect(await decide(next, "APPROVE")).toEqual({ kind: "DECIDED" });
    await cancel(key.text, `/transfers/${next}`);
    expect((await look(next)).history.at(-1)).toMatchObject({ kind: "CANCELLED", byName: "brightpay" });
    await expectCleanBooks();
  });

  it("is refused once the bank has it, has booked it, or a member canceled it", async () => {
    const { services, clock, bank, owner, addKey, propose, cancel, taxes, held } = await arrange();
    const key = await addKey(false);
    const [sent, canceled] = [await propose(key.text), await propose(key.text)];
    expect(await cancelTransfer(services, owner(), canceled)).toBe("CANCELLED");
    clock.advance(BANK_WINDOW_MS);
    await submitDueTransfers(services, bank, 20);
    const booked = await propose(key.text, taxes);
    for (const id of [sent, canceled, booked]) {
      expect(await cancel(key.text, `/transfers/${id}`)).toMatchObject({
        status: 409,
        code: "TOO_LATE_TO_CANCEL",
      });
    }
    expect(await held()).toBe(10_000);
  });
});

describe("a run", () => {
  it("that waits is withdrawn", async () => {
    const { addKey, addRule, run, cancel, look } = await arrange();
    const key = await addKey(true);
    const path = await run(key.text, await addRule());
    const first = await cancel(key.text, path);
    expect(first).toMatchObject({ status: 200, data: { status: "APPROVAL_DENIED", transferIds: [] } });
    expect(await cancel(key.text, path)).toEqual(first);
    expect((await look(lastOf(path))).status).toBe("WITHDRAWN");
  });

  it("that has not begun never begins, and notifies nobody", async () => {
    const { services, addKey, addRule, run, cancel, notices } = await arrange();
    const key = await addKey(false);
    const path = await run(key.text, await addRule());
    const first = await cancel(key.text, path);
    expect(first).toMatchObject({ status: 200, data: { status: "FAILED", transferIds: [] } });
    expect(first.data.errorMessage).toMatch(/canceled it before it began/);
    expect(await cancel(key.text, path)).toEqual(first);
    expect(await runDueRules(services, 10)).toBe(0);
    expect(await notices(lastOf(path))).toEqual([]);
  });

  it("in progress loses the transfers that have not left, and is then over in part", async () => {
    const { services, addKey, addRule, run, cancel, held, notices, expectCleanBooks } = await arrange();
    const key = await addKey(false);
    const path = await run(key.text, await addRule());
    await runDueRules(services, 10);
    await bookDueTransfers(services, 10);
    expect(await held()).toBe(5_000);
    const first = await cancel(key.text, path);
    expect(first).toMatchObject({
      status: 200,
      data: { status: "PARTIAL", transfersCompleted: 1, transfersFailed: 1, transfersPending: 0 },
    });
    expect(await cancel(key.text, path)).toEqual(first);
    expect(await held()).toBe(0);
    expect(await notices(lastOf(path))).toEqual([]);
    await expectCleanBooks();
  });

  it("is refused once the bank has what is left, and if another key started it", async () => {
    const { services, clock, bank, addKey, addRule, run, cancel } = await arrange();
    const [key, other] = [await addKey(false), await addKey(false, null, READS_ALL)];
    const path = await run(key.text, await addRule());
    expect(await cancel(other.text, path)).toMatchObject({ status: 403, code: "ACCESS_DENIED" });
    await runDueRules(services, 10);
    await bookDueTransfers(services, 10);
    clock.advance(BANK_WINDOW_MS);
    await submitDueTransfers(services, bank, 20);
    expect(await cancel(key.text, path)).toMatchObject({ status: 409, code: "TOO_LATE_TO_CANCEL" });
  });
});

describe("a cancellation beside something else", () => {
  it("that withdraws first makes a decision wait and find it withdrawn", async () => {
    const { clock, organizationId, addKey, propose, decide } = await arrange();
    const key = await addKey(true);
    const id = await propose(key.text);
    const { hasWaited, result } = await overlap(
      database,
      (client) =>
        client.query("select cancel_own_transfer($1, $2, $3, $4)", [organizationId, id, key.id, clock.now()]),
      () => decide(id, "APPROVE"),
    );
    expect(hasWaited).toBe(true);
    expect(result).toMatchObject({ kind: "REFUSED" });
  });

  it("that comes second waits for a denial, which stays", async () => {
    const { clock, organizationId, owner, addKey, propose, cancel, look, notices } = await arrange();
    const key = await addKey(true);
    const id = await propose(key.text);
    const { hasWaited, result } = await overlap(
      database,
      (client) =>
        client.query(
          "select record_decision($1, $2, 'DENIED', $3, 'PASSWORD', null, null, 'digest', $4, null, $5)",
          [organizationId, id, owner().actor.id, newId(clock.now()), clock.now()],
        ),
      () => cancel(key.text, `/transfers/${id}`),
    );
    expect(hasWaited).toBe(true);
    expect(result).toMatchObject({ status: 409, code: "TOO_LATE_TO_CANCEL" });
    expect((await look(id)).status).toBe("DENIED");
    expect(await notices(id)).toEqual(["APPROVAL_ASKED", "APPROVAL_DECIDED"]);
  });

  it("that comes second waits for a lease for the bank, and finds the order gone", async () => {
    const { organizationId, addKey, propose, cancel } = await arrange();
    const key = await addKey(false);
    const id = await propose(key.text);
    const { hasWaited, result } = await overlap(
      database,
      (client) =>
        client.query("update transfers set next_step = 'ASK' where organization_id = $1 and id = $2", [
          organizationId,
          id,
        ]),
      () => cancel(key.text, `/transfers/${id}`),
    );
    expect(hasWaited).toBe(true);
    expect(result).toMatchObject({ status: 409, code: "TOO_LATE_TO_CANCEL" });
  });

  it("that comes second waits for the revocation of its key, and is refused", async () => {
    const { clock, organizationId, owner, addKey, propose, cancel } = await arrange();
    const key = await addKey(true);
    const id = await propose(key.text);
    const { hasWaited, result } = await overlap(
      database,
      (client) =>
        client.query("select * from revoke_api_key($1, $2, $3, 'MEMBER', $4)", [
          organizationId,
          key.id,
          owner().actor.id,
          clock.now(),
        ]),
      () => cancel(key.text, `/transfers/${id}`),
    );
    expect(hasWaited).toBe(true);
    expect(result).toMatchObject({ status: 401, code: "UNAUTHORIZED" });
  });
});
