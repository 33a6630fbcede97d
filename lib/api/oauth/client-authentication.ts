/** How a client may prove who it is where it redeems and revokes. Most are programs that can keep no secret: `none`. */
export const AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"] as const;

/** With which a client that has keys may sign. */
export const SIGNING_ALGORITHMS = ["EdDSA", "ES256", "PS256", "RS256"] as const;
