import { expect, it } from "vitest";
import { MAXIMUM_IMPORTED_LINES, PAYEE_CSV_ADDRESS_COLUMNS, PAYEE_CSV_COLUMNS } from "@/lib/contract/payee";
import { importPayees } from "@/lib/core/payees/import-payees";
import { BankUnavailable, type OutsideAddress } from "@/lib/ports/bank/bank-port";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

const HEADER = PAYEE_CSV_COLUMNS.join(",");

async function arrange() {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const bank = createSandboxBank(database.pool);
  const send = (lines: string[], member = organization.owner) =>
    importPayees(services, bank, member, lines.join("\n"));
  /** To a bank that requires the holder's address, as Mercury does. @returns the report, and the addresses it got */
  const sendToStrictBank = async (lines: string[]) => {
    const addresses: (OutsideAddress | null)[] = [];
    const strict: typeof bank = {
      ...bank,
      capabilities: { ...bank.capabilities, requiresAddress: true },
      registerOutsideAccount: (input) => {
        addresses.push(input.address);
        return bank.registerOutsideAccount(input);
      },
    };
    return { report: await importPayees(services, strict, organization.owner, lines.join("\n")), addresses };
  };
  const states = async () => {
    const { rows } = await database.pool.query(
      `select p.name, p.kind, p.version, d.state, d.account_number_last4 as last4 from payees p
        left join payee_details d on d.organization_id = p.organization_id and d.payee_id = p.id
       where p.organization_id = $1 order by p.name`,
      [organization.organizationId],
    );
    return rows;
  };
  return { services, bank, organization, send, sendToStrictBank, states };
}

it("adds the right lines, reports the others by number, and confirms nothing", async () => {
  const { send, states } = await arrange();
  const lines = [
    HEADER,
    "Cedar Hosting,business,,Cedar Hosting Inc,checking,101050001,55556666",
    '"Ruiz, Ana",INDIVIDUAL,ana@example.com,,,,',
    "",
    "Bad Bank,BUSINESS,,Bad Bank Inc,CHECKING,123456789,987654321",
    "Half,BUSINESS,,Half Inc,,101050001,55556666",
    "Too,few",
    "Cedar Hosting,BUSINESS,,,,,",
  ];
  const report = await send(lines);
  expect(report).toEqual([
    { line: 2, name: "Cedar Hosting", problem: null },
    { line: 3, name: "Ruiz, Ana", problem: null },
    { line: 5, name: "Bad Bank", problem: expect.stringContaining("The routing number must be") },
    { line: 6, name: "Half", problem: "The account kind must be CHECKING or SAVINGS." },
    { line: 7, name: "", problem: "It has 2 fields, not 7." },
    { line: 8, name: "Cedar Hosting", problem: "A payee with this name already exists." },
  ]);
  expect(JSON.stringify(report)).not.toMatch(/123456789|987654321|55556666/);
  expect(await states()).toEqual([
    { name: "Cedar Hosting", kind: "BUSINESS", version: 0, state: "WAITING", last4: "6666" },
    { name: "Ruiz, Ana", kind: "INDIVIDUAL", version: 0, state: null, last4: null },
  ]);
  // Sent again, it adds nothing twice.
  expect((await send(lines)).every(({ problem }) => problem !== null)).toBe(true);
  expect(await states()).toHaveLength(2);
});

it("takes the holder's address, and reports what is wrong or missing in it where the bank requires one", async () => {
  const { send, sendToStrictBank } = await arrange();
  const header = [HEADER, ...PAYEE_CSV_ADDRESS_COLUMNS].join(",");
  const account = (name: string) => `${name},BUSINESS,,${name} Inc,CHECKING,101050001,55556666`;
  const { report, addresses } = await sendToStrictBank([
    header,
    `${account("Cedar")},"1 Pier Road, Suite 4",Oakland,ca,94607`,
    `${account("Birch")},2 Pier Road,Albany,New York,12207`,
    `${account("Fir")},1 Pier Road,Oakland,Kalifornia,9460`,
    `${account("Oak")},,,,`,
    "Later,BUSINESS,,,,,,,,,",
    "Lost,BUSINESS,,,,,,1 Pier Road,Oakland,CA,94607",
  ]);
  expect(addresses).toEqual([
    { street: "1 Pier Road, Suite 4", city: "Oakland", state: "CA", postalCode: "94607" },
    { street: "2 Pier Road", city: "Albany", state: "NY", postalCode: "12207" },
  ]);
  expect(report.map(({ line, problem }) => [line, problem])).toEqual([
    [2, null],
    [3, null],
    [4, "The state must be a state, like CA. The zip must be a ZIP code."],
    [5, "This bank needs the postal address of the account holder."],
    [6, null],
    [7, expect.stringContaining("The account holder must not be empty.")],
  ]);
  const bare = await sendToStrictBank([HEADER, account("Elm")]);
  expect(bare.report[0]?.problem).toBe("This bank needs the postal address of the account holder.");
  await expect(sendToStrictBank(["name"])).rejects.toThrow("account number,street,city,state,zip");
  expect(await send([header, `${account("Ash")},,,,`])).toEqual([{ line: 2, name: "Ash", problem: null }]);
});

it("refuses another header, an empty file, a file that is too long, and members who may not", async () => {
  const { organization, send, states } = await arrange();
  await expect(send(["name,number", "Cedar,1"])).rejects.toThrow("The first line must be");
  await expect(send([HEADER])).rejects.toThrow("from 1 to");
  const many = Array.from({ length: MAXIMUM_IMPORTED_LINES + 1 }, (_, at) => `Payee ${at},BUSINESS,,,,,`);
  await expect(send([HEADER, ...many])).rejects.toThrow("from 1 to");
  const viewer = await organization.addMember("VIEWER", "Tomas");
  await expect(send([HEADER, "Cedar,BUSINESS,,,,,"], viewer)).rejects.toMatchObject({
    code: "ACCESS_DENIED",
  });
  expect(await states()).toEqual([]);
});

it("registers no account twice when a file is sent again after the bank did not answer", async () => {
  const { organization, services, bank } = await arrange();
  const registered: string[] = [];
  const silent: typeof bank = {
    ...bank,
    registerOutsideAccount: async ({ outsideAccountId }) => {
      registered.push(outsideAccountId);
      throw new BankUnavailable("no answer");
    },
  };
  const formId = crypto.randomUUID();
  const text = `${HEADER}\nCedar Hosting,business,,Cedar Hosting Inc,checking,101050001,55556666`;
  const [line] = await importPayees(services, silent, organization.owner, text, { formId });
  expect(line?.problem).toContain("The bank has not answered");
  await importPayees(services, silent, organization.owner, text, { formId });
  expect(registered).toHaveLength(2);
  expect(new Set(registered).size).toBe(1);
});
