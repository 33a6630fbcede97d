"use client";

import { lazy, Suspense } from "react";
import { isOfAnotherBuild } from "@/components/act/answer-lost";

interface ErrorPageProps {
  error: Error & { digest?: string };
  retry: () => void;
}

// Part of every page's script, so its content is loaded lazily.
const ErrorScene = lazy(() =>
  import("@/components/shell/error-scene").then((module) => ({ default: module.ErrorScene })),
);

/** If even the scene fails to load, app/global-error.tsx follows. */
export default function ErrorPage({ error, retry }: ErrorPageProps) {
  if (isOfAnotherBuild(error)) return <Updated />;
  return (
    <Suspense fallback={<Plain />}>
      <ErrorScene requestId={error.digest ?? null} lookAgain={retry} />
    </Suspense>
  );
}

/** An empty address keeps the present one, with its query. */
const THIS_ADDRESS = "";

/** Loads nothing more: the scripts of the earlier build are gone. */
function Updated() {
  return (
    <main id="main" className="mx-auto max-w-300 px-5 py-12">
      <h1 className="font-display text-2xl">Sluice was updated</h1>
      <p className="mt-2 text-md text-ink-2">
        <a className="text-teal underline" href={THIS_ADDRESS}>
          Reload this page.
        </a>
      </p>
    </main>
  );
}

function Plain() {
  return (
    <main id="main" className="mx-auto max-w-300 px-5 py-12">
      <h1 className="font-display text-2xl">Something went wrong on our side</h1>
    </main>
  );
}
