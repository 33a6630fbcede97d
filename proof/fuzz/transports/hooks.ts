import fc from "fast-check";
import { mutated } from "@/lib/testing/api-proof/mutations";
import { hostileSegment, mutation } from "@/proof/fuzz/grammar/hostile";
import { http, jsonSpoiler, sometimes } from "@/proof/fuzz/grammar/http";
import { wireChange } from "@/proof/fuzz/grammar/wire";
import type { Scene } from "@/proof/fuzz/scene";
import type { FuzzRequest, HttpRequest } from "@/proof/fuzz/send";

/** What outside programs call without an API key: rule hooks, sandbox receivers, and load balancer probes. */
export function hookRequests({ own, hookSecrets, receiverToken }: Scene): fc.Arbitrary<FuzzRequest> {
  const id = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(own.ids.rule, own.ids.otherRule) },
    hostileSegment,
  );
  const secret = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...hookSecrets) },
    fc.constantFrom("", "x", "sluice_hook_wrong", "\xff"),
  );
  const key = fc.option(fc.constantFrom("a", "b", "c", "", "x".repeat(300)), { nil: undefined });
  const hooks = fc.tuple(id, secret, key, hookBody).map(([ruleId, text, idempotencyKey, body]) => {
    const headers: [string, string][] = [["Authorization", `Bearer ${text}`]];
    if (idempotencyKey !== undefined) headers.push(["Idempotency-Key", idempotencyKey]);
    return { name: "hook of a rule", sent: http("POST", `/hooks/rules/${ruleId}`, headers, body) };
  });
  const token = fc.oneof({ weight: 4, arbitrary: fc.constant(receiverToken) }, hostileSegment);
  const receivers = fc.tuple(token, receivedBody(own.ids.transfer)).map(([text, body]) => ({
    name: "receiver of the sandbox",
    sent: http("POST", `/sandbox/receivers/${text}`, [["Content-Type", "application/json"]], body),
  }));
  const health = fc.constantFrom("/healthz", "/readyz", "/metrics", "/healthz/").map((target) => ({
    name: target,
    sent: http("GET", target),
  }));
  return fc
    .tuple(
      fc.oneof<fc.Arbitrary<{ name: string; sent: HttpRequest }>[]>(hooks, receivers, health),
      sometimes(3, wireChange),
    )
    .map(([{ name, sent }, wire]) => ({
      transport: "hooks",
      shape: `${name}${wire ? ` with ${wire.name}` : ""}`,
      contract: name === "hook of a rule" ? "API" : "NONE",
      sent: wire ? wire.change(sent) : sent,
    }));
}

const hookBody: fc.Arbitrary<Buffer | null> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(null, Buffer.from("{}"), Buffer.from(" ")) },
  { weight: 1, arbitrary: jsonSpoiler.map((spoil) => spoil('{"amountInCents":100}')) },
);

function receivedBody(transferId: string): fc.Arbitrary<Buffer> {
  const event = {
    id: "evt_1",
    type: "transfer.updated",
    createdAt: "2026-01-15T17:00:00.000Z",
    data: { id: transferId, state: "COMPLETE" },
  };
  return fc.tuple(sometimes(2, mutation), sometimes(4, jsonSpoiler)).map(([change, spoil]) => {
    const text = JSON.stringify(change ? mutated(event, change) : event) ?? "";
    return spoil ? spoil(text) : Buffer.from(text);
  });
}
