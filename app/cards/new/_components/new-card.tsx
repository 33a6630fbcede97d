"use client";

import { FingerprintPattern } from "lucide-react";
import { useState } from "react";
import { CARD_UNKNOWN } from "@/app/cards/_components/card-acts";
import { CARD_TYPE_WORDS } from "@/app/cards/_components/card-words";
import { issueCard } from "@/app/cards/actions";
import { RefusalNote } from "@/components/act/refusal-note";
import { SendForm } from "@/components/act/send-form";
import { useAction } from "@/components/act/use-action";
import { COLUMNS } from "@/components/layout/columns";
import { Crumb } from "@/components/layout/crumb";
import { PageHead } from "@/components/layout/page-head";
import { SideColumn } from "@/components/layout/side-column";
import { Button, buttonClass } from "@/components/ui/button";
import { FORM_BUTTONS } from "@/components/ui/button-row";
import { Empty } from "@/components/ui/empty";
import { InputField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { SelectField } from "@/components/ui/select-field";
import { LINK } from "@/components/ui/text-styles";
import { type IssueCardInput, issueCardSchema, MAXIMUM_CARD_NAME_LENGTH } from "@/lib/contract/card";
import { amountIn } from "@/lib/contract/confirmation/step-up";
import { parseCents } from "@/lib/contract/format-cents";
import { schemaWords } from "@/lib/contract/input/schema-words";
import { type CardType, cardTypeSchema } from "@/lib/contract/transactions";
import type { NewCardView } from "@/lib/views/cards/read-new-card";
import { namesToChoose } from "@/lib/words/names-to-choose";

/** The form's raw field values. */
export interface CardDraft {
  cardType: CardType;
  name: string;
  accountId: string;
  /** Empty: no cardholder. */
  holderId: string;
  /** Empty: no limit. */
  limit: string;
}

type CardField = keyof CardDraft;
type CardProblems = Partial<Record<CardField, string>>;

const SHOWN: Record<string, { field: CardField; label: string }> = {
  name: { field: "name", label: "The name" },
  accountId: { field: "accountId", label: "The pod" },
  holderId: { field: "holderId", label: "Cardholder" },
  monthlyLimitInCents: { field: "limit", label: "The limit" },
};

function readCardType(text: string, before: CardType): CardType {
  return cardTypeSchema.safeParse(text).data ?? before;
}

/** The request to send, or the problem of each field. */
export function readDraft(
  draft: CardDraft,
): { kind: "READY"; input: IssueCardInput } | { kind: "PROBLEMS"; problems: CardProblems } {
  const input = {
    cardType: draft.cardType,
    name: draft.name,
    accountId: draft.accountId,
    holderId: draft.holderId === "" ? null : draft.holderId,
    monthlyLimitInCents: draft.limit.trim() === "" ? null : (parseCents(draft.limit) ?? Number.NaN),
  };
  const parsed = issueCardSchema.safeParse(input, { error: schemaWords });
  if (parsed.success) return { kind: "READY", input: parsed.data };
  const problems: CardProblems = {};
  for (const { path, message } of parsed.error.issues) {
    const shown = SHOWN[path.join(".")];
    if (!shown) continue;
    const words = shown.field === "limit" ? "must be an amount like 500.00, at least 1.00" : message;
    problems[shown.field] ??= `${shown.label} ${words}.`;
  }
  return { kind: "PROBLEMS", problems };
}

/** Collects, confirms and issues a card. */
export function NewCard({ view }: { view: NewCardView }) {
  return (
    <div>
      <PageHead
        title="Issue card"
        lede="It spends from one pod and works immediately. Purchases need no approval, so give it no more than it needs."
      />
      {view.isSandbox ? (
        <p className="mx-0 -mt-4 mb-8 text-[13px] text-ink-3">Sandbox cards: no real money</p>
      ) : null}
      <div className={COLUMNS}>
        {view.pods.length === 0 ? (
          <Empty title="No pod to spend from">
            A card spends from a pod.{" "}
            <Link className={LINK} href="/accounts/new">
              Open one
            </Link>{" "}
            first.
          </Empty>
        ) : (
          <NewCardForm view={view} />
        )}
        <SideColumn>
          <section>
            <h2 className="text-base font-semibold">Spending</h2>
            <p className="mt-2 text-ink-2">
              Up to its limit per calendar month, and never below its pod’s floor. A shop that settles more
              than it authorized, such as a tip, is still paid.
            </p>
          </section>
          <section>
            <h2 className="text-base font-semibold">Freezing</h2>
            <p className="mt-2 text-ink-2">
              Every member can freeze it at any time. Only an owner or co-owner can thaw it.
            </p>
          </section>
        </SideColumn>
      </div>
    </div>
  );
}

function NewCardForm({ view }: { view: NewCardView }) {
  const { pods, members, viewer } = view;
  const [draft, setDraft] = useState<CardDraft>({
    cardType: "DEBIT_CARD",
    name: "",
    accountId: pods[0]?.id ?? "",
    holderId: "",
    limit: "",
  });
  const [hasTried, setHasTried] = useState(false);
  const issuing = useAction(issueCard, {
    whenLost: CARD_UNKNOWN,
    proof: ({ accountId, name, monthlyLimitInCents }) => ({
      act: `ISSUE_CARD:${accountId}:${amountIn(monthlyLimitInCents)}`,
      title: `Issue the card ${name}`,
      confirmLabel: "Issue card",
    }),
    afterwards: (router, { cardId }) => router.push(`/cards?issued=${cardId}`),
  });
  const read = readDraft(draft);
  const problems = hasTried && read.kind === "PROBLEMS" ? read.problems : {};

  const send = (submit: typeof issuing.run) => {
    setHasTried(true);
    if (read.kind === "READY") submit(read.input);
  };
  return (
    <div>
      <SendForm className="grid gap-5 max-w-110" isBusy={issuing.isBusy} onSend={() => send(issuing.run)}>
        <CardFields
          draft={draft}
          problems={problems}
          pods={pods}
          members={members}
          onEdit={({ cardType, ...change }) =>
            setDraft((before) => ({
              ...before,
              ...change,
              cardType: cardType === undefined ? before.cardType : readCardType(cardType, before.cardType),
            }))
          }
        />
        <RefusalNote
          message={issuing.message}
          onRecoveryCode={viewer.hasPasskey ? () => send(issuing.runWithRecoveryCode) : null}
        />
        <div className={FORM_BUTTONS}>
          <Link className={buttonClass({ kind: "quiet" })} href="/cards">
            Cancel
          </Link>
          <Button kind="primary" type="submit" busy={issuing.isBusy}>
            {viewer.hasPasskey ? <FingerprintPattern /> : null}
            {viewer.hasPasskey ? "Issue with passkey" : "Issue card"}
          </Button>
        </div>
      </SendForm>
    </div>
  );
}

interface CardFieldsProps {
  draft: CardDraft;
  problems: CardProblems;
  pods: NewCardView["pods"];
  members: NewCardView["members"];
  onEdit: (change: Partial<Omit<CardDraft, "cardType">> & { cardType?: string }) => void;
}

/** The fields of a new card. */
function CardFields({ draft, problems, pods, members, onEdit }: CardFieldsProps) {
  const nameOf = namesToChoose(pods);
  return (
    <>
      <InputField
        label="Name"
        hint="Short; shown next to every purchase."
        autoComplete="off"
        maxLength={MAXIMUM_CARD_NAME_LENGTH}
        value={draft.name}
        error={problems.name ?? null}
        onChange={(event) => onEdit({ name: event.target.value })}
      />
      <SelectField
        label="Spends from"
        value={draft.accountId}
        error={problems.accountId ?? null}
        options={pods.map(({ id }) => ({ value: id, label: nameOf(id) }))}
        onChange={(event) => onEdit({ accountId: event.target.value })}
      />
      <SelectField
        label="Cardholder"
        hint="A member of your organization."
        value={draft.holderId}
        error={problems.holderId ?? null}
        options={[
          { value: "", label: "No cardholder" },
          ...members.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(event) => onEdit({ holderId: event.target.value })}
      />
      <InputField
        label="Monthly limit"
        hint="In dollars. Leave empty for no limit."
        inputMode="decimal"
        autoComplete="off"
        placeholder="No limit"
        value={draft.limit}
        error={problems.limit ?? null}
        onChange={(event) => onEdit({ limit: event.target.value })}
      />
      <SelectField
        label="Kind"
        hint="Distinguishes its transactions in the API."
        value={draft.cardType}
        options={cardTypeSchema.options.map((type) => ({ value: type, label: CARD_TYPE_WORDS[type] }))}
        onChange={(event) => onEdit({ cardType: event.target.value })}
      />
    </>
  );
}

export function CardCrumb({ here }: { here: string }) {
  return <Crumb ways={[{ href: "/cards", label: "Cards" }]} here={here} />;
}
