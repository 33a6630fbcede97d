"use client";

import { BalanceTable } from "@/components/approvals/balance-table";
import { KnockOn } from "@/components/approvals/knock-on";
import { PageSluice, type SluiceEnd } from "@/components/sluice/page-sluice";
import { formatShortDay } from "@/components/time/format-instant";
import { Section } from "@/components/ui/section";
import { formatCents } from "@/lib/contract/format-cents";
import type { ApprovalAccountView } from "@/lib/contract/views/approval-view";
import type { MoveAccountView, MovePreview } from "@/lib/contract/views/move-view";

interface MoveOutcomeProps {
  preview: MovePreview;
  accounts: MoveAccountView[];
  /** Another answer is on its way. */
  isOld: boolean;
}

/** What a draft does, drawn and in numbers, and what follows. The table is the drawing's text twin. */
export function MoveOutcome({ preview, accounts, isOld }: MoveOutcomeProps) {
  const end = (account: ApprovalAccountView) =>
    sluiceEnd(account, accounts.find(({ id }) => id === account.id)?.balanceAt ?? null, preview);
  return (
    <div className={isOld ? "m-out is-old" : "m-out"} aria-busy={isOld}>
      <section className="sec" aria-label="As a drawing">
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

/** A debt is no water: its basin is drawn dry, and what is paid towards it is all that would stand in it. */
function sluiceEnd(
  { name, kind, nowInCents }: ApprovalAccountView,
  balanceAt: string | null,
  { time }: MovePreview,
): SluiceEnd {
  const isOwed = kind === "LIABILITY";
  const when = balanceAt === null ? "now" : `on ${formatShortDay(balanceAt, time)}`;
  const caption =
    nowInCents === null ? (
      <span className="dim">Balance not known</span>
    ) : (
      <>
        {formatCents(nowInCents)} <span className="dim">{isOwed ? "owed" : when}</span>
      </>
    );
  return { name, nowInCents: isOwed ? 0 : nowInCents, caption };
}
