"use client";

import { switchOffSuggestion, switchOnSuggestion, writeMandate } from "@/app/mandates/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { Crumb } from "@/components/layout/crumb";
import { PageHead } from "@/components/layout/page-head";
import { MandateForm } from "@/components/parts/mandates/mandate-form";
import { Button } from "@/components/ui/button";
import { mandateHref } from "@/lib/contract/hrefs";
import type { NewMandateView, SuggestedRouteView } from "@/lib/views/mandates/read-mandate-form";

const UNKNOWN = outcomeUnknown("it may have been written. The key’s page shows whether it waits.");

/** A member writes what a key may do by itself; it is signed on the next page. */
export function NewMandate({ view }: { view: NewMandateView }) {
  const { key, form, viewer } = view;
  const writing = useAction(writeMandate, {
    whenLost: UNKNOWN,
    afterwards: (router, { id }) => router.push(mandateHref(id)),
  });
  return (
    <>
      <Crumb
        ways={[
          { href: "/settings/api-keys", label: "API keys" },
          { href: key.href, label: key.name },
        ]}
        here="New mandate"
      />
      <PageHead title="New mandate" lede={ledeOf(view)} />
      {view.suggested ? <SuggestedRoute suggested={view.suggested} /> : null}
      {viewer.canDecide && key.mayHave ? (
        <MandateForm
          view={form}
          acting={writing}
          onSend={(terms) => writing.run({ apiKeyId: key.id, terms })}
          button={{ label: "Continue to sign", busyLabel: "Saving" }}
          cancelHref={key.href}
        />
      ) : null}
    </>
  );
}

function ledeOf({ key, isRenewed, viewer }: NewMandateView): string {
  if (!viewer.canDecide) return "Only an owner or co-owner can write what a key may do by itself.";
  if (!key.mayHave) {
    return "The transfers of this key do not wait for approval, so a mandate would let nothing more through.";
  }
  return isRenewed
    ? "Filled in from the mandate of the key before. It counts from the signature on the next page, from zero; anything else waits as before."
    : "What the key may move without asking. It counts from the signature on the next page; anything else waits as before.";
}

/** Where the suggestion that led here is switched off, and back on. */
function SuggestedRoute({ suggested }: { suggested: SuggestedRouteView }) {
  const { sourceName, destinationName, isOn, ...route } = suggested;
  const switching = useAction(isOn ? switchOffSuggestion : switchOnSuggestion);
  return (
    <div className="mb-9 grid max-w-180 gap-2 border-y border-dashed border-rule-strong py-4">
      <p className="text-ink-2" role="status">
        {isOn
          ? `Sluice suggested this for ${sourceName} to ${destinationName}. Nothing changes until it is signed.`
          : `Switched off: no mandate is suggested for ${sourceName} to ${destinationName}.`}
      </p>
      <RefusalNote message={switching.message} />
      <p>
        <Button kind="outlined" size="small" busy={switching.isBusy} onClick={() => switching.run(route)}>
          {isOn ? "Stop suggesting it" : "Suggest it again"}
        </Button>
      </p>
    </div>
  );
}
