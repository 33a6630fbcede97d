"use client";

import "./globals.css";

interface GlobalErrorProps {
  error: Error & { digest?: string };
}

/**
 * Not even the document could be rendered: a fresh one is the only thing to try. Plain markup, because every page carries
 * it.
 */
export default function GlobalError({ error }: GlobalErrorProps) {
  return (
    <html lang="en">
      <head>
        <title>Something broke on our side · Sluice</title>
      </head>
      <body>
        <main id="main" className="focus">
          <h1 className="h1">Something broke on our side</h1>
          <p className="lede lost-p">
            What you decided before is recorded, and nothing can move twice: look again before you repeat
            anything.
          </p>
          <p className="foot-a err-l">
            <button className="btn btn-p" type="button" onClick={() => window.location.reload()}>
              Look again
            </button>
          </p>
          {error.digest ? <p className="meta mono">Request {error.digest}</p> : null}
        </main>
      </body>
    </html>
  );
}
