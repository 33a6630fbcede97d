"use client";

import { lazy, Suspense } from "react";

interface ErrorPageProps {
  error: Error & { digest?: string };
  retry: () => void;
}

// Part of every page's script, so its content is loaded lazily.
const ErrorScene = lazy(() =>
  import("@/components/errors/error-scene").then((module) => ({ default: module.ErrorScene })),
);

/** If even the scene fails to load, app/global-error.tsx follows. */
export default function ErrorPage({ error, retry }: ErrorPageProps) {
  return (
    <Suspense fallback={<Plain />}>
      <ErrorScene requestId={error.digest ?? null} lookAgain={retry} />
    </Suspense>
  );
}

function Plain() {
  return (
    <main id="main" className="mx-auto max-w-300 px-5 py-12">
      <h1 className="font-display text-2xl">Something went wrong on our side</h1>
    </main>
  );
}
