"use client";

import { Check, Send } from "lucide-react";
import { useRouter } from "next/navigation";
import { useCallback, useState } from "react";
import { CHANGE_UNKNOWN } from "@/components/actions/answer-lost";
import { RefusalNote } from "@/components/actions/refusal-note";
import { useAction } from "@/components/actions/use-action";
import { LeaveDialog, SecretBox, useLeaveGuard } from "@/components/secrets/secret-box";
import { Breakable } from "@/components/ui/breakable";
import { Button, buttonClass } from "@/components/ui/button";
import { Crumb } from "@/components/ui/crumb";
import { InputField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { EventExample, EventTypes } from "@/components/webhooks/event-types";
import { Verification } from "@/components/webhooks/verification";
import { formMessage } from "@/lib/contract/refused";
import type { EndpointActions, NewEndpointResult } from "@/lib/contract/views/webhooks-view";
import { MAXIMUM_URL_LENGTH } from "@/lib/contract/webhooks";

interface NewEndpointProps {
  /** Prefilled by a link. */
  startUrl?: string;
  /** Allows http and private addresses. */
  allowsPrivate: boolean;
  actions: Pick<EndpointActions, "createEndpoint" | "sendTestEvent">;
}

export function NewEndpoint({ startUrl = "", allowsPrivate, actions }: NewEndpointProps) {
  const [url, setUrl] = useState(startUrl);
  const adding = useAction({
    act: actions.createEndpoint,
    whenLost: CHANGE_UNKNOWN,
    proof: () => ({ confirmLabel: "Add endpoint" }),
    onDone: () => window.scrollTo(0, 0),
    afterwards: null,
  });
  if (adding.result) return <CreatedEndpoint created={adding.result} sendTestEvent={actions.sendTestEvent} />;
  return (
    <>
      <Crumb ways={[{ href: "/settings/webhooks", label: "Webhooks" }]} here="New endpoint" />
      <PageHead title="New endpoint" lede="An endpoint gets all events, signed with its own secret." />
      <div className="cols wh-new">
        <form
          method="post"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!adding.isBusy) adding.run({ url: url.trim() });
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
            error={adding.problems.url ?? null}
            onChange={(event) => setUrl(event.target.value)}
          />
          <div className="foot-e">
            <RefusalNote message={formMessage(adding.refusal)} />
          </div>
          <div className="foot-a">
            <Button kind="primary" size="large" type="submit" busy={adding.isBusy}>
              {adding.isBusy ? "Adding" : "Add endpoint"}
            </Button>
            <Link className={buttonClass({ kind: "quiet" })} href="/settings/webhooks">
              Cancel
            </Link>
          </div>
          <Section id="arrives" title="Example event">
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
              <p className="meta">IDs only; fetch the rest with your key.</p>
            </section>
          </div>
        </aside>
      </div>
    </>
  );
}

function allowedWords(allowsPrivate: boolean): string {
  return allowsPrivate
    ? "https or http, including addresses of this machine and private networks. Redirects are not followed."
    : "https, at a public address. Redirects are not followed.";
}

interface CreatedEndpointProps {
  created: Extract<NewEndpointResult, { kind: "CREATED" }>;
  sendTestEvent: EndpointActions["sendTestEvent"];
}

/** The secret is only in this component's memory; a reload loses it. */
function CreatedEndpoint({ created, sendTestEvent }: CreatedEndpointProps) {
  const router = useRouter();
  const [isCopied, setIsCopied] = useState(false);
  const [leavingTo, setLeavingTo] = useState<string | null>(null);
  const holdBack = useCallback((href: string) => setLeavingTo(href), []);
  useLeaveGuard(!isCopied, holdBack);

  return (
    <>
      <Crumb ways={[{ href: "/settings/webhooks", label: "Webhooks" }]} here="New endpoint" />
      <div className="narrow">
        <h1 className="h1">Endpoint added</h1>
        <p className="lede">
          Copy the secret of{" "}
          <span className="mono wh-any">
            <Breakable text={created.url} />
          </span>{" "}
          now. It will not be shown again.
        </p>
        <SecretBox
          text={created.secret}
          noun="secret"
          whenLost="Recreate the endpoint."
          onCopied={() => setIsCopied(true)}
        />
        <Section id="verify" title="1. Verify the signature">
          <p className="ink2 wh-l">
            Give your receiver the secret, as <span className="mono">SLUICE_WEBHOOK_SECRET</span> in its
            environment, and reject events with an invalid signature.
          </p>
          <Verification />
        </Section>
        <Section id="test" title="2. Send a test event">
          <p className="ink2 wh-l">
            It is an ordinary event about your newest transfer, which the receiver can fetch.
          </p>
          <FirstTest endpointId={created.id} sendTestEvent={sendTestEvent} />
        </Section>
        <div className="foot-a">
          <Button
            kind="outlined"
            size="large"
            onClick={() => (isCopied ? router.push(created.href) : setLeavingTo(created.href))}
          >
            I stored it
          </Button>
        </div>
      </div>
      {leavingTo === null ? null : (
        <LeaveDialog
          noun="secret"
          consequence="Without it, your receiver cannot detect forgeries, and you will have to recreate the endpoint."
          onLeave={() => router.push(leavingTo)}
          onStay={() => setLeavingTo(null)}
        />
      )}
    </>
  );
}

interface FirstTestProps {
  endpointId: string;
  sendTestEvent: EndpointActions["sendTestEvent"];
}

function FirstTest({ endpointId, sendTestEvent }: FirstTestProps) {
  const sending = useAction({ act: sendTestEvent, whenLost: CHANGE_UNKNOWN, afterwards: null });
  const sentHref = sending.result?.href;
  return (
    <>
      <Button kind="outlined" busy={sending.isBusy} onClick={() => sending.run({ endpointId })}>
        <Send className="ic" />
        {sending.isBusy ? "Sending" : "Send test event"}
      </Button>
      <p className="first" role="status">
        {sentHref ? (
          <>
            <Check className="ic" />
            <span>
              On its way.{" "}
              <Link className="link" href={sentHref}>
                See the receiver’s answer
              </Link>
            </span>
          </>
        ) : null}
      </p>
      <RefusalNote message={sending.message} />
    </>
  );
}
