/** Where money, cards and connected accounts of a process come from. */
interface Providers {
  bank: { isSandbox: boolean };
  aggregator: { isSandbox: boolean };
  cards: { isSandbox: boolean };
}

/**
 * Whether members and programs may drive this process's sandbox: nothing in it is real, nor a real bank's own sandbox, whose
 * clock is the world's.
 * @param keyName the variable that configures a bank; null: the sandbox bank
 */
export function isEverythingSimulated(
  { bank, aggregator, cards }: Providers,
  keyName: string | null,
): boolean {
  return keyName === null && bank.isSandbox && aggregator.isSandbox && cards.isSandbox;
}
