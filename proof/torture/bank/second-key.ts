/** A planted fault: an adapter that does not ask what became of an order, but sends it again under another key. */
export function sendWithSecondKeys(): void {
  const send = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const key = new Headers(init?.headers).get("idempotency-key");
    if (key === null || !String(input).endsWith("/ach_transfers")) return await send(input, init);
    const answer = await send(input, init).catch(() => null);
    if (answer && answer.status < 500) return answer;
    const headers = new Headers(init?.headers);
    headers.set("idempotency-key", `${key}-again`);
    return await send(input, { ...init, headers });
  };
}
