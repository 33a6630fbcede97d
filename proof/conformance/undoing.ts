/** Exit codes of a process that was ended by a signal, as shells have them. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** What has been started and must not outlive this process, however it ends. */
export class Undoing {
  readonly #steps: (() => unknown)[] = [];

  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  /** The last first. A step that fails does not keep the others from being taken. */
  async undo(): Promise<void> {
    const failures: unknown[] = [];
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, "Not everything could be ended");
  }

  /** Does something; on a signal, undoes instead, and ends the process. */
  async unlessInterrupted<T>(act: () => Promise<T>): Promise<T> {
    let ending: Promise<void> | null = null;
    const listeners = Object.entries(SIGNALS).map(([signal, exitCode]) => {
      const end = () => {
        ending = this.undo().finally(() => process.exit(exitCode));
      };
      process.once(signal, end);
      return () => process.off(signal, end);
    });
    try {
      return await act();
    } catch (error) {
      // What is being ended breaks what waits for it: nobody has to be told.
      await ending;
      throw error;
    } finally {
      for (const stopListening of listeners) stopListening();
    }
  }
}
