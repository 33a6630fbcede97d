import fc from "fast-check";
import { PAGE_EXAMPLES } from "@/e2e/pages/page-examples";
import { formatShown } from "@/lib/contract/shown";
import type { Session } from "@/proof/fuzz/callers";
import { hostileSegment, hostileText } from "@/proof/fuzz/grammar/hostile";
import { http, queryText, sometimes } from "@/proof/fuzz/grammar/http";
import { wireChange, withHeaders } from "@/proof/fuzz/grammar/wire";
import type { Scene } from "@/proof/fuzz/scene";
import type { FuzzRequest, HttpRequest } from "@/proof/fuzz/send";

/** Names that pages read from their address, and values that one of them understands. */
const QUERY_NAMES = [
  ..."page before after from to q query search status state account accountId type direction tab sort days template".split(
    " ",
  ),
  ..."decided sent next error dry issued only request entry caller version amount show disconnected rule year".split(
    " ",
  ),
  ..."approvalTransferId callbackUrl oauth_state_id key card category code draft source destination step _rsc".split(
    " ",
  ),
];
const QUERY_VALUES = [
  "1",
  "0",
  "active",
  "denied",
  "approved",
  "show",
  "365",
  "2026-01-01",
  "profit-first",
  "/",
  "//x",
];

const ROUTER_STATES = [
  "",
  "{",
  "null",
  "[]",
  "%7B",
  encodeURIComponent('["",{"children":["__PAGE__",{}]},null,null,true]'),
  encodeURIComponent('["",{"children":["rules",{"children":[["id","x","d"],{}]}]},null,"refetch"]'),
  encodeURIComponent(JSON.stringify(["", { children: "x".repeat(1_000) }])),
  encodeURIComponent(`${'["",{"children":'.repeat(200)}1${"}]".repeat(200)}`),
  encodeURIComponent('["__proto__",{"__proto__":["constructor",{}]}]'),
];

/** Who requests, and what their page says that it showed: mostly what it does show, and even where no page says so. */
export function asking(sessions: readonly Session[]): fc.Arbitrary<{ cookie: string; shown: string }> {
  const own = sessions.map((session) => ({ cookie: session.cookie, shown: shownBy(session) }));
  const [first] = own;
  return fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom(...own) },
    {
      weight: 3,
      arbitrary: fc.record({
        cookie: cookies([...sessions]),
        shown: fc.constantFrom(
          ...own.map(({ shown }) => shown),
          "",
          "x",
          "0".repeat(36),
          `${first?.shown}.${first?.shown}`,
          "a".repeat(9_000),
        ),
      }),
    },
  );
}

function shownBy({ userId, organizationId }: Session): string {
  return formatShown({ userId, organizationId, proposalId: null });
}

/** Headers of Next's own client. */
const rscHeaders: fc.Arbitrary<[string, string][]> = fc.oneof(
  fc.constantFrom<[string, string][]>(
    [["RSC", "1"]],
    [
      ["RSC", "1"],
      ["Next-Router-Prefetch", "1"],
    ],
    [
      ["RSC", "1"],
      ["Next-Router-Prefetch", "2"],
    ],
    [
      ["RSC", "1"],
      ["Next-Router-Segment-Prefetch", "/_tree"],
    ],
    [
      ["RSC", "1"],
      ["Next-Router-Segment-Prefetch", "/../../x"],
    ],
    [["Next-Router-Segment-Prefetch", "/_full"]],
    [
      ["RSC", "1"],
      ["Next-Url", "/rules"],
    ],
    [
      ["RSC", "1"],
      ["Next-Url", "//evil.example/\xff"],
    ],
    [["RSC", "\xff"]],
    [["Next-Hmr-Refresh", "1"]],
    [["X-Deployment-Id", "x"]],
    [["Accept", "text/x-component"]],
  ),
  fc.constantFrom(...ROUTER_STATES).map((state): [string, string][] => [
    ["RSC", "1"],
    ["Next-Router-State-Tree", state],
  ]),
);

/** Every page in each of its states, as each role and signed out, with altered addresses. */
export function pageRequests({ facts, sessions }: Scene): fc.Arbitrary<FuzzRequest> {
  const views = facts.flatMap((of) =>
    PAGE_EXAMPLES.flatMap(({ page, views: viewsOf }) =>
      viewsOf(of).flatMap(({ at }) => (at === null ? [] : [{ page, at }])),
    ),
  );
  const query = fc.array(
    fc.tuple(
      fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...QUERY_NAMES) }, hostileText),
      fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...QUERY_VALUES) }, hostileText),
    ),
    { minLength: 1, maxLength: 4 },
  );
  return fc
    .record({
      view: fc.constantFrom(...views),
      cookie: cookies(sessions),
      query: sometimes(2, query),
      segment: sometimes(5, fc.tuple(fc.nat(5), hostileSegment)),
      rsc: sometimes(4, rscHeaders),
      wire: sometimes(4, wireChange),
    })
    .map(({ view, cookie, query: more, segment, rsc, wire }) => {
      const path = segment ? replaceSegment(view.at, ...segment) : view.at;
      const target = more ? `${path}${path.includes("?") ? "&" : "?"}${queryText(more)}` : path;
      const plain = http("GET", target, [
        ["Cookie", cookie],
        ["Accept", "text/html"],
      ]);
      const asked: HttpRequest = rsc ? withHeaders(plain, ...rsc) : plain;
      return {
        transport: "pages",
        shape: `${view.page}${wire ? ` with ${wire.name}` : ""}`,
        contract: "PAGE",
        sent: wire ? wire.change(asked) : asked,
      };
    });
}

/** Mostly a valid session; sometimes none, or a nonexistent one. */
function cookies(sessions: Scene["sessions"]): fc.Arbitrary<string> {
  const [some] = sessions;
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...sessions).map(({ cookie }) => cookie) },
    { weight: 2, arbitrary: fc.constant("") },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "next-auth.session-token=x",
        "next-auth.session-token=a.b.c.d.e",
        `${some?.cookie.slice(0, -3)}`,
        `${some?.cookie}; sluice-theme=${"x".repeat(500)}; theme=DARK`,
      ),
    },
  );
}

function replaceSegment(at: string, place: number, segment: string): string {
  const [path = "", ...rest] = at.split("?");
  const segments = path.split("/");
  const index = 1 + (place % Math.max(1, segments.length - 1));
  const changed = segments.map((one, where) => (where === index ? segment : one)).join("/");
  return [changed, ...rest].join("?");
}
