import type { Hmac } from "node:crypto";
import { once } from "node:events";
import type { Writable } from "node:stream";
import { createMac, encodeFrameHead, FRAME, type FrameKind, MAX_FRAME_BYTES } from "./backup-format";

/** Writes the frames of one backup, waiting wherever the disk is slower than the database. */
export class FrameWriter {
  readonly #target: Writable;
  readonly #mac: Hmac;

  constructor(target: Writable, secret: string) {
    this.#target = target;
    this.#mac = createMac(secret);
  }

  async json(kind: FrameKind, value: unknown): Promise<void> {
    await this.bytes(kind, Buffer.from(JSON.stringify(value)));
  }

  /** Data of any length, in as many frames as it takes. */
  async data(chunk: Buffer): Promise<void> {
    for (let start = 0; start < chunk.length; start += MAX_FRAME_BYTES) {
      await this.bytes(FRAME.data, chunk.subarray(start, start + MAX_FRAME_BYTES));
    }
  }

  /** The last frame, without which the file counts as cut off. */
  async end(): Promise<void> {
    const digest = this.#mac.digest();
    await this.#write(encodeFrameHead(FRAME.mac, digest.length));
    await this.#write(digest);
  }

  async bytes(kind: FrameKind, payload: Buffer): Promise<void> {
    if (payload.length > MAX_FRAME_BYTES) throw new Error(`A frame of ${payload.length} bytes is too long.`);
    const head = encodeFrameHead(kind, payload.length);
    this.#mac.update(head).update(payload);
    await this.#write(head);
    await this.#write(payload);
  }

  async #write(bytes: Buffer): Promise<void> {
    if (this.#target.destroyed) throw this.#target.errored ?? new Error("The file was closed.");
    // An error of the stream rejects the wait.
    if (!this.#target.write(bytes)) await once(this.#target, "drain");
  }
}
