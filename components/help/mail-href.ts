import type { HelpView } from "@/lib/contract/views/help-view";

/** A letter to support that begins with what support will ask for. Nothing of it is secret. */
export function mailHref(
  view: Pick<HelpView, "organizationName" | "hostName" | "requestId" | "installation">,
  to: string,
): string {
  const { organizationName, hostName, requestId, installation } = view;
  const subject = `Sluice, ${organizationName}${requestId ? `: request ${requestId}` : ""}`;
  const body = [
    "What I wanted to do:",
    "",
    "What happened instead, and when:",
    "",
    `Request id: ${requestId ?? ""}`,
    `Server: ${hostName}, version ${installation.version}`,
    "",
  ].join("\r\n");
  return `mailto:${encodeURIComponent(to)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
