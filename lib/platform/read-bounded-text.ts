/**
 * Reads at most `maxBytes` of a response as UTF-8 and drops the rest: a server that answers without end must not fill
 * this process's memory.
 */
export async function readBoundedText(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let left = maxBytes;
  try {
    while (left > 0) {
      const { done, value } = await reader.read();
      if (done) break;
      const chunk = value.subarray(0, left);
      left -= chunk.byteLength;
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } finally {
    // Closes the connection; a failure to do so changes nothing about what was read.
    await reader.cancel().catch(() => undefined);
  }
}
