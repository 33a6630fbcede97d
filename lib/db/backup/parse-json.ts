import type { z } from "zod";
import { DamagedBackup, NO_BACKUP } from "./read-frames";

/** @throws DamagedBackup when the bytes are not JSON of this shape. */
export function parseJson<Shape extends z.ZodType>(payload: Buffer, shape: Shape): z.infer<Shape> {
  try {
    return shape.parse(JSON.parse(payload.toString()));
  } catch (error) {
    throw new DamagedBackup(NO_BACKUP, { cause: error });
  }
}
