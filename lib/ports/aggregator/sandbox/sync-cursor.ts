/** Up to where a reader has seen: what happened by itself by time, what members changed by number. */
export interface SyncCursor {
  time: Date;
  change: number;
}

const BEGINNING: SyncCursor = { time: new Date(0), change: 0 };

export function writeCursor({ time, change }: SyncCursor): string {
  return `sbx:${time.getTime()}:${change}`;
}

/** A cursor that is not ours is read as none: everything is told again, which does no harm. */
export function readCursor(text: string | null): SyncCursor {
  const parts = /^sbx:(\d{1,15}):(\d{1,9})$/.exec(text ?? "");
  return parts ? { time: new Date(Number(parts[1])), change: Number(parts[2]) } : BEGINNING;
}
