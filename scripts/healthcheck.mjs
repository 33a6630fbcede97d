/** For containers: exit code 0 while the process answers. The image then needs no curl. */
const port = process.env.PORT || "3000";
try {
  const response = await fetch(`http://localhost:${port}/healthz`, { signal: AbortSignal.timeout(4_000) });
  process.exitCode = response.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
