declare global {
  // Each owner of a value declares it: `declare global { interface ProcessValues { … } }`. A global declaration
  // requires `var`.
  var sluiceProcess: Partial<ProcessValues> | undefined;
}

/**
 * Values that exist once per process. The launcher's bundle and Next's bundles each hold a copy of every module and of
 * its variables, but share one global object (docs/one-process.md).
 */
export function processValues(): Partial<ProcessValues> {
  globalThis.sluiceProcess ??= {};
  return globalThis.sluiceProcess;
}
