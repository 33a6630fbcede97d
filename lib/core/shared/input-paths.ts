/** The value at a path, own fields only; undefined if there is none. */
export function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

/** A copy without the fields at these paths; entries of lists keep their places, so theirs stay. */
export function withoutFields(input: unknown, paths: readonly (readonly PropertyKey[])[]): unknown {
  return copyChanged(input, paths, null);
}

/** A copy with this value at each of these paths that leads to one. */
export function withValueAt(
  input: unknown,
  paths: readonly (readonly PropertyKey[])[],
  value: unknown,
): unknown {
  return copyChanged(input, paths, { value });
}

/**
 * One copy for all paths: a copy for each would make thousands of nulls quadratic work.
 * @param given what to write at the ends of the paths; null: remove what is there
 */
function copyChanged(
  input: unknown,
  paths: readonly (readonly PropertyKey[])[],
  given: { value: unknown } | null,
): unknown {
  const inner = new Map<PropertyKey, (readonly PropertyKey[])[]>();
  for (const [name, ...rest] of paths) {
    if (name === undefined) continue;
    const known = inner.get(name);
    if (known) known.push(rest);
    else inner.set(name, [rest]);
  }
  const change = (name: PropertyKey, value: unknown): unknown[] => {
    const deeper = inner.get(name);
    if (!deeper) return [value];
    if (deeper.some((rest) => rest.length === 0)) return given ? [given.value] : [];
    return [copyChanged(value, deeper, given)];
  };
  if (Array.isArray(input)) {
    return input.map((item: unknown, index) => change(index, item).concat([item])[0]);
  }
  if (typeof input !== "object" || input === null) return input;
  // Built from entries: assignment would drop a field named __proto__ instead of refusing it.
  return Object.fromEntries(
    Object.entries(input).flatMap(([field, value]: [string, unknown]) =>
      change(field, value).map((changed) => [field, changed]),
    ),
  );
}
