import type { Permission } from "@/lib/contract/permissions";
import type { KeyAccountView } from "@/lib/contract/views/keys-view";
import { findPermission } from "@/lib/engine/words/key-powers";

const EXAMPLE_CENTS = 10_000;

/** A first request that this very key may make; its text stays a variable of the shell. */
export interface TryIt {
  explanation: string;
  command: string;
}

/**
 * @param apiUrl without a trailing slash
 */
export function tryIt(
  permissions: readonly Permission[],
  accounts: readonly KeyAccountView[],
  apiUrl: string,
): TryIt {
  const authorization = `  -H "Authorization: Bearer $SLUICE_KEY"`;
  const route = exampleRoute(permissions, accounts);
  if (route) {
    const body = JSON.stringify({ ...route, simulation: true }, null, 2).replaceAll("\n", "\n  ");
    return {
      explanation: "A dry run moves no money and asks nobody.",
      command: [
        `curl ${apiUrl}/transfers`,
        authorization,
        `  -H "content-type: application/json"`,
        `  -d '${body}'`,
      ].join(" \\\n"),
    };
  }
  const path = readPath(permissions, accounts);
  return { explanation: "Reading changes nothing.", command: `curl ${apiUrl}${path} \\\n${authorization}` };
}

function exampleRoute(permissions: readonly Permission[], accounts: readonly KeyAccountView[]) {
  const transfers = findPermission(permissions, "MANUAL_TRANSFER");
  const open = accounts.filter((account) => !account.isClosed);
  for (const entry of transfers?.entries ?? []) {
    const source = open.find((one) => one.canBeSource && (entry.source === "ANY" || one.id === entry.source));
    const destination = open.find(
      (one) =>
        one.id !== source?.id &&
        !(one.isOutside && source?.isOutside) &&
        (entry.target === "ANY" || one.id === entry.target),
    );
    if (!source || !destination) continue;
    const amountInCents = Math.min(EXAMPLE_CENTS, entry.max_amount ?? EXAMPLE_CENTS);
    return { sourceAccountId: source.id, destinationAccountId: destination.id, amountInCents };
  }
  return null;
}

function readPath(permissions: readonly Permission[], accounts: readonly KeyAccountView[]): string {
  const transfers = findPermission(permissions, "READ_TRANSFERS");
  if (findPermission(permissions, "READ_ACCOUNTS")) return "/accounts";
  // Needs no permission.
  if (!transfers) return "/beneficiaries";
  const first = transfers.accounts === "ALL" ? accounts[0]?.id : transfers.accounts[0];
  return `/transfers?accountId=${first ?? ""}`;
}
