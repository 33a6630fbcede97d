"use client";

import { narrowMandate } from "@/app/mandates/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { useAction } from "@/components/act/use-action";
import { Crumb } from "@/components/layout/crumb";
import { PageHead } from "@/components/layout/page-head";
import { MandateForm } from "@/components/parts/mandates/mandate-form";
import { mandateHref } from "@/lib/contract/hrefs";
import type { NarrowMandateView } from "@/lib/views/mandates/read-mandate-form";

const UNKNOWN = outcomeUnknown("it may or may not be narrowed. Its page shows what it asks for now.");

/** Other terms before it is signed. A program's request can only be narrowed: each field at most as wide as it asked. */
export function NarrowMandate({ view }: { view: NarrowMandateView }) {
  const { id, revision, keyName, form } = view;
  const isAsked = form.asked !== null;
  const narrowing = useAction(narrowMandate, {
    whenLost: UNKNOWN,
    afterwards: (router) => router.push(mandateHref(id)),
  });
  return (
    <>
      <Crumb
        ways={[
          { href: "/settings/api-keys", label: "API keys" },
          { href: mandateHref(id), label: `Mandate for ${keyName}` },
        ]}
        here={isAsked ? "Narrow" : "Change"}
      />
      <PageHead
        title={isAsked ? "Narrow what it asks for" : "Change the mandate"}
        lede={`${isAsked ? "Every limit can be tightened, and none be wider than it asked. " : ""}Signatures given so far end, because they were for other terms.`}
      />
      <MandateForm
        view={form}
        acting={narrowing}
        onSend={(terms) => narrowing.run({ id, revision, terms })}
        button={{ label: isAsked ? "Save narrower" : "Save", busyLabel: "Saving" }}
        cancelHref={mandateHref(id)}
      />
    </>
  );
}
