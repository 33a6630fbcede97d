"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
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
  const [seenInCents, setSeenInCents] = useState(shownInCents);
  const typing = useRef<ReturnType<typeof setTimeout> | null>(null);
  const problem = problemWith(typed, proposedInCents);
  // Changed elsewhere: phones and wide screens have a field each, of which one is shown.
  if (seenInCents !== shownInCents) {
    setSeenInCents(shownInCents);
    if (typing.current === null && parseCents(typed) !== shownInCents) setTyped(formatCents(shownInCents));
  }
  const stop = () => {
    if (typing.current !== null) clearTimeout(typing.current);
    typing.current = null;
  };
  useEffect(() => () => clearTimeout(typing.current ?? undefined), []);

  /** Only what a person types changes the page: never a field that shows an older amount. */
  const type = (text: string) => {
    setTyped(text);
    stop();
    const cents = problemWith(text, proposedInCents) === null ? parseCents(text) : null;
    if (cents === null || cents === shownInCents) return;
    typing.current = setTimeout(() => {
      typing.current = null;
      router.replace(lessHref(wholeHref, cents), { scroll: false });
    }, PAUSE_MS);
  };

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
        onChange={(event) => type(event.target.value)}
      />
      <p className="mt-2 text-sm">
        <button
          type="button"
          className={LINK_BUTTON}
          onClick={() => {
            stop();
            router.replace(wholeHref, { scroll: false });
          }}
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
