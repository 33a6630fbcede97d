import { Fragment, type ReactNode } from "react";
import { ActionForm } from "@/components/accounts/action-form";
import { WaitingMovements } from "@/components/accounts/movements-table";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { formatCents } from "@/lib/contract/format-cents";
import type { Refused } from "@/lib/contract/refused";
import type { AccountPageView, ClosingBlocker } from "@/lib/contract/views/account-page-view";

interface CloseAccountProps {
  view: Pick<AccountPageView, "name" | "waiting" | "viewer" | "time"> & { blockers: ClosingBlocker[] };
  backHref: string;
  close: (previous: Refused | null) => Promise<Refused>;
}

/** The question whether to close an account, or what stands in its way and how to get past it. */
export function CloseAccount({ view, backHref, close }: CloseAccountProps) {
  const { blockers } = view;
  if (blockers.length === 0) {
    return (
      <div className="acc-form">
        <h1 className="h1">Close {view.name}?</h1>
        <p className="lede">
          It is empty, and nothing is on its way. Nobody can move money into it or out of it any more; its
          history stays. Should the bank still send something to it, this page shows that, and you can open it
          again.
        </p>
        <ActionForm
          action={close}
          label="Close account"
          busyLabel="Closing"
          way={
            <Link className={buttonClass({ kind: "quiet" })} href={backHref}>
              Keep it open
            </Link>
          }
        />
      </div>
    );
  }
  return (
    <div className="acc-form">
      <h1 className="h1">{view.name} cannot be closed yet</h1>
      <p className="lede">An account is closed when it is empty and nothing more is under way. First:</p>
      <ol className="acc-way">
        {blockers.map((blocker) => (
          <li key={blocker.kind}>{wayPast(blocker, view)}</li>
        ))}
      </ol>
      {view.waiting.length > 0 ? <WaitingMovements view={view} /> : null}
      <div className="btns">
        <Link className={buttonClass({ kind: "outlined" })} href={backHref}>
          Back to {view.name}
        </Link>
      </div>
    </div>
  );
}

function wayPast(blocker: ClosingBlocker, view: Pick<AccountPageView, "name">): ReactNode {
  switch (blocker.kind) {
    case "WAITING":
      return blocker.count === 1
        ? "A proposal waits. Decide about it."
        : `${blocker.count} proposals wait. Decide about them.`;
    case "ON_ITS_WAY":
      return blocker.count === 1
        ? "A movement is on its way. Wait until it has settled; its page can cancel it while it has not left."
        : `${blocker.count} movements are on their way. Wait until they have settled.`;
    case "CARDS":
      return (
        <>
          {blocker.count === 1 ? "A card spends from it. Close it " : "Cards spend from it. Close them "}
          <Link className="link" href="/cards">
            under Cards
          </Link>
          .
        </>
      );
    case "RULES":
      return <RulesInTheWay {...blocker} />;
    case "BALANCE":
      return blocker.balanceInCents > 0
        ? `It holds ${formatCents(blocker.balanceInCents)}. Move that to another account.`
        : `The bank took back more than it held: it is ${formatCents(-blocker.balanceInCents)} below zero. Move that much into ${view.name}.`;
  }
}

/** `Split client payments uses it. Edit the rule, or switch it off.`, with the way to each. */
function RulesInTheWay({ count, rules }: Extract<ClosingBlocker, { kind: "RULES" }>) {
  const more = count - rules.length;
  return (
    <>
      {rules.map(({ href, name }, index) => (
        <Fragment key={href}>
          {index === 0 ? null : index === count - 1 ? " and " : ", "}
          <Link className="link" href={href}>
            {name}
          </Link>
        </Fragment>
      ))}
      {more > 0 ? ` and ${more} more` : null}
      {count === 1
        ? " uses it. Edit the rule, or deactivate it."
        : " use it. Edit these rules, or deactivate them."}
    </>
  );
}
