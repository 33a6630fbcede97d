/**
 * Goal: where people read or choose the names of keys, assistants and saved filters side by side, one that looks like
 * another says so. Method: the views of each such place, with names that render alike.
 */
import { describe, expect, it } from "vitest";
import { revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { saveFilter } from "@/lib/testing/as-entered";
import { connectTestAssistant } from "@/lib/testing/assistants";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";
import { listAssistants } from "@/lib/views/assistants/list-assistants";
import { readConsent } from "@/lib/views/assistants/read-consent";
import { getKey } from "@/lib/views/keys/get-key";
import { listKeys } from "@/lib/views/keys/list-keys";
import { readMovementOptions } from "@/lib/views/movements/movement-query";
import { listSavedFilters } from "@/lib/views/organization/list-saved-filters";

const database = useTestDatabase();

const CYRILLIC_A = "\u0430";
const NAME = "mara-cli";
const ALIKE = `mar${CYRILLIC_A}-cli`;
const READS = [{ type: "READ_ACCOUNTS" as const, accounts: "ALL" as const }];

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { owner, organizationId } = organization;
  const time = { nowAt: clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
  const keys = async () => {
    const view = await listKeys({ services, context: owner, time }, { showsRevoked: true, showsAll: true });
    return Object.fromEntries(view.keys.map(({ name, lookAlike }) => [name, lookAlike?.otherName ?? null]));
  };
  const assistants = async () => {
    const view = await listAssistants({ services, context: owner, time }, { showsEnded: true });
    return view.assistants.map(({ name, lookAlike }) => [name, lookAlike?.otherName ?? null]);
  };
  const consent = async (clientName: string, redirectHost: string) => {
    const asked = {
      uid: "uid",
      clientId: "dyn_other",
      clientName,
      redirectHost,
      isLoopback: false,
      knownBy: "REGISTRATION" as const,
      clientIdHost: null,
      keepsAccess: true,
      askedAt: clock.now(),
    };
    const here = { id: organizationId, name: "Northwind", timeZone: "UTC", clockOffsetMs: 0 };
    const asking = { organization: here, organizations: [here] };
    return (await readConsent({ services, context: owner, time }, asked, asking)).lookAlike;
  };
  return { services, ...organization, time, keys, assistants, consent };
}

describe("a key", () => {
  it("in the list, on its page and in a filter, until the other one is revoked", async () => {
    const { services, owner, organizationId, addKey, time, keys } = await arrange();
    const key = await addKey(READS, NAME);
    const other = await addKey(READS, ALIKE);
    await addKey(READS, "books");
    expect(await keys()).toEqual({ [NAME]: ALIKE, [ALIKE]: NAME, books: null });
    const page = await getKey({ services, context: owner, time }, key.id);
    expect(page?.lookAlike).toMatchObject({ kind: "KEY", name: NAME, otherName: ALIKE });
    const { requesters } = await readMovementOptions(database.pool, organizationId);
    expect(requesters.map(({ name }) => name).toSorted()).toEqual([
      "books",
      `${NAME}, another name looks the same`,
      `${ALIKE} (with Cyrillic letters), another name looks the same`,
    ]);
    await revokeApiKey(services, owner, other.id);
    expect(await keys()).toEqual({ [NAME]: null, [ALIKE]: null, books: null });
  });
});

it("a key whose proposal is decided", async () => {
  const { services, owner, addKey, addAccount, time } = await arrange();
  const sourceAccountId = await addAccount({ name: "Operating", type: "POD", balanceInCents: 500_000 });
  const destinationAccountId = await addAccount({ name: "Taxes", type: "POD" });
  const route = { sourceAccountId, destinationAccountId, amountInCents: 1_000 };
  const read = async (name: string) => {
    const key = await addKey([moveAnything(true)], name);
    const { id } = await askTransfer(services, key.context, route);
    const view = await getApproval({ services, context: owner, time }, id);
    return view?.requester.lookAlike;
  };
  expect(await read(NAME)).toBeNull();
  expect(await read(ALIKE)).toMatchObject({ kind: "KEY", name: ALIKE, otherName: NAME });
});

describe("an assistant", () => {
  it("in the list, unless it is the same program that another member connected", async () => {
    const { owner, addMember, addKey, assistants } = await arrange();
    const jonas = await addMember("CO_OWNER", "Jonas");
    await connectTestAssistant(database, owner);
    await connectTestAssistant(database, jonas);
    expect(await assistants()).toEqual([
      ["Claude", null],
      ["Claude", null],
    ]);
    await addKey(READS, "Cl\u0430ude");
    expect(await assistants()).toEqual([
      ["Claude", "Cl\u0430ude"],
      ["Claude", "Cl\u0430ude"],
    ]);
  });

  it("that asks to be connected, unless it comes from where the known one does, whatever its port", async () => {
    const { owner, consent } = await arrange();
    await connectTestAssistant(database, owner);
    expect(await consent("Claude", "claude.ai")).toBeNull();
    expect(await consent("Claude", "claude.ai:8443")).toBeNull();
    expect(await consent("Ledgerly", "evil.example")).toBeNull();
    for (const name of ["Claude", "Clаude", "CLAUDE"]) {
      expect(await consent(name, "evil.example")).toMatchObject({
        kind: "ASSISTANT",
        name,
        otherName: "Claude",
      });
    }
  });
});

it("a saved filter among those of its list", async () => {
  const { services, owner } = await arrange();
  const save = (name: string, query: string) =>
    saveFilter(services, owner, { list: "TRANSFERS", name, query });
  await save("Payroll", "status=failed");
  await save("P\u0430yroll", "status=complete");
  await save("Rent", "status=returned");
  const { filters } = await listSavedFilters({ services, context: owner }, "TRANSFERS", "/transfers");
  expect(filters.map(({ label }) => label)).toEqual([
    "Payroll, another name looks the same",
    "P\u0430yroll (with Cyrillic letters), another name looks the same",
    "Rent",
  ]);
});
