import { type ClientMetadata, errors } from "oidc-provider";
import { judgeRedirect } from "@/lib/api/oauth/redirect-address";
import { OFFLINE_SCOPE, RESOURCE_SCOPE } from "@/lib/api/oauth/settings";
import { knownByOf } from "@/lib/core/keys/oauth-clients";

const MAXIMUM_REDIRECTS = 20;
const LONGEST_NAME = 200;
const LONGEST_METADATA = 16_000;

/** Unused here, and each is one more field that a stranger could fill or have fetched. */
const UNUSED = [
  "contacts",
  "default_acr_values",
  "default_max_age",
  "id_token_signed_response_alg",
  "initiate_login_uri",
  "logo_uri",
  "policy_uri",
  "require_auth_time",
  "sector_identifier_uri",
  "subject_type",
  "tos_uri",
] as const;

/**
 * Reduces a client's metadata to what counts, for registrations and metadata documents alike. What is merely not
 * offered here (other grants, scopes) is dropped, as RFC 7591 (2) allows: programs send one description to every
 * server.
 * @param metadata is changed
 * @throws InvalidClientMetadata
 */
export function settleClient(metadata: ClientMetadata): void {
  dropEmpty(metadata);
  for (const name of UNUSED) delete metadata[name];
  // Its ports on the person's own machine may change each time (RFC 8252, 7.3), which `web` would not allow.
  metadata.application_type = "native";
  // Not by a page that posts itself.
  metadata.response_modes = ["query", "fragment"];
  if (Array.isArray(metadata.grant_types))
    metadata.grant_types = keepOf(metadata.grant_types, ["authorization_code", "refresh_token"]);
  if (Array.isArray(metadata.response_types)) metadata.response_types = ["code"];
  // A person decides about scopes at each request.
  metadata.scope = `${RESOURCE_SCOPE} ${OFFLINE_SCOPE}`;
  settleAuthentication(metadata);
  checkBounds(metadata);
  checkStorable(metadata);
  checkRedirects(metadata);
}

/**
 * Null and an empty text say nothing about a client: programs send every member that they know (RFC 7591, 2 makes all
 * but the addresses optional).
 * @param metadata is changed
 */
export function dropEmpty(metadata: object | undefined): void {
  for (const [name, value] of Object.entries(metadata ?? {}))
    if (value === null || value === "") Reflect.deleteProperty(metadata ?? {}, name);
}

function keepOf(values: readonly unknown[], known: readonly string[]): readonly string[] {
  return known.filter((value) => values.includes(value));
}

/** A document is public, so it cannot hold a secret; one that names no method describes a public client. */
function settleAuthentication(metadata: ClientMetadata): void {
  if (
    knownByOf(metadata.client_id) === "METADATA_DOCUMENT" &&
    metadata.token_endpoint_auth_method === "client_secret_basic"
  )
    metadata.token_endpoint_auth_method = "none";
}

/**
 * `oidc-provider` looks for algorithms in fields before it checks that they are text: an object there would cause a
 * server error.
 * @param metadata as sent
 */
export function checkTexts(metadata: object | undefined): void {
  for (const [name, value] of Object.entries(metadata ?? {})) {
    if (name !== "jwks" && hasObject(value))
      throw new errors.InvalidClientMetadata(`${name} must not be or contain an object`);
  }
}

function hasObject(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((one) => typeof one === "object" && one !== null);
  return typeof value === "object" && value !== null;
}

/** NUL and lone surrogates: PostgreSQL stores neither in text. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

function checkStorable(metadata: ClientMetadata): void {
  let isStorable = true;
  JSON.stringify(metadata, (name, value: unknown) => {
    if (UNSTORABLE.test(name) || (typeof value === "string" && UNSTORABLE.test(value))) isStorable = false;
    return value;
  });
  if (!isStorable) throw new errors.InvalidClientMetadata("metadata must not contain NUL or lone surrogates");
}

function checkBounds(metadata: ClientMetadata): void {
  if (typeof metadata.client_name === "string" && metadata.client_name.length > LONGEST_NAME)
    throw new errors.InvalidClientMetadata(`client_name must be at most ${LONGEST_NAME} characters long`);
  if (JSON.stringify(metadata).length > LONGEST_METADATA)
    throw new errors.InvalidClientMetadata(`metadata must be at most ${LONGEST_METADATA} characters long`);
}

function checkRedirects({ redirect_uris: addresses, client_id: clientId }: ClientMetadata): void {
  // The schema refuses other shapes.
  if (!Array.isArray(addresses)) return;
  if (addresses.length > MAXIMUM_REDIRECTS)
    throw new errors.InvalidClientMetadata(`redirect_uris must list at most ${MAXIMUM_REDIRECTS} addresses`);
  for (const address of addresses) {
    const problem =
      typeof address === "string"
        ? judgeRedirect(address, knownByOf(clientId) === "OPERATOR")
        : "must be text";
    if (problem !== null) throw new errors.InvalidClientMetadata(`redirect_uris ${problem}`);
  }
}
