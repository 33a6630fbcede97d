import { expect, test } from "@playwright/test";
import { eachItem, Sluice, SluiceError, SluiceTimeoutError } from "@/clients/typescript/src/index";
import { accountId, demo } from "@/e2e/support/journey";

/** A third party's program: it knows the address, a key, and the client. */
const client = (apiKey = demo().apiKey) =>
  new Sluice({ baseUrl: demo().apiUrl, apiKey, calledReason: "Journey of the client" });

test("a program proposes with the client, sees it wait, and finds it in the list", async () => {
  const sluice = client();
  const { data: accounts } = await sluice.listAccounts({ type: ["POD"], pageSize: 100 });
  expect(accounts.items.map(({ name }) => name)).toContain("Operating");
  const source = accountId("Operating");
  const { data: transfer, status } = await sluice.createTransfer({
    sourceAccountId: source,
    destinationAccountId: accountId("Taxes"),
    amountInCents: 90_300,
    reasonForApproval: "Proposed with the client.",
  });
  expect([status, transfer.status]).toEqual([202, "APPROVAL_PENDING"]);
  expect(transfer.approvalUrl).toContain(transfer.id);

  const waiting = await sluice
    .waitForTransfer(transfer.id, { timeoutMs: 50 })
    .catch((error: unknown) => error);
  expect(waiting).toBeInstanceOf(SluiceTimeoutError);
  expect(waiting).toMatchObject({ last: { id: transfer.id, status: "APPROVAL_PENDING" } });

  const found: string[] = [];
  const readPage = (page: number) =>
    sluice.listTransfers({ accountId: [source], status: "APPROVAL_PENDING", page, pageSize: 2 });
  for await (const { id } of eachItem(readPage, { maximumItems: 100 })) found.push(id);
  expect(found).toContain(transfer.id);
});

test("a refusal reaches the program as an actionable error", async () => {
  const failure = await client("sluice_nonsense")
    .listAccounts()
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SluiceError);
  expect(failure).toMatchObject({ code: "UNAUTHORIZED", status: 401 });
});
