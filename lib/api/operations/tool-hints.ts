/**
 * The four hints of a tool (Model Context Protocol, "Tool annotations"). Clients decide by them what to ask a person
 * about before a call. They are no protection: what a caller may do is decided at every call.
 */
export interface ToolHints {
  readOnly: boolean;
  /** Whether it may spend or overwrite; false: it only adds. */
  destructive: boolean;
  /** Whether the same call again changes nothing more. Said of calls without an idempotencyKey: many leave it out. */
  idempotent: boolean;
  /** Whether it reaches beyond the organization, or answers with words that strangers wrote. */
  openWorld: boolean;
}

/** Reads what members, keys and Sluice itself have written. */
export const READS: ToolHints = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

/**
 * Reads what merchants, senders and banks have written too: a client that is careful with words from the open world
 * should be with these.
 */
export const READS_STRANGERS: ToolHints = { ...READS, openWorld: true };

/** Makes something new inside Sluice, and a second one when it is called twice. Nothing moves by it. */
export const ADDS: ToolHints = { readOnly: false, destructive: false, idempotent: false, openWorld: false };

/**
 * Puts a new version in the place of the latest one, which is no longer what an owner would activate: a client should
 * ask. Each call is a further version.
 */
export const REPLACES: ToolHints = { ...ADDS, destructive: true };

/** Can move money, to other banks too, and with a key that needs no approval at once: what left is not called back. */
export const MOVES_MONEY: ToolHints = {
  readOnly: false,
  destructive: true,
  idempotent: false,
  openWorld: true,
};
