"use client";

import { FingerprintPattern } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { StepUpRefusal } from "@/components/auth/use-step-up";
import { type CardDraft, type CardProblems, readCardType, readDraft } from "@/components/cards/card-draft";
import { CARD_TYPE_WORDS } from "@/components/cards/card-words";
import { useCardAct } from "@/components/cards/use-card-act";
import { Button, buttonClass } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { InputField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { SelectField } from "@/components/ui/select-field";
import { type IssueCardInput, MAXIMUM_CARD_NAME_LENGTH } from "@/lib/contract/card";
import { cardTypeSchema } from "@/lib/contract/card-transaction";
import type { NewCardActions, NewCardView } from "@/lib/contract/views/cards-view";

/** Puts a card together, has it confirmed, and issues it. */
export function NewCard({ view, actions }: { view: NewCardView; actions: NewCardActions }) {
  return (
    <div className="cards">
      <PageHead
        title="Issue a card"
        lede="It spends from one pod and can be used at once. Its purchases ask nobody, so give it no more than it needs."
      />
      {view.isSandbox ? <p className="cards-x">Sandbox cards: no real money</p> : null}
      <div className="cols">
        {view.pods.length === 0 ? (
          <Empty title="There is no pod to spend from">
            A card spends from a pod.{" "}
            <Link className="link" href="/accounts/new">
              Open one
            </Link>{" "}
            first.
          </Empty>
        ) : (
          <NewCardForm view={view} actions={actions} />
        )}
        <aside className="side">
          <div className="side-in">
            <section>
              <h2 className="h3">What it may spend</h2>
              <p className="ink2">
                Up to its limit in a calendar month, and never what would take its pod below the floor. A shop
                that takes more than it asked for, a tip, still gets it.
              </p>
            </section>
            <section>
              <h2 className="h3">Freezing</h2>
              <p className="ink2">
                Every member can freeze it at any time, at once. Only an owner or co-owner can thaw it.
              </p>
            </section>
          </div>
        </aside>
      </div>
    </div>
  );
}

function NewCardForm({ view, actions }: { view: NewCardView; actions: NewCardActions }) {
  const { pods, members, viewer } = view;
  const router = useRouter();
  const [draft, setDraft] = useState<CardDraft>({
    cardType: "DEBIT_CARD",
    name: "",
    accountId: pods[0]?.id ?? "",
    holderId: "",
    limit: "",
  });
  const [hasTried, setHasTried] = useState(false);
  const [isIssued, setIsIssued] = useState(false);
  const { refusal, isBusy, dialog, actWithProof, actWithRecoveryCode } = useCardAct(actions, "Issue card");
  const read = readDraft(draft);
  const problems = hasTried && read.kind === "PROBLEMS" ? read.problems : {};

  const issue = (input: IssueCardInput) => async () => {
    const result = await actions.issueCard(input);
    if (result.kind === "REFUSED") return result;
    router.push(`/cards?issued=${result.cardId}`);
    return { kind: "DONE" as const };
  };
  const send = (submit: typeof actWithProof) => {
    setHasTried(true);
    // It stays busy until the list opens: a second press would issue a second card.
    if (read.kind === "READY") submit(issue(read.input), () => setIsIssued(true));
  };
  return (
    <div>
      <form
        method="post"
        className="card-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy && !isIssued) send(actWithProof);
        }}
      >
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
        <StepUpRefusal
          message={refusal}
          onRecoveryCode={viewer.hasPasskey ? () => send(actWithRecoveryCode) : null}
        />
        <div className="btns">
          <Link className={buttonClass({ kind: "quiet" })} href="/cards">
            Not now
          </Link>
          <Button kind="primary" type="submit" busy={isBusy || isIssued}>
            {viewer.hasPasskey ? <FingerprintPattern className="ic" /> : null}
            {viewer.hasPasskey ? "Issue with passkey" : "Issue card"}
          </Button>
        </div>
      </form>
      {/* Beside the form: its own form would be submitted with this one. */}
      {dialog}
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

/** What is asked of a new card. */
function CardFields({ draft, problems, pods, members, onEdit }: CardFieldsProps) {
  return (
    <>
      <InputField
        label="Name"
        hint="Short; it stands beside everything that the card buys."
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
        options={pods.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(event) => onEdit({ accountId: event.target.value })}
      />
      <SelectField
        label="Carried by"
        hint="A member of your organization."
        value={draft.holderId}
        error={problems.holderId ?? null}
        options={[
          { value: "", label: "Nobody in particular" },
          ...members.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(event) => onEdit({ holderId: event.target.value })}
      />
      <InputField
        label="At most, each month"
        hint="In dollars. Empty for no limit but what the pod has."
        inputMode="decimal"
        autoComplete="off"
        placeholder="No limit"
        value={draft.limit}
        error={problems.limit ?? null}
        onChange={(event) => onEdit({ limit: event.target.value })}
      />
      <SelectField
        label="Kind"
        hint="How its transactions are told apart in the API."
        value={draft.cardType}
        options={cardTypeSchema.options.map((type) => ({ value: type, label: CARD_TYPE_WORDS[type] }))}
        onChange={(event) => onEdit({ cardType: event.target.value })}
      />
    </>
  );
}
