const TIMEOUT_MS = 15_000;

/** CUT: the connection was refused or broke. SILENT: it stood, and no complete response came in time. */
export type NoAnswer = "CUT" | "SILENT";

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * One request over an unreliable network.
 * @returns why no complete response came: it may have happened or not
 */
export async function timedFetch(url: string, init: RequestInit): Promise<Answer | NoAnswer> {
  try {
    const response = await fetch(url, {
      redirect: "manual",
      ...init,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  } catch (error) {
    // Every way in which a connection can fail; a bug of ours would be another class.
    if (error instanceof TypeError) return "CUT";
    if (error instanceof DOMException && error.name === "TimeoutError") return "SILENT";
    throw error;
  }
}

export const isAnswer = (answer: Answer | NoAnswer): answer is Answer => typeof answer !== "string";

/** Long enough for a restart, short enough not to waste time. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 150);
  });
}
