"use client";

import dynamic from "next/dynamic";
import { useCallback, useEffect, useState } from "react";
import type { FinishLinkActions } from "@/app/accounts/connect/_components/connect-actions";
import { nothingSent } from "@/components/act/answer-lost";
import { useAction } from "@/components/act/use-action";
import { PageHead } from "@/components/layout/page-head";
import { CONNECTED_UNKNOWN } from "@/components/parts/connections/connect-words";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import type { Refused } from "@/lib/contract/refused";

const PlaidDialog = dynamic(
  () => import("@/components/parts/connections/plaid-dialog").then((loaded) => loaded.PlaidDialog),
  { ssr: false },
);

const NOT_FINISHED = "You did not finish. Nothing was connected.";

/** Resumes the provider's dialog after the bank sent the member back. */
export function FinishLink({ actions }: { actions: FinishLinkActions }) {
  // Why the dialog ended without a token.
  const [problem, setProblem] = useState<string | null>(null);
  const resuming = useAction({
    act: actions.resumeLink,
    whenLost: nothingSent("Nothing was connected."),
    afterwards: null,
  });
  const link = resuming.result;
  const finishing = useAction({
    act: (publicToken: string) => finish(actions, link?.connectionId ?? null, publicToken),
    whenLost: CONNECTED_UNKNOWN,
    afterwards: (router, { href }) => router.replace(href),
  });
  const { run: resume } = resuming;
  useEffect(() => resume(), [resume]);
  const end = useCallback((because: string | null) => setProblem(because ?? NOT_FINISHED), []);
  const ended = problem ?? resuming.message ?? finishing.message;

  return (
    <>
      <PageHead title="Back from your bank" lede="Connecting what you allowed there." />
      <div
        className="grid content-start gap-6 [&_fieldset]:min-w-0 [&_fieldset]:m-0 [&_fieldset]:p-0 [&_fieldset]:border-0"
        role="status"
      >
        {ended ? <Note tone="red">{ended}</Note> : <p>Finishing with your bank.</p>}
      </div>
      {ended ? (
        <div className="mt-4">
          <Link className={buttonClass({ kind: "primary" })} href="/accounts/connect">
            Start again
          </Link>
          <Link className={buttonClass({ kind: "quiet" })} href="/accounts">
            All accounts
          </Link>
        </div>
      ) : null}
      {link && !ended && finishing.input === null ? (
        <PlaidDialog linkToken={link.linkToken} isReturn onSuccess={finishing.run} onEnd={end} />
      ) : null}
    </>
  );
}

/** For a new connection, or for one that was signed in to again. */
async function finish(
  actions: FinishLinkActions,
  connectionId: string | null,
  publicToken: string,
): Promise<{ kind: "FINISHED"; href: string } | Refused> {
  if (connectionId === null) {
    const answer = await actions.completeLink({ publicToken });
    if (answer.kind === "REFUSED") return answer;
    return { kind: "FINISHED", href: `/accounts?connected=${answer.connectionId}` };
  }
  const answer = await actions.finishSignIn(connectionId);
  return answer.kind === "REFUSED" ? answer : { kind: "FINISHED", href: `/connections/${connectionId}` };
}
