import { MAXIMUM_URL_LENGTH } from "@/lib/contract/webhooks";

/** Leave no trace on a page, or are taken out by whoever parses the address. */
const UNSEEN = /[\s\p{Cc}\p{Cf}\p{Cs}]/u;

/**
 * What an endpoint's address must be before anything is looked up.
 * @returns null, or a sentence for the form
 */
export function checkUrlText(url: string, allowsPrivate: boolean): string | null {
  if (url.length > MAXIMUM_URL_LENGTH)
    return `Enter an address of at most ${MAXIMUM_URL_LENGTH.toLocaleString("en-US")} characters.`;
  if (UNSEEN.test(url)) return "Remove spaces and invisible characters from the address.";
  if (!URL.canParse(url)) return "Enter a full address, such as https://example.com/webhooks.";
  const parsed = new URL(url);
  if (allowsPrivate && parsed.protocol !== "https:" && parsed.protocol !== "http:")
    return "Enter an address that begins with https:// or http://.";
  if (!allowsPrivate && parsed.protocol !== "https:") return "Enter an address that begins with https://.";
  // They would be shown to every member, and sent to whoever takes the host over.
  if (parsed.username !== "" || parsed.password !== "")
    return "Remove the user name and password from the address.";
  if (parsed.href.includes("#")) return "Remove # and what follows it from the address. It is never sent.";
  return null;
}
