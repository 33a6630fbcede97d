import { Check, Flag } from "lucide-react";
import { briefCanList, Cans } from "@/components/keys/cans";

import { Said } from "@/components/keys/said";
import { type Hint, worthKnowing } from "@/components/keys/worth-knowing";
import { RowSluice } from "@/components/sluice/row-sluice";
import { Button } from "@/components/ui/button";
import { formatCents } from "@/lib/contract/format-cents";
import type { Permission } from "@/lib/contract/permissions";
import type { NewKeyView } from "@/lib/contract/views/keys-view";
import { accountName, findPermission } from "@/lib/engine/words/key-powers";
import { keySentence } from "@/lib/engine/words/key-sentence";

/** The sentence above counts the rest. */
const DRAWN_ROUTES = 6;

interface PlainWordsProps {
  name: string;
  permissions: readonly Permission[];
  /** Null: no cap, or not an amount. */
  dailyCapInCents: number | null;
  view: NewKeyView;
  onFix: (fix: NonNullable<Hint["fix"]>) => void;
}

/** The key in words while the form is filled in. */
export function PlainWords({ name, permissions, dailyCapInCents, view, onFix }: PlainWordsProps) {
  const { accounts, rules, viewer } = view;
  const hints = worthKnowing(permissions, accounts, dailyCapInCents);
  return (
    <aside className="side min-[761px]:col-start-2 min-[761px]:row-span-2 min-[761px]:row-start-1">
      <div className="side-in">
        <section className="panel" aria-live="polite" aria-labelledby="plain-words">
          <h2 className="lbl" id="plain-words">
            In plain words
          </h2>
          <p className="says display">
            <span className="key">{name.trim() || "This key"}</span>{" "}
            <Said
              phrases={keySentence({
                permissions,
                accounts,
                rules,
                dailyCapInCents,
                canDecide: viewer.canDecide,
              })}
            />
          </p>
          <RoutePlan permissions={permissions} view={view} />
          <Cans items={briefCanList(permissions, accounts, rules)} />
        </section>
        {hints.length > 0 ? (
          <section aria-labelledby="worth-knowing">
            <h2 className="h3" id="worth-knowing">
              Worth knowing
            </h2>
            <ul className="checks">
              {hints.map((hint) => (
                <HintRow key={hint.id} hint={hint} onFix={onFix} />
              ))}
            </ul>
          </section>
        ) : null}
      </div>
    </aside>
  );
}

function RoutePlan({ permissions, view: { accounts } }: Pick<PlainWordsProps, "permissions" | "view">) {
  const transfers = findPermission(permissions, "MANUAL_TRANSFER");
  if (!transfers) return null;
  const side = (id: string) => (id === "ANY" ? "Any account" : accountName(id, accounts));
  return (
    <ul className="miniplan">
      {transfers.entries.slice(0, DRAWN_ROUTES).map((entry) => (
        <li key={`${entry.source} ${entry.target}`}>
          <span>{side(entry.source)}</span>
          <RowSluice state={transfers.approval.required ? "closed" : "open"} />
          <span>
            <span className="vh">to </span>
            {side(entry.target)}
          </span>
          <span className="num">
            {entry.max_amount === undefined ? "Any amount" : formatCents(entry.max_amount)}
          </span>
        </li>
      ))}
    </ul>
  );
}

function HintRow({ hint, onFix }: { hint: Hint; onFix: PlainWordsProps["onFix"] }) {
  const { fix } = hint;
  return (
    <li>
      {hint.outcome === "CLEAR" ? <Check className="ic ok" /> : <Flag className="ic look" />}
      <div>
        <b>{hint.title}</b>
        <p>{hint.text}</p>
        {fix ? (
          <Button kind="outlined" size="small" onClick={() => onFix(fix)}>
            {fix.label}
          </Button>
        ) : null}
      </div>
    </li>
  );
}
