import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { SECTION_HEAD } from "@/components/layout/section";
import { StarterPods, TestDeposit } from "@/components/parts/onboarding/checklist-acts";
import { EndForm } from "@/components/parts/onboarding/end-form";
import { RefreshWhile } from "@/components/parts/onboarding/refresh-while";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { LINK, SECTION_TITLE } from "@/components/ui/text-styles";
import type { ChecklistItemId, ChecklistItemView, ChecklistView } from "@/lib/views/read-onboarding";

const WORDS: Record<ChecklistItemId, { title: string; why: string }> = {
  IDENTITY: {
    title: "Verify identity",
    why: "The bank is required to know who owns the money. Pods open once this is approved.",
  },
  PODS: {
    title: "Open your first pods",
    why: "A pod holds money for one purpose, such as taxes or payroll.",
  },
  BANK: {
    title: "Connect a bank",
    why: "Sluice then shows its balances and moves money in and out.",
  },
  MONEY: {
    title: "Bring in money",
    why: "It arrives by account number, or from a bank that you connect.",
  },
  MOVE: {
    title: "Move money",
    why: "Between your pods it settles within seconds.",
  },
  RULE: {
    title: "Activate a rule",
    why: "It splits deposits or pays bills, within limits that you set.",
  },
  KEY: {
    title: "Create a key",
    why: "A program or assistant uses it to propose transfers, which wait for your approval. Anything beyond its permissions is refused.",
  },
  PASSKEY: {
    title: "Add a passkey",
    why: "You then sign in and approve with your fingerprint, face or screen lock.",
  },
  PHONE: {
    title: "Add a phone number",
    why: "A text message reaches you when a proposal waits.",
  },
};

/** The first steps of a new organization, the same on Overview and at /welcome. */
export function Checklist({ view }: { view: ChecklistView }) {
  const { items, canDecide, canEnd } = view;
  const doneCount = items.filter(({ isDone }) => isDone).length;
  const next = items.find(({ isDone, isOptional, isUnderway }) => !isDone && !isOptional && !isUnderway);
  return (
    <section className="mb-12" aria-labelledby="first-steps">
      {items.some(({ isUnderway }) => isUnderway) ? <RefreshWhile /> : null}
      <div className={SECTION_HEAD}>
        <h2 className={SECTION_TITLE} id="first-steps">
          First steps
        </h2>
        <p>
          {doneCount} of {items.length} done
        </p>
      </div>
      <ol>
        {items.map((item) => (
          <Item key={item.id} item={item}>
            {canDecide ? <ItemAction item={item} view={view} isNext={item === next} /> : null}
          </Item>
        ))}
      </ol>
      {canDecide ? null : <p className="mt-3 text-sm text-ink-3">An owner or co-owner can do these.</p>}
      {canEnd ? <EndForm label="Finish setup" isMain={false} /> : null}
    </section>
  );
}

function Item({ item, children }: { item: ChecklistItemView; children: ReactNode }) {
  const { title, why } = WORDS[item.id];
  const marks = [item.isOptional && !item.isDone ? "optional" : null, item.note].filter(Boolean);
  return (
    <li className="grid grid-cols-[24px_minmax(0,1fr)] items-center gap-x-3.5 gap-y-2 border-b border-rule py-3 sm:grid-cols-[24px_minmax(0,1fr)_auto]">
      <span
        className={`grid size-6 place-items-center rounded-sm border text-teal ${item.isDone ? "border-transparent bg-water-3" : "border-edge"}`}
      >
        {item.isDone ? <Check className="size-4" aria-hidden="true" /> : null}
      </span>
      <div className="min-w-0 [overflow-wrap:break-word]">
        <b className={item.isDone ? "font-semibold text-ink-2" : "font-semibold"}>{title}</b>
        {item.isDone ? <span className="sr-only">, done</span> : null}
        {marks.length > 0 ? <span className="text-sm text-ink-3">{` · ${marks.join(", ")}`}</span> : null}
        {item.isDone ? null : <p className="text-sm text-ink-3">{why}</p>}
      </div>
      <div className="col-start-2 flex flex-wrap items-center gap-x-4 gap-y-1 sm:col-start-3 sm:justify-end">
        {children}
      </div>
    </li>
  );
}

interface ItemActionProps {
  item: ChecklistItemView;
  view: ChecklistView;
  /** The step to do now has a button, the others a link. */
  isNext: boolean;
}

function ItemAction({ item, view, isNext }: ItemActionProps) {
  if (item.isDone) return null;
  const link = item.link;
  const act = actOf(item.id, view);
  return (
    <>
      {act}
      {link ? (
        <Link
          className={
            isNext && !act ? buttonClass({ kind: "outlined", size: "small" }) : `${LINK} py-3 sm:py-0`
          }
          href={link.href}
        >
          {link.label}
        </Link>
      ) : null}
    </>
  );
}

function actOf(id: ChecklistItemId, view: ChecklistView): ReactNode {
  if (id === "PODS" && view.starterPods) {
    return <StarterPods names={view.starterPods} />;
  }
  if (id === "MONEY" && view.testDepositInCents !== null) {
    return <TestDeposit amountInCents={view.testDepositInCents} />;
  }
  return null;
}
