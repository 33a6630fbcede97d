/** What a program asks for that wants to be connected, as its consent page shows it. */
export interface ConnectionRequest {
  uid: string;
  clientId: string;
  /** What the program calls itself; nobody checked it. */
  clientName: string;
  /** Host to which the browser goes back with the code; with its port where it is this machine. */
  redirectHost: string;
  /** The browser goes back to a program on the person's own machine, e.g. a command line. */
  isLoopback: boolean;
  /**
   * How Sluice knows it: the operator registered it, it registered itself a moment ago, or its id is the address of its
   * own description, whose host is then proven.
   */
  knownBy: "OPERATOR" | "REGISTRATION" | "METADATA_DOCUMENT";
  /** Host of the metadata document, which is proven; null for the others. */
  clientIdHost: string | null;
  /** Real time. */
  askedAt: Date;
  /** It asked for `offline_access`: it stays connected until somebody ends it. Otherwise for as long as one token lives. */
  keepsAccess: boolean;
}

/**
 * What the consent page needs of the authorization server, which lives outside the bundles of Next (`Runtime`). Every
 * call takes the browser's `Cookie` header: a request counts only in the browser in which it began, or whoever began it
 * could send its page to an owner and get their consent for himself.
 */
export interface AuthorizationRequests {
  /** Null: unknown, over, decided already, or begun in another browser. */
  read(uid: string, cookieHeader: string): Promise<ConnectionRequest | null>;
  /**
   * Notes the consent.
   * @returns the address at which the browser goes on, to the program with its code in the end; null as for `read`.
   */
  allow(
    uid: string,
    cookieHeader: string,
    by: { organizationId: string; userId: string; now: Date },
  ): Promise<string | null>;
  /** Notes the refusal; the program is told `access_denied`. */
  refuse(uid: string, cookieHeader: string): Promise<string | null>;
}
