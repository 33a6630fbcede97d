"use client";

import { lazy, Suspense } from "react";

interface ErrorPageProps {
  error: Error & { digest?: string };
  retry: () => void;
}

// Every page carries this page: its drawing and its words are loaded when something broke.
const ErrorScene = lazy(() =>
  import("@/components/errors/error-scene").then((module) => ({ default: module.ErrorScene })),
);

/**
 * A page that could not be rendered. Where not even the drawing can be loaded, the one for a broken document follows.
 */
export default function ErrorPage({ error, retry }: ErrorPageProps) {
  return (
    <Suspense fallback={<Plain />}>
      <ErrorScene requestId={error.digest ?? null} lookAgain={retry} />
    </Suspense>
  );
}

function Plain() {
  return (
    <main id="main" className="focus">
      <h1 className="h1">Something went wrong on our side</h1>
    </main>
  );
}
