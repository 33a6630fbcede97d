"use client";

import { StoppedWaterScene } from "@/components/sluice/broken-channel-scene";
import { Button, buttonClass } from "@/components/ui/button";
import { ChevronIcon } from "@/components/ui/icons";

interface ErrorPageProps {
  error: Error & { digest?: string };
  retry: () => void;
}

/**
 * A page that could not be rendered. It cannot know whether money moved, so it does not say that none did. A plain
 * link: after an error, a fresh page is the safe one.
 */
export default function ErrorPage({ error, retry }: ErrorPageProps) {
  return (
    <main id="main" className="focus">
      <div className="lost lost-f">
        <StoppedWaterScene />
        <h1 className="h1">Something broke on our side</h1>
        <p className="lede lost-p">
          This page could not be shown. What you decided before is recorded, and nothing can move twice: look
          again before you repeat anything.
        </p>
        <div className="foot-a">
          <Button kind="primary" onClick={retry}>
            Look again
          </Button>
          <a className={buttonClass({ kind: "quiet" })} href="/">
            All approvals
          </a>
        </div>
        {error.digest ? (
          <details className="raw">
            <summary>
              <ChevronIcon />
              For support
            </summary>
            <dl className="dl dl-l">
              <dt>Error</dt>
              <dd className="mono">{error.digest}</dd>
            </dl>
          </details>
        ) : null}
      </div>
    </main>
  );
}
