import { Fragment, type ReactNode } from "react";
import { ActionForm } from "@/app/accounts/[id]/_components/action-form";
import { WaitingMovements } from "@/app/accounts/[id]/_components/movements-table";
import { closeAccount } from "@/app/accounts/actions";
import { buttonClass } from "@/components/ui/button";
import { FORM_BUTTONS } from "@/components/ui/button-row";
import { Link } from "@/components/ui/link";
import { LEDE, LINK, PAGE_TITLE } from "@/components/ui/text-styles";
import type { ClosingBlocker } from "@/lib/contract/account";
import { formatCents } from "@/lib/contract/format-cents";
import type { AccountPageView } from "@/lib/views/accounts/read-account-page";

interface CloseAccountProps {
  view: Pick<AccountPageView, "name" | "waiting" | "viewer" | "time"> & { blockers: ClosingBlocker[] };
  backHref: string;
  accountId: string;
}

/** Confirms closing an account, or lists what blocks it and how to resolve that. */
export function CloseAccount({ view, backHref, accountId }: CloseAccountProps) {
  const { blockers } = view;
  if (blockers.length === 0) {
    return (
      <div className="grid gap-5 max-w-140 wrap-anywhere [&_form_.notice]:mb-4 [&_.section]:mt-0">
        <h1 className={PAGE_TITLE}>Close {view.name}?</h1>
        <p className={LEDE}>
          It is empty and nothing is on its way. Money can no longer move in or out; its history is kept. If
          the bank still sends money to it, this page shows it and you can reopen the account.
        </p>
        <ActionForm
          act={closeAccount}
          accountId={accountId}
          label="Close account"
          busyLabel="Closing"
          way={
            <Link className={buttonClass({ kind: "quiet" })} href={backHref}>
              Cancel
            </Link>
          }
        />
      </div>
    );
  }
  return (
    <div className="grid gap-5 max-w-140 wrap-anywhere [&_form_.notice]:mb-4 [&_.section]:mt-0">
      <h1 className={PAGE_TITLE}>{view.name} can’t be closed yet</h1>
      <p className={LEDE}>An account must be empty with nothing in progress. To close it:</p>
      <ol className="grid gap-2.5 pl-5.5 list-decimal">
        {blockers.map((blocker) => (
          <li key={blocker.kind}>{wayPast(blocker, view)}</li>
        ))}
      </ol>
      {view.waiting.length > 0 ? <WaitingMovements view={view} /> : null}
      <div className={FORM_BUTTONS}>
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
        ? "1 proposal is open. Decide on it."
        : `${blocker.count} proposals are open. Decide on them.`;
    case "ON_ITS_WAY":
      return blocker.count === 1
        ? "1 movement is on its way. Wait until it settles, or cancel it on its page if it has not been sent."
        : `${blocker.count} movements are on their way. Wait until they settle.`;
    case "CARDS":
      return (
        <>
          {blocker.count === 1 ? "1 card spends from it. Close it " : "Cards spend from it. Close them "}
          <Link className={LINK} href="/cards">
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
        : `It is ${formatCents(-blocker.balanceInCents)} below zero because the bank reversed more than it held. Move that much into ${view.name}.`;
  }
}

/** `Split client payments uses it. Edit the rule, or deactivate it.`, with links. */
function RulesInTheWay({ count, rules }: Extract<ClosingBlocker, { kind: "RULES" }>) {
  const more = count - rules.length;
  return (
    <>
      {rules.map(({ href, name }, index) => (
        <Fragment key={href}>
          {index === 0 ? null : index === count - 1 ? " and " : ", "}
          <Link className={LINK} href={href}>
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
