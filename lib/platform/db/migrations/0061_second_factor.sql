-- A second factor that an organization asks of its members (docs/security.md, "Sessions").

alter table organizations
  add column requires_second_factor boolean not null default false;

alter table sessions
  -- Whoever sits here has given more than a password: a passkey, a recovery code or an app's code with it, or has just added
  -- a passkey or an app of their own. A fact of the session, not of the member: a thief's session with the password alone is
  -- not let in because its victim adds an app. What the old version starts has none, and is asked once more.
  add column has_second_factor boolean not null default false;

-- while serving: what members change of their organization, by hand
alter table organization_changes
  drop constraint organization_changes_kind_check,
  add constraint organization_changes_kind_check check (kind in ('RENAMED', 'TIME_ZONE', 'NEW_POD_FLOOR',
    'BENEFICIARY_RENAMED', 'BENEFICIARY_REMOVED', 'DEFAULT_BENEFICIARY', 'MEMBER_ROLE', 'MEMBER_REMOVED', 'KEY_CAP',
    'SECOND_FACTOR'));
