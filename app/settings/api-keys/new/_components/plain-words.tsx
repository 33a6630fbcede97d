import { Check, Flag } from "lucide-react";
import { KeyPhrases } from "@/app/settings/_components/key-phrases";
import { briefCanList, PowerItems } from "@/app/settings/api-keys/_components/power-items";
import { type Hint, worthKnowing } from "@/app/settings/api-keys/_components/worth-knowing";
import { PANEL } from "@/components/layout/panel";
import { SideColumn } from "@/components/layout/side-column";
import { RowSluice } from "@/components/sluice/row-sluice";
import { Button } from "@/components/ui/button";
import { CheckItem, Checklist } from "@/components/ui/checklist";
import { SPOKEN } from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import type { Permission } from "@/lib/contract/permissions";
import type { NewKeyView } from "@/lib/views/keys/read-new-key";
import { accountName, findPermission } from "@/lib/words/keys/key-powers";
import { keySentence } from "@/lib/words/keys/key-sentence";

/** The sentence above counts the rest. */
const DRAWN_ROUTES = 6;

interface PlainWordsProps {
  name: string;
  permissions: readonly Permission[];
  /** Null: no cap, or not an amount. */
  dailyCapInCents: number | null;
  view: NewKeyView;
  onFix: () => void;
}

/** The key in words while the form is filled in. */
export function PlainWords({ name, permissions, dailyCapInCents, view, onFix }: PlainWordsProps) {
  const { accounts, rules, viewer } = view;
  const hints = worthKnowing(permissions, accounts, dailyCapInCents);
  return (
    <SideColumn className="sm:col-start-2 sm:row-span-2 sm:row-start-1">
      <section className={PANEL} aria-live="polite" aria-labelledby="plain-words">
        <h2 className="text-sm text-ink-3" id="plain-words">
          In plain words
        </h2>
        <p className={SPOKEN}>
          <span className="font-mono text-[0.86em] font-medium tracking-[-0.015em] text-ink max-[381px]:wrap-anywhere">
            {name.trim() || "This key"}
          </span>{" "}
          <KeyPhrases
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
        <PowerItems items={briefCanList(permissions, accounts, rules)} />
      </section>
      {hints.length > 0 ? (
        <section aria-labelledby="worth-knowing">
          <h2 className="text-base font-semibold" id="worth-knowing">
            Worth knowing
          </h2>
          <Checklist>
            {hints.map((hint) => (
              <HintRow key={hint.id} hint={hint} onFix={onFix} />
            ))}
          </Checklist>
        </section>
      ) : null}
    </SideColumn>
  );
}

function RoutePlan({ permissions, view: { accounts } }: Pick<PlainWordsProps, "permissions" | "view">) {
  const transfers = findPermission(permissions, "MANUAL_TRANSFER");
  if (!transfers) return null;
  const side = (id: string) => (id === "ANY" ? "Any account" : accountName(id, accounts));
  return (
    <ul className="grid gap-3 my-5 mx-0 py-4 px-0 border-t border-b border-rule [&_li]:grid [&_li]:grid-cols-[minmax(0,1fr)_48px_minmax(0,1fr)_auto] [&_li]:items-center [&_li]:gap-2.5 [&_li]:font-medium">
      {transfers.entries.slice(0, DRAWN_ROUTES).map((entry) => (
        <li key={`${entry.source} ${entry.target}`}>
          <span>{side(entry.source)}</span>
          <RowSluice state={transfers.approval.required ? "closed" : "open"} />
          <span>
            <span className="sr-only">to </span>
            {side(entry.target)}
          </span>
          <span className="font-normal text-right whitespace-nowrap">
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
    <CheckItem
      icon={hint.outcome === "CLEAR" ? <Check className="text-teal" /> : <Flag className="text-ink-2" />}
      title={hint.title}
      remedy={
        fix ? (
          <Button kind="outlined" size="small" onClick={onFix}>
            {fix}
          </Button>
        ) : null
      }
    >
      <p>{hint.text}</p>
    </CheckItem>
  );
}
