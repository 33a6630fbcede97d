"use client";

import { FingerprintPattern } from "lucide-react";
import { beginChangeSignature, endChange, signChange } from "@/app/settings/approvals/changes/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { useMeans, withMeans } from "@/components/act/confirming-means";
import { useAction } from "@/components/act/use-action";
import { useConfirmedAction } from "@/components/act/use-confirmed-action";
import { PANEL } from "@/components/layout/panel";
import { StickyBar } from "@/components/layout/sticky-bar";
import { SignatureSegments } from "@/components/parts/approvals/signature-segments";
import { SigningNotices } from "@/components/parts/approvals/signing-notices";
import { Button } from "@/components/ui/button";
import type { AskedChangeView } from "@/lib/views/policies/read-asked-change";

const UNKNOWN = outcomeUnknown("we don’t know whether it was signed. Reload this page to see.");

interface SignAskedChangeProps {
  view: AskedChangeView;
  /** `23 h left` */
  left: string;
}

/** One signature: a panel, and on phones a bar within thumb's reach. */
export function SignAskedChange({ view, left }: SignAskedChangeProps) {
  const { signing, viewer, askedBy } = view;
  const act = useSigning(view);
  const [given, needed] = [signing?.givenCount ?? 0, signing?.neededCount ?? 1];
  const isBarShown = viewer.canDecide;
  return (
    <>
      <section
        className={`${PANEL} print:hidden ${isBarShown ? "max-sm:hidden!" : ""}`}
        aria-labelledby="your-signature"
      >
        <h2 className="flex items-baseline justify-between gap-3" id="your-signature">
          <b className="text-lg font-semibold">
            {given} of {needed} {needed === 1 ? "signature" : "signatures"}
          </b>
          <span className="text-sm text-ink-3">{left}</span>
        </h2>
        <SignatureSegments given={given} needed={needed} />
        <p className="mb-3.5 text-sm text-ink-3">
          {whyText(view) ??
            "The last signature carries it out at once. Without all of them, nothing changes."}
        </p>
        <SigningNotices
          confirming={act.confirming}
          ending={act.ending}
          hasPasskey={view.confirms.hasPasskey}
        />
        {viewer.canDecide ? (
          <div className="grid gap-2.5">
            <SignButton act={act} view={view} />
            <EndButton act={act} isOwn={askedBy.isViewer} />
          </div>
        ) : null}
      </section>
      {isBarShown ? (
        <StickyBar label="Your decision" single={!viewer.maySign}>
          <div className="col-span-full empty:hidden">
            <SigningNotices
              confirming={act.confirming}
              ending={act.ending}
              hasPasskey={view.confirms.hasPasskey}
            />
          </div>
          <EndButton act={act} isOwn={askedBy.isViewer} />
          <SignButton act={act} view={view} />
        </StickyBar>
      ) : null}
    </>
  );
}

/** Null: the reader may sign. */
function whyText({ viewer, signing }: AskedChangeView): string | null {
  if (!viewer.canDecide) return "Only owners and co-owners sign.";
  if (viewer.maySign) return null;
  if (signing?.viewer.hasSigned) return `You have signed. It waits for ${signing.waitsFor}.`;
  return signing?.viewer.mayNot?.text ?? "Your signature is not needed now.";
}

function useSigning({ id, hash, words }: AskedChangeView) {
  const confirming = useConfirmedAction({
    begin: (_subject, shown) => beginChangeSignature({ id, hash }, shown),
    act: (_subject, confirmation, shown) => signChange({ id, hash, confirmation }, shown),
    whenLost: UNKNOWN,
    stepUp: { title: words.title, confirmLabel: "Sign" },
    refreshesWhenRefused: true,
  });
  const ending = useAction(endChange, { whenLost: UNKNOWN, refreshesWhenRefused: true });
  return { confirming, ending, end: () => ending.run({ id }) };
}

type Act = ReturnType<typeof useSigning>;

function SignButton({ act: { confirming, ending }, view }: { act: Act; view: AskedChangeView }) {
  const means = useMeans(view.confirms, view.time.nowAt);
  if (!view.viewer.maySign) return null;
  return (
    <Button
      kind="primary"
      size="large"
      busy={confirming.isBusy || ending.isBusy}
      onClick={() => confirming.run()}
    >
      {means === "PASSKEY" ? <FingerprintPattern /> : null}
      {confirming.isBusy ? "Signing" : withMeans("Sign", means)}
    </Button>
  );
}

function EndButton({ act: { confirming, ending, end }, isOwn }: { act: Act; isOwn: boolean }) {
  return (
    <Button kind="outlined" size="large" busy={confirming.isBusy || ending.isBusy} onClick={end}>
      {isOwn ? "Withdraw" : "Deny"}
    </Button>
  );
}
