"use client";

import { Check, Send } from "lucide-react";
import { useState } from "react";
import { AskedEvents, EventExample, EventTypes } from "@/app/settings/webhooks/_components/event-types";
import { createEndpoint, sendTestEvent } from "@/app/settings/webhooks/actions";
import { RefusalNote } from "@/components/act/refusal-note";
import { SecretPage } from "@/components/act/secret-page";
import { SendForm } from "@/components/act/send-form";
import { useAction } from "@/components/act/use-action";
import { COLUMNS } from "@/components/layout/columns";
import { Crumb } from "@/components/layout/crumb";
import { PageFoot, PageHead } from "@/components/layout/page-head";
import { Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { Verification } from "@/components/parts/webhooks/verification";
import { Breakable } from "@/components/ui/breakable";
import { Button, buttonClass } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { LINK, MONO } from "@/components/ui/text-styles";
import { addEndpointAct } from "@/lib/contract/confirmation/step-up";
import { formMessage } from "@/lib/contract/refused";
import {
  type AskedEventType,
  EVENTS_FOR_ALL,
  MAXIMUM_URL_LENGTH,
  type NewEndpointResult,
} from "@/lib/contract/webhooks";

interface NewEndpointProps {
  /** Prefilled by a link. */
  startUrl?: string;
  /** Allows http and private addresses. */
  allowsPrivate: boolean;
}

export function NewEndpoint({ startUrl = "", allowsPrivate }: NewEndpointProps) {
  const [url, setUrl] = useState(startUrl);
  const [askedEvents, setAskedEvents] = useState<AskedEventType[]>([]);
  const adding = useAction(createEndpoint, {
    proof: (input) => ({
      act: addEndpointAct(input.url),
      title: `Send events to ${input.url}`,
      confirmLabel: "Add endpoint",
    }),
    onDone: () => window.scrollTo(0, 0),
    afterwards: null,
  });
  if (adding.result) return <CreatedEndpoint created={adding.result} />;
  return (
    <>
      <Crumb ways={[{ href: "/settings/webhooks", label: "Webhooks" }]} here="New endpoint" />
      <PageHead title="New endpoint" lede="An endpoint gets events, signed with its own secret." />
      <div
        className={`${COLUMNS} [&_.field_.input]:max-w-140 [&_.field_.input]:min-h-11 [&_.field_.input]:font-mono [&_.field_.input]:text-[14px]`}
      >
        <SendForm isBusy={adding.isBusy} onSend={() => adding.run({ url: url.trim(), askedEvents })}>
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
          <AskedEvents asked={askedEvents} onChange={setAskedEvents} />
          <div className="mt-4">
            <RefusalNote message={formMessage(adding.refusal)} />
          </div>
          <PageFoot className="mt-6">
            <Button kind="primary" size="large" type="submit" busy={adding.isBusy}>
              {adding.isBusy ? "Adding" : "Add endpoint"}
            </Button>
            <Link className={buttonClass({ kind: "quiet" })} href="/settings/webhooks">
              Cancel
            </Link>
          </PageFoot>
          <Section id="arrives" title="Example event">
            <p className="max-w-[68ch] mx-0 mt-3.5 mb-3 text-ink-2">One POST for each change, like this:</p>
            <EventExample />
          </Section>
        </SendForm>
        <SideColumn gap="wide">
          <Section id="told" title="Events sent" className="mt-0">
            <EventTypes types={[...EVENTS_FOR_ALL, ...askedEvents]} />
            <p className="text-sm text-ink-3">IDs only; fetch the rest with your key.</p>
          </Section>
        </SideColumn>
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
}

function CreatedEndpoint({ created }: CreatedEndpointProps) {
  return (
    <SecretPage
      way={{ href: "/settings/webhooks", label: "Webhooks" }}
      here="New endpoint"
      title="Endpoint added"
      lede={
        <>
          Copy the secret of{" "}
          <span className={`${MONO} wrap-anywhere`}>
            <Breakable text={created.url} />
          </span>{" "}
          now. It will not be shown again.
        </>
      }
      text={created.secret}
      noun="secret"
      whenLost="Recreate the endpoint."
      consequence="Without it, your receiver cannot detect forgeries, and you will have to recreate the endpoint."
      next={{ href: created.href, label: "I stored it" }}
    >
      <Section id="verify" title="1. Verify the signature">
        <p className="max-w-[68ch] mx-0 mt-3.5 mb-3 text-ink-2">
          Give your receiver the secret, as <span className={MONO}>SLUICE_WEBHOOK_SECRET</span> in its
          environment, and reject events with an invalid signature.
        </p>
        <Verification />
      </Section>
      <Section id="test" title="2. Send a test event">
        <p className="max-w-[68ch] mx-0 mt-3.5 mb-3 text-ink-2">
          It is an ordinary event about your newest transfer, which the receiver can fetch.
        </p>
        <FirstTest endpointId={created.id} />
      </Section>
    </SecretPage>
  );
}

interface FirstTestProps {
  endpointId: string;
}

function FirstTest({ endpointId }: FirstTestProps) {
  const sending = useAction(sendTestEvent, { afterwards: null });
  const sentHref = sending.result?.href;
  return (
    <>
      <Button kind="outlined" busy={sending.isBusy} onClick={() => sending.run({ endpointId })}>
        <Send />
        {sending.isBusy ? "Sending" : "Send test event"}
      </Button>
      <p className="flex items-center gap-2.5 mt-4" role="status">
        {sentHref ? (
          <>
            <Check />
            <span>
              On its way.{" "}
              <Link className={LINK} href={sentHref}>
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
