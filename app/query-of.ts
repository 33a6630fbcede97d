/** The query of a request as pages get it. */
export function queryOf(request: Request): Record<string, string[]> {
  const { searchParams } = new URL(request.url);
  return Object.fromEntries([...searchParams.keys()].map((name) => [name, searchParams.getAll(name)]));
}
