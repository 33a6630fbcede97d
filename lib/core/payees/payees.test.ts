/**
 * Nothing is paid to an account that no member has confirmed: not by a program's word, not after a change, not sooner
 * than the cool-off allows. Against a real PostgreSQL and the sandbox bank.
 */
import { describe, expect, it } from "vitest";
import { MAXIMUM_PROPOSED_PAYEES, type NewPayeeInput } from "@/lib/contract/payee";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { editAccount } from "@/lib/core/ledger/edit-account";
import { listAccounts } from "@/lib/core/ledger/read-accounts";
import { sendMessages } from "@/lib/core/notifications/send-messages";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import { confirmPayee, declinePayeeDetails, removePayee } from "@/lib/core/payees/decide-payee";
import { sendPayeeLink } from "@/lib/core/payees/payee-link";
import { listPayees, proposePayee } from "@/lib/core/payees/propose-payee";
import { setPayeeCoolOff } from "@/lib/core/payees/set-cool-off";
import type { CallerActor, Context, MemberActor } from "@/lib/core/shared/context";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { joinTransaction } from "@/lib/db/transaction";
import { BankUnavailable } from "@/lib/ports/bank/bank-port";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import type { MailPort, OutgoingMail, SmsPort } from "@/lib/ports/messages/message-ports";
import { askTransfer, moveAnything, readEverything } from "@/lib/testing/api";
import { addPayee, changePayee } from "@/lib/testing/as-entered";
import { auditBooks } from "@/lib/testing/conservation";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { overlap } from "@/lib/testing/overlap";
import { readRecordedChanges } from "@/lib/testing/recorded-changes";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";
import { readPayee, readPayees } from "@/lib/views/payees/read-payees";

const database = useTestDatabase();

const TIME = { nowAt: "2026-03-02T15:00:00.000Z", timeZone: "America/New_York", locale: "en-US" };
const HOUR_MS = 3_600_000;
const QUARTER_HOUR_MS = HOUR_MS / 4;
const ACCOUNT_NUMBER = "987654321";
const ROUTING_NUMBER = "101050001";
const account = (accountNumber = ACCOUNT_NUMBER) => ({
  holderName: "Harbor Print Shop LLC",
  accountKind: "CHECKING" as const,
  routingNumber: ROUTING_NUMBER,
  accountNumber,
});
const printShop: NewPayeeInput = { name: "Harbor Print Shop", kind: "BUSINESS", account: account() };

async function arrange() {
  const { services, clock, woken } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId } = organization;
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 1_000_000,
  });
  const key = await organization.addKey([
    ...readEverything,
    { type: "CREATE_ACCOUNTS" },
    moveAnything(false),
  ]);
  const asking = await organization.addKey([moveAnything(true)], "asking-key");
  const bank = createSandboxBank(database.pool);
  const at = <A extends MemberActor | CallerActor>(context: Context<A>): Context<A> => ({
    ...context,
    now: clock.now(),
  });
  const here = (member = organization.owner) => ({
    ...member,
    now: clock.now(),
    actor: { ...member.actor, authenticatedAt: clock.now() },
  });
  /** As after a new sign-in. */
  const proveIt = () =>
    database.ownerPool.query("update sessions set authenticated_at = $2 where organization_id = $1", [
      organizationId,
      clock.now(),
    ]);
  const waiting = async (payeeId: string) => {
    const { rows } = await database.pool.query<{ id: string }>(
      "select id from payee_details where organization_id = $1 and payee_id = $2 and state = 'WAITING'",
      [organizationId, payeeId],
    );
    return rows[0]?.id ?? null;
  };
  const confirm = async (
    payeeId: string,
    member = organization.owner,
    callBackNote: string | null = "Ana",
  ) => {
    const detailsId = await waiting(payeeId);
    if (!detailsId) throw new Error("nothing waits");
    await confirmPayee(services, here(member), { payeeId, detailsId, callBackNote });
  };
  const active = async (input = printShop) => {
    const id = await addPayee(services, bank, here(), input);
    await confirm(id);
    return id;
  };
  const pay = (payeeId: string, amountInCents: number, caller = key) =>
    askTransfer(services, caller.context, {
      sourceAccountId: operating,
      destinationAccountId: payeeId,
      amountInCents,
    });
  const transfer = async (id: string) => {
    const { rows } = await database.pool.query(
      `select status, next_step as "nextStep", due_at as "dueAt", error_code as "errorCode",
          payee_version as "payeeVersion" from transfers where organization_id = $1 and id = $2`,
      [organizationId, id],
    );
    return rows[0];
  };
  const carryOut = async () => {
    await submitDueTransfers(services, bank, 50);
    await bookDueTransfers(services, 50);
  };
  const orders = async () => {
    const { rows } = await database.pool.query(
      `select outside_account_number_last4 as last4, outside_reference as reference, amount_in_cents as amount
         from sandbox_bank_orders where organization_id = $1 order by submitted_at, amount_in_cents`,
      [organizationId],
    );
    return rows;
  };
  const propose = (name: string, caller = key) =>
    proposePayee(
      services,
      at(caller.context),
      { name, kind: "BUSINESS", rail: "ACH" },
      {
        sent: {
          method: "POST",
          path: "/platform/v1/payees",
          idempotencyKey: null,
          calledReason: null,
          body: {},
        },
        auditAction: "PROPOSE_PAYEE",
        status: 201,
        idempotency: null,
      },
    );
  const states = async () => {
    const page = await listPayees(services, at(key.context), {
      page: 1,
      pageSize: 100,
      states: [],
      externalId: null,
      metadata: null,
    });
    return page.items.map(({ name, state, changeIsWaiting }) => ({ name, state, changeIsWaiting }));
  };
  return {
    services,
    clock,
    woken,
    organization,
    organizationId,
    operating,
    key,
    asking,
    bank,
    here,
    proveIt,
    waiting,
    confirm,
    active,
    pay,
    transfer,
    carryOut,
    orders,
    propose,
    states,
  };
}

