"use client";

import { Check, Send } from "lucide-react";
import { useRouter } from "next/navigation";
import { useCallback, useState } from "react";
import { LeaveDialog } from "@/components/secrets/leave-dialog";
import { SecretBox } from "@/components/secrets/secret-box";
import { useLeaveGuard } from "@/components/secrets/use-leave-guard";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { ActRefusal } from "@/components/webhooks/act-refusal";
import type { EndpointActions } from "@/components/webhooks/endpoint-actions";
import { useEndpointAct } from "@/components/webhooks/use-endpoint-act";
import { Verification } from "@/components/webhooks/verification";
import { WebhookCrumb } from "@/components/webhooks/webhook-crumb";
import type { NewEndpointResult } from "@/lib/contract/views/webhooks-view";

interface CreatedEndpointProps {
  created: Extract<NewEndpointResult, { kind: "CREATED" }>;
  sendTestEvent: EndpointActions["sendTestEvent"];
}

/** A new endpoint with its secret, shown this once. It lives in this component's memory only: a reload has lost it. */
export function CreatedEndpoint({ created, sendTestEvent }: CreatedEndpointProps) {
  const router = useRouter();
  const [isCopied, setIsCopied] = useState(false);
  const [leavingTo, setLeavingTo] = useState<string | null>(null);
  const holdBack = useCallback((href: string) => setLeavingTo(href), []);
  useLeaveGuard(!isCopied, holdBack);

  return (
    <>
      <WebhookCrumb here="New endpoint" />
      <div className="narrow">
        <h1 className="h1">Events go there from now on</h1>
        <p className="lede">
          Copy the secret of <span className="mono wh-any">{created.url}</span> now. It is not shown again.
        </p>
        <SecretBox
          text={created.secret}
          noun="secret"
          whenLost="Recreate the endpoint."
          onCopied={() => setIsCopied(true)}
        />
        <Section id="verify" title="1. Check the signature">
          <p className="ink2 wh-l">
            Give your receiver the secret, as <span className="mono">SLUICE_WEBHOOK_SECRET</span> in its
            environment, and turn away what is not signed with it.
          </p>
          <Verification />
        </Section>
        <Section id="test" title="2. Send a test event">
          <p className="ink2 wh-l">
            It is like any other: it tells of your newest transfer, and the receiver can read that.
          </p>
          <FirstTest endpointId={created.id} sendTestEvent={sendTestEvent} />
        </Section>
        <div className="foot-a">
          <Button
            kind="outlined"
            size="large"
            onClick={() => (isCopied ? router.push(created.href) : setLeavingTo(created.href))}
          >
            I have stored it
          </Button>
        </div>
      </div>
      {leavingTo === null ? null : (
        <LeaveDialog
          noun="secret"
          consequence="Without it your receiver cannot tell events from forgeries, and you would have to recreate the endpoint."
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
  const [sentHref, setSentHref] = useState<string | null>(null);
  const sending = useEndpointAct(
    () => sendTestEvent({ endpointId }),
    ({ href }) => setSentHref(href),
  );
  return (
    <>
      <Button kind="outlined" busy={sending.isBusy} onClick={sending.act}>
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
                See what the receiver answered
              </Link>
            </span>
          </>
        ) : null}
      </p>
      <ActRefusal message={sending.refusal} />
    </>
  );
}
