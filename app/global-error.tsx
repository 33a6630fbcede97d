"use client";

import "./globals.css";

interface GlobalErrorProps {
  error: Error & { digest?: string };
}

/** The empty reference is the address as it is, query included. */
const THIS_ADDRESS = "";

/**
 * Not even the document could be rendered: a fresh one is the only thing to try. Plain markup, because every page
 * carries it.
 */
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
            What you decided before is recorded, and nothing can move twice: look again before you repeat
            anything.
          </p>
          <p className="foot-a err-l">
            {/* This page is made when Sluice is built: none of its scripts has the nonce that a page's policy asks
                for, so what it offers does without any. */}
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
