import { join } from "node:path";
import { z } from "zod";
import { findFreePort } from "@/lib/testing/product-process";
import { connectInBrowser } from "@/proof/conformance/connect-in-browser";
import { judge, type Verdict } from "@/proof/conformance/judge";
import { readOutcomes } from "@/proof/conformance/outcomes";
import type { Run } from "@/proof/conformance/report";
import type { Scene } from "@/proof/conformance/scene";
import { runSuite } from "@/proof/conformance/suite";
import type { Undoing } from "@/proof/conformance/undoing";

/** What the suite asks to be opened in a browser. */
const AUTHORIZATION_REQUEST = /^(https?:\S+[?&]response_type=code\S*)\n/m;
const EMPTY = "The suite skipped it, so nothing is proven.";

const metadataSchema = z.object({ registration_endpoint: z.url() });
const clientSchema = z.object({ client_id: z.string() });

/**
 * The authorization server: its metadata, and a code that is redeemed after its owner agreed in a browser.
 * @param browser path of an executable, or null: Playwright's own
 */
export async function runAuthorization(scene: Scene, browser: string | null, undoing: Undoing): Promise<Run> {
  const results = join(scene.folder, "authorization");
  const port = await findFreePort();
  const clientId = await registerClient(scene.appUrl, `http://127.0.0.1:${port}/callback`);
  const { printed } = await runSuite(
    [
      "authorization",
      ...["--url", scene.appUrl],
      ...["--client-id", clientId],
      ...["--resource", scene.mcpUrl],
      ...["--port", String(port)],
      ...["--output-dir", results],
    ],
    undoing,
    { pattern: AUTHORIZATION_REQUEST, act: (address) => connectInBrowser(address, scene.demo, browser) },
  );
  const outcomes = await readOutcomes(results, printed);
  return { title: "Authorization server", outcomes, verdicts: judge(outcomes, []).map(requireProof) };
}

/** As an assistant does that nobody has registered before (RFC 7591). @returns its client id */
async function registerClient(issuer: string, redirectUri: string): Promise<string> {
  const { registration_endpoint } = metadataSchema.parse(
    await ask(`${issuer}/.well-known/oauth-authorization-server`),
  );
  const client = await ask(registration_endpoint, {
    client_name: "Conformance suite",
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code"],
    response_types: ["code"],
  });
  return clientSchema.parse(client).client_id;
}

async function ask(url: string, sent?: object): Promise<unknown> {
  const response = await fetch(url, {
    method: sent ? "POST" : "GET",
    ...(sent && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(sent) }),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return await response.json();
}

function requireProof(verdict: Verdict): Verdict {
  return verdict.kind === "EMPTY" ? { ...verdict, kind: "FAILED", faults: [EMPTY] } : verdict;
}
