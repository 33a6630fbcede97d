"use client";

import { useEffect, useRef, useState } from "react";
import { preview } from "@/app/transfers/actions";
import { MoveDocuments } from "@/app/transfers/new/_components/move-documents";
import { type MoveFields, MoveForm, problemsOf, toDraft } from "@/app/transfers/new/_components/move-form";
import { MoveChecks, MovePanel } from "@/app/transfers/new/_components/move-panel";
import { useBalanceRefresh, useMove } from "@/app/transfers/new/_components/use-move";
import { nothingSent, whenThrown } from "@/components/act/answer-lost";
import { shownByPage } from "@/components/act/shown-by-page";
import { useKeptFields } from "@/components/act/use-kept-fields";
import { COLUMNS } from "@/components/layout/columns";
import { SECTION, Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { BalanceTable } from "@/components/parts/approvals/balance-table";
import { KnockOn } from "@/components/parts/approvals/knock-on";
import { PageSluice, type SluiceEnd } from "@/components/sluice/page-sluice";
import { formatShortDay } from "@/components/time/format-instant";
import type { ApprovalAccountView } from "@/lib/contract/approvals/approval";
import { formatCents, splitCents } from "@/lib/contract/format-cents";
import type { MoveDraft } from "@/lib/contract/move";
import type { MoveAccountView, MovePreview, MoveView } from "@/lib/views/transfers/read-move-page";

/** Debounce: avoids a request per keystroke but still feels immediate. */
const DEBOUNCE_MS = 250;

const NO_PREVIEW = nothingSent("The preview is unavailable. Nothing moved.");

/** The button is disabled this long after a change, so that nobody confirms numbers they have not seen. */
const SETTLE_MS = 1_000;

/** The server previews the draft as it is typed; only that exact preview can be confirmed. */
export function MoveMoney({ view }: { view: MoveView }) {
  // One draft id per open page: refreshing the page's data must not create a second draft. A reload keeps it with the
  // fields: the same move, sent again after an answer was lost, would otherwise move twice.
  const kept = useKeptFields("move-money", { draftId: view.draftId, ...initialFields(view.prefill) });
  const { draftId, ...fields } = kept.fields;
  const [revision, setRevision] = useState(0);
  const draft = toDraft(draftId, fields);
  const { current, shown, refusal } = useMovePreview(draft, revision);
  const lookAgain = () => setRevision((before) => before + 1);
  const isSettling = useSettling(revision, current !== null);
  const subject = draft && current ? { ...draft, digest: current.digest } : null;
  const flow = useMove(subject, moveTitle(current), lookAgain);
  useWhenSeenAgain(lookAgain);
  // The draft has its transfer: a reload starts the next one.
  const isUsed = flow.notice !== null && flow.notice.href !== null;
  const { forget } = kept;
  useEffect(() => {
    if (isUsed) forget();
  }, [isUsed, forget]);
  const source = view.accounts.find(({ id }) => id === shown?.source.id);
  const balanceRefresh = useBalanceRefresh(source, lookAgain);

  const change = (changes: Partial<MoveFields>) => {
    flow.forget();
    kept.change(changes);
  };
  return (
    <div className={COLUMNS}>
      <div>
        <MoveForm
          accounts={view.accounts}
          fields={fields}
          problems={problemsOf(fields)}
          time={view.time}
          onChange={change}
        />
        {shown ? (
          <>
            <MoveOutcome preview={shown} accounts={view.accounts} isOld={current === null} />
            <MoveDocuments draftId={draftId} documents={shown.documents} onChange={lookAgain} />
          </>
        ) : (
          <p className="max-w-[56ch] mt-10 text-ink-2">
            Choose an amount and both accounts to see what will happen. Nothing moves until you confirm.
          </p>
        )}
      </div>
      <SideColumn
        as="div"
        contentLayout="max-sm:flex max-sm:flex-col-reverse max-sm:gap-9 max-sm:[&>section~section]:mt-0"
      >
        <MovePanel
          areGatesClosed={view.areGatesClosed}
          viewer={view.viewer}
          nowAt={view.time.nowAt}
          current={current}
          shown={shown}
          refusal={refusal}
          isSettling={isSettling}
          flow={flow}
        />
        {shown ? <MoveChecks preview={shown} source={source} balanceRefresh={balanceRefresh} /> : null}
      </SideColumn>
    </div>
  );
}

function initialFields({
  amountInCents,
  sourceAccountId,
  destinationAccountId,
}: MoveView["prefill"]): MoveFields {
  return {
    amount: amountInCents === null ? "" : plainAmount(amountInCents),
    sourceId: sourceAccountId ?? "",
    destinationId: destinationAccountId === sourceAccountId ? "" : (destinationAccountId ?? ""),
    label: "",
    note: "",
  };
}

/** `2,500.00`: the dollar sign is in front of the field. */
function plainAmount(amountInCents: number): string {
  const { dollars, cents } = splitCents(amountInCents);
  return `${dollars.slice(1)}${cents}`;
}

/** True briefly after the answer to a later revision arrives. */
function useSettling(revision: number, isThere: boolean): boolean {
  const [settled, setSettled] = useState(0);
  useEffect(() => {
    if (settled === revision || !isThere) return;
    const timer = setTimeout(() => setSettled(revision), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [settled, revision, isThere]);
  return settled !== revision;
}

/** Balances may have changed while the page was in the background. */
function useWhenSeenAgain(lookAgain: () => void): void {
  useEffect(() => {
    const onChange = () => {
      if (document.visibilityState === "visible") lookAgain();
    };
    document.addEventListener("visibilitychange", onChange);
    return () => document.removeEventListener("visibilitychange", onChange);
  });
}

type Answer = { key: string } & ({ preview: MovePreview } | { message: string });

/**
 * The server's preview of the draft. Answers to earlier drafts are dropped: only `current` may be confirmed. `shown` is
 * the last preview, dimmed while the next one loads.
 * @param revision a new number requests the same draft again
 */
function useMovePreview(
  draft: MoveDraft | null,
  revision: number,
): { current: MovePreview | null; shown: MovePreview | null; refusal: string | null } {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const latest = useRef(draft);
  latest.current = draft;
  const key = draft === null ? null : `${revision} ${JSON.stringify(draft)}`;

  useEffect(() => {
    if (key === null) return;
    let isStale = false;
    const timer = setTimeout(async () => {
      const asked = latest.current;
      if (asked === null) return;
      const result = await preview(asked, shownByPage()).catch((error: unknown) =>
        whenThrown(error, NO_PREVIEW),
      );
      if (isStale) return;
      setAnswer(
        result.kind === "PREVIEWED" ? { key, preview: result.preview } : { key, message: result.message },
      );
    }, DEBOUNCE_MS);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [key]);

  const shown = answer !== null && "preview" in answer ? answer.preview : null;
  const isCurrent = answer !== null && answer.key === key;
  return {
    shown: key === null ? null : shown,
    current: isCurrent ? shown : null,
    refusal: isCurrent && "message" in answer ? answer.message : null,
  };
}

interface MoveOutcomeProps {
  preview: MovePreview;
  accounts: MoveAccountView[];
  /** A newer answer is loading. */
  isOld: boolean;
}

/** What a draft does: drawing, numbers and triggered rules. The table says the same as the drawing in text. */
function MoveOutcome({ preview, accounts, isOld }: MoveOutcomeProps) {
  const end = (account: ApprovalAccountView) =>
    sluiceEnd(account, accounts.find(({ id }) => id === account.id)?.balanceAt ?? null, preview);
  return (
    <div
      className={
        isOld
          ? "[transition:opacity_var(--dur-hover,120ms)_linear] opacity-55"
          : "[transition:opacity_var(--dur-hover,120ms)_linear]"
      }
      aria-busy={isOld}
    >
      <section className={SECTION} aria-label="Drawing">
        <PageSluice
          state="closed"
          source={end(preview.source)}
          destination={end(preview.destination)}
          amountInCents={preview.amountInCents}
          gateLabel={["Closed until", "you confirm"]}
        />
      </section>
      <Section id="will" title="What will happen" fact={settlesWords(preview)}>
        <BalanceTable
          balances={preview.balances}
          together={preview.together}
          changeLabel="This transfer"
          lastColumn="After"
        />
      </Section>
      <KnockOn view={preview.knockOn} />
    </div>
  );
}

function settlesWords({ settlesOver }: MovePreview): string {
  return settlesOver === "BOOKS" ? "Settles in under a minute" : "Once it settles, on a banking day";
}

/** Liabilities are drawn as an empty basin; only the payment itself fills it. */
function sluiceEnd(
  { name, kind, nowInCents }: ApprovalAccountView,
  balanceAt: string | null,
  { time }: MovePreview,
): SluiceEnd {
  const isOwed = kind === "LIABILITY";
  const when = balanceAt === null ? "now" : `on ${formatShortDay(balanceAt, time)}`;
  const caption =
    nowInCents === null ? (
      <span className="text-ink-3">Balance unknown</span>
    ) : (
      <>
        {formatCents(nowInCents)} <span className="text-ink-3">{isOwed ? "owed" : when}</span>
      </>
    );
  return { name, nowInCents: isOwed ? 0 : nowInCents, caption };
}

function moveTitle(preview: MovePreview | null): string {
  if (!preview) return "Move money";
  const { amountInCents, source, destination } = preview;
  return `Move ${formatCents(amountInCents)} from ${source.name} to ${destination.name}`;
}
