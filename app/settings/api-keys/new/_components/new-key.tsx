"use client";

import { FingerprintPattern } from "lucide-react";
import { useState } from "react";
import { KeyPhrases } from "@/app/settings/_components/key-phrases";
import { FirstRequest } from "@/app/settings/api-keys/_components/first-request";
import {
  draftCap,
  draftPermissions,
  draftProblems,
  EMPTY_DRAFT,
  fixedDraft,
  type KeyDraft,
} from "@/app/settings/api-keys/_components/key-draft";
import { createKey } from "@/app/settings/api-keys/actions";
import { PermissionFields } from "@/app/settings/api-keys/new/_components/permission-fields";
import { PlainWords } from "@/app/settings/api-keys/new/_components/plain-words";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { SecretPage } from "@/components/act/secret-page";
import { SendForm } from "@/components/act/send-form";
import { useAction } from "@/components/act/use-action";
import { COLUMNS_WITH_WIDE_SIDE } from "@/components/layout/columns";
import { Crumb } from "@/components/layout/crumb";
import { PageFoot, PageHead } from "@/components/layout/page-head";
import { Section } from "@/components/layout/section";
import { Button, buttonClass } from "@/components/ui/button";
import { CodeBox } from "@/components/ui/code-box";
import { InputField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { SPOKEN } from "@/components/ui/text-styles";
import { MAXIMUM_KEY_NAME_LENGTH } from "@/lib/contract/api-key";
import { createKeyAct } from "@/lib/contract/confirmation/step-up";
import type { KeyAccountView } from "@/lib/contract/keys/key-facts";
import type { Permission } from "@/lib/contract/permissions";
import type { NewKeyView } from "@/lib/views/keys/read-new-key";
import { findPermission } from "@/lib/words/keys/key-powers";
import { keySentence } from "@/lib/words/keys/key-sentence";

const CRUMB = { href: "/settings/api-keys", label: "API keys" };

interface Requested {
  name: string;
  permissions: Permission[];
  dailyCapInCents: number | null;
}

const UNKNOWN = outcomeUnknown(
  "the key may have been created. Check the list before you try again, and revoke a key whose text you never saw.",
);

const FORM_ID = "new-key";

export function NewKey({ view }: { view: NewKeyView }) {
  const [draft, setDraft] = useState<KeyDraft>(EMPTY_DRAFT);
  const [hasTried, setHasTried] = useState(false);
  const creating = useAction((key: Requested, shown) => createKey(key, shown), {
    whenLost: UNKNOWN,
    proof: (key) => ({
      act: createKeyAct(key),
      title: `Create the key ${key.name}`,
      confirmLabel: "Create key",
    }),
    onDone: () => window.scrollTo(0, 0),
    afterwards: null,
  });
  const permissions = draftPermissions(draft);
  const dailyCapInCents = draftCap(draft);
  const problems = hasTried ? draftProblems(draft) : [];
  const { result: created, input } = creating;
  if (created?.kind === "ASKED" && input) return <AskedKey {...created} name={input.name} />;
  if (created?.kind === "CREATED" && input) return <CreatedKey {...created} {...input} view={view} />;

  const edit = (change: Partial<KeyDraft>) => setDraft((before) => ({ ...before, ...change }));
  const send = (submit: typeof creating.run) => {
    setHasTried(true);
    if (draftProblems(draft).length === 0) submit({ name: draft.name.trim(), permissions, dailyCapInCents });
  };
  return (
    <>
      <Crumb ways={[CRUMB]} here="New key" />
      <PageHead
        title="New API key"
        lede="One key for each tool or agent, with no more than it needs. You can revoke it at any time."
      />
      <div
        className={`${COLUMNS_WITH_WIDE_SIDE} [&_.field_.input]:max-w-90 [&_.field_.input]:font-mono [&_.field_.input]:text-[14px] min-[761px]:gap-y-0`}
      >
        <SendForm id={FORM_ID} isBusy={creating.isBusy} onSend={() => send(creating.run)}>
          <InputField
            label="Name"
            hint="Tool, a hyphen, then purpose. The name shows on every request it makes."
            autoComplete="off"
            maxLength={MAXIMUM_KEY_NAME_LENGTH}
            value={draft.name}
            error={problems.find(({ at }) => at === "name")?.message ?? null}
            onChange={(event) => edit({ name: event.target.value })}
          />
          <PermissionFields
            draft={draft}
            accounts={view.accounts}
            rules={view.rules}
            offersSandbox={view.offersSandbox}
            problems={problems}
            onEdit={edit}
          />
        </SendForm>
        <PlainWords
          name={draft.name}
          permissions={permissions}
          dailyCapInCents={dailyCapInCents}
          view={view}
          onFix={() => edit(fixedDraft(draft))}
        />
        {/* After the plain words, so that on a phone they are the last thing read before the button. */}
        <div className="min-[761px]:col-start-1">
          <div className="mt-4">
            <RefusalNote
              message={creating.message ?? problems.find(({ at }) => at === "permissions")?.message ?? null}
              onRecoveryCode={
                creating.refusal && view.viewer.hasPasskey ? () => send(creating.runWithRecoveryCode) : null
              }
            />
          </div>
          <PageFoot>
            <Button kind="primary" size="large" type="submit" form={FORM_ID} busy={creating.isBusy}>
              {view.viewer.hasPasskey ? <FingerprintPattern /> : null}
              {view.viewer.hasPasskey ? "Create key with passkey" : "Create key"}
            </Button>
            <Link className={buttonClass({ kind: "quiet" })} href="/settings/api-keys">
              Cancel
            </Link>
          </PageFoot>
        </div>
      </div>
    </>
  );
}

const EXAMPLE_CENTS = 10_000;
interface CreatedKeyProps {
  id: string;
  name: string;
  text: string;
  permissions: readonly Permission[];
  dailyCapInCents: number | null;
  view: NewKeyView;
}

function CreatedKey({ id, name, text, permissions, dailyCapInCents, view }: CreatedKeyProps) {
  const example = tryIt(permissions, view.accounts, view.apiUrl);
  return (
    <SecretPage
      way={CRUMB}
      here={name}
      title={`${name} is ready`}
      lede="Copy the key now. Sluice stores only a hash, so it cannot be shown again."
      text={text}
      consequence="Without it, you will have to revoke this key and create a new one."
      next={{ href: `/settings/api-keys/${id}`, label: "I saved the key" }}
    >
      <Section id="try" title="Try it">
        <p className="mx-0 mt-4 mb-2.5 text-ink-2">{example.explanation}</p>
        <CodeBox label="A first request">{example.command}</CodeBox>
        <FirstRequest keyId={id} />
      </Section>
      <Section id="says" title="What it can do">
        <p className={SPOKEN}>
          It{" "}
          <KeyPhrases
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
    </SecretPage>
  );
}

interface AskedKeyProps {
  name: string;
  text: string;
  /** Its page, with whose signatures it waits for. */
  href: string;
}

/** The secret of a key that others have to sign for. */
function AskedKey({ name, text, href }: AskedKeyProps) {
  return (
    <SecretPage
      way={CRUMB}
      here={name}
      title={`${name} waits for signatures`}
      lede="Copy the key now; it cannot be shown again. It opens nothing until others have signed for it."
      text={text}
      whenLost="Withdraw the request and ask again."
      consequence="Without it, you will have to withdraw this request and ask again."
      next={{ href, label: "See who must sign" }}
    />
  );
}

/** A first request within this key's permissions; the key stays a shell variable. */
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
      explanation: "A dry run moves no money and needs no approval.",
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
