import type { EndpointFactsView } from "@/lib/contract/views/webhooks-view";
import { numberWords } from "@/lib/engine/words/number-words";

/** The list in one statement, worst first: `One endpoint is failing`, `Two endpoints receive every event`. */
export function endpointsTitle(endpoints: readonly Pick<EndpointFactsView, "state">[]): string {
  if (endpoints.length === 0) return "No program hears of changes yet";
  const count = (kind: EndpointFactsView["state"]["kind"]) =>
    endpoints.filter(({ state }) => state.kind === kind).length;
  const [failing, off, fresh] = [count("FAILING"), count("OFF"), count("NEW")];
  if (failing > 0) return `${endpointWords(failing)} ${failing === 1 ? "is" : "are"} failing`;
  if (off > 0) return `${endpointWords(off)} ${off === 1 ? "is" : "are"} switched off`;
  if (fresh === endpoints.length)
    return `${endpointWords(fresh)} ${fresh === 1 ? "waits" : "wait"} for a first event`;
  const receiving = endpoints.length;
  return `${endpointWords(receiving)} ${receiving === 1 ? "receives" : "receive"} every event`;
}

function endpointWords(count: number): string {
  const number = numberWords(count);
  return `${number.charAt(0).toUpperCase()}${number.slice(1)} ${count === 1 ? "endpoint" : "endpoints"}`;
}
