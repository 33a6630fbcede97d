"use client";

import "./globals.css";

interface GlobalErrorProps {
  error: Error & { digest?: string };
}

/** An empty href keeps the present URL with its query. */
const THIS_ADDRESS = "";

/** For errors in the root layout. Plain markup, because it is part of every page's script. */
export default function GlobalError({ error }: GlobalErrorProps) {
  return (
    <html lang="en">
      <head>
        <title>Something broke on our side · Sluice</title>
      </head>
      <body>
        <main id="main" className="mx-auto max-w-300 px-10 pt-12 pb-24 max-sm:px-5 max-sm:pt-6">
          <h1 className="font-display text-2xl">Something went wrong on our side</h1>
          <p className="mt-2 max-w-[62ch] text-md text-ink-2">
            Your earlier decisions are recorded, and nothing can move twice. Reload before you repeat
            anything.
          </p>
          <p className="mt-7">
            {/* Built statically, so its scripts have no CSP nonce: everything here works without scripts. */}
            <a
              className="inline-flex min-h-10 cursor-pointer items-center justify-center rounded-md border border-transparent bg-teal px-4 text-base font-semibold text-on-teal hover:bg-teal-strong max-sm:min-h-11"
              href={THIS_ADDRESS}
            >
              Try again
            </a>
          </p>
          {error.digest ? <p className="mt-3 font-mono text-sm text-ink-3">Request {error.digest}</p> : null}
        </main>
      </body>
    </html>
  );
}
