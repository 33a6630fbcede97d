import fc from "fast-check";
import { PAGE_EXAMPLES } from "@/e2e/pages/page-examples";
import { withShown } from "@/lib/testing/actions/with-shown";
import { mutated } from "@/lib/testing/api-proof/mutations";
import type { ActionCall } from "@/proof/fuzz/actions";
import { type ActionBody, encodeArguments, encodeForm, hostileBody } from "@/proof/fuzz/grammar/flight";
import { hostileText, mutation } from "@/proof/fuzz/grammar/hostile";
import { http, sometimes } from "@/proof/fuzz/grammar/http";
import { wireChange, withHeaders } from "@/proof/fuzz/grammar/wire";
import type { Scene } from "@/proof/fuzz/scene";
import type { FuzzRequest } from "@/proof/fuzz/send";
import { asking } from "@/proof/fuzz/transports/pages";

/** Actions that end all sessions, or stop all money, until the scene is refreshed: rare. */
const SELDOM = ["closeGates", "signOut", "endOtherSessions", "moveClock"];
/** Hashing passwords is slow on purpose, and sign-in is throttled anyway. */
const SLOW = ["acceptAsNew", "changePassword", "setPassword", "signInWithPassword", "signInWithRecoveryCode"];

const ACTION_IDS = [
  "x",
  "",
  "0".repeat(42),
  "f".repeat(42),
  "__proto__",
  "constructor",
  "x".repeat(500),
  "\xff",
];

/** Server actions: each with effective arguments, spoiled ones, and ones that no browser sends. */
export function actionRequests({ actions, appUrl, actionSessions, facts }: Scene): fc.Arbitrary<FuzzRequest> {
  const at = addressesByPage(facts);
  const call = fc.oneof(
    {
      weight: 60,
      arbitrary: fc.constantFrom(...actions.filter(({ name }) => ![...SELDOM, ...SLOW].includes(name))),
    },
    ...[SELDOM, SLOW].map((names) => ({
      weight: 1,
      arbitrary: fc.constantFrom(...actions.filter(({ name }) => names.includes(name))),
    })),
  );
  return fc
    .record({
      call: fc
        .tuple(call, asking(actionSessions))
        .chain(([one, by]) => bodies(one, by.shown).map((body) => ({ one, by, body }))),
      place: fc.nat(1_000),
      id: sometimes(15, fc.constantFrom(...ACTION_IDS)),
      page: sometimes(12, fc.constantFrom("/", "/nothing-here", "/sign-in", "/live", "/api/auth/csrf")),
      isForm: fc.boolean(),
      wire: sometimes(4, wireChange),
    })
    .map(({ call: { one, by, body }, place, id, page, isForm, wire }) => {
      const addresses = one.pages.flatMap((file) => at.get(file) ?? []);
      const target = page ?? addresses[place % Math.max(1, addresses.length)] ?? "/";
      const plain = http(
        "POST",
        target,
        [
          ["Cookie", by.cookie],
          ["Origin", appUrl],
          ["Content-Type", body.type],
          ["Accept", "text/x-component"],
          ["Next-Action", id ?? one.id],
        ],
        body.body,
      );
      const sent = isForm && place % 10 === 0 ? asForm(plain, one) : plain;
      return {
        transport: "actions",
        shape: `${one.name}${wire ? ` with ${wire.name}` : ""}`,
        contract: "PAGE",
        sent: wire ? wire.change(sent) : sent,
      };
    });
}

/** A form sent before the page's scripts run names its action in a field. */
function asForm(request: ReturnType<typeof http>, { id }: ActionCall) {
  const { type, body } = encodeForm([
    [`$ACTION_ID_${id}`, ""],
    ["amount", "1"],
    ["name", "x"],
  ]);
  const headers = request.headers.filter(([name]) => name !== "Next-Action");
  return withHeaders({ ...request, headers, body }, ["Content-Type", type], ["Accept", "text/html"]);
}

function bodies({ args }: ActionCall, shown: string): fc.Arbitrary<ActionBody> {
  const encode = (given: readonly unknown[]) => encodeArguments(withShown(given, shown));
  const form = args.find((value) => value instanceof FormData);
  const spoiled = form
    ? fc
        .tuple(fc.nat(20), hostileText)
        .map(([place, text]) => encode(args.map((value) => spoilForm(value, place, text))))
    : mutation.map((change) => encode(asList(mutated(args, change))));
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(encode(args)) },
    { weight: 5, arbitrary: spoiled },
    { weight: 2, arbitrary: hostileBody },
  );
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function spoilForm(value: unknown, place: number, text: string): unknown {
  if (!(value instanceof FormData)) return value;
  const fields = [...value.keys()];
  const spoiled = new FormData();
  for (const [name, field] of value)
    spoiled.append(name, name === fields[place % fields.length] ? text : field);
  return spoiled;
}

/** An address of each page. */
function addressesByPage(facts: Scene["facts"]): Map<string, string[]> {
  return new Map(
    PAGE_EXAMPLES.map(({ page, views }) => [
      page,
      facts.flatMap((of) => views(of).flatMap(({ at }) => (at === null ? [] : [at]))),
    ]),
  );
}
