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
        <main id="main" className="focus">
          <h1 className="h1">Something went wrong on our side</h1>
          <p className="lede lost-p">
            Your earlier decisions are recorded, and nothing can move twice. Reload before you repeat
            anything.
          </p>
          <p className="foot-a err-l">
            {/* Built statically, so its scripts have no CSP nonce: everything here works without scripts. */}
            <a className="btn btn-p" href={THIS_ADDRESS}>
              Try again
            </a>
          </p>
          {error.digest ? <p className="meta mono">Request {error.digest}</p> : null}
        </main>
      </body>
    </html>
  );
}
