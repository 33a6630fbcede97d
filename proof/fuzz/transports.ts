import fc from "fast-check";
import type { Scene } from "@/proof/fuzz/scene";
import type { FuzzRequest } from "@/proof/fuzz/send";
import { actionRequests } from "@/proof/fuzz/transports/actions";
import { apiRequests } from "@/proof/fuzz/transports/api";
import { fileRequests } from "@/proof/fuzz/transports/files";
import { hookRequests } from "@/proof/fuzz/transports/hooks";
import { mcpRequests } from "@/proof/fuzz/transports/mcp";
import { oauthRequests } from "@/proof/fuzz/transports/oauth";
import { pageRequests } from "@/proof/fuzz/transports/pages";
import { rawRequests } from "@/proof/fuzz/transports/raw";
import { routeRequests } from "@/proof/fuzz/transports/routes";

/** A transport, its requests, and its share of a thousand requests. */
interface Transport {
  name: string;
  weight: number;
  requests: (scene: Scene) => fc.Arbitrary<FuzzRequest>;
}

const TRANSPORTS: readonly Transport[] = [
  { name: "api", weight: 400, requests: apiRequests },
  { name: "mcp", weight: 150, requests: mcpRequests },
  { name: "oauth", weight: 80, requests: oauthRequests },
  { name: "hooks", weight: 60, requests: hookRequests },
  { name: "pages", weight: 80, requests: pageRequests },
  { name: "routes", weight: 60, requests: routeRequests },
  { name: "actions", weight: 80, requests: actionRequests },
  { name: "files", weight: 50, requests: fileRequests },
  { name: "raw", weight: 40, requests: rawRequests },
];

/** The n-th request of a seed: the same for the same scene, whatever was sent before it. */
export type MakeRequest = (number: number) => FuzzRequest;

/** @param names of the transports to fuzz; null: all */
export function createMaker(scene: Scene, seed: number, names: readonly string[] | null): MakeRequest {
  const transports = TRANSPORTS.filter(({ name }) => names?.includes(name) ?? true);
  if (transports.length === 0)
    throw new Error(`The transports are ${TRANSPORTS.map(({ name }) => name).join(", ")}`);
  const any = fc.oneof(...transports.map(({ weight, requests }) => ({ weight, arbitrary: requests(scene) })));
  return (number) => {
    const [request] = fc.sample(any, { seed: mix(seed, number), numRuns: 1 });
    if (!request) throw new Error("A sample of one has one");
    return request;
  };
}

/** Decorrelates neighboring seeds (the finalizer of MurmurHash3). */
function mix(seed: number, number: number): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ number;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
