import { randomUUID } from "node:crypto";
import {
  Client,
  type OAuthClientInformationContext,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type VersionNegotiationMode,
} from "@modelcontextprotocol/client";

/** How an assistant gets its client id. */
export type Registration =
  /** The operator registered it. */
  | { kind: "OPERATOR"; client: StoredOAuthClientInformation }
  /** It registers itself (RFC 7591). */
  | { kind: "DYNAMIC" }
  /** Its id is the address of its own metadata document. */
  | { kind: "DOCUMENT"; url: string };

export interface AssistantOptions {
  name: string;
  redirectUrl: string;
  registration: Registration;
  mode: VersionNegotiationMode;
}

/** What a program with the official SDK stores: here in memory. */
class CredentialStore implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  readonly clientMetadataUrl?: string;
  kept: StoredOAuthTokens | undefined;
  #client: StoredOAuthClientInformation | undefined;
  #authorizationUrl: URL | null = null;
  #verifier = "";
  #state = "";
  #discovery: OAuthDiscoveryState | undefined;

  constructor({ name, redirectUrl, registration }: AssistantOptions) {
    this.redirectUrl = redirectUrl;
    this.clientMetadata = describeClient(name, redirectUrl);
    if (registration.kind === "DOCUMENT") this.clientMetadataUrl = registration.url;
    if (registration.kind === "OPERATOR") this.#client = registration.client;
  }

  state(): string {
    this.#state = randomUUID();
    return this.#state;
  }

  get lastState(): string {
    return this.#state;
  }

  clientInformation(_context?: OAuthClientInformationContext): StoredOAuthClientInformation | undefined {
    return this.#client;
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#client = client;
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.kept;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.kept = tokens;
  }

  redirectToAuthorization(url: URL): void {
    this.#authorizationUrl = url;
  }

  /** Where the person's browser was sent since the last call. */
  takeAuthorizationUrl(): URL | null {
    const url = this.#authorizationUrl;
    this.#authorizationUrl = null;
    return url;
  }

  invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): void {
    if (scope === "all" || scope === "tokens") this.kept = undefined;
    if (scope === "all" || scope === "client") this.#client = undefined;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }
}

/** As registered or published. */
export function describeClient(name: string, redirectUrl: string): OAuthClientMetadata {
  return {
    client_name: name,
    redirect_uris: [redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
}

export type SdkAssistant = ReturnType<typeof createAssistant>;

/** A program with the official client SDK, before a person has granted it access. */
export function createAssistant(mcpUrl: string, options: AssistantOptions) {
  const store = new CredentialStore(options);
  let client: Client | null = null;

  const openClient = (mode = options.mode) =>
    new Client({ name: options.name, version: "1.0.0" }, { versionNegotiation: { mode } });
  const openTransport = () => new StreamableHTTPClientTransport(new URL(mcpUrl), { authProvider: store });

  /** Calls without a token, and learns where the person must go. */
  async function begin(): Promise<{ url: string; finish: (back: URLSearchParams) => Promise<void> }> {
    const transport = openTransport();
    try {
      await openClient().connect(transport);
    } catch (error) {
      const url = store.takeAuthorizationUrl();
      if (!UnauthorizedError.isInstance(error) || url === null) throw error;
      return { url: url.href, finish: (back) => finish(transport, back) };
    }
    throw new Error("It got access without a person");
  }

  async function finish(transport: StreamableHTTPClientTransport, back: URLSearchParams): Promise<void> {
    if (back.get("state") !== store.lastState) throw new Error("It was sent back with another state");
    await transport.finishAuth(back);
    await transport.close();
    client = openClient();
    await client.connect(openTransport());
  }

  /** Continues with its tokens, in this revision. */
  async function reconnect(mode: VersionNegotiationMode): Promise<void> {
    await client?.close();
    client = openClient(mode);
    await client.connect(openTransport());
  }

  function connected(): Client {
    if (client === null) throw new Error("It is not connected yet");
    return client;
  }

  return {
    name: options.name,
    begin,
    reconnect,
    revision: () => connected().getNegotiatedProtocolVersion(),
    /** Its present tokens. */
    tokens: (): StoredOAuthTokens => {
      if (!store.kept) throw new Error("It has no tokens");
      return store.kept;
    },
    clientId: () => store.clientInformation()?.client_id,
    callTool: (name: string, args: Record<string, unknown> = {}) =>
      connected().callTool({ name, arguments: args }),
    toolNames: async () => (await connected().listTools()).tools.map(({ name }) => name),
    close: async () => client?.close(),
  };
}
