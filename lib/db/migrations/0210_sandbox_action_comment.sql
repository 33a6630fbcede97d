comment on column sandbox_actions.action is 'sandboxActionSchema (lib/contract/sandbox.ts).';
