"use client";

import { ErrorScene } from "@/components/errors/error-scene";
import "./globals.css";

interface GlobalErrorProps {
  error: Error & { digest?: string };
}

/** Not even the document could be rendered: a fresh one is the only thing to try. */
export default function GlobalError({ error }: GlobalErrorProps) {
  return (
    <html lang="en">
      <head>
        <title>Something broke on our side · Sluice</title>
      </head>
      <body>
        <main id="main" className="focus">
          <ErrorScene requestId={error.digest ?? null} lookAgain={() => window.location.reload()} />
        </main>
      </body>
    </html>
  );
}
