"use client";

import { FingerprintPattern } from "lucide-react";
import { useState, useTransition } from "react";
import { useStepUp } from "@/components/auth/use-step-up";
import { CreatedKey } from "@/components/keys/created-key";
import { KeyCrumb } from "@/components/keys/crumb";
import {
  draftCap,
  draftPermissions,
  draftProblems,
  EMPTY_DRAFT,
  type KeyDraft,
} from "@/components/keys/key-draft";
import { PermissionFields } from "@/components/keys/permission-fields";
import { PlainWords } from "@/components/keys/plain-words";
import { Button, buttonClass } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { PageHead } from "@/components/ui/page-head";
import { MAXIMUM_KEY_NAME_LENGTH, type NewKeyInput } from "@/lib/contract/api-key";
import type { Permission } from "@/lib/contract/permissions";
import type { Refused } from "@/lib/contract/refused";
import type { NewKeyResult, NewKeyView, PresenceActions } from "@/lib/contract/views/keys-view";

export interface NewKeyActions extends PresenceActions {
  createKey: (input: NewKeyInput) => Promise<NewKeyResult>;
}

interface Created {
  id: string;
  text: string;
  name: string;
  permissions: Permission[];
  dailyCapInCents: number | null;
}

const UNKNOWN =
  "Sluice did not answer, so we do not know whether the key was made. Look at the list before you try again; a key that you cannot see must be revoked.";

/** Puts a key together, has it confirmed, and shows it once. */
export function NewKey({ view, actions }: { view: NewKeyView; actions: NewKeyActions }) {
  const [draft, setDraft] = useState<KeyDraft>(EMPTY_DRAFT);
  const [hasTried, setHasTried] = useState(false);
  const { created, refusal, isBusy, create, createWithRecoveryCode, dialog } = useCreation(actions);
  const permissions = draftPermissions(draft);
  const dailyCapInCents = draftCap(draft);
  const problems = hasTried ? draftProblems(draft) : [];
  if (created) return <CreatedKey {...created} view={view} />;

  const edit = (change: Partial<KeyDraft>) => setDraft((before) => ({ ...before, ...change }));
  const send = (submit: typeof create) => {
    setHasTried(true);
    if (draftProblems(draft).length === 0) submit({ name: draft.name.trim(), permissions, dailyCapInCents });
  };
  return (
    <>
      <KeyCrumb here="New key" />
      <PageHead
        title="New API key"
        lede="One key for each tool or agent, with no more than it needs. You can revoke it at any time."
      />
      <div className="cols keyc">
        <form
          method="post"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!isBusy) send(create);
          }}
        >
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
            problems={problems}
            onEdit={edit}
          />
          <div className="foot-e" role="status">
            <Refusal
              message={refusal ?? problems.find(({ at }) => at === "permissions")?.message ?? null}
              offersRecoveryCode={refusal !== null && view.viewer.hasPasskey}
              onRecoveryCode={() => send(createWithRecoveryCode)}
            />
          </div>
          <div className="foot-a">
            <Button kind="primary" size="large" type="submit" busy={isBusy}>
              {view.viewer.hasPasskey ? <FingerprintPattern className="ic" /> : null}
              {view.viewer.hasPasskey ? "Create key with passkey" : "Create key"}
            </Button>
            <Link className={buttonClass({ kind: "quiet" })} href="/settings/api-keys">
              Cancel
            </Link>
          </div>
        </form>
        <PlainWords
          name={draft.name}
          permissions={permissions}
          dailyCapInCents={dailyCapInCents}
          view={view}
          onFix={() => edit({ readsTransfers: { ...draft.readsAccounts } })}
        />
      </div>
      {dialog}
    </>
  );
}

interface RefusalProps {
  message: string | null;
  offersRecoveryCode: boolean;
  onRecoveryCode: () => void;
}

function Refusal({ message, offersRecoveryCode, onRecoveryCode }: RefusalProps) {
  if (message === null) return null;
  return (
    <Note tone="red">
      {message}{" "}
      {offersRecoveryCode ? (
        <button className="link lb" type="button" onClick={onRecoveryCode}>
          Use a recovery code
        </button>
      ) : null}
    </Note>
  );
}

function useCreation(actions: NewKeyActions) {
  const [created, setCreated] = useState<Created | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, startCreating] = useTransition();
  const stepUp = useStepUp(actions, { title: "Confirm that it is you", confirmLabel: "Create key" });

  const createAfter =
    (prove: () => Promise<{ kind: "DONE" } | Refused>) => (input: Omit<Created, "id" | "text">) =>
      startCreating(async () => {
        setRefusal(null);
        const proof = await prove();
        if (proof.kind === "REFUSED") return setRefusal(proof.message);
        const result = await actions
          .createKey(input)
          .catch((): Refused => ({ kind: "REFUSED", message: UNKNOWN }));
        if (result.kind === "REFUSED") return setRefusal(result.message);
        setCreated({ id: result.id, text: result.text, ...input });
        window.scrollTo(0, 0);
      });

  return {
    created,
    refusal,
    isBusy,
    create: createAfter(stepUp.prove),
    createWithRecoveryCode: createAfter(stepUp.proveWithRecoveryCode),
    dialog: stepUp.dialog,
  };
}
