/**
 * Goal: what the bank cannot do is refused in words before it is proposed. Method: a bank that only sends money out,
 * behind every way to propose a movement: API, dashboard, moving back, and rules.
 */
import { describe, expect, it } from "vitest";
import type { BankCapabilities } from "@/lib/contract/bank-capabilities";
import { proposeMoveBack } from "@/lib/core/approvals/propose-move-back";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { newId } from "@/lib/platform/ids";
import { createSandboxBank, SANDBOX_CAPABILITIES } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, writeRule } from "@/lib/testing/rules/rules";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";
import { previewMove, readMovePage } from "@/lib/views/transfers/read-move-page";

const database = useTestDatabase();

async function arrange(capabilities: Partial<BankCapabilities>) {
  const { services, clock } = createTestServices(database);
  const limited = { ...services, bankCapabilities: { ...SANDBOX_CAPABILITIES, ...capabilities } };
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 900_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const outside = { type: "EXTERNAL_ACCOUNT", balanceInCents: 900_000 } as const;
  const checking = await organization.addAccount({ name: "Checking", ...outside });
  const route = (sourceAccountId: string, destinationAccountId: string) => ({
    sourceAccountId,
    destinationAccountId,
    amountInCents: 25_000,
  });
  const look = (source: string, destination: string) =>
    previewMove(
      {
        services: limited,
        context: { ...organization.owner, now: clock.now() },
        time: { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" },
      },
      { ...route(source, destination), draftId: newId(clock.now()), achLabel: "TOP UP", note: "" },
    );
  return { services, limited, clock, organization, operating, taxes, checking, route, look };
}

describe("a bank that cannot draw money in", () => {
  it("is named as the reason to a program that asks for a pull", async () => {
    const { limited, organization, operating, checking, route } = await arrange({ pull: false });
    const key = await organization.addKey([moveAnything(true)]);
    await expect(askTransfer(limited, key.context, route(checking, operating))).rejects.toMatchObject({
      code: "INVALID_PARAMETERS",
      message: "sourceAccountId: this bank cannot draw money from outside accounts.",
    });
    const { rows } = await database.pool.query("select id from transfers where source_account_id = $1", [
      checking,
    ]);
    expect(rows).toEqual([]);
    expect(await askTransfer(limited, key.context, route(operating, checking))).toBeDefined();
  });

  it("is named to a member, and sends out as before", async () => {
    const { look, operating, checking } = await arrange({ pull: false });
    await expect(look(checking, operating)).rejects.toThrow(
      "This bank cannot draw money from outside accounts. Ask the other side to send it. Nothing moved.",
    );
    expect(await look(operating, checking)).toMatchObject({ digest: expect.any(String) });
  });

  it("is named when a member asks for a payment back", async () => {
    const { services, limited, clock, organization, operating, checking, route } = await arrange({
      pull: false,
    });
    const key = await organization.addKey([moveAnything(false)]);
    const { id } = await askTransfer(services, key.context, route(operating, checking));
    const bank = createSandboxBank(database.pool);
    clock.advance(BANK_WINDOW_MS);
    await submitDueTransfers(services, bank, 10);
    clock.advance(7 * 86_400_000);
    await collectBankNotices(services, bank, 10);
    const owner = { ...organization.owner, now: clock.now() };
    await expect(proposeMoveBack(limited, owner, { transferId: id, reason: "Sent twice" })).rejects.toThrow(
      "this bank cannot draw money from outside accounts",
    );
  });

  it("is named for a rule, whose other routes are still allowed", async () => {
    const { limited, organization, operating, taxes, checking } = await arrange({ pull: false });
    const key = await organization.addKey(anythingWithRules(false));
    const rule = (sourceAccountId: string, destinationAccountId: string) =>
      writeRule(limited, key.context, {
        trigger: { type: "MANUAL", accountId: operating },
        steps: [
          {
            actions: [
              { type: "FIXED", group: 0, amountInCents: 1_000, sourceAccountId, destinationAccountId },
            ],
          },
        ],
      });
    await expect(rule(checking, operating)).rejects.toMatchObject({
      code: "INVALID_PARAMETERS",
      details: [
        {
          field: "steps.0.actions.0.sourceAccountId",
          message: "this bank cannot draw money from outside accounts",
        },
      ],
    });
    await rule(operating, checking);
    await rule(operating, taxes);
  });
});

it("a bank that cannot send money out is named, and moves between pods never reach it", async () => {
  const { look, operating, taxes, checking } = await arrange({ push: false, pull: false });
  await expect(look(operating, checking)).rejects.toThrow(
    "This bank cannot send money to outside accounts. Nothing moved.",
  );
  expect(await look(operating, taxes)).toMatchObject({ digest: expect.any(String) });
});

describe("a bank with which accounts are registered", () => {
  it("is named to a program, to a member and for a rule before anything is proposed to a connected account", async () => {
    const { limited, organization, operating, checking, route, look } = await arrange({
      requiresRegistration: true,
    });
    const key = await organization.addKey([...anythingWithRules(true), moveAnything(true)]);
    const here = "; an owner or co-owner can register this one on its page in the dashboard";
    await expect(askTransfer(limited, key.context, route(operating, checking))).rejects.toThrow(
      `this bank sends money only to accounts that are registered with it${here}`,
    );
    await expect(askTransfer(limited, key.context, route(checking, operating))).rejects.toThrow(
      `this bank draws money only from accounts that are registered with it${here}`,
    );
    const onItsPage =
      "Checking is not registered at the bank yet. An owner or co-owner can register it on its page.";
    await expect(look(operating, checking)).rejects.toThrow(onItsPage);
    await expect(look(checking, operating)).rejects.toThrow(onItsPage);
    const visa = await organization.addAccount({
      name: "Visa",
      type: "EXTERNAL_ACCOUNT",
      externalAccountType: "LIABILITY",
    });
    await expect(askTransfer(limited, key.context, route(operating, visa))).rejects.toThrow(
      "this bank sends money only to accounts that are registered with it; add this one as a payee",
    );
    await expect(look(operating, visa)).rejects.toThrow("Add Visa as a payee. Nothing moved.");
    const action = { type: "FIXED", group: 0, amountInCents: 1_000 } as const;
    const sweep = { ...action, sourceAccountId: operating, destinationAccountId: checking };
    await expect(
      writeRule(limited, key.context, {
        trigger: { type: "MANUAL", accountId: operating },
        steps: [{ actions: [sweep] }],
      }),
    ).rejects.toThrow(here);
  });

  it("says beside each account of the form what the bank cannot do, and takes no such account from the address", async () => {
    const { limited, organization, operating, checking } = await arrange({ requiresRegistration: true });
    const { owner } = organization;
    const prefill = { sourceAccountId: checking, destinationAccountId: null, amountInCents: null };
    const time = { nowAt: owner.now.toISOString(), timeZone: "America/New_York", locale: "en-US" };
    const view = await readMovePage({ services: limited, context: owner, time }, prefill);
    const marks = new Map(view.accounts.map((one) => [one.id, [one.cannotGive, one.cannotTake]]));
    expect(marks.get(operating)).toEqual([null, null]);
    expect(marks.get(checking)).toEqual(["not registered at the bank", "not registered at the bank"]);
    expect(view.prefill.sourceAccountId).toBeNull();
    const pushes = await arrange({ pull: false });
    const other = await readMovePage(
      { services: pushes.limited, context: pushes.organization.owner, time },
      prefill,
    );
    const found = other.accounts.find(({ id }) => id === pushes.checking);
    expect([found?.cannotGive, found?.cannotTake]).toEqual(["the bank cannot do this", null]);
  });

  it("pays a confirmed payee, by whichever way it is asked", async () => {
    const { limited, organization, operating, checking, taxes, look } = await arrange({
      requiresRegistration: true,
    });
    await database.ownerPool.query(
      "update accounts set is_payee = true, external_account_type = null where id = $1",
      [checking],
    );
    expect(await look(operating, checking)).toMatchObject({ digest: expect.any(String) });
    expect(await look(operating, taxes)).toMatchObject({ digest: expect.any(String) });
    const key = await organization.addKey(anythingWithRules(true));
    const action = { type: "FIXED", group: 0, amountInCents: 1_000 } as const;
    const sweep = { ...action, sourceAccountId: operating, destinationAccountId: checking };
    await writeRule(limited, key.context, {
      trigger: { type: "MANUAL", accountId: operating },
      steps: [{ actions: [sweep] }],
    });
  });
});
