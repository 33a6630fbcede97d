"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { InputField } from "@/components/ui/field";
import { LINK_BUTTON } from "@/components/ui/text-styles";
import { formatCents, parseCents } from "@/lib/contract/format-cents";
import { MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import { lessHref } from "@/lib/contract/search/less-href";

interface ApproveLessProps {
  proposedInCents: number;
  /** What the page shows to approve. */
  shownInCents: number;
  /** The page with all of it. */
  wholeHref: string;
}

/** Long enough for a person to finish an amount. */
const PAUSE_MS = 500;

/** The amount to approve. Question, drawing, table and checks follow it: the page is read again with that amount. */
export function ApproveLess({ proposedInCents, shownInCents, wholeHref }: ApproveLessProps) {
  const router = useRouter();
  const [typed, setTyped] = useState(formatCents(shownInCents));
  const problem = problemWith(typed, proposedInCents);
  const cents = problem === null ? parseCents(typed) : null;

  useEffect(() => {
    if (cents === null || cents === shownInCents) return;
    const href = lessHref(wholeHref, cents);
    const timer = setTimeout(() => router.replace(href, { scroll: false }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [cents, shownInCents, router, wholeHref]);

  return (
    <div className="mb-4">
      <InputField
        label="Amount to approve"
        hint={`Up to ${formatCents(proposedInCents)}. You can only lower it. Accounts and label stay as proposed.`}
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        value={typed}
        error={problem}
        onChange={(event) => setTyped(event.target.value)}
      />
      <p className="mt-2 text-sm">
        <button
          type="button"
          className={LINK_BUTTON}
          onClick={() => router.replace(wholeHref, { scroll: false })}
        >
          Back to {formatCents(proposedInCents)}
        </button>
      </p>
    </div>
  );
}

function problemWith(typed: string, proposedInCents: number): string | null {
  const cents = parseCents(typed);
  if (cents === null) return "Enter an amount in dollars, for example 3,000.00.";
  if (cents > proposedInCents) return `${formatCents(proposedInCents)} was proposed. You can only lower it.`;
  if (cents < MINIMUM_TRANSFER_IN_CENTS)
    return `At least ${formatCents(MINIMUM_TRANSFER_IN_CENTS)} can move.`;
  return null;
}
