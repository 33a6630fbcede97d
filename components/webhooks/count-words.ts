/** As far as the server counts. */
const COUNTED_UP_TO = 1_000;

/** `1 delivery`, `12 deliveries`, `1,000 or more deliveries`. */
export function deliveryCount(count: number): string {
  return `${countWords(count)} ${count === 1 ? "delivery" : "deliveries"}`;
}

/** `12`, `1,000 or more`. */
export function countWords(count: number): string {
  const number = count.toLocaleString("en-US");
  return count >= COUNTED_UP_TO ? `${number} or more` : number;
}
