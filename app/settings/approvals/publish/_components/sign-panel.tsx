"use client";

import { beginPolicySignature, signPolicyVersion, withdrawSignature } from "@/app/settings/approvals/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { useMeans, withMeans } from "@/components/act/confirming-means";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { useConfirmedAction } from "@/components/act/use-confirmed-action";
import { PANEL } from "@/components/layout/panel";
import { SignatureSegments } from "@/components/parts/approvals/signature-segments";
import { Signers } from "@/components/parts/approvals/signers";
import { formatTimeLeft } from "@/components/time/time-left";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { POLICY_HREF } from "@/lib/contract/hrefs";
import type { PolicyPublicationView } from "@/lib/views/policies/read-policy-page";

const UNKNOWN = outcomeUnknown("we don’t know whether it was signed. Reload this page to see.");

/** Whose signatures a version has and lacks, and the reader's own. */
export function SignPanel({ view }: { view: PolicyPublicationView }) {
  const { signing, time } = view;
  const { needed, given, expiresAt, hours } = signing;
  return (
    <section className={PANEL} aria-labelledby="signatures">
      <h2 className="flex items-baseline justify-between gap-3" id="signatures">
        <b className="text-lg font-semibold">
          {given} of {needed} {needed === 1 ? "signature" : "signatures"}
        </b>
        <span className="text-sm text-ink-3">
          {expiresAt === null
            ? `${hours} h once asked for`
            : `${formatTimeLeft(Date.parse(expiresAt) - Date.parse(time.nowAt))} left`}
        </span>
      </h2>
      <SignatureSegments given={given} needed={needed} />
      <p className="text-sm text-ink-3">
        {signing.demand}
        {signing.isRaised ? " A policy is never changed by one person where two may sign." : null}
      </p>
      <div className="mt-2">
        <Signers people={signing.people} time={time} />
      </div>
      <Acts view={view} />
    </section>
  );
}

function Acts({ view }: { view: PolicyPublicationView }) {
  const { version, hash, signing, checked, viewer, confirms } = view;
  const means = useMeans(confirms, confirms.time.nowAt);
  const verb = signing.viewer.onlyAsks ? "Ask for signatures" : `Sign version ${version}`;
  const signingAct = useConfirmedAction({
    begin: (_subject, shown) => beginPolicySignature({ version, hash }, shown),
    act: (_subject, confirmation, shown) => signPolicyVersion({ version, hash, confirmation }, shown),
    whenLost: UNKNOWN,
    stepUp: { title: verb, confirmLabel: verb },
    refreshesWhenRefused: true,
    afterwards: (router, { kind }) => (kind === "PUBLISHED" ? router.push(POLICY_HREF) : router.refresh()),
  });
  const withdrawing = useAction(withdrawSignature, { whenLost: UNKNOWN });
  const changes = signingAct.result?.kind === "CHANGED" ? signingAct.result.changes : [];
  if (!viewer.mayEdit) return <p className="mt-4 text-sm text-ink-3">Only owners and co-owners sign.</p>;
  if (checked.blocks) {
    return <p className="mt-4 text-sm text-red">The draft cannot be published yet: see what must hold.</p>;
  }
  return (
    <div className="mt-4 grid gap-2.5">
      <RefusalNote
        message={signingAct.message ?? withdrawing.message}
        onRecoveryCode={
          confirms.hasPasskey && signingAct.message ? () => signingAct.runWithRecoveryCode() : null
        }
      />
      {changes.length > 0 ? <Note tone="red">{changes.join(" ")} Nothing was signed.</Note> : null}
      {signing.viewer.maySign || signing.viewer.onlyAsks ? (
        <Button kind="primary" size="large" busy={signingAct.isBusy} onClick={() => signingAct.run()}>
          {signingAct.isBusy ? "Signing" : withMeans(verb, means)}
        </Button>
      ) : null}
      {signing.viewer.hasSigned ? (
        <Button
          kind="outlined"
          size="large"
          busy={withdrawing.isBusy}
          onClick={() => withdrawing.run({ version })}
        >
          Withdraw
        </Button>
      ) : null}
      {signing.viewer.maySign || signing.viewer.onlyAsks || signing.viewer.hasSigned ? null : (
        <p className="text-sm text-ink-3">Your signature does not count for this version now.</p>
      )}
    </div>
  );
}
