"use client";

import { ErrorScene } from "@/components/errors/error-scene";

interface ErrorPageProps {
  error: Error & { digest?: string };
  retry: () => void;
}

/** A page that could not be rendered. */
export default function ErrorPage({ error, retry }: ErrorPageProps) {
  return (
    <main id="main" className="focus">
      <ErrorScene requestId={error.digest ?? null} lookAgain={retry} />
    </main>
  );
}
