import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { ErrorOut, KoaContextWithOIDC } from "oidc-provider";

/** Colors, fonts and sizes of the dashboard (`app/styles/tokens.css`), copied: only the fonts are loaded. */
const STYLE = `
@font-face{font-family:"Sluice Serif";src:url("/fonts/sluice-serif-english.woff2") format("woff2");font-weight:380 500;font-display:swap}
@font-face{font-family:"Hanken Grotesk";src:url("/fonts/hanken-grotesk-english.woff2") format("woff2");font-weight:400 600;font-display:swap}
@font-face{font-family:"Geist Mono";src:url("/fonts/geist-mono-english.woff2") format("woff2");font-weight:400 600;font-display:swap}
:root{color-scheme:light dark;
--paper:light-dark(oklch(0.984 0.0078 91),oklch(0.195 0.016 208));
--rule:light-dark(oklch(0.900 0.010 140),oklch(0.305 0.018 205));
--ink:light-dark(oklch(0.275 0.038 212),oklch(0.945 0.010 150));
--ink-2:light-dark(oklch(0.420 0.032 208),oklch(0.810 0.016 180));
--ink-3:light-dark(oklch(0.520 0.026 204),oklch(0.700 0.020 190))}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/22px "Hanken Grotesk",ui-sans-serif,system-ui,sans-serif}
main{max-width:34rem;margin:0 auto;padding:18vh 20px 32px}
h1{font:400 32px/38px "Sluice Serif",ui-serif,Georgia,serif;letter-spacing:-.016em;text-wrap:balance;margin:0 0 12px}
p{margin:0;color:var(--ink-2);text-wrap:pretty}
.detail{border-top:1px solid var(--rule);margin-top:24px;padding-top:12px;color:var(--ink-3);font:12px/16px "Geist Mono",ui-monospace,monospace;overflow-wrap:anywhere}
`;
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

const POLICY = `default-src 'none'; font-src 'self'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const ERROR_PAGE_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": POLICY,
  "Cache-Control": "no-store",
};

interface Words {
  title: string;
  text: string;
}

const UNKNOWN: Words = {
  title: "This assistant could not be connected",
  text: "Its request was invalid, and nothing was connected. Start again from the assistant. If it happens again, send the details below to its developer.",
};

const UNKNOWN_CLIENT: Words = {
  title: "Sluice does not know this assistant",
  text: "It is not registered here, its registration expired because it never connected, or its metadata document could not be read. Nothing was connected. Remove Sluice from the assistant and add it again to register it.",
};

const WORDS_BY_ERROR: Readonly<Record<string, Words>> = {
  invalid_client: UNKNOWN_CLIENT,
  invalid_client_metadata: UNKNOWN_CLIENT,
  invalid_redirect_uri: {
    title: "This request would return to the wrong address",
    text: "The address that your browser would return to does not belong to the assistant that asks. Nothing was connected, and nothing was sent there. If a link brought you here, it may be an attempt to deceive you.",
  },
  invalid_request: UNKNOWN,
  server_error: {
    title: "Something went wrong in Sluice",
    text: "Nothing was connected. Start again from the assistant in a moment.",
  },
  temporarily_unavailable: {
    title: "Too many requests",
    text: "Nothing was connected. Wait a few minutes, then start again from the assistant.",
  },
};

const EXPIRED: Words = {
  title: "This request has expired",
  text: "A request to connect an assistant is valid for 15 minutes, once, and only in the browser in which it began. This page connected nothing. Start again from the assistant.",
};

/**
 * Shown instead of a redirect to the client: the client or address is wrong, or the request failed before anyone was
 * asked.
 */
export function renderError(ctx: KoaContextWithOIDC, out: ErrorOut, error: Error): void {
  const words = error.name === "SessionNotFound" ? EXPIRED : (WORDS_BY_ERROR[out.error] ?? UNKNOWN);
  ctx.set(ERROR_PAGE_HEADERS);
  // Set on an error that would otherwise have redirected.
  if (ctx.status < 400) ctx.status = 400;
  ctx.body = errorPage(words, [out.error, out.error_description].filter(Boolean).join(": "));
}

/** Shown when a network has sent too many requests for this one to be read. */
export function answerTooMany(response: ServerResponse, headers: Record<string, string>): void {
  const error = "temporarily_unavailable";
  response.writeHead(429, { ...ERROR_PAGE_HEADERS, ...headers });
  response.end(errorPage(WORDS_BY_ERROR[error] ?? UNKNOWN, error));
}

function errorPage({ title, text }: Words, detail: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Sluice</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
<p class="detail">${escapeHtml(detail)}</p>
</main>
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Parts of the detail come from the request. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
