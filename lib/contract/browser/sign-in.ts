/** Outcome of one attempt to sign in. */
export type SignInResult =
  | { kind: "SIGNED_IN"; href: string }
  /** One sentence; it never says whether the address exists. */
  | { kind: "FAILED"; message: string }
  /** The password is right, and takes the code of an authenticator app too. */
  | { kind: "CODE_NEEDED" }
  | { kind: "THROTTLED"; retryAfterSeconds: number };
