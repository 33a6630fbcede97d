import { expect, it } from "vitest";
import { statementName } from "@/lib/db/statement-name";

it("keeps short names, and tells long ones apart that PostgreSQL would cut off to the same", () => {
  expect(statementName("list_transfers", "accounts")).toBe("list_transfers_accounts");
  const long = "list_transfers_accounts_many_either_status_direction_run_from";
  const [one, other] = [statementName(long, "to"), statementName(long, "to", "least")];
  expect([one.length, other.length]).toEqual([63, 63]);
  expect(one).not.toBe(other);
});
