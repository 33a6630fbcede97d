import type { PermissionInput } from "@/lib/contract/permissions";
import type { HistoricClock } from "@/lib/core/demo/historic-clock";
import {
  type AccountName,
  type DemoKey,
  KEYS,
  type KeyName,
  type MemberName,
} from "@/lib/core/demo/northwind";
import { withSignedIn } from "@/lib/core/demo/with-signed-in";
import { createApiKey } from "@/lib/core/keys/create-api-key";
import type { Services } from "@/lib/platform/services";

const MINUTE_MS = 60_000;

/** Makes the demo's keys, each by its member and a minute after the one before. @returns their texts. */
export async function makeKeys(
  services: Services,
  clock: HistoricClock,
  memberIds: Record<MemberName, string>,
  accountIds: Record<AccountName, string>,
): Promise<Record<KeyName, string>> {
  const make = async (name: KeyName) => {
    const key = KEYS[name];
    clock.set(new Date(clock.now().getTime() + MINUTE_MS));
    const permissions = permissionsOf(key, accountIds);
    const { text } = await withSignedIn(services, memberIds[key.madeBy], (context) =>
      createApiKey(services, context, { name, permissions }),
    );
    return text;
  };
  return {
    "claude-bookkeeping": await make("claude-bookkeeping"),
    "zapier-invoices": await make("zapier-invoices"),
    "ops-payroll": await make("ops-payroll"),
    "ops-cardpay": await make("ops-cardpay"),
    "mara-cli": await make("mara-cli"),
    "roundup-bot": await make("roundup-bot"),
    "demo-key": await make("demo-key"),
  };
}

function permissionsOf(key: DemoKey, accountIds: Record<AccountName, string>): PermissionInput[] {
  return [
    {
      type: "MANUAL_TRANSFER",
      entries:
        key.routes === "ANY"
          ? [{ source: "ANY", target: "ANY" }]
          : key.routes.map(({ from, to, maximumInCents }) => ({
              source: accountIds[from],
              target: accountIds[to],
              max_amount: maximumInCents,
            })),
      approval: { required: key.asks },
    },
    ...key.reads.map(readPermission),
    ...(key.changesRules ? [{ type: "CREATE_AND_EDIT_RULES", rules: "ALL" } as const] : []),
  ];
}

function readPermission(what: DemoKey["reads"][number]): PermissionInput {
  switch (what) {
    case "ACCOUNTS":
      return { type: "READ_ACCOUNTS", accounts: "ALL" };
    case "TRANSFERS":
      return { type: "READ_TRANSFERS", accounts: "ALL" };
    case "RULES":
      return { type: "READ_RULES", rules: "ALL" };
    case "AUDIT_LOGS":
      return { type: "READ_AUDIT_LOGS" };
  }
}
