/**
 * SQL: the kind of whoever proposed, started or made something. Tables know callers; people are told
 * whether it was a key or an assistant. For queries whose `$1` is the organization.
 * @param kind expression of the stored kind, `API_KEY` among others
 * @param id expression of the stored id
 */
export function callerKind(kind: string, id: string): string {
  return `case when ${kind} = 'API_KEY' and exists (
      select from api_keys caller
       where caller.organization_id = $1 and caller.id = ${id} and caller.client_id is not null)
    then 'ASSISTANT' else ${kind} end`;
}
