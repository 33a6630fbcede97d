-- Writes the ids and data that programs gave new transfers; p_items: of create_transfers. One without any writes nothing.
create or replace function write_transfer_labels(p_items jsonb) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into transfer_labels (organization_id, transfer_id, external_id, metadata)
    select i."organizationId", (i.transfer ->> 'id')::uuid, i.transfer ->> 'externalId', i.transfer -> 'metadata'
      from jsonb_to_recordset(p_items) as i ("organizationId" uuid, transfer jsonb)
     where i.transfer ->> 'externalId' is not null or jsonb_array_length(i.transfer -> 'metadata') > 0;
  insert into transfer_metadata (organization_id, key, value, transfer_id)
    select i."organizationId", pair ->> 'key', pair ->> 'value', (i.transfer ->> 'id')::uuid
      from jsonb_to_recordset(p_items) as i ("organizationId" uuid, transfer jsonb)
      cross join lateral jsonb_array_elements(i.transfer -> 'metadata') as pair;
$$;
