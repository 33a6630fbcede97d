import { AsyncLocalStorage } from "node:async_hooks";
import type { CurrentSession } from "@/lib/core/sign-in/read-session";
import { currentPageRequest } from "@/lib/next/current-page-request";
import { noteCaller, type RequestFacts } from "@/lib/platform/observe/request-facts";

/** Lets pages and actions tell whose request they answer. Called once, by the launcher. */
export function openPageRequests(): <Result>(facts: RequestFacts, handle: () => Result) => Result {
  const storage = new AsyncLocalStorage<RequestFacts>();
  globalThis.sluicePageRequest = () => storage.getStore();
  return (facts, handle) => storage.run(facts, handle);
}

/** Notes for the log who asks for this page. */
export function notePageMember({ organization, actor }: CurrentSession): void {
  const facts = currentPageRequest();
  if (facts) noteCaller(facts, { organizationId: organization.id, actor });
}
