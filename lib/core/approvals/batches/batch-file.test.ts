import { describe, expect, it } from "vitest";
import type { BatchFileMatch } from "@/lib/contract/approvals/batch-file";
import { previewBatchFile, proposeBatchFile } from "@/lib/core/approvals/batches/batch-file";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();
const FORM_ID = "0199c0de-0000-7000-8000-0000000000aa";

async function arrange() {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 100_000,
  });
  await organization.addAccount({ name: "Taxes", type: "POD" });
  await organization.addAccount({ name: "Profit", type: "POD" });
  await organization.addAccount({ name: "Twin", type: "POD" });
  await organization.addAccount({ name: "TWIN", type: "POD" });
  const preview = (
    text: string,
    match: BatchFileMatch | null = null,
    by: Context<MemberActor> = organization.owner,
  ) => previewBatchFile(services, by, { text, match });
  const propose = (text: string, match: BatchFileMatch | null = null) =>
    proposeBatchFile(services, organization.owner, { text, match, formId: FORM_ID, reason: null });
  const countTransfers = async () => {
    const { rows } = await database.ownerPool.query(
      "select count(*)::int as n from transfers where organization_id = $1 and status = 'APPROVAL_PENDING'",
      [organization.organizationId],
    );
    return rows[0].n;
  };
  return { organization, operating, preview, propose, countTransfers };
}

describe("a file of payments", () => {
  it("is read by the names of its columns and stores nothing", async () => {
    const { preview, countTransfers } = await arrange();
    const read = await preview(
      'From;To;Amount;Memo\nOperating;taxes;"1,250.00";Q4 TAX\noperating; Profit ;$7.5;\n',
    );
    expect(read).toMatchObject({
      match: { hasHeader: true, columns: { source: 0, destination: 1, amount: 2, description: 3 } },
      lines: [
        {
          number: 1,
          fileLine: 2,
          sourceName: "Operating",
          destinationName: "Taxes",
          amountInCents: 125_000,
          description: "Q4 TAX",
        },
        { number: 2, fileLine: 3, destinationName: "Profit", amountInCents: 750, description: null },
      ],
      totalInCents: 125_750,
    });
    expect(read.lines.map(({ problem }) => problem)).toEqual([null, null]);
    expect(await countTransfers()).toBe(0);
  });

  it("says of each line what is wrong, and which lines pay one account", async () => {
    const { preview } = await arrange();
    const { lines } = await preview(
      "from,to,amount,memo\nOperating,Taxes,1.00,\nOperating,Nobody,1.00,\nOperating,Twin,1.00,\nOperating,Taxes,one,\nOperating,Operating,1.00,\nOperating,Taxes,1.00,a long description\nOperating,Taxes,1.00\nOperating,Taxes,0.50,\nOperating,Taxes,2.00,\n",
    );
    expect(lines.map(({ problem }) => problem)).toEqual([
      null,
      "There is no account or payee “Nobody”.",
      expect.stringContaining("Two accounts have the name"),
      expect.stringContaining("The amount must be"),
      expect.stringContaining("from an account to itself"),
      expect.stringContaining("1 to 10 letters"),
      expect.stringContaining("as many columns as the first"),
      expect.stringContaining("The amount must be"),
      null,
    ]);
    expect([lines[0]?.sameAccountAs, lines[8]?.sameAccountAs]).toEqual([9, 1]);
  });

  it("asks once for the account that all lines come from, and marks no line for it", async () => {
    const { preview, propose, countTransfers } = await arrange();
    const text = "to,amount\nTaxes,1.00\nNobody,2.00\n";
    const match = { hasHeader: true, columns: { destination: 0, amount: 1 }, sourceAccountId: null };
    const read = await preview(text, match);
    expect(read.lacksSource).toBe(true);
    expect(read.lines.map(({ problem }) => problem)).toEqual([
      null,
      "There is no account or payee “Nobody”.",
    ]);
    await expect(propose("to,amount\nTaxes,1.00\n", match)).rejects.toThrow(
      "Choose the account that the money comes from. Nothing was proposed.",
    );
    expect(await countTransfers()).toBe(0);
  });

  it("is proposed whole, once for one page, or not at all", async () => {
    const { propose, countTransfers, operating } = await arrange();
    const wrong = "to,amount\nTaxes,1.00\nNobody,2.00\n";
    const match = { hasHeader: true, columns: { destination: 0, amount: 1 }, sourceAccountId: operating };
    await expect(propose(wrong, match)).rejects.toThrow(
      "Line 3: There is no account or payee “Nobody”. Nothing was proposed.",
    );
    expect(await countTransfers()).toBe(0);
    const href = await propose("to,amount\nTaxes,1.00\nProfit,2.00\n", match);
    expect(href).toContain(FORM_ID);
    expect(await propose("to,amount\nTaxes,1.00\nProfit,2.00\n", match)).toBe(href);
    expect(await countTransfers()).toBe(2);
  });

  it("is not a workbook, not empty, and of a hundred lines at most", async () => {
    const { preview } = await arrange();
    await expect(preview("PK\u0003\u0004")).rejects.toThrow("workbook");
    await expect(preview("")).rejects.toThrow("empty");
    const lines = Array.from({ length: 101 }, () => "Operating,Taxes,1.00").join("\n");
    await expect(preview(`from,to,amount\n${lines}`)).rejects.toThrow(
      "from 1 to 100 payments; this file has 101",
    );
  });

  it("is read for owners and co-owners only", async () => {
    const { preview, organization } = await arrange();
    const viewer = await organization.addMember("VIEWER", "Tomas");
    await expect(preview("from,to,amount\nOperating,Taxes,1.00", null, viewer)).rejects.toThrow(
      "Only an owner or co-owner",
    );
  });
});
