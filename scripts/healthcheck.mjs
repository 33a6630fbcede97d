/** For containers: exit code 0 while the process answers. An image without curl needs nothing more. */
const port = process.env.PORT || "3000";
try {
  const response = await fetch(`http://localhost:${port}/healthz`, { signal: AbortSignal.timeout(4_000) });
  process.exitCode = response.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
