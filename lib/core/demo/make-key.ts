import type { PermissionInput } from "@/lib/contract/permissions";
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

/** Makes one of the demo's keys, by its member. @returns its text. */
export async function makeKey(
  services: Services,
  ids: { memberIds: Record<MemberName, string>; accountIds: Record<AccountName, string> },
  name: KeyName,
): Promise<string> {
  const key = KEYS[name];
  const permissions = permissionsOf(key, ids.accountIds);
  const { text } = await withSignedIn(services, ids.memberIds[key.madeBy], (context) =>
    createApiKey(services, context, { name, permissions, dailyCapInCents: key.dailyCapInCents ?? null }),
  );
  return text;
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
    ...(key.opensAccounts ? [{ type: "CREATE_ACCOUNTS" } as const] : []),
    ...(key.changesRules ? [{ type: "CREATE_AND_EDIT_RULES", rules: "ALL" } as const] : []),
    ...(key.runsRules
      ? [{ type: "TRIGGER_RULES", rules: "ALL", approval: { required: true } } as const]
      : []),
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
