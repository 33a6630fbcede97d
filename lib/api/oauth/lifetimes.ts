/** How long things last, in seconds of real time (docs/oauth.md). */
export const LIFETIMES = {
  /** A client redeems its code in the same moment. */
  code: 60,
  /** Time to sign in and read the consent page. */
  interaction: 15 * 60,
  accessToken: 30 * 60,
  /** From its last use: a connection that nobody uses for so long ends by itself. */
  refreshToken: 60 * 86_400,
  /** From its consent, however much it is used: then a member is asked again whether it should go on. */
  connection: 365 * 86_400,
  /** Longer than any connection; it ends with its row in `api_keys`. */
  grant: 50 * 365 * 86_400,
  /** A program that registers and never connects. */
  unusedRegistration: 86_400,
} as const;

/** After its first use a refresh token counts once more for this long: its response was lost, or two asked at once. */
export const REFRESH_GRACE_MS = 30_000;

/** Of a code, what comes within this time of its first use came with it; what comes later is a replay. */
export const SAME_MOMENT_MS = 10_000;
