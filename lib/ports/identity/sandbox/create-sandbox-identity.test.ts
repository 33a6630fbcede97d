import { v7 as uuidv7 } from "uuid";
import { describe, expect, test } from "vitest";
import { IdentityUnavailable } from "@/lib/ports/identity/identity-port";
import { describeIdentityPort } from "@/lib/ports/identity/identity-port.contract";
import { createSandboxIdentity } from "@/lib/ports/identity/sandbox/create-sandbox-identity";
import { useTestDatabase } from "@/lib/testing/database";

const database = useTestDatabase();

const START = new Date("2026-01-15T17:00:00Z");

describeIdentityPort("the sandbox identity check", () => ({
  identity: createSandboxIdentity(database.pool),
  startsAt: START,
  laterAt: new Date(START.getTime() + 60_000),
  taxIds: { APPROVED: "123456789", NEEDS_DOCUMENT: "123450001", REFUSED: "123450002" },
}));

describe("the sandbox identity check", () => {
  const address = { street: "12 Canal Street", city: "New York", state: "NY", postalCode: "10013" };
  const applicationWith = (taxId: string) => ({
    organizationId: uuidv7(),
    applicationId: uuidv7(),
    subjects: [
      {
        kind: "PERSON" as const,
        name: "Mara Okafor",
        ownsPercent: null,
        taxId,
        bornOn: "1988-04-02",
        address,
      },
    ],
  });

  test.each([
    ["123450003", "CHECKING"],
    ["123450004", undefined],
  ])("an application with %s has an unknown outcome, and is then %s", async (taxId, state) => {
    const identity = createSandboxIdentity(database.pool);
    const application = applicationWith(taxId);
    await expect(identity.submit(application, { businessNow: START })).rejects.toThrow(IdentityUnavailable);
    expect((await identity.find({ ...application, businessNow: START }))?.state).toBe(state);
  });

  test("stores no tax number", async () => {
    const identity = createSandboxIdentity(database.pool);
    const application = applicationWith("987651234");
    await identity.submit(application, { businessNow: START });
    const { rows } = await database.pool.query(
      "select * from sandbox_identity_applications where application_id = $1",
      [application.applicationId],
    );
    expect(JSON.stringify(rows)).not.toMatch(/98765|Okafor|Canal/);
  });
});
