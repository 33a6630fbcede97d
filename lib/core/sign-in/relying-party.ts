import type { Services } from "@/lib/platform/services";

/** For whom a passkey is made: it answers this host only, and only pages of this origin may ask it. */
export function relyingParty(services: Pick<Services, "appUrl">): {
  id: string;
  origin: string;
  name: string;
} {
  const { hostname, origin } = new URL(services.appUrl);
  return { id: hostname, origin, name: "Sluice" };
}
