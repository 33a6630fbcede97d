"use client";

import { Disclosure } from "@/components/layout/disclosure";
import { Amount } from "@/components/money/amount";
import { Link } from "@/components/ui/link";
import { LINK } from "@/components/ui/text-styles";
import type { HeldBackView } from "@/lib/views/policies/check-policy";

interface HeldBackProps {
  heldBack: readonly HeldBackView[];
  /** Of all; the first of them are listed. */
  count: number;
}

/** What a draft would have asked more for, one by one, and whose signatures it lacked. */
export function HeldBack({ heldBack, count }: HeldBackProps) {
  if (count === 0) return null;
  return (
    <Disclosure summary={`Show the ${count}`} className="mt-3.5">
      <ul className="[&_li]:py-2 [&_li]:border-b [&_li]:border-rule [&_li]:text-[13px] [&_li]:wrap-anywhere">
        {heldBack.map(({ id, href, words, amountInCents, missing, wouldExpire }) => (
          <li key={id}>
            {href === null ? (
              words
            ) : (
              <Link className={LINK} href={href}>
                {words}
              </Link>
            )}
            {amountInCents === null ? null : (
              <>
                , <Amount cents={amountInCents} />
              </>
            )}
            <span className="block text-ink-3">
              Also {missing}
              {wouldExpire ? ". Would have expired" : ""}
            </span>
          </li>
        ))}
        {count > heldBack.length ? <li>And {count - heldBack.length} more.</li> : null}
      </ul>
    </Disclosure>
  );
}
