-- What the developer console tells besides what others keep for themselves.

-- platform/oauth: the life of a token family, as its developer sees it.
ALTER TABLE token_families ADD COLUMN refreshed BIGINT NOT NULL DEFAULT 0; -- how often
ALTER TABLE token_families ADD COLUMN refreshed_at BIGINT;
ALTER TABLE token_families ADD COLUMN revoked_why TEXT; -- TOKEN_REUSED, CODE_REPLAYED, REVOKED_BY_APP; null: before anyone asked
UPDATE token_families SET
	refreshed = (SELECT count(*) FROM refresh_tokens r WHERE r.family_id = token_families.id) - 1,
	refreshed_at = (SELECT max(r.created_at) FROM refresh_tokens r WHERE r.family_id = token_families.id AND r.created_at > token_families.created_at)
	WHERE refresh_hash IS NOT NULL AND EXISTS (SELECT 1 FROM refresh_tokens r WHERE r.family_id = token_families.id);
-- the newest of an installation
DROP INDEX token_families_installation;
CREATE INDEX token_families_installation ON token_families (installation_id, id);

-- platform/webhook: what waits for another attempt is counted without reading it. A delivery that succeeds at once is never here.
CREATE INDEX deliveries_retrying ON deliveries (webhook_id, id) WHERE status = 'retrying';
