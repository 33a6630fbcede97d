"use client";

import { FingerprintPattern } from "lucide-react";
import { type ReactNode, type RefObject, useRef } from "react";
import { beginMandateSignature, endMandate, signMandate } from "@/app/mandates/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { useMeans, withMeans } from "@/components/act/confirming-means";
import { useAction } from "@/components/act/use-action";
import { useConfirmedAction } from "@/components/act/use-confirmed-action";
import { PANEL } from "@/components/layout/panel";
import { BarFacts, StickyBar } from "@/components/layout/sticky-bar";
import { SignatureSegments } from "@/components/parts/approvals/signature-segments";
import { Signers } from "@/components/parts/approvals/signers";
import { SigningNotices } from "@/components/parts/approvals/signing-notices";
import { Button } from "@/components/ui/button";
import { useKeys } from "@/components/ui/single-keys/use-keys";
import type { MandateSigningView } from "@/lib/views/mandates/read-mandate-page";

const UNKNOWN = outcomeUnknown("we don’t know whether it was signed. Reload this page to see.");

interface SignMandateProps {
  signing: MandateSigningView;
  canDecide: boolean;
  isOfProgram: boolean;
  /** It was in force, and stopped until it is signed again. */
  isAgain?: boolean;
  /** Amounts, rendered on the server. */
  limits: ReactNode;
  /** `At worst $1,500.00 in a calendar month, $4,500.00 in all` */
  worst: string;
  /** `23 h left` */
  closes: string;
}

/** One signature over every use inside: a panel, and on phones a bar within thumb's reach. */
export function SignMandate(props: SignMandateProps) {
  const { signing, canDecide, isAgain = false, limits, worst, closes } = props;
  const act = useSigning(signing);
  const { needed, given } = signing;
  const panelButton = useRef<HTMLButtonElement>(null);
  const isSigner = canDecide && signing.viewer.maySign;
  // A key alone never signs: it only brings the button to the fore.
  useKeys({ a: () => isSigner && panelButton.current?.focus() });
  return (
    <>
      <section
        className={`${PANEL} print:hidden ${canDecide ? "max-sm:hidden!" : ""}`}
        aria-labelledby="signatures"
      >
        <h2 className="flex items-baseline justify-between gap-3" id="signatures">
          <b className="text-lg font-semibold">
            {needed > 1 ? `${given} of ${needed} signatures` : isAgain ? "Sign again" : "One signature"}
          </b>
          <span className="text-sm text-ink-3">{needed === 1 ? "for every use inside" : closes}</span>
        </h2>
        {needed === 1 ? null : <SignatureSegments given={given} needed={needed} />}
        <p className="mb-3.5 text-sm text-ink-3">
          Inside these limits it is accepted at once. Anything else waits as today.
        </p>
        {limits}
        {needed === 1 ? null : (
          <div className="mb-4">
            {signing.ruleNames.length === 0 ? null : (
              <p className="text-sm text-ink-3">Asked by who must approve: {signing.ruleNames.join(", ")}.</p>
            )}
            <Signers people={signing.people} time={signing.confirms.time} />
          </div>
        )}
        <SigningNotices
          confirming={act.confirming}
          ending={act.declining}
          hasPasskey={signing.confirms.hasPasskey}
        />
        {canDecide ? (
          <div className="grid gap-2.5">
            <Buttons {...props} act={act} signRef={panelButton} hasKey />
          </div>
        ) : (
          <p className="text-sm text-ink-3">Only owners and co-owners sign.</p>
        )}
        {isAgain ? null : (
          <p className="mt-3.5 text-sm text-ink-3">
            Without {needed === 1 ? "a signature" : "all signatures"}, it expires and nothing changes.{" "}
            {needed === 1 ? `${closes}.` : null}
          </p>
        )}
      </section>
      {canDecide && (isSigner || !isAgain) ? (
        <StickyBar label="Your decision" single={!isSigner || isAgain}>
          <div className="col-span-full empty:hidden">
            <SigningNotices
              confirming={act.confirming}
              ending={act.declining}
              hasPasskey={signing.confirms.hasPasskey}
            />
          </div>
          <BarFacts>
            <span>{needed === 1 ? worst : `${given} of ${needed} signatures. ${worst}`}</span>
          </BarFacts>
          <Buttons {...props} act={act} isBar />
        </StickyBar>
      ) : null}
    </>
  );
}

function useSigning(signing: MandateSigningView) {
  const { id, hash } = signing;
  const confirming = useConfirmedAction({
    begin: (_subject, shown) => beginMandateSignature({ id, hash }, shown),
    act: (_subject, confirmation, shown) => signMandate({ id, hash, confirmation }, shown),
    whenLost: UNKNOWN,
    stepUp: { title: "Sign the mandate", confirmLabel: "Sign" },
    refreshesWhenRefused: true,
  });
  const declining = useAction(endMandate, { whenLost: UNKNOWN });
  return { confirming, declining, decline: () => declining.run({ id }) };
}

type Act = ReturnType<typeof useSigning>;

interface ButtonsProps extends Pick<SignMandateProps, "signing" | "isOfProgram" | "isAgain"> {
  act: Act;
  signRef?: RefObject<HTMLButtonElement | null>;
  hasKey?: boolean;
  /** Deny first and narrow, as in other bars. */
  isBar?: boolean;
}

function Buttons({
  signing,
  isOfProgram,
  isAgain,
  act,
  signRef,
  hasKey = false,
  isBar = false,
}: ButtonsProps) {
  const means = useMeans(signing.confirms, signing.confirms.time.nowAt);
  const { confirming, declining, decline } = act;
  const isBusy = confirming.isBusy || declining.isBusy;
  const sign = signing.viewer.maySign ? (
    <Button
      key="sign"
      ref={signRef}
      kind="primary"
      size={isBar ? undefined : "large"}
      busy={isBusy}
      onClick={() => confirming.run()}
    >
      {means === "PASSKEY" ? <FingerprintPattern /> : null}
      {confirming.isBusy ? "Signing" : withMeans("Sign", means)}
      {hasKey ? <kbd className="max-lg:hidden">A</kbd> : null}
    </Button>
  ) : null;
  const deny = isAgain ? null : (
    <Button key="deny" kind="outlined" size={isBar ? undefined : "large"} busy={isBusy} onClick={decline}>
      {isOfProgram ? "Not now" : "Discard"}
    </Button>
  );
  const whyNot =
    sign === null && !isBar ? (
      <p key="why" className="text-sm text-ink-3">
        {signing.viewer.hasSigned
          ? "You have signed. It waits for the others."
          : "Your signature does not count here now: who must approve asks for others."}
      </p>
    ) : null;
  return isBar ? [deny, sign] : [sign, whyNot, deny];
}
