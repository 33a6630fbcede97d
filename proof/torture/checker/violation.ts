/** A promise that was broken, and where. */
export interface Violation {
  promise: string;
  what: string;
}