describe("names that render alike", () => {
  it.each([
    "Harbor  Print Shop",
    "Harbor\u00a0Print\u3000Shop",
    "Ｈarbor Print Shop",
    "HARBOR PRİNT SHOP",
    "Harbor Prınt Shop",
  ])("are one name: %s is taken", async (name) => {
    const { services, bank, here, active, propose, confirm, key } = await arrange();
    await active();
    const taken = { code: "INVALID_PARAMETERS" };
    await expect(
      addPayee(services, bank, here(), { name, kind: "BUSINESS", account: null }),
    ).rejects.toMatchObject(taken);
    // A program may propose it; it cannot be confirmed under that name.
    await propose(name);
    const page = await listPayees(services, key.context, {
      page: 1,
      pageSize: 10,
      states: [],
      externalId: null,
      metadata: null,
    });
    const proposed = page.items.find((item) => item.name === name)?.id ?? "";
    const view = await readPayee({ services, context: here(), time: TIME }, proposed);
    expect(view?.lookAlike).toMatchObject({ kind: "PAYEE", otherName: "Harbor Print Shop" });
    await changePayee(services, bank, here(), {
      payeeId: proposed,
      name: "Harbor Press",
      kind: "BUSINESS",
      account: account("123456789"),
    });
    await confirm(proposed);
  });

  it("are flagged where they differ to a computer alone, for accounts too", async () => {
    const { services, bank, here, organization } = await arrange();
    await organization.addAccount({ name: "Payroll", type: "POD", balanceInCents: 0 });
    const add = (name: string) => addPayee(services, bank, here(), { name, kind: "BUSINESS", account: null });
    for (const name of ["Acme Supply", "Acmе Supply", "PayroII", "Cedar"]) await add(name);
    const { payees } = await readPayees({ services, context: here(), time: TIME });
    expect(
      Object.fromEntries(payees.map(({ name, lookAlike }) => [name, lookAlike?.otherName ?? null])),
    ).toEqual({
      "Acme Supply": "Acmе Supply",
      "Acmе Supply": "Acme Supply",
      PayroII: "Payroll",
      Cedar: null,
    });
  });
});

describe("an address that a program proposed for a payee", () => {
  it("is shown as the program's, and is the members' own once they have sent a link to it", async () => {
    const { services, here, key } = await arrange();
    const written = await proposePayee(
      services,
      key.context,
      { name: "Cedar", kind: "BUSINESS", rail: "ACH", email: "billing@cedar.example" },
      {
        sent: {
          method: "POST",
          path: "/platform/v1/payees",
          idempotencyKey: null,
          calledReason: null,
          body: {},
        },
        auditAction: "PROPOSE_PAYEE",
        status: 201,
        idempotency: null,
      },
    );
    expect(written.kind).toBe("RECORDED");
    const [{ id: payeeId } = { id: "" }] = (await readPayees({ services, context: here(), time: TIME }))
      .payees;
    const read = async () => {
      const view = await readPayee({ services, context: here(), time: TIME }, payeeId);
      return [view?.email, view?.proposedEmail];
    };
    const byName = expect.any(String);
    expect(await read()).toEqual([null, { email: "billing@cedar.example", byName }]);
    const send = (email: string) =>
      sendPayeeLink(services, here(), { payeeId, email }, { isSandboxBank: true });
    await send("billing@cedar.example");
    expect(await read()).toEqual(["billing@cedar.example", null]);
    await send("other@cedar.example");
    expect(await read()).toEqual(["other@cedar.example", null]);
  });
});

