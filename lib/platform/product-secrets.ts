/** SLUICE_SECRET and, while it replaces another one, that one too. */
export interface ProductSecrets {
  /** What is new is encrypted and signed with this one. */
  current(): string;
  /** Which may have been used, the current one first. */
  all(): readonly [string, ...string[]];
  /** Makes one of them the current one: every process must write with the same, whatever order it was started with. */
  writeWith(secret: string): void;
}

/** For what was derived with one secret only, that one is enough. */
export type SecretSource = string | ProductSecrets;

export function createProductSecrets(secret: string, previous: string | null): ProductSecrets {
  let order: readonly [string, ...string[]] = previous === null ? [secret] : [secret, previous];
  return {
    current: () => order[0],
    all: () => order,
    writeWith: (chosen) => {
      if (!order.includes(chosen)) throw new Error("A secret was chosen that was not given.");
      order = [chosen, ...order.filter((one) => one !== chosen)];
    },
  };
}

export function toSecrets(source: SecretSource): ProductSecrets {
  return typeof source === "string" ? createProductSecrets(source, null) : source;
}

/** @returns what is derived of each secret, the current one first; derived once */
export function derivedOf<Key>(
  secrets: ProductSecrets,
  derive: (secret: string) => Key,
): () => readonly [Key, ...Key[]] {
  const known = new Map<string, Key>();
  const of = (secret: string) => {
    const key = known.get(secret) ?? derive(secret);
    known.set(secret, key);
    return key;
  };
  return () => {
    const [current, ...others] = secrets.all();
    return [of(current), ...others.map(of)];
  };
}
