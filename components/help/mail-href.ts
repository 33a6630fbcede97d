import type { HelpView } from "@/lib/contract/views/help-view";

/** A letter to support that begins with what support will ask for. Nothing of it is secret. */
export function mailHref(
  view: Pick<HelpView, "organizationName" | "hostName" | "requestId">,
  to: string,
): string {
  const { organizationName, hostName, requestId } = view;
  const subject = `Sluice, ${organizationName}${requestId ? `: request ${requestId}` : ""}`;
  const body = [
    "What I wanted to do:",
    "",
    "What happened instead, and when:",
    "",
    `Request id: ${requestId ?? ""}`,
    `Server: ${hostName}`,
    "",
  ].join("\r\n");
  return `mailto:${encodeURIComponent(to)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
