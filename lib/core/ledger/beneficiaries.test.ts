import { expect, it } from "vitest";
import { MAXIMUM_BENEFICIARIES } from "@/lib/contract/account";
import { listBeneficiaries } from "@/lib/core/ledger/beneficiaries";
import { createBeneficiary } from "@/lib/testing/as-entered";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { readBeneficiaries } from "@/lib/views/accounts/read-beneficiaries";

const database = useTestDatabase();

const time = { nowAt: "2026-11-20T12:00:00.000Z", timeZone: "UTC", locale: "en-US" };

async function arrange() {
  const { services } = createTestServices(database);
  return { services, ...(await createTestOrganization(database, services)) };
}

const BUSINESS = { name: "Okafor Holdings LLC", beneficiaryType: "BUSINESS" } as const;

it("a beneficiary added by an owner or co-owner is listed here and by the API, and owns nothing yet", async () => {
  const { services, owner, addMember, addAccount, beneficiaryId } = await arrange();
  const operating = await addAccount({ name: "Operating", type: "POD" });
  const id = await createBeneficiary(services, owner, { ...BUSINESS, name: "  Okafor Holdings LLC " });
  await createBeneficiary(services, await addMember("CO_OWNER", "Jonas"), {
    name: "Mara Okafor",
    beneficiaryType: "INDIVIDUAL",
  });
  const { beneficiaries } = await readBeneficiaries({ services, context: owner, time });
  expect(
    beneficiaries.map(({ name, accountCount, isDefault }) => ({ name, accountCount, isDefault })),
  ).toEqual([
    { name: "Northwind", accountCount: 1, isDefault: true },
    { name: "Okafor Holdings LLC", accountCount: 0, isDefault: false },
    { name: "Mara Okafor", accountCount: 0, isDefault: false },
  ]);
  expect(beneficiaries[0]?.id).toBe(beneficiaryId);
  expect(beneficiaries[0]?.accounts).toEqual([{ name: "Operating", href: `/accounts/${operating}` }]);
  const page = await listBeneficiaries(services, owner, { page: 1, pageSize: 100 });
  expect(page.items).toContainEqual({ id, ...BUSINESS });
});

it.each(["VIEWER", "ACCOUNTANT"] as const)("a %s cannot add a beneficiary", async (role) => {
  const { services, owner, addMember } = await arrange();
  const added = createBeneficiary(services, await addMember(role, "Tomas"), BUSINESS);
  await expect(added).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  const view = await readBeneficiaries({ services, context: await addMember(role, "Tilda"), time });
  expect(view.viewer.canChange).toBe(false);
  expect((await readBeneficiaries({ services, context: owner, time })).beneficiaries).toHaveLength(1);
});

it("a name is added once, even concurrently, regardless of other organizations' names", async () => {
  const [here, elsewhere] = [await arrange(), await arrange()];
  const add = (name: string) => createBeneficiary(here.services, here.owner, { ...BUSINESS, name });
  const results = await Promise.allSettled([add("Acme"), add("ACME"), add("acme")]);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await add("Cedar Mill");
  for (const name of ["Cedar\u00a0Mill", "Cedar  Mill", "\uff23edar Mill", "Cedar M\u0131ll"]) {
    await expect(add(name)).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
  }
  await createBeneficiary(elsewhere.services, elsewhere.owner, { ...BUSINESS, name: "Acme" });
  const view = await readBeneficiaries({ services: elsewhere.services, context: elsewhere.owner, time });
  expect(view.beneficiaries).toHaveLength(2);
});

it.each(["", "   ", "a\u202eb", "x".repeat(201)])("%j is not a valid name", async (name) => {
  const { services, owner } = await arrange();
  await expect(createBeneficiary(services, owner, { ...BUSINESS, name })).rejects.toMatchObject({
    code: "INVALID_PARAMETERS",
  });
});

it("there are never more than a form can offer", async () => {
  const { services, owner } = await arrange();
  for (let count = 1; count < MAXIMUM_BENEFICIARIES; count++) {
    await createBeneficiary(services, owner, { ...BUSINESS, name: `Beneficiary ${count}` });
  }
  await expect(createBeneficiary(services, owner, BUSINESS)).rejects.toThrow("the maximum");
});
