import { UNSAFE_SCHEMES } from "@/lib/contract/urls";

/**
 * First labels of reversed domain names. A dot alone does not make a domain: browsers and systems have schemes of
 * their own with one (`vbscript.x`, `ms-settings.x`, `microsoft.windows.camera`, `x-apple.systempreferences`).
 */
const TOP_LEVEL_DOMAINS: readonly string[] = [
  "app",
  "biz",
  "cloud",
  "com",
  "dev",
  "edu",
  "gov",
  "info",
  "net",
  "org",
  "page",
  "software",
  "systems",
  "tech",
  "tools",
  "xyz",
];
/** Two letters are a country code; labels follow the rules of host names, and a domain has at least two. */
const REVERSED_DOMAIN = new RegExp(
  `^(?:[a-z]{2}|${TOP_LEVEL_DOMAINS.join("|")})(?:\\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$`,
);
/**
 * Schemes of programs on the person's own machine that are not reversed domain names, which RFC 8252 (7.1) asks for.
 */
const KNOWN_APP_SCHEMES: readonly string[] = [
  "claude",
  "cursor",
  "goose",
  "kiro",
  "raycast",
  "vscode",
  "vscode-insiders",
  "warp",
  "windsurf",
  "zed",
];
const LONGEST = 1_024;
const LONGEST_HOST = 255;
/** Browsers drop or change these, so that the address followed would differ from the one compared. */
const DECEPTIVE = /[\p{Cc} \\]/u;

/** Where the browser returns to, for the consent page and the list of connections. */
export interface RedirectTarget {
  /** With its port on this machine; the scheme for a program without a host. */
  host: string;
  /** Returns to a program on the person's own machine. */
  isLoopback: boolean;
}

/**
 * Whether a client may have its codes sent there: over https, to the person's own machine, or to a program there by
 * its own scheme. Plain http exposes codes in transit; a foreign scheme may start any program with any argument.
 * @param isTrusted registered by the operator, who may name any scheme of a program
 * @returns null, or what is wrong with it
 */
export function judgeRedirect(address: string, isTrusted: boolean): string | null {
  if (address.length > LONGEST) return `must be at most ${LONGEST} characters long`;
  const url = DECEPTIVE.test(address) ? null : URL.parse(address);
  if (!url) return "must be absolute addresses";
  if (url.username !== "" || url.password !== "") return "must not name a user";
  if (url.host.length > LONGEST_HOST) return `must name a host of at most ${LONGEST_HOST} characters`;
  if (address.includes("#")) return "must not contain fragments";
  if (url.protocol === "https:") return null;
  if (url.protocol === "http:") return isThisMachine(url) ? null : "must use https, or http on localhost";
  if (UNSAFE_SCHEMES.has(url.protocol)) return "must not use a scheme that runs or shows content";
  if (isTrusted || isAppScheme(url.protocol)) return null;
  return "must use https, http on localhost, or a scheme that is a reversed domain name, such as com.example.app";
}

/**
 * Whether an error may redirect a browser there before a person has seen anything. Anyone can register a client, so a
 * link to us would be an open redirector (RFC 9700, 4.11.2).
 * @param address one of the client's own
 */
export function mayReturnUnseen(address: string, isTrusted: boolean): boolean {
  const url = URL.parse(address);
  return url !== null && (isTrusted || (url.protocol === "http:" && isThisMachine(url)));
}

export function describeRedirect(address: string): RedirectTarget {
  const url = new URL(address);
  if (url.protocol === "https:" || url.protocol === "http:")
    return { host: url.host, isLoopback: isThisMachine(url) };
  return { host: url.protocol.slice(0, LONGEST_HOST), isLoopback: true };
}

function isThisMachine({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}

function isAppScheme(protocol: string): boolean {
  const scheme = protocol.slice(0, -1);
  return REVERSED_DOMAIN.test(scheme) || KNOWN_APP_SCHEMES.includes(scheme);
}
