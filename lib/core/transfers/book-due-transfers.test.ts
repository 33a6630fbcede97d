import { expect, it } from "vitest";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { joinTransaction } from "@/lib/db/transaction";
import { askUnbooked, moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { overlap } from "@/lib/testing/overlap";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

it("two workers at once book different transfers, and neither waits for the other", async () => {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const key = await organization.addKey([moveAnything(false)]);
  // Between other accounts each, whose ledgers would make them wait.
  for (const place of ["first", "second"]) {
    await askUnbooked(services, key.context, {
      sourceAccountId: await organization.addAccount({
        name: `From the ${place}`,
        type: "POD",
        balanceInCents: 1_000,
      }),
      destinationAccountId: await organization.addAccount({ name: `To the ${place}`, type: "POD" }),
      amountInCents: 1_000,
    });
  }
  clock.advance(1);
  const booked = await overlap(
    database,
    (client) => bookDueTransfers({ ...services, pool: joinTransaction(database.pool, client) }, 1),
    () => bookDueTransfers(services, 1),
  );
  expect(booked).toEqual({ hasWaited: false, result: 1 });
  const { rows } = await database.pool.query(
    "select status from transfers where organization_id = $1 and origin = 'API'",
    [organization.organizationId],
  );
  expect(rows).toEqual([{ status: "COMPLETE" }, { status: "COMPLETE" }]);
});
