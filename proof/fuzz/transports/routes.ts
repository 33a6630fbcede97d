import fc from "fast-check";
import { withShownField } from "@/lib/contract/shown";
import { hostileSegment, hostileText } from "@/proof/fuzz/grammar/hostile";
import { http, jsonSpoiler, queryText, sometimes } from "@/proof/fuzz/grammar/http";
import { wireChange } from "@/proof/fuzz/grammar/wire";
import type { Scene } from "@/proof/fuzz/scene";
import type { FuzzRequest, HttpRequest } from "@/proof/fuzz/send";
import { asking } from "@/proof/fuzz/transports/pages";

const FILTERS =
  "q page account type status direction from to before after caller entry request state only issued review".split(
    " ",
  );

interface Asked {
  name: string;
  sent: HttpRequest;
}

/** What pages request besides other pages: files, waiting items, the palette, and next-auth. */
export function routeRequests(scene: Scene): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      asked: fc.oneof(
        { weight: 4, arbitrary: files(scene) },
        { weight: 3, arbitrary: questions(scene) },
        { weight: 3, arbitrary: signIns(scene) },
      ),
      by: asking(scene.sessions),
      wire: sometimes(3, wireChange),
    })
    .map(({ asked: { name, sent }, by: { cookie, shown }, wire }) => {
      const ofBrowser: HttpRequest = {
        ...sent,
        target: withShownField(sent.target, shown),
        headers: [
          ...sent.headers,
          ...(sent.headers.some(([header]) => header === "Cookie") ? [] : [["Cookie", cookie] as const]),
        ],
      };
      return {
        transport: "routes",
        shape: `${name}${wire ? ` with ${wire.name}` : ""}`,
        contract: "NONE",
        sent: wire ? wire.change(ofBrowser) : ofBrowser,
      };
    });
}

function files({ facts }: Scene): fc.Arbitrary<Asked> {
  const filters = fc.array(
    fc.tuple(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...FILTERS) }, hostileText), hostileText),
    {
      maxLength: 4,
    },
  );
  const path = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom(
        "/transfers/export",
        "/transfers/cards/export",
        "/transfers/outside/export",
        "/approvals/export",
        "/audit/export/csv",
        "/audit/export/json",
        "/settings/year-end/2026/zip",
        "/settings/year-end/2025/zip",
        "/settings/fraud-monitoring/export",
      ),
    },
    hostileSegment.map((segment) => `/audit/export/${segment}`),
    hostileSegment.map((segment) => `/settings/year-end/${segment}/zip`),
    hostileSegment.map((segment) => `/approvals/${segment}/version`),
    hostileSegment.map((segment) => `/documents/${segment}/${segment}`),
    hostileSegment.map((segment) => `/settings/api-keys/${segment}/first-use`),
    fc.constantFrom(...facts.map(({ keyId }) => `/settings/api-keys/${keyId}/first-use`)),
    fc.constantFrom(...facts.map(({ waitingTransferId }) => `/approvals/${waitingTransferId}/version`)),
  );
  return fc.tuple(path, filters).map(([at, fields]) => ({
    name: at
      .split("/")
      .slice(0, 4)
      .join("/")
      .replace(/[0-9a-f-]{36}|%.*/, "…"),
    sent: http("GET", fields.length > 0 ? `${at}?${queryText(fields)}` : at),
  }));
}

function questions({ appUrl }: Scene): fc.Arbitrary<Asked> {
  const json: [string, string] = ["Content-Type", "application/json"];
  const live = fc.constantFrom("", '"0-"', "*").map((etag) => ({
    name: "/live",
    sent: http("GET", "/live", etag === "" ? [] : [["If-None-Match", etag]]),
  }));
  const find = fc.tuple(hostileText, sometimes(3, jsonSpoiler)).map(([query, spoil]) => {
    const text = JSON.stringify({ query: query.slice(0, 200) });
    return { name: "/find", sent: http("POST", "/find", [json], spoil ? spoil(text) : text) };
  });
  const documents = fc
    .tuple(hostileText, fc.constantFrom(0, 10, 70_000, 6_000_000))
    .map(([subject, bytes]) => ({
      name: "/welcome/identity/documents",
      sent: http(
        "POST",
        `/welcome/identity/documents?subject=${bytes === 10 ? 0 : encodeURIComponent(Buffer.from(subject).toString()).slice(0, 500)}`,
        [["Origin", appUrl]],
        Buffer.alloc(bytes, "%PDF"),
      ),
    }));
  const attached = fc
    .tuple(hostileText, hostileSegment, fc.constantFrom(0, 10, 70_000, 6_000_000))
    .map(([name, segment, bytes]) => ({
      name: "/documents/…",
      sent: http(
        "POST",
        `/documents/${segment}`,
        [
          ["Origin", appUrl],
          ["X-Document-Name", encodeURIComponent(Buffer.from(name).toString()).slice(0, 500)],
        ],
        Buffer.alloc(bytes, "%PDF"),
      ),
    }));
  const draftDocuments = fc.constantFrom("", "x", "019aa2d4-1c20-7a9b-83e7-6f10d2b54c16").map((draft) => ({
    name: "/transfers/new/documents",
    sent: http("POST", `/transfers/new/documents?draft=${draft}`, [["Origin", appUrl]], Buffer.from("%PDF")),
  }));
  return fc.oneof(
    { weight: 1, arbitrary: attached },
    { weight: 1, arbitrary: draftDocuments },
    { weight: 3, arbitrary: live },
    { weight: 6, arbitrary: find },
    { weight: 1, arbitrary: documents },
  );
}

const AUTH_PATHS = [
  ..."csrf session providers signin signout error verify-request _log callback callback/password".split(" "),
  ..."callback/passkey callback/recovery-code callback/email signin/password signin/google".split(" "),
];
const CSRF_COOKIE = `next-auth.csrf-token=${"a".repeat(64)}%7C${"b".repeat(64)}`;

function signIns({ csrf }: Scene): fc.Arbitrary<Asked> {
  const field = fc.oneof(
    fc.constantFrom("email", "password", "code", "response", "callbackUrl", "json", "redirect", "csrfToken"),
    hostileText,
  );
  const fields = fc.array(fc.tuple(field, hostileText), { maxLength: 5 });
  return fc
    .record({
      path: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...AUTH_PATHS) }, hostileSegment),
      fields,
      cookie: fc.constantFrom(
        CSRF_COOKIE,
        csrf.cookie,
        csrf.cookie,
        `${csrf.cookie}; next-auth.callback-url=%00`,
      ),
      isPost: fc.boolean(),
      isJson: fc.boolean(),
    })
    .map(({ path, fields: pairs, cookie, isPost, isJson }) => {
      const target = `/api/auth/${path}`;
      const all: [string, string][] = [["csrfToken", csrf.token], ...pairs];
      const headers: [string, string][] = [
        ["Cookie", cookie],
        ["Content-Type", isJson ? "application/json" : "application/x-www-form-urlencoded"],
      ];
      const body = isJson ? JSON.stringify(Object.fromEntries(all)) : queryText(all);
      return {
        name: `/api/auth/${AUTH_PATHS.includes(path) ? path : "…"}`,
        sent: isPost
          ? http("POST", target, headers, body)
          : http("GET", pairs.length > 0 ? `${target}?${queryText(pairs)}` : target, [["Cookie", cookie]]),
      };
    });
}
