/** What a program that wants to connect asks for, as its consent page shows it. */
export interface ConnectionRequest {
  uid: string;
  clientId: string;
  /** The name that the program gives itself, unverified. */
  clientName: string;
  /** Host that the browser returns to with the code; with its port on this machine. */
  redirectHost: string;
  /** The browser returns to a program on the person's own machine, such as a CLI. */
  isLoopback: boolean;
  /**
   * How Sluice knows it: the operator registered it, it registered itself, or its id is the URL of its metadata document,
   * whose host is thereby proven.
   */
  knownBy: "OPERATOR" | "REGISTRATION" | "METADATA_DOCUMENT";
  /** Host of the metadata document, which is proven; otherwise null. */
  clientIdHost: string | null;
  /** Real time. */
  askedAt: Date;
  /** It requested `offline_access` and stays connected until someone disconnects it; otherwise for one token's lifetime. */
  keepsAccess: boolean;
}

/**
 * What the consent page needs from the authorization server, which runs outside Next's bundles (`Runtime`). Every call
 * takes the browser's `Cookie` header: a request is valid only in the browser that started it; otherwise an attacker
 * could send their consent page to an owner and receive the access.
 */
export interface AuthorizationRequests {
  /** Null: unknown, expired, already decided, or started in another browser. */
  read(uid: string, cookieHeader: string): Promise<ConnectionRequest | null>;
  /**
   * Records the consent.
   * @returns where the browser goes next, ending at the program with its code; null as for `read`.
   */
  allow(
    uid: string,
    cookieHeader: string,
    by: { organizationId: string; userId: string; now: Date },
  ): Promise<string | null>;
  /** Records the refusal; the program receives `access_denied`. */
  refuse(uid: string, cookieHeader: string): Promise<string | null>;
}