describe("a payee", () => {
  it("is proposed by a program without an account, and stays unpayable until a member confirms one", async () => {
    const { propose, states, pay, bank, services, here, key, confirm, transfer } = await arrange();
    const result = await propose("Harbor Print Shop");
    if (result.kind !== "RECORDED") throw new Error("replayed");
    const { id } = result.body.data as { id: string };
    expect(await states()).toEqual([
      { name: "Harbor Print Shop", state: "NEEDS_DETAILS", changeIsWaiting: false },
    ]);
    await expect(pay(id, 10_000)).rejects.toMatchObject({ code: "TRANSFER_DESTINATION_NOT_FOUND" });

    await changePayee(services, bank, here(), {
      payeeId: id,
      name: "Harbor Print Shop",
      kind: "BUSINESS",
      account: account(),
    });
    expect(await states()).toMatchObject([{ state: "WAITING" }]);
    await expect(pay(id, 10_000)).rejects.toMatchObject({ code: "TRANSFER_DESTINATION_NOT_FOUND" });

    await confirm(id);
    expect(await states()).toMatchObject([{ state: "ACTIVE" }]);
    const paid = await pay(id, 10_000);
    expect(paid.destination).toMatchObject({ id, name: "Harbor Print Shop", type: "EXTERNAL_ACCOUNT" });
    expect(await transfer(paid.id)).toMatchObject({ nextStep: "SUBMIT", payeeVersion: 1 });
    expect(key.context.actor.kind).toBe("API_KEY");
  });

  it("is proposed by one program only while fewer than the maximum of its own wait for a member", async () => {
    const { propose, states, services, here, organizationId, organization } = await arrange();
    await propose("Harbor Print Shop");
    await database.ownerPool.query(
      `insert into payees select (jsonb_populate_record(null::payees, to_jsonb(p)
           || jsonb_build_object('id', gen_random_uuid(), 'name', 'Proposed ' || n))).*
         from payees p, generate_series(1, $2) n where p.organization_id = $1`,
      [organizationId, MAXIMUM_PROPOSED_PAYEES - 2],
    );
    await propose("The last one");
    expect(await states()).toHaveLength(MAXIMUM_PROPOSED_PAYEES);
    await expect(propose("One more")).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
    const other = await organization.addKey([{ type: "CREATE_ACCOUNTS" }], "other");
    await propose("Another program's", other);
    const { rows } = await database.pool.query<{ id: string }>(
      "select id from payees where organization_id = $1 and name = 'The last one'",
      [organizationId],
    );
    await removePayee(services, here(), rows[0]?.id ?? "");
    await propose("One more");
  });

  it("is paid at the bank's reference, and its number is stored nowhere", async () => {
    const { active, pay, clock, carryOut, orders } = await arrange();
    const id = await active();
    await pay(id, 10_000);
    clock.advance(BANK_WINDOW_MS);
    await carryOut();
    expect(await orders()).toEqual([
      { last4: "4321", reference: expect.stringMatching(/^SBX-OUT-/), amount: 10_000 },
    ]);
    const { rows } = await database.ownerPool.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
    );
    expect(rows.length).toBeGreaterThan(50);
    for (const { name } of rows) {
      const found = await database.ownerPool.query(
        `select 1 from ${name} r where position($1 in r::text) > 0 or position($2 in r::text) > 0 limit 1`,
        [ACCOUNT_NUMBER, ROUTING_NUMBER],
      );
      expect(found.rowCount, name).toBe(0);
    }
  });

  it("cannot be put in force by the application's own database role", async () => {
    const { services, bank, here, organization, waiting } = await arrange();
    const id = await addPayee(services, bank, here(), printShop);
    await expect(
      database.pool.query("update payees set version = 1 where id = $1", [id]),
    ).rejects.toMatchObject({ code: "42501" });
    const stranger = (await arrange()).organization.owner;
    const confirmAs = async ({ actor }: Context<MemberActor>) =>
      database.pool.query("select * from confirm_payee($1, $2, $3, $4, null, now())", [
        organization.organizationId,
        id,
        await waiting(id),
        actor.id,
      ]);
    for (const who of [stranger, await organization.addMember("ACCOUNTANT", "Jonas")])
      await expect(confirmAs(who)).rejects.toThrow("only an owner or co-owner");
    await removePayee(services, here(), id);
    await database.ownerPool.query(
      "update payee_details set state = 'WAITING', decided_by = null, decided_at = null where payee_id = $1",
      [id],
    );
    await expect(confirmAs(organization.owner)).rejects.toThrow("no rows");
  });

  it("is confirmed only by an owner or co-owner who proves that it is them", async () => {
    const { services, bank, here, organization, clock, confirm, proveIt, states } = await arrange();
    const accountant = await organization.addMember("ACCOUNTANT", "Jonas");
    const id = await addPayee(services, bank, here(), printShop);
    await expect(confirm(id, accountant)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    await expect(addPayee(services, bank, here(accountant), printShop)).rejects.toMatchObject({
      code: "ACCESS_DENIED",
    });
    clock.advance(6 * 60_000);
    await expect(confirm(id)).rejects.toMatchObject({ name: "NotConfirmed" });
    expect(await states()).toMatchObject([{ state: "WAITING" }]);
    await proveIt();
    await confirm(id);
    expect(await states()).toMatchObject([{ state: "ACTIVE" }]);
  });

  it("confirmed by two members at once is confirmed once", async () => {
    const { services, bank, here, organization, waiting, organizationId } = await arrange();
    const jonas = await organization.addMember("CO_OWNER", "Jonas");
    const id = await addPayee(services, bank, here(), printShop);
    const detailsId = (await waiting(id)) ?? "";
    const outcomes = await Promise.allSettled(
      [here(), here(jonas), here(), here(jonas)].map((member) =>
        confirmPayee(services, member, { payeeId: id, detailsId, callBackNote: null }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const { rows } = await database.pool.query(
      "select version from payees where organization_id = $1 and id = $2",
      [organizationId, id],
    );
    expect(rows).toEqual([{ version: 1 }]);
  });

  it("is not confirmed by a member who saw other details than those that wait", async () => {
    const { services, bank, here, waiting, states } = await arrange();
    const id = await addPayee(services, bank, here(), printShop);
    const seen = (await waiting(id)) ?? "";
    const change = { payeeId: id, name: "Harbor Print Shop", kind: "BUSINESS" as const };
    await changePayee(services, bank, here(), { ...change, account: account("55556666") });
    await expect(
      confirmPayee(services, here(), { payeeId: id, detailsId: seen, callBackNote: null }),
    ).rejects.toMatchObject({
      code: "INVALID_PARAMETERS",
      message: expect.stringContaining("already decided or replaced"),
    });
    expect(await states()).toMatchObject([{ state: "WAITING" }]);
  });

  it("of another organization does not exist", async () => {
    const ours = await arrange();
    const theirs = await arrange();
    const id = await theirs.active();
    await expect(ours.pay(id, 10_000)).rejects.toMatchObject({ code: "TRANSFER_DESTINATION_NOT_FOUND" });
    expect(await ours.states()).toEqual([]);
    const change = { payeeId: id, name: "Mine now", kind: "BUSINESS" as const, account: account("11112222") };
    await expect(changePayee(ours.services, ours.bank, ours.here(), change)).rejects.toThrow("no such payee");
    await expect(removePayee(ours.services, ours.here(), id)).rejects.toThrow("no such payee");
    expect(await theirs.states()).toMatchObject([{ state: "ACTIVE", changeIsWaiting: false }]);
  });

  it("keeps its account until a change is confirmed, and a declined change leaves it as it was", async () => {
    const { services, bank, here, active, waiting, states, pay, clock, carryOut, orders } = await arrange();
    const id = await active();
    await changePayee(services, bank, here(), {
      payeeId: id,
      name: "Harbor Print",
      kind: "BUSINESS",
      account: account("55556666"),
    });
    expect(await states()).toEqual([{ name: "Harbor Print Shop", state: "ACTIVE", changeIsWaiting: true }]);
    await pay(id, 10_000);
    await declinePayeeDetails(services, here(), { payeeId: id, detailsId: (await waiting(id)) ?? "" });
    expect(await states()).toEqual([{ name: "Harbor Print Shop", state: "ACTIVE", changeIsWaiting: false }]);
    clock.advance(BANK_WINDOW_MS);
    await carryOut();
    expect(await orders()).toMatchObject([{ last4: "4321" }]);
  });

  it("is not one of the organization's own accounts, and is not renamed as one", async () => {
    const { services, here, key, clock, active, organizationId } = await arrange();
    const id = await active();
    const context = { ...key.context, now: clock.now() };
    const listed = await listAccounts(services, context, { page: 1, pageSize: 100, types: [], state: "ALL" });
    expect(listed.items.map(({ name }) => name)).toEqual(["Operating"]);
    const { rows } = await database.pool.query<{ updatedAt: Date }>(
      `select updated_at as "updatedAt" from accounts where organization_id = $1 and id = $2`,
      [organizationId, id],
    );
    await expect(
      editAccount(services, here(), {
        accountId: id,
        seenUpdatedAt: rows[0]?.updatedAt.toISOString() ?? "",
        name: "Landlord",
        description: null,
        floorInCents: null,
        savingsTargetInCents: null,
        linkedAccountId: null,
      }),
    ).rejects.toMatchObject({ code: "ACCOUNT_NOT_FOUND" });
  });

  it("whose numbers the bank refuses is not written, and the refusal repeats no number", async () => {
    const { services, bank, here, states } = await arrange();
    const refused = addPayee(services, bank, here(), {
      ...printShop,
      account: { ...account(), routingNumber: "123456789" },
    });
    const message = await refused.then(() => "", String);
    expect(message).toContain("routingNumber");
    expect(message).not.toMatch(/123456789|987654321/);
    expect(await states()).toEqual([]);
  });

  it("whose registration the bank did not answer is registered once, however often the form is sent", async () => {
    const { services, bank, here, active, states } = await arrange();
    const formId = crypto.randomUUID();
    const registered: string[] = [];
    const silent: typeof bank = {
      ...bank,
      registerOutsideAccount: async (request) => {
        registered.push(request.outsideAccountId);
        throw new BankUnavailable("no answer");
      },
    };
    const ids = async (send: (by: typeof bank) => Promise<unknown>) => {
      await expect(send(silent)).rejects.toThrow("The bank has not answered");
      await send(silent).catch(() => null);
      return registered.splice(0);
    };
    const [one, same] = await ids((by) => addPayee(services, by, here(), { ...printShop, formId }));
    expect(same).toBe(one);
    expect(await states()).toEqual([]);
    // Other numbers are another account, and so are the same ones in another form.
    const corrected = { ...printShop, account: account("987654322"), formId };
    const [other] = await ids((by) => addPayee(services, by, here(), corrected));
    const [elsewhere] = await ids((by) =>
      addPayee(services, by, here(), { ...printShop, formId: crypto.randomUUID() }),
    );
    expect(new Set([one, other, elsewhere]).size).toBe(3);
    const payeeId = await active();
    const change = { payeeId, name: "Harbor Print", kind: "BUSINESS", account: account(), formId } as const;
    const [changed, again] = await ids((by) => changePayee(services, by, here(), change));
    expect(again).toBe(changed);
  });

  it("bears a name once, also when two are added at the same time", async () => {
    const { services, bank, here, propose, states } = await arrange();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 4 }, () => addPayee(services, bank, here(), printShop)),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await propose("harbor print shop");
    expect(await states()).toHaveLength(2);
  });

  it("that a program proposed under the name of a confirmed one cannot be confirmed", async () => {
    const { services, bank, here, propose, active, confirm, key, clock } = await arrange();
    await active();
    await propose("Harbor Print Shop");
    const context = { ...key.context, now: clock.now() };
    const page = await listPayees(services, context, {
      page: 1,
      pageSize: 10,
      states: ["NEEDS_DETAILS"],
      externalId: null,
      metadata: null,
    });
    const id = page.items[0]?.id ?? "";
    await expect(
      changePayee(services, bank, here(), {
        payeeId: id,
        name: "Harbor Print Shop",
        kind: "BUSINESS",
        account: account(),
      }),
    ).rejects.toThrow("already exists");
    // As given through a link, which does not know of other payees.
    await changePayee(services, bank, here(), {
      payeeId: id,
      name: "Another",
      kind: "BUSINESS",
      account: account(),
    });
    await database.ownerPool.query(
      "update payee_details set name = 'Harbor print shop' where payee_id = $1",
      [id],
    );
    await expect(confirm(id)).rejects.toThrow("already has this name");
  });

  it("announces each step to every owner and co-owner, and records it", async () => {
    const { services, here, active, organizationId, woken } = await arrange();
    const id = await active();
    await removePayee(services, here(), id);
    const { rows } = await database.pool.query(
      `select e.kind, e.by_name as "byName", e.account_number_last4 as last4, e.note, n.user_id as "userId"
         from notices n join payee_events e on e.organization_id = n.organization_id and e.id = n.subject_id
        where n.organization_id = $1 and n.kind = 'PAYEE_CHANGED' order by n.id`,
      [organizationId],
    );
    expect(rows).toEqual([
      { kind: "DETAILS_GIVEN", byName: "Mara", last4: "4321", note: null, userId: null },
      { kind: "CONFIRMED", byName: "Mara", last4: "4321", note: "Ana", userId: null },
      { kind: "REMOVED", byName: "Mara", last4: null, note: null, userId: null },
    ]);
    expect(woken).toContain("send-notices");
  });
});

describe("a payment", () => {
  it("that was accepted before its payee changed is never sent, and its hold is released", async () => {
    const { services, bank, here, active, pay, confirm, transfer, clock, carryOut, orders, organizationId } =
      await arrange();
    const id = await active();
    const paid = await pay(id, 10_000);
    await changePayee(services, bank, here(), {
      payeeId: id,
      name: "Harbor Print Shop",
      kind: "BUSINESS",
      account: account("55556666"),
    });
    await confirm(id);
    clock.advance(BANK_WINDOW_MS);
    await carryOut();
    await carryOut();
    expect(await transfer(paid.id)).toMatchObject({ status: "FAILED", errorCode: "PAYEE_CHANGED" });
    expect(await orders()).toEqual([]);
    expect(await auditBooks(database, organizationId)).toMatchObject({ wrongLedgers: [], wrongHolds: [] });

    await pay(id, 10_000);
    clock.advance(BANK_WINDOW_MS);
    await carryOut();
    expect(await orders()).toMatchObject([{ last4: "6666" }]);
  });

  it("that the bank never received is not sent to another account of its payee", async () => {
    const { services, bank, here, active, pay, confirm, transfer, clock, carryOut, orders } = await arrange();
    const id = await active();
    const paid = await pay(id, 10_000);
    clock.advance(BANK_WINDOW_MS);
    const silent = { ...bank, submit: () => Promise.reject(new BankUnavailable("timeout")) };
    expect(await submitDueTransfers(services, silent, 50)).toBe(1);
    await changePayee(services, bank, here(), {
      payeeId: id,
      name: "Harbor Print Shop",
      kind: "BUSINESS",
      account: account("55556666"),
    });
    await confirm(id);
    clock.advance(HOUR_MS);
    await carryOut();
    expect(await transfer(paid.id)).toMatchObject({ status: "FAILED", errorCode: "PAYEE_CHANGED" });
    expect(await orders()).toEqual([]);
  });

  it("whose account the bank corrects repairs the payee, unless a member has changed it since", async () => {
    const { services, bank, here, active, pay, confirm, proveIt, clock, carryOut, organizationId } =
      await arrange();
    const correctedAfter = async (payeeId: string, change: () => Promise<void>) => {
      // The sandbox bank corrects the account of such cents by one.
      const { id } = await pay(payeeId, 10_011);
      clock.advance(BANK_WINDOW_MS);
      await carryOut();
      await change();
      clock.advance(144 * HOUR_MS);
      await collectBankNotices(services, bank, 20);
      const { rows } = await database.ownerPool.query(
        `select a.account_number_last4 as last4, p.version, p.bank_reference as reference,
            (select count(*)::int from notices where subject_id = $3 and kind = 'ACCOUNT_CORRECTED') as notices,
            (select count(*)::int from account_corrections where transfer_id = $3) as corrections
           from accounts a join payees p on p.organization_id = a.organization_id and p.id = a.id
          where a.organization_id = $1 and a.id = $2`,
        [organizationId, payeeId, id],
      );
      return rows[0];
    };
    const same = await active();
    const corrected = await correctedAfter(same, async () => {});
    expect(corrected).toMatchObject({ last4: "4322", version: 1, notices: 1, corrections: 1 });
    expect(corrected.reference).toMatch(/^SBX-OUT-/);

    // Another name keeps the corrected account.
    await proveIt();
    await changePayee(services, bank, here(), {
      payeeId: same,
      name: "Harbor Press",
      kind: "BUSINESS",
      account: null,
    });
    await confirm(same);
    const { rows: renamed } = await database.ownerPool.query(
      "select name, account_number_last4 as last4 from accounts where organization_id = $1 and id = $2",
      [organizationId, same],
    );
    expect(renamed).toEqual([{ name: "Harbor Press", last4: "4322" }]);

    const changed = await active({ ...printShop, name: "Cedar Hosting" });
    const kept = await correctedAfter(changed, async () => {
      const to = { name: "Cedar Hosting", kind: "BUSINESS" as const, account: account("55556666") };
      await changePayee(services, bank, here(), { payeeId: changed, ...to });
      await confirm(changed);
    });
    expect(kept).toMatchObject({ last4: "6666", version: 2, notices: 0, corrections: 1 });
  });

  it("that waits for approval is not approved for an account that the approver did not see", async () => {
    const { services, bank, here, active, pay, asking, confirm, waiting, transfer, clock } = await arrange();
    const id = await active();
    const proposed = await pay(id, 10_000, asking);
    const look = async () => {
      const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
      const view = await getApproval({ services, context: here(), time }, proposed.id);
      if (!view) throw new Error("no such proposal");
      return view;
    };
    const decide = (digest: string) =>
      decideProposal(services, here(), {
        proposalId: proposed.id,
        decision: "APPROVE",
        digest,
        note: null,
        confirmation: { kind: "NONE" },
      });
    const seen = await look();
    expect(seen.checks[0]).toMatchObject({
      kind: "PAYEE",
      outcome: "LOOK",
      payees: [{ novelty: "FIRST", accountNumberLast4: "4321" }],
    });
    await changePayee(services, bank, here(), {
      payeeId: id,
      name: "Harbor Print Shop",
      kind: "BUSINESS",
      account: account("55556666"),
    });
    await confirm(id);
    expect(await decide(seen.digest)).toMatchObject({ kind: "CHANGED" });
    expect(await transfer(proposed.id)).toMatchObject({ status: "APPROVAL_PENDING" });
    // Nor for one that is being confirmed at that moment.
    const seenSecond = await look();
    await changePayee(services, bank, here(), {
      payeeId: id,
      name: "Harbor Print Shop",
      kind: "BUSINESS",
      account: account("77778888"),
    });
    const detailsId = (await waiting(id)) ?? "";
    const raced = await overlap(
      database,
      (client) =>
        confirmPayee({ ...services, pool: joinTransaction(database.pool, client) }, here(), {
          payeeId: id,
          detailsId,
          callBackNote: null,
        }),
      () => decide(seenSecond.digest),
    );
    expect(raced).toMatchObject({ hasWaited: true, result: { kind: "CHANGED" } });
    expect(await transfer(proposed.id)).toMatchObject({ status: "APPROVAL_PENDING" });
    expect(await decide((await look()).digest)).toEqual({ kind: "DECIDED" });
    expect(await transfer(proposed.id)).toMatchObject({ status: "PROCESSING", payeeVersion: 3 });
  });

  it("is marked as the first one, then as known, and as the first since a change", async () => {
    const { services, bank, here, active, pay, asking, confirm, clock } = await arrange();
    const id = await active();
    const novelty = async () => {
      const proposed = await pay(id, 10_000, asking);
      const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
      const view = await getApproval({ services, context: here(), time }, proposed.id);
      const check = view?.checks.find(({ kind }) => kind === "PAYEE");
      return check?.kind === "PAYEE" ? check.payees[0]?.novelty : undefined;
    };
    expect(await novelty()).toBe("FIRST");
    await pay(id, 5_000);
    expect(await novelty()).toBeNull();
    await changePayee(services, bank, here(), {
      payeeId: id,
      name: "Harbor Print",
      kind: "BUSINESS",
      account: null,
    });
    await confirm(id);
    expect(await novelty()).toBe("CHANGED");
  });

  it("is marked as the first one in a digest too, which is all that a flood of proposals causes", async () => {
    const { services, active, pay, asking, clock } = await arrange();
    const id = await active();
    const mails: OutgoingMail[] = [];
    const mail: MailPort = {
      send: async (message) => {
        mails.push(message);
        return { providerId: null };
      },
    };
    const sms: SmsPort = { send: async () => ({ providerId: null }) };
    const deliver = async () => {
      await sendNotices(services, { isSandboxBank: true }, 1_000);
      await sendMessages(services, { mail, sms }, 1_000);
    };
    await deliver();
    for (let count = 0; count < 7; count += 1) await pay(id, 10_000 + count, asking);
    await deliver();
    mails.length = 0;
    clock.advance(QUARTER_HOUR_MS);
    await deliver();
    const digest = mails.find(({ subject }) => subject === "2 proposals wait for your approval");
    expect(digest?.text.match(/First payment to Harbor Print Shop, account ending in 4321/g)).toHaveLength(2);
  });

  it("to a payee that was removed is refused, and what has not left ends", async () => {
    const { services, here, active, pay, clock, carryOut, transfer, orders } = await arrange();
    const id = await active();
    const paid = await pay(id, 10_000);
    await removePayee(services, here(), id);
    await expect(pay(id, 10_000)).rejects.toMatchObject({ code: "TRANSFER_DESTINATION_NOT_FOUND" });
    clock.advance(BANK_WINDOW_MS);
    await carryOut();
    await carryOut();
    expect(await transfer(paid.id)).toMatchObject({ status: "FAILED", errorCode: "ACCOUNT_CLOSED" });
    expect(await orders()).toEqual([]);
  });

  it("is never drawn from a payee", async () => {
    const { services, key, operating, active } = await arrange();
    const id = await active();
    const drawn = askTransfer(services, key.context, {
      sourceAccountId: id,
      destinationAccountId: operating,
      amountInCents: 10_000,
    });
    await expect(drawn).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
  });
});

describe("cooling off", () => {
  it("lets $500.00 leave at once and one cent more only after exactly 24 hours", async () => {
    const { active, pay, transfer, clock, carryOut, orders } = await arrange();
    const confirmedAt = clock.now();
    const id = await active();
    const small = await pay(id, 50_000);
    const above = await pay(id, 1);
    expect(await transfer(small.id)).toMatchObject({
      dueAt: new Date(confirmedAt.getTime() + BANK_WINDOW_MS),
    });
    const endsAt = new Date(confirmedAt.getTime() + 24 * HOUR_MS);
    expect(await transfer(above.id)).toMatchObject({ dueAt: endsAt });
    clock.set(new Date(endsAt.getTime() - 1));
    await carryOut();
    expect(await orders()).toMatchObject([{ amount: 50_000 }]);
    clock.set(endsAt);
    await carryOut();
    expect((await orders()).map(({ amount }: { amount: number }) => amount)).toEqual([50_000, 1]);
  });

  it("is predicted to the approver as it then happens", async () => {
    const { services, here, active, pay, asking, transfer, clock } = await arrange();
    const confirmedAt = clock.now();
    const id = await active();
    const approve = async (amountInCents: number) => {
      const { id: proposalId } = await pay(id, amountInCents, asking);
      const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
      const view = await getApproval({ services, context: here(), time }, proposalId);
      if (view?.checks[0]?.kind !== "PAYEE") throw new Error("no payee on the approval");
      const { digest } = view;
      const confirmation = { kind: "NONE" } as const;
      const decision = { proposalId, decision: "APPROVE", digest, note: null, confirmation } as const;
      expect(await decideProposal(services, here(), decision)).toEqual({ kind: "DECIDED" });
      const { dueAt } = await transfer(proposalId);
      return { waits: view.checks[0].payees[0]?.waits, dueAt: dueAt };
    };
    const next = new Date(confirmedAt.getTime() + BANK_WINDOW_MS);
    const end = new Date(confirmedAt.getTime() + 24 * HOUR_MS);
    expect(await approve(30_000)).toEqual({ waits: false, dueAt: next });
    expect(await approve(20_001)).toEqual({ waits: true, dueAt: end });
    expect(await approve(20_000)).toEqual({ waits: false, dueAt: next });
  });

  it("at its very end lets any amount leave with the bank's next window", async () => {
    const { active, pay, transfer, clock, key } = await arrange();
    const confirmedAt = clock.now();
    const id = await active();
    clock.set(new Date(confirmedAt.getTime() + 24 * HOUR_MS));
    const paid = await pay(id, 90_000, { ...key });
    expect(await transfer(paid.id)).toMatchObject({
      dueAt: new Date(clock.now().getTime() + BANK_WINDOW_MS),
    });
  });

  it("lets no more leave by many small payments at once", async () => {
    const { active, pay, clock, carryOut, orders, transfer } = await arrange();
    const id = await active();
    const paid = await Promise.all(Array.from({ length: 10 }, () => pay(id, 20_000)));
    clock.advance(BANK_WINDOW_MS);
    await carryOut();
    expect(await orders()).toHaveLength(2);
    const rows = await Promise.all(paid.map((one) => transfer(one.id)));
    expect(rows.filter((row) => row.nextStep === "SUBMIT")).toHaveLength(8);
  });

  it("starts again with a change", async () => {
    const { services, bank, here, active, pay, confirm, proveIt, transfer, clock } = await arrange();
    const id = await active();
    clock.advance(25 * HOUR_MS);
    await proveIt();
    await changePayee(services, bank, here(), {
      payeeId: id,
      name: "Harbor Print Shop",
      kind: "BUSINESS",
      account: account("55556666"),
    });
    await confirm(id);
    const paid = await pay(id, 50_001);
    expect(await transfer(paid.id)).toMatchObject({ dueAt: new Date(clock.now().getTime() + 24 * HOUR_MS) });
  });

  it("is shortened or raised only with proof, and tightened without", async () => {
    const { services, here, clock, organizationId, proveIt } = await arrange();
    clock.advance(6 * 60_000);
    await setPayeeCoolOff(services, here(), { aboveInCents: 10_000, hours: 48 });
    await expect(
      setPayeeCoolOff(services, here(), { aboveInCents: 10_000, hours: 47 }),
    ).rejects.toMatchObject({
      name: "NotConfirmed",
    });
    await expect(
      setPayeeCoolOff(services, here(), { aboveInCents: 10_001, hours: 48 }),
    ).rejects.toMatchObject({
      name: "NotConfirmed",
    });
    await proveIt();
    await setPayeeCoolOff(services, here(), { aboveInCents: 10_001, hours: 47 });
    expect(await readRecordedChanges(database, organizationId)).toMatchObject([
      { kind: "PAYEE_COOL_OFF", before: "10000 48", after: "10001 47" },
      { kind: "PAYEE_COOL_OFF", before: "50000 24", after: "10000 48" },
    ]);
  });
});
