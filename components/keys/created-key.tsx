"use client";

import { useRouter } from "next/navigation";
import { useCallback, useState } from "react";
import { KeyCrumb } from "@/components/keys/crumb";
import { FirstRequest } from "@/components/keys/first-request";
import { Said } from "@/components/keys/said";
import { LeaveDialog } from "@/components/secrets/leave-dialog";
import { SecretBox } from "@/components/secrets/secret-box";
import { useLeaveGuard } from "@/components/secrets/use-leave-guard";
import { Button } from "@/components/ui/button";
import { CodeBox } from "@/components/ui/code-box";
import { Section } from "@/components/ui/section";
import type { Permission } from "@/lib/contract/permissions";
import type { KeyAccountView, NewKeyView } from "@/lib/contract/views/keys-view";
import { findPermission } from "@/lib/engine/words/key-powers";
import { keySentence } from "@/lib/engine/words/key-sentence";

const EXAMPLE_CENTS = 10_000;

interface CreatedKeyProps {
  id: string;
  name: string;
  text: string;
  permissions: readonly Permission[];
  dailyCapInCents: number | null;
  view: NewKeyView;
}

/** A new key, shown this once. Its text lives in this component's memory only: a reload has lost it. */
export function CreatedKey({ id, name, text, permissions, dailyCapInCents, view }: CreatedKeyProps) {
  const router = useRouter();
  const [isCopied, setIsCopied] = useState(false);
  const [leavingTo, setLeavingTo] = useState<string | null>(null);
  const holdBack = useCallback((href: string) => setLeavingTo(href), []);
  useLeaveGuard(!isCopied, holdBack);
  const example = tryIt(permissions, view.accounts, view.apiUrl);
  const pageHref = `/settings/api-keys/${id}`;

  return (
    <>
      <KeyCrumb here={name} />
      <div className="narrow">
        <h1 className="h1">{name} is ready</h1>
        <p className="lede">
          Copy the key now. Sluice keeps only a fingerprint of it, so this is the one time you can see it.
        </p>
        <SecretBox text={text} onCopied={() => setIsCopied(true)} />
        <Section id="try" title="Try it">
          <p className="ink2 try-l">{example.explanation}</p>
          <CodeBox label="A first request">{example.command}</CodeBox>
          <FirstRequest keyId={id} />
        </Section>
        <Section id="says" title="What it can do">
          <p className="says display">
            It{" "}
            <Said
              phrases={keySentence({
                permissions,
                accounts: view.accounts,
                rules: view.rules,
                dailyCapInCents,
                canDecide: view.viewer.canDecide,
              })}
            />
          </p>
        </Section>
        <div className="foot-a">
          <Button
            kind="outlined"
            size="large"
            onClick={() => (isCopied ? router.push(pageHref) : setLeavingTo(pageHref))}
          >
            I have saved the key
          </Button>
        </div>
      </div>
      {leavingTo === null ? null : (
        <LeaveDialog
          noun="key"
          consequence="Without it you would have to revoke this key and make a new one."
          onLeave={() => router.push(leavingTo)}
          onStay={() => setLeavingTo(null)}
        />
      )}
    </>
  );
}

/** A first request that this very key may make; its text stays a variable of the shell. */
interface TryIt {
  explanation: string;
  command: string;
}

/**
 * @param apiUrl without a trailing slash
 */
function tryIt(
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
