"use client";

import { useState } from "react";
import { useStepUp } from "@/components/auth/use-step-up";
import { Button, buttonClass } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { ActRefusal } from "@/components/webhooks/act-refusal";
import { CreatedEndpoint } from "@/components/webhooks/created-endpoint";
import type { EndpointActions } from "@/components/webhooks/endpoint-actions";
import { EventExample } from "@/components/webhooks/event-example";
import { EventTypes } from "@/components/webhooks/event-types";
import { useEndpointAct } from "@/components/webhooks/use-endpoint-act";
import { WebhookCrumb } from "@/components/webhooks/webhook-crumb";
import { formMessage } from "@/lib/contract/refused";
import type { PresenceActions } from "@/lib/contract/views/keys-view";
import type { NewEndpointResult } from "@/lib/contract/views/webhooks-view";
import { MAXIMUM_URL_LENGTH } from "@/lib/contract/webhooks";

interface NewEndpointProps {
  /** What the address begins with, where a link brought one. */
  startUrl?: string;
  /** http and private addresses are allowed here. */
  allowsPrivate: boolean;
  actions: Pick<EndpointActions, "createEndpoint" | "sendTestEvent" | keyof PresenceActions>;
}

/** Adds an endpoint, and shows its secret once. */
export function NewEndpoint({ startUrl = "", allowsPrivate, actions }: NewEndpointProps) {
  const [url, setUrl] = useState(startUrl);
  const [answer, setAnswer] = useState<NewEndpointResult | null>(null);
  const stepUp = useStepUp(actions, { title: "Confirm that it is you", confirmLabel: "Add endpoint" });
  const adding = useEndpointAct(
    // What is wrong with the address is told beside it, not as a refusal.
    async () => ({ kind: "ANSWERED" as const, answer: await actions.createEndpoint({ url: url.trim() }) }),
    (result) => {
      setAnswer(result.answer);
      if (result.answer.kind === "CREATED") window.scrollTo(0, 0);
    },
    stepUp.prove,
  );
  if (answer?.kind === "CREATED") {
    return <CreatedEndpoint created={answer} sendTestEvent={actions.sendTestEvent} />;
  }
  const problem = answer?.problems?.url ?? null;
  return (
    <>
      <WebhookCrumb here="New endpoint" />
      <PageHead
        title="Where to send events"
        lede="Every endpoint gets all events, each signed with a secret of its own."
      />
      <div className="cols wh-new">
        <form
          method="post"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!adding.isBusy) adding.act();
          }}
        >
          <InputField
            label="Address"
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://"
            maxLength={MAXIMUM_URL_LENGTH}
            hint={allowedWords(allowsPrivate)}
            value={url}
            error={problem}
            onChange={(event) => setUrl(event.target.value)}
          />
          <div className="foot-e">
            <ActRefusal message={adding.refusal ?? formMessage(answer)} />
          </div>
          <div className="foot-a">
            <Button kind="primary" size="large" type="submit" busy={adding.isBusy}>
              {adding.isBusy ? "Adding" : "Add endpoint"}
            </Button>
            <Link className={buttonClass({ kind: "quiet" })} href="/settings/webhooks">
              Cancel
            </Link>
          </div>
          <Section id="arrives" title="What arrives">
            <p className="ink2 wh-l">One POST for each change, like this:</p>
            <EventExample />
          </Section>
        </form>
        <aside className="side">
          <div className="side-in">
            <section aria-labelledby="told">
              <div className="sec-h tall">
                <h2 className="h2" id="told">
                  Events sent
                </h2>
              </div>
              <EventTypes />
              <p className="meta">Identifiers only; read the rest with your key.</p>
            </section>
          </div>
        </aside>
      </div>
      {stepUp.dialog}
    </>
  );
}

function allowedWords(allowsPrivate: boolean): string {
  return allowsPrivate
    ? "https or http. Here, addresses of this machine and of private networks work too. Redirects are not followed."
    : "https, at a public address. Redirects are not followed.";
}
