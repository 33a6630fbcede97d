import fc from "fast-check";
import { mutated } from "@/lib/testing/api-proof/mutations";
import { hostileJson, hostileText, mutation } from "@/proof/fuzz/grammar/hostile";
import { http, jsonSpoiler, queryText, sometimes } from "@/proof/fuzz/grammar/http";
import { wireChange } from "@/proof/fuzz/grammar/wire";
import type { Scene } from "@/proof/fuzz/scene";
import type { FuzzRequest, HttpRequest } from "@/proof/fuzz/send";

const REDIRECT = "https://client.example/callback";
const SOME_SECRET = "x".repeat(43);
const FORM: [string, string] = ["Content-Type", "application/x-www-form-urlencoded"];

type Fields = Readonly<Record<string, string>>;

/** The authorization server and its metadata. */
export function oauthRequests({ appUrl, clientId }: Scene): fc.Arbitrary<FuzzRequest> {
  const form = (target: string, fields: Fields) =>
    spoiledFields(fields).map((pairs) => http("POST", target, [FORM], queryText(pairs)));
  const requests: Record<string, fc.Arbitrary<HttpRequest>> = {
    authorize: spoiledFields(authorizationOf(appUrl, clientId)).map((pairs) =>
      http("GET", `/oauth/authorize?${queryText(pairs)}`),
    ),
    "authorize by POST": form("/oauth/authorize", authorizationOf(appUrl, clientId)),
    resume: hostileText.map((uid) =>
      http("GET", `/oauth/authorize/${encodeURIComponent(Buffer.from(uid).toString()).slice(0, 500)}`, [
        ["Cookie", `_interaction=${SOME_SECRET}; _interaction_resume=${SOME_SECRET}; _session=x`],
      ]),
    ),
    "token for a code": form("/oauth/token", tokenOf(clientId, appUrl)),
    "token refreshed": form("/oauth/token", {
      grant_type: "refresh_token",
      refresh_token: SOME_SECRET,
      client_id: clientId,
    }),
    "token by another grant": form("/oauth/token", { grant_type: "client_credentials", client_id: clientId }),
    revoke: form("/oauth/revoke", {
      token: SOME_SECRET,
      client_id: clientId,
      token_type_hint: "refresh_token",
    }),
    register: registrations(),
    metadata: fc
      .constantFrom("authorization-server", "protected-resource", "protected-resource/mcp", "x", "../../x")
      .map((name) => http("GET", `/.well-known/oauth-${name}`)),
    elsewhere: fc
      .constantFrom(
        "jwks",
        "userinfo",
        "introspect",
        "me",
        "session/end",
        "device",
        "par",
        "",
        "interaction/x",
      )
      .map((name) => http("GET", `/oauth/${name}`)),
  };
  return fc
    .record({
      request: fc.oneof(
        ...Object.entries(requests).map(([name, made]) => made.map((sent) => ({ name, sent }))),
      ),
      basic: sometimes(8, hostileText),
      wire: sometimes(4, wireChange),
    })
    .map(({ request: { name, sent }, basic, wire }) => {
      const authorization: HttpRequest["headers"] =
        basic === null
          ? []
          : [["Authorization", `Basic ${Buffer.from(basic.slice(0, 900)).toString("base64")}`]];
      const whole = { ...sent, headers: [...sent.headers, ...authorization] };
      return {
        transport: "oauth",
        shape: `${name}${wire ? ` with ${wire.name}` : ""}`,
        contract: "OAUTH",
        sent: wire ? wire.change(whole) : whole,
      };
    });
}

function authorizationOf(appUrl: string, clientId: string): Fields {
  return {
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    state: "state of the client",
    code_challenge: SOME_SECRET,
    code_challenge_method: "S256",
    resource: `${appUrl}/mcp`,
    scope: "mcp offline_access",
  };
}

function tokenOf(clientId: string, appUrl: string): Fields {
  return {
    grant_type: "authorization_code",
    code: SOME_SECRET,
    code_verifier: SOME_SECRET,
    redirect_uri: REDIRECT,
    client_id: clientId,
    resource: `${appUrl}/mcp`,
  };
}

/** Fields that some server of this kind understands. */
const MORE_FIELDS: readonly [string, string][] = [
  ["request", "eyJhbGciOiJub25lIn0.e30."],
  ["request_uri", "http://127.0.0.1:9/x"],
  ["client_id", "http://127.0.0.1:9/client.json"],
  ["client_id", "https://localhost:9/client.json"],
  ["client_id", `https://localhost:9/${"x".repeat(2_000)}`],
  ["response_mode", "form_post"],
  ["response_mode", "query.jwt"],
  ["response_type", "code id_token token"],
  ["prompt", "none"],
  ["prompt", "none login"],
  ["max_age", "-1"],
  ["max_age", "x"],
  ["claims", '{"userinfo":{"__proto__":null}}'],
  ["claims", "{"],
  ["ui_locales", "xx-yy zz"],
  ["login_hint", "x".repeat(3_000)],
  ["id_token_hint", "a.b.c"],
  ["acr_values", "1"],
  ["dpop_jkt", "x"],
  ["client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"],
  ["client_assertion", "a.b.c"],
  ["client_secret", "x"],
  ["audience", "x"],
  ["code_challenge_method", "plain"],
];

/** The fields of a request, with one of them spoiled, repeated, missing, or added. */
function spoiledFields(fields: Fields): fc.Arbitrary<[string, string][]> {
  const names = Object.keys(fields);
  const pairs = Object.entries(fields);
  const without = (gone: string) => pairs.filter(([name]) => name !== gone);
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(pairs) },
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom(...names), hostileText)
        .map(([name, value]): [string, string][] => [...without(name), [name, value]]),
    },
    { weight: 1, arbitrary: fc.constantFrom(...names).map(without) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...names), hostileText)
        .map(([name, value]): [string, string][] => [...pairs, [name, value]]),
    },
    {
      weight: 3,
      arbitrary: fc
        .constantFrom(...MORE_FIELDS)
        .map(([name, value]): [string, string][] => [...without(name), [name, value]]),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(hostileText, hostileText).map((more): [string, string][] => [...pairs, more]),
    },
  );
}

const REGISTRATION = {
  client_name: "Test assistant",
  redirect_uris: [REDIRECT],
  token_endpoint_auth_method: "none",
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  client_uri: "https://client.example",
  logo_uri: "https://client.example/logo.png",
  scope: "mcp",
  contacts: ["a@example.com"],
};
const REGISTRATION_FIELDS = [
  "jwks_uri",
  "jwks",
  "sector_identifier_uri",
  "request_uris",
  "application_type",
  "default_acr_values",
  "software_statement",
  "id_token_signed_response_alg",
  "subject_type",
  "client_id",
  "client_secret",
  "backchannel_logout_uri",
  "post_logout_redirect_uris",
];

function registrations(): fc.Arbitrary<HttpRequest> {
  return fc
    .record({
      change: sometimes(3, mutation),
      more: sometimes(2, fc.tuple(fc.constantFrom(...REGISTRATION_FIELDS), hostileJson)),
      redirect: sometimes(2, hostileText),
      spoiler: sometimes(4, jsonSpoiler),
    })
    .map(({ change, more, redirect, spoiler }) => {
      const asked = {
        ...REGISTRATION,
        ...(redirect !== null && { redirect_uris: [redirect] }),
        ...(more && Object.fromEntries([more])),
      };
      const text = JSON.stringify(change ? mutated(asked, change) : asked) ?? "";
      return http(
        "POST",
        "/oauth/register",
        [["Content-Type", "application/json"]],
        spoiler ? spoiler(text) : text,
      );
    });
}
